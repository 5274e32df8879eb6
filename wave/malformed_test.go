package wave_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/wave"
)

func TestMalformedDumps(t *testing.T) {
	const head = "$timescale 1ns $end\n$scope module top $end\n$var wire 4 ! d [3:0] $end\n$upscope $end\n" +
		"$enddefinitions $end\n"
	for in, want := range map[string]string{
		"":                           "f.vcd:1: the file ends in its header, want $enddefinitions",
		"hello":                      `f.vcd:1: "hello" in the header, want a command such as $var`,
		"$date today":                "f.vcd:1: the file ends inside $date, want $end",
		"$var wire x ! d $end":       `f.vcd:1: $var of size "x", want a number of bits`,
		"$var wire $end":             "f.vcd:1: $var with 1 words, want type, size, identifier and name",
		"\n$timescale 3 nights $end": `f.vcd:2: timescale "3nights": want a number of s, ms, us, ns, ps or fs`,
		"$upscope $end":              "f.vcd:1: $upscope without an open scope",
		head + "#x\n":                `f.vcd:6: "#x" is not a time, want # and a number below 2^64`,
		head + "#5\n#4\n":            "f.vcd:7: time 4 comes after time 5, want times that do not go back",
		head + "#1\nb102 !\n": `f.vcd:7: "b102" is not a binary value, want 0, 1, x, z, or one of std_logic's U, W, ` +
			`L, H, -`,
		head + "#1\nb10 ?\n": `f.vcd:7: a change of "?", which no $var declares`,
		head + "#1\nb10":     `f.vcd:7: the file ends after the value "b10", want an identifier`,
		head + "#1\nwhat\n":  `f.vcd:7: "what" is neither a time nor a change`,
	} {
		r, err := wave.NewReader(strings.NewReader(in), "f.vcd")
		for err == nil {
			err = r.Next(func(wave.Change) {})
		}
		require.EqualError(t, err, want, in)
	}
}

func TestReaderTakesOtherDialects(t *testing.T) {
	const in = `$date Sat $end $version Some Simulator $end $comment two
lines $end
$timescale
	100ps
$end
$scope module tb $end
$var reg 8 aa data[7:0] $end
$var wire 1 ab \weird.name  $end
$var wire 8 aa alias [7:0] $end
$var real 64 ac level $end
$var integer 100 ad wide [99:0] $end
$upscope $end
$enddefinitions $end
$dumpvars bx aa xab r1.5 ac b1 ad $end
#10 bZ1 aa 1ab $comment inside $end
#20 $dumpoff bx aa $end
`
	r, err := wave.NewReader(strings.NewReader(in), "f")
	require.NoError(t, err)
	require.Equal(t, "100 ps", r.Scale.String())
	require.Equal(
		t,
		[]wave.Declared{
			{Path: "tb.data", Width: 8, Kind: "reg", Left: 7, Ranged: true},
			{Path: "tb.weird.name", Width: 1, Kind: "wire"},
			{
				Path: "tb.alias", Width: 8, Kind: "wire", Left: 7, Ranged: true,
			},
			{Path: "tb.level", Width: 64, Kind: "real"},
			{Path: "tb.wide", Width: 100, Kind: "integer", Left: 99, Ranged: true},
		},
		r.Vars,
	)
	var got []string
	for r.Next(func(c wave.Change) {
		got = append(got,
			fmt.Sprintf("%d %s %s", c.Time, r.Vars[c.Var].Path, c.Value))
	}) == nil {
	}
	require.Equal(t, []string{"0 tb.data xxxxxxxx", "0 tb.alias xxxxxxxx", "0 tb.weird.name x", "0 tb.level 1.5",
		"0 tb.wide " + strings.Repeat("0", 99) + "1", "10 tb.data zzzzzzz1", "10 tb.alias zzzzzzz1", "10 tb.weird.name 1",
		"20 tb.data xxxxxxxx", "20 tb.alias xxxxxxxx"}, got)
}

// A dump of Icarus, of a counter that mirrors the model's, is equal to ours at every sample.
func TestIcarusDumpEqualsOurs(t *testing.T) {
	for _, p := range []string{"iverilog", "vvp"} {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("a dump of Icarus was NOT read: %s is not installed", p)
		}
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c.v"), []byte(`
`+"`timescale 1ps/1ps"+`
module slow(input clk, output reg [39:0] count, output even);
  assign even = ~count[0];
  initial count = 0;
  always @(posedge clk) count <= count + 1;
endmodule
module tb;
  reg clk = 0;
  wire [39:0] count; wire even;
  slow dut(clk, count, even);
  initial begin #6400; forever begin clk = 1; #3200; clk = 0; #3200; end end
  initial begin $dumpfile("`+filepath.Join(dir, "c.vcd")+`"); $dumpvars(0, tb); #100000 $finish; end
endmodule
`), 0o644))
	out, err := exec.Command("iverilog", "-o", filepath.Join(dir, "c"), filepath.Join(dir, "c.v")).CombinedOutput()
	require.NoError(t, err, string(out))
	out, err = exec.Command("vvp", filepath.Join(dir, "c")).CombinedOutput()
	require.NoError(t, err, string(out))
	icarus, err := os.ReadFile(filepath.Join(dir, "c.vcd"))
	require.NoError(t, err)
	ours := dump(t, wave.Options{}, 60, 1, 1)
	d, err := wave.Diff(open(t, ours, "ours"), open(t, icarus, "icarus"), wave.DiffOptions{
		Clock: "top.core", ClockB: "tb.clk", Map: []wave.Rename{{From: "top.tx.deep.slow", To: "tb.dut"}},
		Only: []string{"top.tx.deep.slow.count", "top.tx.deep.slow.even"}})
	require.NoError(t, err)
	require.Nil(t, d.First, d)
	require.Equal(t, 2, d.Compared)
	require.Greater(t, d.Samples, uint64(12))
}

func FuzzReader(f *testing.F) {
	f.Add(dump(f, wave.Options{}, 5, 1, 1))
	f.Add([]byte("$var wire 4 ! d $end $enddefinitions $end #1 b1x !"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := wave.NewReader(bytes.NewReader(data), "fuzz")
		for err == nil {
			err = r.Next(func(c wave.Change) {
				if v := r.Vars[c.Var]; v.Kind != "real" && strings.Trim(c.Value, "01xz") == "" && len(c.Value) != v.Width {
					t.Logf("%q", c.Value)
				}
			})
		}
		if !errors.Is(err, io.EOF) && !strings.HasPrefix(err.Error(), "fuzz:") {
			t.Fatal("an error without its place: ", err)
		}
		require.NotContains(t, err.Error(), "\n")
	})
}

// A regular file is mapped, a device is read as a stream, and both give their bytes.
func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.vcd")
	require.NoError(t, os.WriteFile(path, []byte("$timescale 1ps $end"), 0o644))
	f, err := wave.Open(path)
	require.NoError(t, err)
	data, err := io.ReadAll(f)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.Equal(t, "$timescale 1ps $end", string(data))

	f, err = wave.Open(os.DevNull)
	require.NoError(t, err)
	data, err = io.ReadAll(f)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.Empty(t, data)
	_, err = wave.Open(path + "x")
	require.ErrorIs(t, err, os.ErrNotExist)
}
