package wave_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/wave"
)

// A path of the options that is in no file is an error, also beside others that are there: nothing would be compared
// for it, and nobody would know.
func TestPathsThatNameNothing(t *testing.T) {
	text := vcd("wire 1 ! clk; wire 4 $ n [3:0]", "#0 0! b1 $ #10 1!")
	for want, opt := range map[string]wave.DiffOptions{
		"a.vcd has no variable or scope t.m": {Only: []string{"t.n", "t.m"}},
		"a.vcd has no variable or scope s":   {Map: []wave.Rename{{From: "t.n", To: "t.n"}, {From: "s", To: "t"}}},
		"b.vcd has no variable or scope s":   {Map: []wave.Rename{{From: "t.n", To: "t.n"}, {From: "t", To: "s"}}},
		fmt.Sprintf("an offset of %d samples: want -1000000000 to 1000000000", math.MinInt): {Clock: "t.clk",
			Offset: math.MinInt},
		"an offset of 1000000001 samples: want -1000000000 to 1000000000": {Clock: "t.clk", Offset: 1_000_000_001},
	} {
		_, err := diffTexts(t, text, text, opt)
		require.EqualError(t, err, want)
	}
}

// A vector without bits has a value without digits, if the tool writes one at all; it is compared as unknown, and the
// others beside it count.
func TestVectorsWithoutBits(t *testing.T) {
	text := vcd("wire 1 ! clk; wire 0 $ n; wire 0 % m [-1:0]", "#0 0! b $ b0 % #10 1!")
	d, err := diffTexts(t, text, text, wave.DiffOptions{})
	require.NoError(t, err)
	require.True(t, d.Same(), d)
	d, err = diffTexts(t, text, strings.Replace(text, "#10 1!", "#10 x!", 1), wave.DiffOptions{})
	require.NoError(t, err)
	require.NotNil(t, d.First)
}

// Words of a string may be identifiers of other variables; of a real number there is one identifier only.
func TestStringsWithBlanks(t *testing.T) {
	text := func(s string) string {
		return vcd("wire 1 ! clk; string 1 $ n; wire 64 % r", "#0 0! s $ #10 1! s"+s+" $ r1.5 % 0!")
	}
	for _, s := range []string{"hello", "hello ! world", "! !", `a\x20b`} {
		d, err := diffTexts(t, text(s), text(s), wave.DiffOptions{})
		require.NoError(t, err, s)
		require.True(t, d.Same(), d)
		d, err = diffTexts(t, text(s), text(s+"."), wave.DiffOptions{})
		require.NoError(t, err, s)
		require.Equal(t, s, d.First.Signals[0].A)
		require.Equal(t, s+".", d.First.Signals[0].B)
	}
}

// A mark of UTF-8's byte order at the start is no word.
func TestByteOrderMark(t *testing.T) {
	text := vcd("wire 1 ! clk", "#0 0! #10 1!")
	d, err := diffTexts(t, "\ufeff"+text, text, wave.DiffOptions{})
	require.NoError(t, err)
	require.True(t, d.Same(), d)
}
