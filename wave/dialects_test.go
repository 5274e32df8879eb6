package wave_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/wave"
)

// diffTexts compares two dumps at every time.
func diffTexts(t *testing.T, a, b string, opt wave.DiffOptions) (*wave.DiffResult, error) {
	t.Helper()
	ra, err := wave.NewReader(strings.NewReader(a), "a.vcd")
	if err != nil {
		return nil, err
	}
	rb, err := wave.NewReader(strings.NewReader(b), "b.vcd")
	if err != nil {
		return nil, err
	}
	return wave.Diff(ra, rb, opt)
}

// vcd is a dump of one scope "t": declarations without $var and $end, and changes.
func vcd(vars, changes string) string {
	var b strings.Builder
	b.WriteString("$timescale 1ns $end\n$scope module t $end\n")
	for v := range strings.SplitSeq(vars, ";") {
		fmt.Fprintf(&b, "$var %s $end\n", strings.TrimSpace(v))
	}
	return b.String() + "$upscope $end\n$enddefinitions $end\n" + changes + "\n"
}

// A vector that is dumped whole, bit by bit, in slices, or in one word is the same variable, and a change of any bit
// shows.
func TestVectorsInParts(t *testing.T) {
	whole := vcd("wire 4 ! n [3:0]", "#0 b0110 ! #10 b1110 ! #20 b1111 !")
	forms := map[string]string{
		"bits": vcd("wire 1 a n [3]; wire 1 b n [2]; wire 1 c n [1]; wire 1 d n [0]",
			"#0 0a 1b 1c 0d #10 1a #20 1d"),
		"bits in one word": vcd("wire 1 a n[3]; wire 1 b n[2]; wire 1 c n[1]; wire 1 d n[0]",
			"#0 0a 1b 1c 0d #10 1a #20 1d"),
		"bits counting up": vcd("wire 1 d n [0]; wire 1 c n [1]; wire 1 b n [2]; wire 1 a n [3]",
			"#0 0a 1b 1c 0d #10 1a #20 1d"),
		"slices":         vcd("wire 2 h n [3:2]; wire 2 l n [1:0]", "#0 b1 h b10 l #10 b11 h #20 b11 l"),
		"slices upside":  vcd("wire 2 l n[1:0]; wire 2 h n[3:2]", "#0 b1 h b10 l #10 b11 h #20 b11 l"),
		"slice and bits": vcd("wire 1 a n [3]; wire 1 b n [2]; wire 2 l n [1:0]", "#0 0a 1b b10 l #10 1a #20 b11 l"),
		"one code for two": vcd("wire 1 a n [3]; wire 1 b n [2]; wire 1 b n [1]; wire 1 d n [0]",
			"#0 0a 1b 0d #10 1a #20 1d"),
		"without a range":   vcd("wire 4 ! n", "#0 b0110 ! #10 b1110 ! #20 b1111 !"),
		"blanks in a range": vcd("wire 4 ! n [3 : 0]", "#0 b0110 ! #10 b1110 ! #20 b1111 !"),
	}
	for name, text := range forms {
		t.Run(name, func(t *testing.T) {
			for other, with := range forms {
				for _, pair := range [][2]string{{whole, text}, {text, whole}, {text, with}} {
					d, err := diffTexts(t, pair[0], pair[1], wave.DiffOptions{})
					require.NoError(t, err, other)
					require.True(t, d.Same(), "%s: %v", other, d)
					require.Equal(t, 1, d.Compared)
					require.EqualValues(t, 3, d.Samples)
				}
			}
			for bit := range 4 { // in the last value
				wrong := []byte("1111")
				wrong[bit] = '0'
				d, err := diffTexts(t, text, vcd("wire 4 ! n [3:0]", "#0 b0110 ! #10 b1110 ! #20 b"+string(wrong)+" !"),
					wave.DiffOptions{})
				require.NoError(t, err)
				require.NotNil(t, d.First)
				require.EqualValues(t, 20, d.First.TimeA)
				require.Equal(t, string(wrong), d.First.Signals[0].B)
			}
		})
	}
}

// Variables whose range or kind differs are not compared but listed, and fail the comparison.
func TestNothingIsPairedThatIsNotTheSame(t *testing.T) {
	for name, c := range map[string]struct{ a, b, unlike, onlyA, onlyB string }{
		"another bit":        {"wire 1 ! n [1]", "wire 1 ! n [0]", "t.n ([1] in A, [0] in B)", "", ""},
		"a slice":            {"wire 4 ! n [3:0]", "wire 2 ! n [3:2]", "t.n ([3:0] in A, [3:2] in B)", "", ""},
		"another range":      {"wire 4 ! n [3:0]", "wire 4 ! n [7:4]", "t.n ([3:0] in A, [7:4] in B)", "", ""},
		"bits the other way": {"wire 4 ! n [3:0]", "wire 4 ! n [0:3]", "t.n ([3:0] in A, [0:3] in B)", "", ""},
		"another width":      {"wire 4 ! n", "wire 8 ! n", "t.n (4 bits in A, 8 bits in B)", "", ""},
		"a number and bits":  {"real 1 ! n", "wire 1 ! n", "t.n (real in A, 1 bit in B)", "", ""},
		"a hole": {"wire 1 ! n [2]; wire 1 ! n [0]", "wire 3 ! n [2:0]", "t.n ([2], [0] in A, [2:0] in B)", "",
			""},
		"an element of another": {"wire 4 ! m[0] [3:0]", "wire 4 ! m[1] [3:0]", "", "t.m[0]", "t.m[1]"},
		"an escaped name":       {`wire 1 ! \n[1] `, "wire 1 ! n [1]", "", "t.n[1]", "t.n"},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := vcd("wire 1 k k; "+c.a, "#0 1k #10 0k"), vcd("wire 1 k k; "+c.b, "#0 1k #10 0k")
			d, err := diffTexts(t, a, b, wave.DiffOptions{})
			require.NoError(t, err)
			require.False(t, d.Same())
			require.Equal(t, 1, d.Compared)
			require.Equal(t, c.unlike, strings.Join(d.Unlike, " "))
			require.Equal(t, c.onlyA, strings.Join(d.OnlyA, " "))
			require.Equal(t, c.onlyB, strings.Join(d.OnlyB, " "))
			d, err = diffTexts(t, a, b, wave.DiffOptions{Common: true})
			require.NoError(t, err)
			require.Equal(t, c.unlike == "", d.Same(), "a variable of both that is not the same is never let be")
			_, err = diffTexts(t, vcd(c.a, "#0"), vcd(c.b, "#0"), wave.DiffOptions{})
			require.ErrorContains(t, err, "no variable in common")
			d, err = diffTexts(t, a, a, wave.DiffOptions{})
			require.NoError(t, err)
			require.True(t, d.Same(), d)
		})
	}
}

// Two elements of an array, two variables of one name and several codes of one variable are each compared with their
// own.
func TestNamesThatComeTwice(t *testing.T) {
	for name, c := range map[string]struct {
		a, b     string
		compared int
		same     bool
	}{
		"elements": {vcd("wire 2 ! m[0] [1:0]; wire 2 $ m[1] [1:0]", "#0 b0 ! b1 $"),
			vcd("wire 2 ! m[0] [1:0]; wire 2 $ m[1] [1:0]", "#0 b0 ! b10 $"), 2, false},
		"two codes, one wrong in B": {vcd("wire 1 ! n; wire 1 $ n", "#0 0! 0$ #1 1! 1$"),
			vcd("wire 1 ! n; wire 1 $ n", "#0 0! 0$ #1 1!"), 2, false},
		"two codes in A only": {vcd("wire 1 ! n; wire 1 $ n", "#0 0! 0$ #1 1! 1$"), vcd("wire 1 ! n", "#0 0! #1 1!"), 2,
			true},
		"two codes, one wrong in A": {vcd("wire 1 ! n; wire 1 $ n", "#0 0! 0$ #1 1!"), vcd("wire 1 ! n", "#0 0! #1 1!"), 2,
			false},
		"one code twice": {vcd("wire 1 ! n; wire 1 ! n", "#0 0! #1 1!"), vcd("wire 1 ! n", "#0 0! #1 1!"), 1,
			true},
		"several names of one code": {vcd("wire 1 ! n; wire 1 ! m", "#0 0! #1 1!"),
			vcd("wire 1 ! n; wire 1 $ m", "#0 0! 0$ #1 1! 0$"), 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := diffTexts(t, c.a, c.b, wave.DiffOptions{})
			require.NoError(t, err)
			require.Equal(t, c.compared, d.Compared)
			require.Equal(t, c.same, d.Same(), d)
		})
	}
}

// VHDL's nine values count as Verilog's four, in vectors and alone, and are extended as those are.
func TestNineValues(t *testing.T) {
	std := vcd("wire 9 ! v [8:0]; reg 1 a s; reg 1 b h; reg 1 c l; reg 1 d w; reg 1 e d",
		"#0 bUX01ZWLH- ! Ua Hb Lc Wd -e #5 bU ! Za #6 bL1 ! #7 bH !")
	four := vcd("wire 9 ! v [8:0]; reg 1 a s; reg 1 b h; reg 1 c l; reg 1 d w; reg 1 e d",
		"#0 bxx01zx01x ! xa 1b 0c xd xe #5 bxxxxxxxxx ! za #6 b000000001 ! #7 b1 !")
	d, err := diffTexts(t, std, four, wave.DiffOptions{})
	require.NoError(t, err)
	require.True(t, d.Same(), d)
	require.EqualValues(t, 4, d.Samples)
	require.Equal(t, 6, d.Compared)
}

func TestTimescalesOfAllKinds(t *testing.T) {
	for text, want := range map[string]string{
		"$timescale 1 ns $end": "1 ns", "$timescale\n\t1\n\tns\n$end": "1 ns", "$timescale 0ps $end": "0 ps",
		"$timescale 6666ps $end":  "6666 ps",
		"$timescale 0.001fs $end": "0.001 fs", "$timescale 10 US $end": "10 us", "$timescale 1s $end": "1 s",
		"$timescale $end": "1 ps", "": "1 ps",
	} {
		r, err := wave.NewReader(strings.NewReader(text+" $var wire 1 ! n $end $enddefinitions $end #0 1!"), "f")
		require.NoError(t, err, text)
		require.Equal(t, want, r.Scale.String())
	}
	for _, text := range []string{"1", "ns", "-1 ns", "1/3 ns", "1e3 ns", "1 ms s", "nan ns",
		strings.Repeat("1", 100) + "ns"} {
		_, err := wave.NewReader(strings.NewReader("\n$timescale "+text+" $end $enddefinitions $end"), "f")
		require.ErrorContains(t, err, "f:2: timescale ", text)
		require.ErrorContains(t, err, "want a number of s, ms, us, ns, ps or fs")
	}
}

// A file without its last newline is read, and said to be one.
func TestNoLastNewline(t *testing.T) {
	text := strings.TrimSuffix(vcd("wire 1 ! n", "#0 0! #10 1!"), "\n")
	d, err := diffTexts(t, text, text+"\n", wave.DiffOptions{})
	require.NoError(t, err)
	require.True(t, d.Same())
	require.EqualValues(t, 2, d.Samples)
	require.Equal(t, []string{"a.vcd:6: the file ends without a newline: its last word is taken as whole"}, d.Notes)
	_, err = diffTexts(t, text[:len(text)-1], text, wave.DiffOptions{}) // the identifier is missing
	require.ErrorContains(t, err, `a.vcd:6: the file ends after the value "1", want an identifier`)
}
