package cosim_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/wave"
)

func TestMain(m *testing.M) {
	code := m.Run()
	hdl.RemoveRuntime()
	os.Exit(code)
}

// word and sum are the ports of the accumulator, the unit of these tests.
type word struct {
	Data  uint8 `bits:"8"`
	Valid bool
}

type sum struct {
	Total uint16 `bits:"12"`
	Odd   bool
	Valid bool
}

// accumulator adds words up. Latency 1 cycle.
type accumulator struct {
	In  rtl.In[word]
	Out rtl.Out[sum]

	total uint16
}

func (a *accumulator) Reset() { a.total = 0; a.Out.Set(sum{}) }

func (a *accumulator) Tick() {
	w := a.In.Get()
	if w.Valid {
		a.total = (a.total + uint16(w.Data)) & 0xfff
	}
	a.Out.Set(sum{a.total, a.total&1 == 1, w.Valid})
}

func accumulatorUnit() vectors.Unit {
	return vectors.Unit{
		Name: "test/accumulator", Doc: "sum of words", Latency: 1, Clock: clock.Block25G,
		Valid: map[string]string{"out": "out_valid"},
		Build: func(b *vectors.Bench) rtl.Module {
			a := &accumulator{}
			rng := b.Rand()
			vectors.Drive(b, &a.In, func(uint64) word { return word{uint8(rng.Uint32()), rng.IntN(4) > 0} })
			return a
		},
	}
}

// plain is the accumulator in Verilog, with the unit's names.
const plain = `module acc #(parameter STEP = 1) (input clk, input rst, input [7:0] in_data, input in_valid,
    output reg [11:0] out_total, output out_odd, output reg out_valid);
    assign out_odd = out_total[0];
    always @(posedge clk)
        if (rst) begin out_total <= 0; out_valid <= 0; end
        else begin
            out_valid <= in_valid;
            if (in_valid) out_total <= out_total + STEP * in_data;
        end
endmodule
`

func start(t *testing.T, text string, edit func(o *cosim.Options)) (*cosim.Session, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "acc.v")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	o := cosim.Options{Unit: accumulatorUnit(), Dirty: 64, Seed: 3, Timeout: 20 * time.Second,
		Design: cosim.Design{Sources: []string{path}, Top: "acc", Simulator: cosim.Verilator}}
	if edit != nil {
		edit(&o)
	}
	if err := o.Design.Simulator.Available(); err != nil {
		t.Skipf("%s was NOT run: %v", t.Name(), err)
	}
	s, err := cosim.Start(t.Context(), o)
	if err != nil {
		require.NotContains(t, err.Error(), "\n")
		return nil, err
	}
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s, nil
}

func icarus(o *cosim.Options) { o.Design.Simulator = cosim.Icarus; o.Dirty = 0 }

// agree wants no difference.
func agree(t *testing.T, s *cosim.Session, err error) *cosim.Result {
	t.Helper()
	require.NoError(t, err)
	r, err := s.Run(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8}, nil)
	require.NoError(t, err)
	if r.Divergence != nil {
		var text strings.Builder
		r.Divergence.Write(&text)
		t.Fatal(text.String())
	}
	return r
}

// part wants a difference.
func part(t *testing.T, s *cosim.Session, err error) *cosim.Divergence {
	t.Helper()
	require.NoError(t, err)
	r, err := s.Run(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8}, nil)
	require.NoError(t, err)
	require.NotNil(t, r.Divergence)
	return r.Divergence
}

// RTL in every style that the map and the guesses know, right each time.
func TestStyles(t *testing.T) {
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(plain) }
	for name, c := range map[string]struct {
		text string
		m    cosim.Map
		edit func(*cosim.Options)
	}{
		"its own names": {text: plain},
		"a space in its name": {text: plain, edit: func(o *cosim.Options) {
			to := filepath.Join(filepath.Dir(o.Design.Sources[0]), "acc of ours.v")
			require.NoError(t, os.Rename(o.Design.Sources[0], to))
			o.Design.Sources[0] = to
		}},
		"delays and messages": {text: replace("out_valid <= in_valid", "out_valid <= #1 in_valid",
			"        else begin", "        else begin if (out_total == 12'hfff) $display(\"full\");")},
		"a package": {text: "package acc_pkg; localparam int STEP = 1; " +
			"endpackage\n" + replace("module acc #(parameter STEP = 1)", "module acc import acc_pkg::*;")},
		"active-low asynchronous reset": {text: replace("input rst,", "input aresetn,", "@(posedge clk)\n",
			"@(posedge clk or negedge aresetn)\n", "if (rst)", "if (!aresetn)")},
		"falling edge": {text: replace("posedge clk", "negedge clk"), m: cosim.Map{Clock: "~clk"}},
		"prefixes": {text: replace("input clk", "input i_clk", "posedge clk", "posedge i_clk",
			"input rst", "input i_rst", "(rst)", "(i_rst)", "in_data", "i_data", "in_valid", "i_vld", "out_total", "o_total",
			"out_odd", "o_odd", "out_valid", "o_vld")},
		"AXI4-Stream names": {text: replace("in_data", "s_axis_tdata", "in_valid", "s_axis_tvalid", "out_valid",
			"m_axis_tvalid", "out_total", "m_axis_total", "out_odd", "m_axis_odd")},
		"camel case": {text: replace("in_data", "dataIn", "in_valid", "validIn", "out_total", "totalOut", "out_odd",
			"oddOut", "out_valid", "validOut")},
		"ascending range": {text: replace("input [7:0] in_data", "input [0:7] in_data", "reg [11:0] out_total",
			"reg [0:11] out_total", "out_total[0]", "out_total[11]")},
		"reversed bits": {text: replace("STEP * in_data",
			"STEP * {in_data[0], in_data[1], in_data[2], in_data[3], in_data[4], in_data[5], in_data[6], in_data[7]}"),
			m: cosim.Map{Ports: map[string]string{"in_data": "in_data[0:7]"}}},
		"inverted valid": {text: replace("input in_valid", "input in_stop", "out_valid <= in_valid",
			"out_valid <= !in_stop", "if (in_valid)", "if (!in_stop)"),
			m: cosim.Map{Ports: map[string]string{"in_valid": "~in_stop"}}},
		"packed struct": {text: "typedef struct packed { logic valid; logic [7:0] data; } " +
			"word_t;\n" + replace("input [7:0] in_data, input in_valid", "input word_t in", "in_valid", "in.valid", "in_data",
			"in.data")},
		"packed vector": {text: replace("output reg [11:0] out_total, output out_odd, output reg out_valid",
			"output [13:0] out", "    assign out_odd",
			"    reg [11:0] out_total; reg out_valid; wire out_odd;\n    assign out = {out_total, out_odd, out_valid};\n"+
				"    assign out_odd")},
		"two ports a field": {text: replace("input [7:0] in_data", "input [3:0] hi, input [3:0] lo", "STEP * in_data",
			"STEP * {hi, lo}"), m: cosim.Map{Ports: map[string]string{"in_data": "{hi, lo[3:0]}"}}},
		"tied and ignored": {text: replace("input in_valid", "input in_valid, input scan", "output out_odd,", "",
			"    assign out_odd = out_total[0];\n", "", "if (rst)", "if (rst || scan)"),
			m: cosim.Map{Tie: map[string]uint64{"scan": 0}, Ignore: []string{"out_odd"}}},
		"without valid": {text: replace(", input in_valid", "", "out_valid <= in_valid", "out_valid <= 1", "if (in_valid)",
			"if (1)"), m: cosim.Map{Without: map[string]uint64{"in_valid": 1}}},
		"clock enable": {text: replace("input rst,", "input rst, input ce,", "        else begin",
			"        else if (ce) begin"), m: cosim.Map{Stall: 0.3}},
		"no reset": {text: replace("input rst,", "",
			"if (rst) begin out_total <= 0; out_valid <= 0; end\n        else begin", "begin", "output reg [11:0] out_total",
			"output reg [11:0] out_total = 0"), m: cosim.Map{Reset: "none", Skip: 6, Ignore: []string{"out_total", "out_odd"}}},
		"a parameter": {text: replace("STEP = 1", "STEP = 2"),
			edit: func(o *cosim.Options) { o.Design.Parameters = []cosim.Parameter{{"STEP", "1"}} }},
		"two cycles later": {text: strings.Replace(later, "DEPTH = 1", "DEPTH = 3", 1),
			edit: func(o *cosim.Options) { o.Extra = 2 }},
		"one output later": {text: strings.Replace(later, "out_valid = v[0]", "out_valid = v0", 1),
			m:    cosim.Map{Extra: map[string]int{"out_valid": 0, "out": 1}},
			edit: func(o *cosim.Options) { o.Design.Parameters = []cosim.Parameter{{"DEPTH", "2"}} }},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			for _, sim := range []cosim.Simulator{cosim.Verilator, cosim.Icarus} {
				if name == "packed struct" && sim == cosim.Icarus {
					continue // Icarus does not tell the members
				}
				s, err := start(t, c.text, func(o *cosim.Options) {
					o.Map = c.m
					if c.edit != nil {
						c.edit(o)
					}
					if sim == cosim.Icarus {
						icarus(o)
					}
				})
				agree(t, s, err)
			}
		})
	}
}

// later is the accumulator with more stages.
const later = `module acc #(parameter DEPTH = 1) (input clk, input rst, input [7:0] in_data, input in_valid,
    output [11:0] out_total, output out_odd, output out_valid);
    reg [11:0] t [0:DEPTH]; reg [DEPTH:0] v; integer i;
    reg v0;
    assign out_total = t[DEPTH-1], out_odd = out_total[0], out_valid = v[0];
    always @(posedge clk)
        if (rst) begin for (i = 0; i <= DEPTH; i = i + 1) t[i] <= 0; v <= 0; v0 <= 0; end
        else begin
            v0 <= in_valid;
            v <= DEPTH == 1 ? {1'b0, in_valid} : {in_valid, v[DEPTH:1]} & ~(1 << DEPTH) | (in_valid << (DEPTH - 1));
            if (in_valid) t[0] <= t[0] + in_data;
            for (i = 1; i <= DEPTH; i = i + 1) t[i] <= t[i-1];
        end
endmodule
`

func TestLatencyIsFound(t *testing.T) {
	t.Parallel()
	s, err := start(t, strings.Replace(later, "DEPTH = 1", "DEPTH = 4", 1), nil)
	d := part(t, s, err)
	require.True(t, d.Shifted)
	require.Equal(t, 3, d.Shift)
	st := cosim.Stimulus{Cycles: 5000, Seed: 8}
	extra, ok, err := s.FindExtra(t.Context(), st)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, 3, extra)
	require.NoError(t, s.SetExtra(extra))
	agree(t, s, nil)
	// more batches than slots: each looks back into the one before
	r, err := s.Run(t.Context(), cosim.Stimulus{Cycles: 7*cosim.SlotRows + 9, Seed: 8}, nil)
	require.NoError(t, err)
	require.Nil(t, r.Divergence)
	require.Equal(t, 7*cosim.SlotRows+9, r.Cycles)
	require.Error(t, s.SetExtra(cosim.MaxExtra+1))
}

// A clock enable that is not looked at shows, because the inputs are noise while it is off.
func TestIgnoredClockEnableIsFound(t *testing.T) {
	t.Parallel()
	text := strings.Replace(plain, "input rst,", "input rst, input ce,", 1)
	for _, edit := range []func(*cosim.Options){nil, icarus} {
		s, err := start(t, text, func(o *cosim.Options) {
			o.Map.Stall = 0.3
			if edit != nil {
				edit(o)
			}
		})
		part(t, s, err)
	}
}

// Icarus shows a register that reset misses as x; Verilator as noise.
func TestMissedResetIsFound(t *testing.T) {
	t.Parallel()
	text := strings.Replace(plain, "out_total <= 0; ", "", 1)
	s, err := start(t, text, icarus)
	d := part(t, s, err)
	require.Equal(t, uint64(0xfff), d.Unknown)
	require.Contains(t, d.String(), "RTL xxx")
	s, err = start(t, text, nil)
	require.Equal(t, d.Cycle, part(t, s, err).Cycle)
}

// A divergence's waveform shows both sides: at its cycle, and nowhere before, the sides differ.
func TestWaveformOfADivergence(t *testing.T) {
	t.Parallel()
	s, err := start(
		t, strings.Replace(plain, "out_total + STEP * in_data", "out_total + STEP * in_data + (out_total == 12'h123)", 1),
		nil,
	)
	require.NoError(t, err)
	r, err := s.Run(t.Context(), cosim.Stimulus{Cycles: 100_000, Seed: 8}, nil)
	require.NoError(t, err)
	require.NotNil(t, r.Divergence)
	path := filepath.Join(t.TempDir(), "both.vcd")
	require.NoError(t, r.Divergence.WriteVCD(path))
	open := func() *wave.Reader {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		r, err := wave.NewReader(bytes.NewReader(data), path)
		require.NoError(t, err)
		return r
	}
	diff, err := wave.Diff(
		open(),
		open(),
		wave.DiffOptions{
			Clock: "top.clk", Only: []string{"top.model"}, Map: []wave.Rename{{From: "top.model", To: "top.rtl"}},
		},
	)
	require.NoError(t, err)
	require.NotNil(t, diff.First)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	// the first of the bits that mark differences rises where the two part
	require.Equal(t, uint64(64), diff.First.Sample, "64 cycles before it are shown")
	require.Contains(t, string(text), "$scope module differs $end")
}

func TestBadRTL(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		edit func(*cosim.Options)
		want string
	}{
		"a syntax error": {strings.Replace(plain, "out_valid <= in_valid;", "out_valid <= ;", 1), nil,
			`verilator does not compile the RTL: %Error: .*acc.v:7:\d+: syntax error`},
		"the same, Icarus": {strings.Replace(plain, "out_valid <= in_valid;", "out_valid <= ;", 1), icarus,
			`iverilog does not compile the RTL: .*acc.v:7: syntax error`},
		"no such module": {plain, func(o *cosim.Options) { o.Design.Top = "accu" },
			`verilator does not compile the RTL: .*accu`},
		"no such file": {plain, func(o *cosim.Options) { o.Design.Sources[0] += "x" }, `acc.vx: no such file`},
		"a port too much": {strings.Replace(plain, "input rst,", "input rst, input [3:0] mode,", 1), nil,
			`input mode\[3:0\] of the RTL is driven by nothing: name it in the map, or tie it \(tie: \{mode: 0\}\)`},
		"a port missing": {strings.Replace(strings.Replace(plain, "output out_odd, ", "", 1),
			"    assign out_odd = out_total[0];\n", "", 1), nil,
			`output out_odd of 1 bit: no port of the RTL fits \(not in use: none\): name it in the map \(ports: \{out_odd: ` +
				`…\}\), or ignore it`},
		"another width": {strings.Replace(plain, "reg [11:0] out_total", "reg [15:0] out_total", 1), nil,
			`output out_total of 12 bits: no port of the RTL fits \(not in use: out_total\[15:0\]`},
		"no clock": {strings.ReplaceAll(plain, "clk", "tick"), nil,
			`clock: the RTL has no input that looks like one`},
		"an inout": {strings.Replace(plain, "input rst,", "input rst, inout pad,", 1), nil,
			`port pad of acc is an inout`},
		"map of no field": {plain, func(o *cosim.Options) { o.Map.Ports = map[string]string{"data": "in_data"} },
			`ports: the unit has no field data; it has in_data, in_valid`},
		"map of no port": {plain, func(o *cosim.Options) { o.Map.Ports = map[string]string{"in_data": "d"} },
			`ports: in_data: "d": the RTL has no port d; it has clk, rst, in_data\[7:0\]`},
		"map out of range": {plain, func(o *cosim.Options) { o.Map.Ports = map[string]string{"in_data": "in_data[8:1]"} },
			`bit 8 is not in in_data\[7:0\]`},
		"wrong direction": {plain, func(o *cosim.Options) { o.Map.Ports = map[string]string{"in_valid": "out_odd"} },
			`in_valid is an input, out_odd is an output of the RTL`},
		"driven twice": {plain, func(o *cosim.Options) {
			o.Map.Ports = map[string]string{"in_valid": "in_data[0]", "in_data": "in_data"}
		}, `bit 0 of in_data is driven by in_data and by in_valid|driven by nothing`},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			_, err := start(t, c.text, c.edit)
			require.Error(t, err)
			require.Regexp(t, c.want, err.Error())
		})
	}
}

// words returns idle rows of the accumulator, with words in some cycles.
func words(cycles int, data map[int]uint64) [][]uint64 {
	rows := make([][]uint64, cycles)
	for k := range rows {
		rows[k] = make([]uint64, 5)
		if w, ok := data[k]; ok {
			rows[k][0], rows[k][1] = w, 1
		}
	}
	return rows
}

// differsAnywhere shows the one wrong bit of a run in a cycle after the other: at both ends of batches, of more batches
// than there are slots, and in the last one, which is not whole.
func differsAnywhere(t *testing.T, s *cosim.Session) {
	const n, cycles = cosim.SlotRows, 6*cosim.SlotRows + 100
	for _, cycle := range []int{1, n - 1, n, 2*n - 1, 2 * n, 3*n + 5, 4*n - 1, 4 * n, 5*n + 1, 6 * n, cycles - 1} {
		r, err := s.Run(t.Context(), cosim.Stimulus{Rows: words(cycles, map[int]uint64{cycle - 1: 3})}, nil)
		require.NoError(t, err)
		require.NotNil(t, r.Divergence, cycle)
		require.Equal(t, cycle, r.Divergence.Cycle)
		require.Equal(t, "out_odd", r.Divergence.Field)
	}
	r, err := s.Run(t.Context(), cosim.Stimulus{Rows: words(cycles, map[int]uint64{7: 2, cycles - 1: 1})}, nil)
	require.NoError(t, err)
	require.Nil(t, r.Divergence, "the wrong bit would come a cycle after the last")
	require.True(t, s.Copied(0))
	require.Equal(t, cycles, r.Cycles)
}

// finishesInTime runs RTL that calls $finish at the edge after it has counted above 500.
func finishesInTime(t *testing.T, s *cosim.Session) {
	const second = cosim.SlotRows + 50 // in the second batch
	_, err := s.Run(
		t.Context(), cosim.Stimulus{Rows: words(second+250, map[int]uint64{second + 7: 255, second + 8: 255})}, nil,
	)
	require.ErrorContains(t, err, fmt.Sprintf("cycle %d: ", second+10))
	_, err = s.Run(
		t.Context(), cosim.Stimulus{Rows: words(second+9, map[int]uint64{second + 7: 255, second + 8: 255})}, nil,
	)
	require.NoError(t, err, "the rows end before")
}

func TestReadMap(t *testing.T) {
	path := filepath.Join(t.TempDir(), "map.yaml")
	write := func(text string) { require.NoError(t, os.WriteFile(path, []byte(text), 0o644)) }
	write(
		"clock: ~ck\nreset: ~rst_n\nports:\n  in_data: '{hi, lo}'\nstreams:\n  in: {ready: s_ready, stall: 0.25}\n" +
			"extra: {out: 2}\n",
	)
	m, err := cosim.ReadMap(t.Context(), path)
	require.NoError(t, err)
	require.Equal(t, cosim.Map{Clock: "~ck", Reset: "~rst_n", Ports: map[string]string{"in_data": "{hi, lo}"},
		Streams: map[string]cosim.Stream{"in": {Ready: "s_ready", Stall: 0.25}}, Extra: map[string]int{"out": 2}}, m)
	for text, want := range map[string]string{
		"clok: clk\n":        "map.yaml: .*clok",
		"ports: [a]\n":       "map.yaml: line 1: .*",
		"tie: {a: -1}\n":     "map.yaml: line 1: .*",
		"clock: {a: b}\nx\n": "map.yaml: .*",
	} {
		write(text)
		_, err := cosim.ReadMap(t.Context(), path)
		require.Error(t, err)
		require.Regexp(t, want, err.Error())
		require.NotContains(t, err.Error(), "\n")
	}
}

func TestInterrupted(t *testing.T) {
	t.Parallel()
	for _, edit := range []func(*cosim.Options){nil, icarus} {
		s, err := start(t, plain, edit)
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		_, err = s.Run(ctx, cosim.Stimulus{Cycles: 1 << 30, Seed: 8}, func(int) { cancel() })
		require.ErrorContains(t, err, "interrupted: ")
		require.ErrorIs(t, err, context.Canceled)
	}
}
