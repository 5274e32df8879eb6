package abc

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStatusIn(t *testing.T) {
	s, ok := StatusIn("Status = -1  Frames = 0   Cex is not defined.")
	require.True(t, ok)
	require.Equal(t, undecided, s)
	s, ok = StatusIn("Status = 1  Frames = 1   Cex is not defined.")
	require.True(t, ok)
	require.Equal(t, Proved, s)
	_, ok = StatusIn("All outputs solved or timed out in frame 1.")
	require.False(t, ok)
}

// The graphs are written by hand, after the AIGER format of 2007.
func TestUndecidedIsProvedWhereAllOutputsAreZero(t *testing.T) {
	file := filepath.Join(t.TempDir(), "g.aig")
	for text, want := range map[string]Status{
		"aig 1 1 0 1 0\n0\nc\nby hand\n":  Proved,    // an input, and the constant 0
		"aig 1 1 0 1 0\n2\n":              undecided, // the output is the input
		"aig 2 1 1 2 0\n2\n0\n4\n":        undecided, // the second is a latch
		"aig 2 1 1 2 0\n2\n0\n0\n":        Proved,
		"aig 1 1 0 1 0\n1\n":              undecided, // the constant 1
		"aig 1 1 0 1":                     "",
		"aig 1 1 0 3 0\n0\n":              "",
		"aig 1 1 -4 3 0\n0\n0\n0\n":       "",
		"aig 1 1 0 0 0 1 0\n0\n":          "", // a bad state
		"aig 1 1 99999999999999 3 0\n0\n": "",
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		got, err := Solved(undecided, file)
		require.Equal(t, want, got, text)
		require.Equal(t, want == "", err != nil, text)
		got, err = Solved(Refuted, file)
		require.NoError(t, err)
		require.Equal(t, Refuted, got)
	}
}
