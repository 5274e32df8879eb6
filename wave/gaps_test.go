package wave_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/wave"
)

// counted is a dump of a counter at a clock of period 10 times a unit; from row off to row on it is off, and at row
// bad it is wrong.
func counted(rows, off, on, bad, unit int) string {
	var b strings.Builder
	b.WriteString("$timescale 1ns $end $var wire 1 c clk $end\n$var wire 8 n n [7:0] $end\n$enddefinitions $end\n")
	for i := range rows {
		at := 10*i + 10
		if i == off {
			fmt.Fprintf(&b, "#%d\n$dumpoff\nxc\nbx n\n$end\n", (at-2)*unit)
		}
		value := wrongAt(i, bad)
		if i == on {
			fmt.Fprintf(&b, "#%d\n$dumpon\n0c\nb%b n\n$end\n", (at-2)*unit, wrongAt(i-1, bad))
		}
		if i < off || i >= on {
			fmt.Fprintf(&b, "#%d\n1c\nb%b n\n#%d\n0c\n", at*unit, value, (at+5)*unit)
		}
	}
	return b.String()
}

func wrongAt(i, bad int) int {
	if i == bad {
		return i ^ 4
	}
	return max(i, 0)
}

// A gap in one file or both is no difference, at a clock and by time; a difference outside the gap is found.
func TestDiffAroundGaps(t *testing.T) {
	const rows = 60
	whole, never := counted(rows, rows, -1, -1, 1), rows
	for name, c := range map[string]struct {
		a, b    string
		clock   string
		samples uint64
	}{
		"in A, at a clock":                {counted(rows, 20, 30, -1, 1), whole, "clk", 49},
		"in B, at a clock":                {whole, counted(rows, 20, 30, -1, 1), "clk", 49},
		"in B, which counts finer":        {whole, counted(rows, 20, 30, -1, 1000), "clk", 49},
		"in both, at a clock":             {counted(rows, 20, 30, -1, 1), counted(rows, 20, 30, -1, 1), "clk", 49},
		"in both, apart":                  {counted(rows, 20, 30, -1, 1), counted(rows, 40, 45, -1, 1), "clk", 44},
		"in both, one within the other's": {counted(rows, 20, 30, -1, 1), counted(rows, 22, 25, -1, 1), "clk", 49},
		"in A, by time":                   {counted(rows, 20, 30, -1, 1), whole, "", 101},
		"in both, by time":                {counted(rows, 20, 30, -1, 1), counted(rows, 20, 30, -1, 1), "", 101},
		"at the start, at a clock":        {counted(rows, 0, 10, -1, 1), whole, "clk", 0},
		"to the end, by time, in A":       {counted(rows, 20, never, -1, 1), whole, "", 40},
		"to the end, at a clock, in B":    {whole, counted(rows, 20, never, -1, 1), "clk", 0},
		"near the start, by time, in B":   {whole, counted(rows, 1, 10, -1, 1), "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := diffTexts(t, c.a, c.b, wave.DiffOptions{Clock: c.clock, Prefix: true})
			require.NoError(t, err)
			require.True(t, d.Same(), d)
			if c.samples > 0 {
				require.Equal(t, c.samples, d.Samples, d)
			}
			require.NotEmpty(t, d.Notes)
			require.Contains(t, d.String(), "a gap from $dumpoff at time")
		})
	}
	for _, clock := range []string{"", "clk"} {
		for _, bad := range []int{5, 18, 31, 45} {
			wrong := counted(rows, 20, 30, bad, 1)
			for _, pair := range [][2]string{{whole, wrong}, {wrong, whole}} {
				d, err := diffTexts(t, pair[0], pair[1], wave.DiffOptions{Clock: clock})
				require.NoError(t, err)
				require.NotNil(t, d.First, "%q %d", clock, bad)
				require.InDelta(t, 10*bad+10, d.First.TimeA, 10)
			}
		}
	}
}

// Numbers that are written in another way are the same; events are compared by when they come.
func TestRealsAndEvents(t *testing.T) {
	for name, c := range map[string]struct {
		a, b string
		same bool
	}{
		"digits": {vcd("real 1 r x", "#0 r0.50 r #5 r1e-3 r"), vcd("real 64 r x", "#0 r0.5 r #5 r0.001 r"), true},
		"another number": {vcd("real 1 r x", "#0 r0.50 r #5 r1e-3 r"), vcd("real 64 r x", "#0 r0.5 r #5 r0.002 r"),
			false},
		"not a number": {vcd("realtime 1 r x", "#0 rnan r"), vcd("real 64 r x", "#0 rNaN r"), true},
		"strings": {vcd("string 1 s x", "#0 sidle s #5 srun s"), vcd("string 0 s x", "#0 sidle s #5 srun s"),
			true},
		"strings with blank": {vcd("string 1 s x", "#0 s s #5\nsin the run s\n#6 ss s"),
			vcd("string 1 s x", "#0 s s #5\nsin a run s\n#6 ss s"), false},
		"events": {vcd("event 1 e x; wire 1 k k", "#0 0k #5 1e #10 1k"),
			vcd("event 1 e x; wire 1 k k", "#0 0k #5 1e #10 1k"), true},
		"one event more": {vcd("event 1 e x; wire 1 k k", "#0 0k #5 1e #10 1k 1e"),
			vcd("event 1 e x; wire 1 k k", "#0 0k #5 1e #10 1k"), false},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := diffTexts(t, c.a, c.b, wave.DiffOptions{})
			require.NoError(t, err)
			require.Equal(t, c.same, d.Same(), d)
			require.Positive(t, d.Compared)
		})
	}
}

// Each of these is a way in which some tool writes the same two changes.
func TestWaysToWriteTheSame(t *testing.T) {
	const head = "$scope module t $end\n$var wire 4 ! n [3:0] $end\n$upscope $end\n$enddefinitions $end\n"
	want := head + "#0\nb0xxx !\n#10\nb0101 !\n"
	for name, text := range map[string]string{
		"without a blank line":   head + "#0 b0xxx ! #10 b101 !",
		"upper case":             head + "#0\nB0XXX !\n#10\nB101 !\n",
		"longer than the vector": head + "#0\nb000000xxx !\n#10\nb0000000000101 !\n",
		"Python's prefix":        head + "#0\nb0b0xxx !\n#10\nb0b0101 !\n",
		"dumpvars":               head + "$dumpvars\nb0xxx !\n$end\n#0\n#10\nb101 !\n",
		"a time twice":           head + "#0\n#0\nb0xxx !\n#0\n#10\nb1 !\n#10\nb101 !\n",
		"values in the header": strings.Replace(head, "$enddefinitions",
			"#0\n$dumpvars\nb0xxx !\n$end\n$enddefinitions", 1) + "#10\nb101 !\n",
		"comments": "$comment a $scope module x $var b $end\n" + head +
			"$comment #3 1! $end #0\nb0xxx $comment $end\n#10\nb101 !\n",
		"a version of many lines": "$version\n a\n b $x\n\n$end\n" + head + "#0\nb0xxx !\n#10\nb101 !\n",
		"attributes": "$attrbegin misc 07 \"\" 1 $end\n" +
			strings.Replace(head, "$upscope", "$attrend $end $upscope", 1) + "#0\nb0xxx !\n#10\nb101 !\n",
		"a long identifier": strings.Replace(head, "!", strings.Repeat("!~", 200), 1) + "#0\nb0xxx " +
			strings.Repeat("!~", 200) + "\n#10\nb101 " + strings.Repeat("!~", 200) + "\n",
		"carriage returns": strings.ReplaceAll(want, "\n", "\r\n"),
		"tabs":             strings.ReplaceAll(want, " ", "\t"),
		"a scope without a name": "$scope module  $end\n" +
			strings.Replace(head, "$upscope", "$upscope $end $upscope", 1) + "#0\nb0xxx !\n#10\nb101 !\n",
		"escaped scope":            strings.Replace(want, "module t", `module \t`, 1),
		"closing backslashes":      strings.NewReplacer("module t", `module \t\`, " n ", ` \n\ `).Replace(want),
		"a kind of scope":          strings.Replace(want, "module t", "vhdl_architecture t", 1),
		"logic":                    strings.Replace(want, "wire 4", "logic 4", 1),
		"unknown by one character": head + "#0\nb0xxx !\n#10\nb101 !\n$dumpall\nb101 !\n$end\n#20\n",
	} {
		t.Run(name, func(t *testing.T) {
			if name == "comments" {
				text = strings.Replace(text, "b0xxx $comment $end\n", "b0xxx !\n$comment $end\n", 1)
			}
			for _, pair := range [][2]string{{text, want}, {want, text}, {text, text}} {
				d, err := diffTexts(t, pair[0], pair[1], wave.DiffOptions{})
				require.NoError(t, err)
				require.True(t, d.Same(), d)
				require.Equal(t, 1, d.Compared)
				require.EqualValues(t, 2, d.Samples)
			}
		})
	}
	split := strings.Replace(head, "wire 4 ! n [3:0]", "wire 1 ! n", 1)
	d, err := diffTexts(t, split+"#0\n0 !\n#5\n1 !\n", split+"#0\n0!\n#5\n1!\n", wave.DiffOptions{})
	require.NoError(t, err)
	require.True(t, d.Same(), "a blank between value and identifier")
}

// An unreadable file gives one line with the place and the expected text.
func TestWhatIsNoVCD(t *testing.T) {
	const head = "$scope module t $end\n$var wire 4 ! n [3:0] $end\n$upscope $end\n$enddefinitions $end\n"
	for text, want := range map[string]string{
		"$var port 1 <0 n $end": "f.vcd:1: $var port: an extended VCD (IEEE 1364-2005 18.4), want one of " +
			"$dumpvars",
		"$var port [3:0] <0 n $end":          "f.vcd:1: $var port: an extended VCD",
		head + "#0\n$dumpports\npU 6 0 <0\n": "f.vcd:6: $dumpports: an extended VCD",
		head + "#1.5\n":                      `f.vcd:5: "#1.5" is not a time, want # and a number below 2^64`,
		head + "#-1\n":                       `f.vcd:5: "#-1" is not a time`,
		head + "#99999999999999999999\n":     "is not a time, want # and a number below 2^64",
		head + "#7\n#6\n":                    "f.vcd:6: time 6 comes after time 7, want times that do not go back",
		head + "#0\nb10110 !\n":              "f.vcd:6: a value of 5 digits for t.n, which has 4 bits",
		head + "#0\nb !\n#1\n":               `f.vcd:6: the value of "!" has no digits, want 0, 1, x or z after b`,
		head + "$var wire 1 a a $end":        "f.vcd:5: $var after $enddefinitions, want all variables before it",
		"$var wire 1x ! n $end":              `f.vcd:1: $var of size "1x", want a number of bits`,
		"$var wire -1 ! n $end":              `f.vcd:1: $var of size "-1", want a number of bits`,
		"#0 1!":                              "f.vcd:1: the file ends in its header, want $enddefinitions",
	} {
		r, err := wave.NewReader(strings.NewReader(text), "f.vcd")
		for err == nil {
			err = r.Next(func(wave.Change) {})
		}
		require.ErrorContains(t, err, want, text)
		require.NotContains(t, err.Error(), "\n")
	}
}

// Nothing of a file reaches the terminal as a command to it.
func TestDiffPrintsNoControls(t *testing.T) {
	text := vcd("wire 1 ! \x1b[31mred; wire 1 $ only\x07", "#0 0! 0$ #1 1!")
	d, err := diffTexts(t, text, vcd("wire 1 ! \x1b[31mred", "#0 0!"), wave.DiffOptions{})
	require.NoError(t, err)
	require.NotContains(t, d.String(), "\x1b")
	require.NotContains(t, d.String(), "\x07")
	require.Contains(t, d.String(), `\x1b[31mred`)
}
