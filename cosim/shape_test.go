package cosim

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// foreign has ports of every kind that Verilator takes.
const foreign = `package word_pkg;
  typedef enum logic [1:0] {IDLE, BUSY, DONE} state_t;
  typedef struct packed { logic valid; logic [1:0] header; state_t [0:2] states; } block_t;
  typedef struct packed { logic [0:7] mode; block_t [1:0] blocks; union packed { logic [3:0] a; logic [1:0][1:0] b; } either; } beat_t;
endpackage
interface word_if #(parameter int W = 32) (input logic clk);
  logic [W-1:0] data; logic valid, ready; word_pkg::block_t side [0:1]; logic unused;
  modport sink (input data, valid, side, output ready);
  modport source (output data, valid, input ready);
endinterface
module foreign import word_pkg::*; #(parameter N = 2) (
    input logic clk, // word_if.sink comment,
    word_if.sink s, word_if.source m,
    input beat_t beats [1:N], output logic [-1:2][3:0] nibbles, output byte lanes [1:0][0:2], input [5:5] one);
  assign s.ready = m.ready, m.data = s.data, m.valid = s.valid;
endmodule
`

func readForeign(t *testing.T, text, top string, m Map, parameters ...Parameter) (reading, error) {
	t.Helper()
	if _, err := exec.LookPath("verilator"); err != nil {
		t.Skip("ports of modern kinds were NOT read: verilator is not installed")
	}
	file := filepath.Join(t.TempDir(), "foreign.sv")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	d := Design{Sources: []string{file}, Top: top, Parameters: parameters, Simulator: Verilator}
	require.NoError(t, d.check())
	return d.read(t.Context(), t.TempDir(), m)
}

func TestForeignPorts(t *testing.T) {
	r, err := readForeign(t, foreign, "foreign", Map{Interfaces: map[string]string{"s": "word_if #(.W(8*2))"}})
	require.NoError(t, err)
	var names []string
	for _, p := range r.ports {
		names = append(names, p.Dir.String()+" "+p.String())
	}
	require.Equal(
		t,
		[]string{
			"in clk", "in s.clk", "in s.data[15:0]", "in s.valid", "out s.ready", "in s.side[0:1][8:0]", "in m.clk",
			"out m.data[31:0]", "out m.valid", "in m.ready", "in beats[1:2][29:0]", "out nibbles[-1:2][3:0]",
			"out lanes[1:0][0:2][7:0]", "in one",
		},
		names,
	)

	for text, want := range map[string]string{ // places, the most significant first
		"s.side[1].header":    "s.side 7 6",
		"s.side[0].states[2]": "s.side 10 9",
		"beats[2]": "beats 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 " +
			"3 2 1 0",
		"beats[2].mode[6:7]":          "beats 23 22",
		"beats[2].mode[7:6]":          "beats 22 23",
		"beats[1].either.b[1]":        "beats 33 32",
		"beats[1].either.a[3]":        "beats 33",
		"beats[1].blocks[0].valid":    "beats 42",
		"beats[1].blocks[1][8]":       "beats 51",
		"nibbles[2]":                  "nibbles 3 2 1 0",
		"nibbles[-1:0][0]":            "nothing can be chosen from a range or a bit of nibbles",
		"nibbles[-1:0]":               "nibbles 15 14 13 12 11 10 9 8",
		"nibbles[0:-1]":               "nibbles 11 10 9 8 15 14 13 12",
		"lanes[0][1]":                 "lanes 15 14 13 12 11 10 9 8",
		"~one":                        "one 0",
		"one[5]":                      "one 0",
		"one[0]":                      "bit 0 is not in one",
		"beats[3]":                    "bit 3 is not in beats[1:2][29:0]",
		"beats[1].blocks[0].nothing":  "beats has no member nothing",
		"s.unused":                    "the RTL has no port s.unused",
		"beats[1].either.a[3].header": "nothing can be chosen from a range or a bit of beats",
	} {
		bits, err := parseBits(r.ports, text)
		if err != nil {
			require.Contains(t, err.Error(), want, text)
			continue
		}
		got := r.ports[bits[0].port].Name
		for _, b := range bits {
			got += " " + strconv.Itoa(b.place)
		}
		require.Equal(t, want, got, text)
	}

	// the printed text is a valid entry of a map
	rapid.Check(t, func(t *rapid.T) {
		port := rapid.IntRange(0, len(r.ports)-1).Draw(t, "port")
		width := r.ports[port].Width()
		n := rapid.IntRange(1, min(width, mostBits)).Draw(t, "bits")
		from := rapid.IntRange(0, width-n).Draw(t, "from")
		step := rapid.SampledFrom([]int{1, -1}).Draw(t, "step")
		bits := make([]bit, n)
		for i := range bits {
			bits[i] = bit{port: port, place: from + i}
			if step < 0 {
				bits[i].place = from + n - 1 - i
			}
		}
		text := formatBits(r.ports, bits)
		got, err := parseBits(r.ports, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		require.Equal(t, bits, got, text)
	})
}

// A parameter of the top module counts where it has interfaces too.
func TestForeignParameter(t *testing.T) {
	r, err := readForeign(t, foreign, "foreign", Map{}, Parameter{"N", "3"})
	require.NoError(t, err)
	require.Equal(t, "beats[1:3][29:0]", r.ports[portIndex(r.ports, "beats")].String())
}

// The shell drives and reads element by element, in the order of the range: the element on its left is the most
// significant.
func TestForeignShell(t *testing.T) {
	scalar := &shape{}
	bytes := func(left, right int) *shape {
		return &shape{left: left, right: right, of: &shape{left: 3}, unpacked: true}
	}
	r := reading{ifaces: []iface{{port: "s", name: "word_if", modport: "sink", args: "#(.W(2))"}}, ports: []Port{
		{Name: "clk", Dir: rtl.Input, shape: scalar, iface: -1},
		{Name: "up", Dir: rtl.Input, shape: bytes(0, 1), iface: -1},
		{Name: "s.clk", Dir: rtl.Input, shape: scalar, hollow: true},
		{Name: "s.data", Dir: rtl.Input, shape: bytes(1, 0)},
		{Name: "s.sum", Dir: rtl.Output, shape: bytes(0, 1)},
	}}
	fields := []vectors.Field{
		{Name: "a", Port: "a", Dir: rtl.Input, Width: 8}, {Name: "b", Port: "b", Dir: rtl.Input, Width: 8},
		{Name: "q", Port: "q", Dir: rtl.Output, Width: 8},
	}
	b, err := bindRTL(vectors.Unit{}, fields, r, Map{Ports: map[string]string{"a": "up", "b": "s.data", "q": "s.sum"}})
	require.NoError(t, err)
	text := b.shell(Design{Top: "foreign"}, 0)
	require.Equal(t, []string{
		"word_if #(.W(2)) goldwire_s (.clk({clk}));",
		"wire [3:0] u1 [0:1];",
		"assign u1[0] = {i0[7], i0[6], i0[5], i0[4]};",
		"assign u1[1] = {i0[3], i0[2], i0[1], i0[0]};",
		"assign goldwire_s.data[1] = {i1[7], i1[6], i1[5], i1[4]};",
		"assign goldwire_s.data[0] = {i1[3], i1[2], i1[1], i1[0]};",
		"assign w4 = {goldwire_s.sum[0], goldwire_s.sum[1]};",
	}, text.Arrays)
	require.Equal(t, []shellPin{{"s", "goldwire_s"}, {"clk", "{clk}"}, {"up", "u1"}}, text.Pins)

	// a signal of an interface, or an element, that nothing drives is an error
	_, err = bindRTL(
		vectors.Unit{},
		fields,
		r,
		Map{
			Ports:   map[string]string{"a": "up", "b[3:0]": "s.data[0]", "q": "s.sum"},
			Without: map[string]uint64{"b[7:4]": 0},
		},
	)
	require.EqualError(t, err, "bit 4 of s.data[1:0][3:0] is driven by nothing")
}

// What an interface or a port lacks is said in one line.
func TestForeignPortsRefused(t *testing.T) {
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(foreign) }
	for want, c := range map[string]struct {
		text string
		m    map[string]string
	}{
		"port s of foreign is an interface without a modport, so that nothing says which signals it drives: name one in " +
			"the map (interfaces: {s: word_if.MODPORT})": {
			text: replace("word_if.sink s,", "word_if s,")},
		"port s of foreign: interface word_if has no " +
			"modport sunk": {text: replace("word_if.sink s,", "word_if s,"), m: map[string]string{"s": "word_if.sunk"}},
		"port s of foreign is an array of interfaces, want single ones: wrap " +
			"the module": {text: replace("word_if.sink s,", "word_if.sink s [1:0],")},
		"interfaces: foreign has no interface at " +
			"a port t": {text: foreign, m: map[string]string{"t": "word_if"}},
		`interfaces: s: "word_if.source", and the module has ` +
			`word_if.sink there`: {text: foreign, m: map[string]string{"s": "word_if.source"}},
		`interfaces: s: "word_if #((1)", want an interface, its modport and its parameters: axis_if.slave #(.W(64))`: {
			text: foreign, m: map[string]string{"s": "word_if #((1)"}},
		"port valid of the interface word_if is an output, want inputs only: wrap the module": {
			text: replace("(input logic clk);\n", "(input logic clk, output logic valid);\n", "logic valid, ready",
				"logic ready")},
		"port s.valid of foreign is an inout, want inputs and " +
			"outputs only": {text: replace("sink (input data, valid,", "sink (inout valid, input data,")},
		"port one of foreign: a real, want bits": {text: replace("input [5:5] one", "input real one")},
	} {
		_, err := readForeign(t, c.text, "foreign", Map{Interfaces: c.m})
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "\n")
	}
}

// A port that Icarus does not take is refused before Icarus runs.
func TestForeignIcarus(t *testing.T) {
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip("foreign RTL was NOT read by Icarus: it is not installed")
	}
	file := filepath.Join(t.TempDir(), "foreign.sv")
	require.NoError(t, os.WriteFile(file, []byte(`
module lanes (input clk, input [7:0] lane [0:3], output [7:0] sum); assign sum = lane[0]; endmodule
module pad (input clk, inout [7:0] pin); endmodule
module fields (input clk, input struct packed { logic [7:0] data; logic valid; } in); endmodule
`), 0o644))
	read := func(top string, m Map) (reading, error) {
		d := Design{Sources: []string{file}, Top: top, Simulator: Icarus}
		require.NoError(t, d.check())
		return d.read(t.Context(), t.TempDir(), m)
	}
	for top, want := range map[string]string{
		"lanes": "port lane of lanes is an unpacked array, and Icarus does not run those of a top module: --sim " +
			"verilator does",
		"pad": "port pin of pad is an inout, want inputs and outputs only: both sides drive it, and the model has no such " +
			"pin; wrap pad so that what it drives, what it " +
			"reads and when it drives are ports of their own",
	} {
		_, err := read(top, Map{})
		require.EqualError(t, err, want)
	}
	_, err := read("fields", Map{Interfaces: map[string]string{"in": "word_if"}})
	require.EqualError(t, err, "interfaces in the map: Icarus takes none: --sim verilator does")
	r, err := read("fields", Map{})
	require.NoError(t, err)
	_, err = parseBits(r.ports, "in.data")
	require.EqualError(t, err, `"in.data": Icarus does not tell the members of in: --sim verilator does`)
}
