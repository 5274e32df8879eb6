package aiger

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The bytes are worked out by hand after the format's description. Of two inputs (2, 4) and a latch (6) the first and
// (8) is 6 & !2, so it has the differences 8-6 and 6-3; the second (10) is 8 & 4.
func TestFilesByHand(t *testing.T) {
	g := &Graph{Inputs: 2, Next: make([]Literal, 1)}
	first := g.And(Literal(2).Not(), g.Latch(0))
	require.Equal(t, Literal(8), first)
	second := g.And(4, first)
	require.Equal(t, Literal(10), second)
	g.Next[0] = second.Not()
	g.Outputs = []Literal{first}

	file := filepath.Join(t.TempDir(), "g.aig")
	require.NoError(t, g.WriteFile(file))
	written, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "aig 5 2 1 1 2\n11\n8\n\x02\x03\x02\x04", string(written))

	g.Bads, g.Constraints = []Literal{10}, []Literal{True, 3}
	var b bytes.Buffer
	require.NoError(t, g.Write(&b))
	require.Equal(t, "aig 5 2 1 1 2 1 2\n11\n8\n10\n1\n3\n\x02\x03\x02\x04", b.String())

	require.NoError(t, os.WriteFile(file, append(b.Bytes(), "i0 reset\nc\na comment\n"...), 0o644))
	read, err := Read(file)
	require.NoError(t, err)
	g.known = nil
	require.Equal(t, g, read)
}

// A difference of 128 or more takes two bytes: of 100 inputs the first and (202) is 202-200 and 200-2 = 198, which is
// 1 * 128 + 70.
func TestLongDifference(t *testing.T) {
	g := &Graph{Inputs: 100}
	g.Outputs = []Literal{g.And(2, 200)}
	var b bytes.Buffer
	require.NoError(t, g.Write(&b))
	require.Equal(t, "aig 101 100 0 1 1\n202\n\x02\xc6\x01", b.String())
	file := filepath.Join(t.TempDir(), "g.aig")
	require.NoError(t, g.WriteFile(file))
	read, err := Read(file)
	require.NoError(t, err)
	require.Equal(t, [][2]Literal{{200, 2}}, read.Ands)
}

func TestAndFolds(t *testing.T) {
	g := &Graph{Inputs: 2}
	for _, c := range [][3]Literal{{0, 2, 0}, {2, 0, 0}, {1, 2, 2}, {2, 1, 2}, {2, 2, 2}, {2, 3, 0}, {3, 2, 0}} {
		require.Equal(t, c[2], g.And(c[0], c[1]), c)
	}
	require.Empty(t, g.Ands)
	x := g.And(2, 4)
	require.Equal(t, x, g.And(4, 2))
	require.Equal(t, x, g.And(x, 4))
	require.Equal(t, x, g.And(2, x))
	require.Len(t, g.Ands, 1)
	require.NotEqual(t, x, g.And(x.Not(), 2))
	require.Len(t, g.Ands, 2)
}

func TestReadRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "g.aig")
	for _, c := range []struct{ text, why string }{
		{"", "EOF"},
		{"aag 1 1 0 0 0\n", "want the head of a graph"},
		{"aig 1 1 0 1\n0\n", "want the head of a graph"},
		{"aig 2 1 0 1 0\n0\n", "want the head of a graph"}, // of two nodes one is nothing
		{"aig -1 -1 0 0 0\n", "want the head of a graph"},
		{"aig 1 1 0 9999999999999 0\n0\n", "want the head of a graph"},
		{"aig 9999999999999 0 9999999999999 0 0\n0\n", "want the head of a graph"},
		{"aig 1 1 0 1 0\n4\n", "want a literal"},
		{"aig 1 1 0 2 0\n2\n", "want a literal"},
		{"aig 2 1 1 0 0\n2 1\n", "want a literal and no value at the start"},
		{"aig 2 1 0 0 1\n\x06\x00", "an and that reads a node after it, or none"},
		{"aig 2 1 0 0 1\n\x02", "an and that reads a node after it, or none"},
		{"aig 2 1 0 0 1\n\xff\xff\xff\xff\xff\xff\x00", "an and that reads a node after it, or none"},
	} {
		require.NoError(t, os.WriteFile(file, []byte(c.text), 0o644))
		_, err := Read(file)
		require.ErrorContains(t, err, c.why, "%q", c.text)
		require.ErrorContains(t, err, "g.aig", "%q", c.text)
	}
	_, err := Read(file + ".not")
	require.Error(t, err)
}
