package cosim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/vectors"
)

// both runs a case under both simulators.
func both(edit func(*cosim.Options)) map[string]func(*cosim.Options) {
	return map[string]func(*cosim.Options){
		"verilator": edit,
		"icarus":    func(o *cosim.Options) { icarus(o); edit(o) },
	}
}

// quick runs a case under Icarus, which builds ten times as fast.
func quick(edit func(*cosim.Options)) []func(*cosim.Options) {
	return []func(*cosim.Options){func(o *cosim.Options) { icarus(o); edit(o) }}
}

// An agreement names the compared fields; if nothing was, or an output never, it is none.
func TestNothingCompared(t *testing.T) {
	idle := cosim.Stimulus{Cycles: 300, Rows: func() [][]uint64 { // in_valid is never 1, and so out_valid
		rows := make([][]uint64, 300)
		for i := range rows {
			rows[i] = make([]uint64, 5)
		}
		return rows
	}()}
	for name, c := range map[string]struct {
		edit func(*cosim.Options)
		st   cosim.Stimulus
		want string
	}{
		"skip beyond the run": {func(o *cosim.Options) { o.Map.Skip = 300 }, cosim.Stimulus{Cycles: 300},
			"nothing was compared: the map skips 300 cycles, and the run has 300"},
		"all ignored": {func(o *cosim.Options) { o.Map.Ignore = []string{"out"} }, cosim.Stimulus{Cycles: 300},
			"nothing was compared: all outputs of the unit are ignored"},
		"never valid": {func(*cosim.Options) {}, idle,
			`never compared: out_total (out_valid is never 1), out_odd (out_valid is never 1): give a stimulus that makes it ` +
				`count, or ignore it`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := start(t, plain, func(o *cosim.Options) { icarus(o); c.edit(o) })
			require.NoError(t, err)
			_, err = s.Run(t.Context(), c.st, nil)
			require.ErrorContains(t, err, c.want)
		})
	}
	t.Run("counts", func(t *testing.T) {
		t.Parallel()
		s, err := start(t, plain, func(o *cosim.Options) { icarus(o); o.Map.Skip = 100; o.Map.Ignore = []string{"out_odd"} })
		r := agree(t, s, err)
		require.Equal(t, 4900, r.Cycles)
		require.Equal(t, []string{"out_odd"}, r.Ignored)
		require.Len(t, r.Outputs, 2)
		require.Equal(t, cosim.Compared{Field: "out_valid", Count: 4900}, r.Outputs[1])
		total := r.Outputs[0]
		require.Equal(t, "out_total", total.Field)
		require.InDelta(t, 0.75*4900, float64(total.Count), 200, "in_valid is 1 in three of four cycles")
	})
}

// A replay counts likewise.
func TestReplayOfNothing(t *testing.T) {
	text, _ := dump(t, 50)
	for want, edit := range map[string]func(*cosim.Replay){
		"dump.vcd: nothing was compared: no output counts": func(r *cosim.Replay) { r.Map.Skip = 50 },
		"dump.vcd: nothing was compared: all outputs of the unit " +
			"are ign": func(r *cosim.Replay) { r.Map.Ignore = []string{"out"} },
	} {
		_, err := replay(t, text, edit)
		require.ErrorContains(t, err, want)
	}
}

// Inputs that the RTL lacks restrict the stimulus: the model gets the stimulus's words with that value.
func TestWithoutRestrictsTheStimulus(t *testing.T) {
	t.Parallel()
	always := strings.Replace(strings.Replace(plain, ", input in_valid", "", 1), "in_valid", "1'b1", -1)
	for _, edit := range quick(func(o *cosim.Options) { o.Map.Without = map[string]uint64{"in_valid": 1} }) {
		s, err := start(t, always, edit)
		agree(t, s, err)
		// the sum over the given rows is the sum over the rows with valid set
		rows := [][]uint64{
			{1, 1, 0, 0, 0}, {100, 0, 0, 0, 0}, {2, 1, 0, 0, 0}, {100, 0, 0, 0, 0}, {3, 1, 0, 0, 0}, {0, 1, 0, 0, 0},
		}
		r, err := s.Run(t.Context(), cosim.Stimulus{Rows: rows}, nil)
		require.NoError(t, err)
		require.Nil(t, r.Divergence)
		require.Equal(t, 4, r.Cycles)
	}
	// some bits of a field: data that are below 16
	nibble := strings.Replace(plain, "[7:0] in_data", "[3:0] in_data", 1)
	s, err := start(t, nibble, func(o *cosim.Options) {
		icarus(o)
		o.Map.Ports = map[string]string{"in_data[3:0]": "in_data"}
		o.Map.Without = map[string]uint64{"in_data[7:4]": 0}
	})
	agree(t, s, err)
	_, err = s.Run(t.Context(), cosim.Stimulus{Rows: [][]uint64{{0x10, 1, 0, 0, 0}}}, nil)
	require.ErrorContains(t, err, "without: in_data: 0x0: no cycle of the stimulus has it")
}

// erratum is an accumulator with two faults: data of 7 in the low digit add to the high byte, and data of 0 change the
// low one.
const erratum = `module acc (input clk, input rst, input [7:0] in_data, input in_valid,
    output reg [11:0] out_total, output out_odd, output reg out_valid);
    assign out_odd = out_total[0];
    always @(posedge clk)
        if (rst) begin out_total <= 0; out_valid <= 0; end
        else begin
            out_valid <= in_valid;
            if (in_valid) out_total <= out_total + in_data + (in_data[3:0] == 4'd7 ? 12'h100 : 12'h0) + (in_data == 8'd0 ? 12'h2 : 12'h0);
        end
endmodule
`

// Shrinking ends at the difference that it began with, though zeros would show another.
func TestShrinkKeepsTheDifference(t *testing.T) {
	t.Parallel()
	for _, edit := range quick(func(*cosim.Options) {}) {
		s, err := start(t, erratum, edit)
		d := part(t, s, err)
		require.Equal(t, uint64(0x100), d.Got-d.Want)
		short, err := s.Shrink(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8}, d)
		require.NoError(t, err)
		require.LessOrEqual(t, len(short.Set.Rows), 2)
		require.Equal(t, uint64(0x100), short.Divergence.Got-short.Divergence.Want)
	}
}

// Cycles that the map skips are not in the result, unless the RTL needs them.
func TestShrinkDropsWhatIsSkipped(t *testing.T) {
	t.Parallel()
	run := func(text string) *cosim.Shrunk {
		s, err := start(t, text, func(o *cosim.Options) { o.Map.Skip = 150 })
		d := part(t, s, err)
		require.GreaterOrEqual(t, d.Cycle, 150)
		short, err := s.Shrink(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8}, d)
		require.NoError(t, err)
		return short
	}
	short := run(
		strings.Replace(
			plain, "out_total[0];",
			"out_total[0] ^ (n > 150 && out_total[7:0] == 8'h55); reg [9:0] n; always @(posedge clk) if (rst) n <= 0; else if "+
				"(n < 1000) n <= n + 1;",
			1,
		),
	)
	require.Zero(t, short.Lead)
	short = run(strings.ReplaceAll(erratum, "in_data == 8'd0", "1'b0"))
	require.Equal(t, 150, short.Lead)
	require.LessOrEqual(t, len(short.Set.Rows), 150+2)
	// wrong in its first 20 cycles: they have to be there
	late := strings.Replace(
		plain, "assign out_odd = out_total[0];",
		"assign out_odd = out_total[0] ^ (n < 20) ^ (out_total[7:0] == 8'h55 && n > 150); reg [9:0] n; always @(posedge "+
			"clk) if (rst) n <= 0; else if (n < 1000) n <= n + 1;",
		1,
	)
	short = run(late)
	require.Equal(t, 150, short.Lead)
	require.Less(t, len(short.Set.Rows), 150+64)
}

// A run that goes on lists distinct differences; a waiver passes the differences that it describes, and nothing else.
func TestContinueAndWaive(t *testing.T) {
	t.Parallel()
	flags := strings.Replace(
		plain, "assign out_odd = out_total[0];", "assign out_odd = out_total[0] ^ (out_total[3:0] == 4'd9);", 1,
	)
	flags = strings.Replace(flags, "out_valid <= in_valid;", "out_valid <= in_valid && in_data != 8'h33;", 1)
	for _, edit := range quick(func(o *cosim.Options) { o.Continue = true }) {
		s, err := start(t, flags, edit)
		require.NoError(t, err)
		r, err := s.Run(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8}, nil)
		require.NoError(t, err)
		require.NotNil(t, r.Divergence)
		require.Equal(t, 5000, r.Cycles)
		require.Len(t, r.Differences, 2)
		count := map[string]uint64{}
		for _, d := range r.Differences {
			count[d.Field] = d.Count
		}
		require.InDelta(t, 5000*0.75/16, float64(count["out_odd"]), 80)
		require.InDelta(t, 5000*0.75/256, float64(count["out_valid"]), 15)
	}
	known := filepath.Join(t.TempDir(), "known.yaml")
	write := func(text string) cosim.Waivers {
		require.NoError(t, os.WriteFile(known, []byte(text), 0o644))
		list, err := cosim.ReadWaivers(t.Context(), known)
		require.NoError(t, err)
		return list
	}
	odd := "- {field: out_odd, reason: odd in the data sheet}\n"
	for _, c := range []struct {
		waivers string
		waived  bool
		unused  []string
	}{
		{odd, false, nil},
		{odd + "- {field: out_valid, model: '1', rtl: '0', reason: erratum 3}\n", true, nil},
		{odd + "- {field: out_valid, model: '0', reason: other way round}\n", false, []string{"out_valid: other way round"}},
		{odd + "- {field: out_valid, reason: erratum 3}\n- {field: out_total, bits: 0xff, reason: never}\n", true,
			[]string{"out_total: never"}},
	} {
		s, err := start(t, flags, func(o *cosim.Options) { icarus(o); o.Waivers = write(c.waivers) })
		require.NoError(t, err)
		r, err := s.Run(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8}, nil)
		require.NoError(t, err)
		require.Equal(t, c.waived, r.Divergence == nil)
		require.Equal(t, c.unused, r.UnusedWaivers)
		if c.waived {
			require.InDelta(t, 5000*0.75/16+5000*0.75/256, float64(r.Waived), 95)
		}
	}
	for text, want := range map[string]string{
		"- {field: out_odd}\n":                       "known.yaml: waiver 1: want a field and a reason",
		"- {fild: out_odd, reason: x}\n":             "known.yaml: .*fild",
		"field: x\n":                                 "known.yaml: line 1: ",
		"- {field: in_data, reason: x}\n":            "waiver of .*in_data.*: the unit has no such output",
		"- {field: out_odd, model: 00, reason: x}\n": "waiver of out_odd: value .*, want 1 hexadecimal digits",
	} {
		require.NoError(t, os.WriteFile(known, []byte(text), 0o644))
		list, err := cosim.ReadWaivers(t.Context(), known)
		if err == nil {
			var s *cosim.Session
			s, err = start(t, plain, func(o *cosim.Options) { icarus(o); o.Waivers = list })
			require.NoError(t, err)
			_, err = s.Run(t.Context(), cosim.Stimulus{Cycles: 5, Seed: 8}, nil)
		}
		require.Error(t, err)
		require.Regexp(t, want, err.Error())
		require.NotContains(t, err.Error(), "\n")
	}
}

// RTL without a clock is compared with a model that has a register: it is a cycle earlier.
func TestCombinationalRTL(t *testing.T) {
	t.Parallel()
	text := `module acc (input [63:0] in, output reg [5:0] out_index, output out_valid);
    integer i;
    always @* begin out_index = 0; for (i = 63; i >= 0; i = i - 1) if (in[i]) out_index = i[5:0]; end
    assign out_valid = |in;
endmodule
`
	for _, edit := range quick(func(o *cosim.Options) { o.Unit = lowest(); o.Map.Clock = "none"; o.Extra = -1 }) {
		s, err := start(t, text, edit)
		r := agree(t, s, err)
		require.Equal(t, 5000, r.Cycles)
		require.NoError(t, s.SetExtra(0))
		res, err := s.Run(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8}, nil)
		require.NoError(t, err)
		require.NotNil(t, res.Divergence)
		require.True(t, res.Divergence.Shifted)
		require.Equal(t, -1, res.Divergence.Shift)
		extra, ok, err := s.FindExtra(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8})
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, -1, extra)
		s, err = start(t, strings.Replace(text, "i >= 0", "i >= 1", 1), edit)
		d := part(t, s, err)
		require.Equal(t, -1, d.Extra)
		short, err := s.Shrink(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8}, d)
		require.NoError(t, err)
		require.LessOrEqual(t, len(short.Set.Rows), 2)
	}
}

// Slices and constants may stand on both sides of a map, and bits may be left out of the comparison.
func TestSlicesConstantsAndMasks(t *testing.T) {
	t.Parallel()
	split := `module acc (input clk, input rst, input [3:0] lo, input [3:0] hi, input [3:0] cfg, input go,
    output [7:0] low, output [3:0] high, output odd, output reg ok);
    reg [11:0] total;
    assign {high, low} = total ^ (cfg == 4'd9 ? 12'h010 : 12'hfff);  // bit 4 is wrong
    assign odd = total[0];
    always @(posedge clk)
        if (rst) begin total <= 0; ok <= 0; end
        else begin ok <= go; if (go) total <= total + {hi, lo}; end
endmodule
`
	for _, edit := range both(func(o *cosim.Options) {
		o.Map = cosim.Map{
			Ports: map[string]string{"in_data[7:4]": "hi", "in_data[3:0]": "lo", "in_valid": "go", "out_total[11:8]": "high",
				"out_total[7:0]": "low", "out_odd": "odd", "out_valid": "ok"},
			Tie: map[string]uint64{"cfg[3]": 1, "cfg[2:0]": 1}, Mask: map[string]uint64{"out_total": 0xfef},
		}
	}) {
		s, err := start(t, split, edit)
		agree(t, s, err)
		s, err = start(t, split, func(o *cosim.Options) { edit(o); o.Map.Mask = nil })
		require.Equal(t, "out_total", part(t, s, err).Field)
		s, err = start(t, split, func(o *cosim.Options) { // a constant bit of an output; a slice that is ignored
			edit(o)
			o.Map.Mask = nil
			o.Map.Ports = map[string]string{
				"in_data": "{hi, lo}", "in_valid": "go", "out_total[11:5]": "{high, low[7:5]}",
				"out_total[3:0]": "low[3:0]", "out_odd": "odd", "out_valid": "ok",
			}
			o.Map.Ignore = []string{"out_total[4]"}
		})
		agree(t, s, err)
		s, err = start(t, split, func(o *cosim.Options) { // an RTL that has only even data
			edit(o)
			o.Map.Ports["in_data[3:0]"] = "{lo[3:1], 1'b0}"
			o.Map.Tie["lo[0]"] = 0
			o.Map.Ports["out_odd"] = "1'b0"
		})
		agree(t, s, err)
	}
}

// Without a reset in the map the RTL is left alone: the first edge that it sees is cycle 0's.
func TestResetNoneLeavesTheRTLAlone(t *testing.T) {
	t.Parallel()
	text := strings.Replace(
		strings.Replace(plain, "input rst, ", "", 1), "if (rst) begin out_total <= 0; out_valid <= 0; end\n        else",
		"", 1,
	)
	text = strings.Replace(
		text, "assign out_odd",
		"reg [3:0] n = 0; always @(posedge clk) n <= n + 1; initial begin out_total = 0; out_valid = 0; end\n"+
			"    assign out_odd",
		1,
	)
	text = strings.Replace(text, "out_total[0];", "out_total[0] ^ (n > 4 && in_data == 8'hff && 1'b0);", 1)
	for _, edit := range quick(func(o *cosim.Options) { o.Map.Reset = "none" }) {
		s, err := start(t, text, edit)
		agree(t, s, err)
	}
}

// An input is not bound because a port has its width: the port may configure the RTL.
func TestWidthAloneBindsNoInput(t *testing.T) {
	t.Parallel()
	_, err := start(
		t, strings.ReplaceAll(strings.Replace(plain, "input in_valid", "input turbo", 1), "in_valid", "turbo"),
		func(o *cosim.Options) { icarus(o) },
	)
	require.ErrorContains(
		t, err, "input in_valid of 1 bit: no port of the RTL fits (not in use: turbo): name it in the map",
	)
}

// A file shell.v beside the RTL is not taken for ours.
func TestFilesBesideTheRTL(t *testing.T) {
	t.Parallel()
	for _, edit := range both(func(*cosim.Options) {}) {
		s, err := start(t, plain, func(o *cosim.Options) {
			edit(o)
			for _, name := range []string{"shell.v", "goldwire_shell.v", "harness.cpp", "testbench.sv", "goldwire_tb.sv"} {
				require.NoError(
					t,
					os.WriteFile(
						filepath.Join(filepath.Dir(o.Design.Sources[0]), name), []byte("module nonsense(; endmodule\n"),
						0o644,
					),
				)
			}
		})
		agree(t, s, err)
	}
}

// A map of the RTL serves its waveform too: ports that count upwards, constants, slices, bits that are held, an RTL
// that is earlier.
func TestReplayTakesTheMapOfCosim(t *testing.T) {
	text, _ := dump(t, 200)
	text = strings.NewReplacer(" in [63:0]", " req [0:63]", " out_index [5:0]", " idx [7:2]").Replace(text)
	m := cosim.Map{Ports: map[string]string{"in": "req[0:63]", "out_index[5:3]": "idx[7:5]", "out_index[2:0]": "idx[4:2]"},
		Tie: map[string]uint64{"scan": 0}, Stall: 0, Mask: map[string]uint64{"out_index": 0x3f}}
	res, err := replay(t, text, func(r *cosim.Replay) { r.Map = m })
	require.NoError(t, err)
	require.Nil(t, res.Divergence)
	require.Equal(t, 199, res.Cycles)
	m.Ports["out_index[2:0]"] = "3'b000"
	res, err = replay(t, text, func(r *cosim.Replay) { r.Map = m })
	require.NoError(t, err)
	require.NotNil(t, res.Divergence)
	require.Equal(t, "out_index", res.Divergence.Field)
}

// early makes a waveform in which the outputs stand a given number of cycles earlier than the model's.
func early(t *testing.T, s *vectors.Set, by int) string {
	t.Helper()
	moved := *s
	moved.Rows = nil
	for k := range len(s.Rows) - by {
		row := append([]uint64(nil), s.Rows[k]...)
		for c, f := range s.Fields {
			if f.Dir != 0 {
				row[c] = s.Rows[k+by][c]
			}
		}
		moved.Rows = append(moved.Rows, row)
	}
	var b strings.Builder
	require.NoError(t, moved.WriteVCD(&b))
	return b.String()
}

func TestReplayOfEarlierRTL(t *testing.T) {
	_, s := dump(t, 200)
	for by := range 3 {
		text := early(t, s, by)
		res, err := replay(t, text, func(r *cosim.Replay) { r.Extra = -by })
		require.NoError(t, err)
		require.Nil(t, res.Divergence, "%d", by)
		require.Equal(t, 199-2*by, res.Cycles)
		if by > 0 {
			res, err = replay(t, text, nil)
			require.NoError(t, err)
			require.NotNil(t, res.Divergence)
		}
	}
}
