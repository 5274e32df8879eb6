package designtest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFirstDifferenceNamesTheLine(t *testing.T) {
	for _, c := range []struct {
		a, b     string
		line     int
		inA, inB string
	}{
		{"one\ntwo\nthree", "one\ntwo\nthree", 0, "", ""},
		{"one\ntwo\n", "one\nten\n", 2, "wo", "en"},
		{"one\n", "one\ntwo\n", 2, "", "two"},
		{"", "one", 1, "", "one"},
		{"one\ntwo", "one", 1, "", ""},
	} {
		line, inA, inB, same := firstDifference([]byte(c.a), []byte(c.b))
		require.Equal(t, []any{c.line, c.inA, c.inB, c.line == 0}, []any{line, inA, inB, same}, "%q and %q", c.a, c.b)
	}
}
