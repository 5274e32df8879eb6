package cosim_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
)

// Every misfit is told, the first cause first, in lines that can be read and no more than a screen of them.
func TestBindingErrorsFitAScreen(t *testing.T) {
	t.Parallel()
	ports := map[string]string{"in_data": "nothere"}
	for i := range 60 {
		ports[strings.Repeat("x", 300)+string(rune('a'+i%26))+string(rune('a'+i/26))] = "y"
	}
	_, err := start(t, plain, func(o *cosim.Options) { icarus(o); o.Map.Ports = ports; o.Map.Clock = "tick" })
	require.Error(t, err)
	var bind *cosim.BindError
	require.ErrorAs(t, err, &bind)
	require.Contains(t, bind.Causes[0], `ports: in_data: "nothere": the RTL has no port nothere`)
	require.LessOrEqual(t, len(err.Error()), 310)
	require.LessOrEqual(t, len(bind.Screen()), 20)
	require.Contains(t, err.Error(), "(and 61 more)")
}

// What the RTL itself complains of is told, and is no agreement.
func TestComplaintsOfTheRTL(t *testing.T) {
	t.Parallel()
	// a name of its own, not the test's folder: Verilator writes it into the program, which is kept by its sources and
	// options
	const named = "`line 1 \"complains.v\" 1\n"
	inside := func(text string) string {
		return named + strings.Replace(plain, "out_valid <= in_valid;", "out_valid <= in_valid; "+text, 1)
	}
	for name, c := range map[string]struct{ text, want string }{
		"error": {strings.Replace(inside(`if (in_data == 8'h55) begin $error("low on %h", in_data); $write("and out"); end
	if (in_data == 8'h56) begin $error("low on %h", in_data); $fflush; end`), "assign out_odd",
			`always @(posedge clk) if (rst && in_data == 8'h57) $error("in reset");
    assign out_odd`, 1), "low on 5"},
		"fatal": {inside(`if (in_data == 8'h55) $fatal(1, "out of %h", in_data);`), "out of 55"},
		"file": {strings.Replace(plain, "assign out_odd",
			"reg [7:0] table_ [0:3]; initial $readmemh(\"/nonexistent/table.hex\", table_); assign out_odd", 1), "table.hex"},
	} {
		endless := func(o *cosim.Options) { o.Timeout = time.Hour } // a run that waits for the end of a line does not end
		for sim, edit := range both(endless) {
			t.Run(name+"_"+sim, func(t *testing.T) {
				t.Parallel()
				text := c.text
				if name == "file" { // it must not be optimised away
					text = strings.Replace(
						text, "out_valid <= in_valid;", "out_valid <= in_valid && (table_[0] === 8'hxx || 1'b1);", 1,
					)
				}
				s, err := start(t, text, edit)
				require.NoError(t, err)
				_, err = s.Run(t.Context(), cosim.Stimulus{Cycles: 3000, Seed: 8}, nil)
				require.ErrorContains(t, err, c.want)
				if name == "file" {
					return
				}
				// the next run has messages of its own alone
				_, err = s.Run(t.Context(), cosim.Stimulus{Rows: [][]uint64{{1, 1}, {2, 1}, {3, 1}}}, nil)
				require.NoError(t, err)
				if name == "error" && strings.HasSuffix(t.Name(), "verilator") {
					messagesUpToADifference(t, s)
				}
			})
		}
	}
	// consequences of the noise before the reset are nobody's fault
	s, err := start(t, inside(`if (out_total > 12'd100 && !seen) $error("noise"); seen <= 1;`), func(o *cosim.Options) {
		data, err := os.ReadFile(o.Design.Sources[0])
		require.NoError(t, err)
		text := strings.Replace(string(data), "assign out_odd", "reg seen = 0; assign out_odd", 1)
		require.NoError(t, os.WriteFile(o.Design.Sources[0], []byte(text), 0o644))
		o.Dirty = 10
	})
	agree(t, s, err)
}

// Complaints of final blocks are told under both simulators; other text of theirs is not.
func TestComplaintsOfFinalBlocks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"error":         {`$error("left %0d", out_total)`, "left [0-9]"},
		"fatal":         {`if (out_valid || 1'b1) $fatal(1, "at the end")`, "at the end"},
		"assertion":     {`assert (out_total > 12'd4095)`, "Assertion failed|ERROR: "},
		"assertion too": {`assert (out_total > 12'd4095) else $error("too few")`, "too few"},
		"right":         {`assert (out_total <= 12'd4095) else $error("too many")`, ""},
		"print":         {`$display("%0d Error: none", out_total)`, ""},
		"stop":          {`$stop`, "Verilog \\$stop"},
		"endless":       {`while (out_total[0] || 1'b1) $write("")`, "at its end: the RTL has not answered for 1s"},
	} {
		for sim, edit := range both(func(o *cosim.Options) {
			if name == "endless" {
				o.Timeout = time.Second
			}
		}) {
			if sim == "verilator" && !soak && name != "error" && name != "fatal" && name != "endless" {
				continue // to build it takes a second
			}
			t.Run(name+"_"+sim, func(t *testing.T) {
				t.Parallel()
				text := strings.Replace(plain, "endmodule", "    final "+c.text+";\nendmodule", 1)
				s, err := start(t, text, edit)
				if c.want == "" {
					agree(t, s, err)
					return
				}
				require.NoError(t, err)
				_, err = s.Run(t.Context(), cosim.Stimulus{Cycles: 300, Seed: 8}, nil)
				if name == "stop" && sim == "icarus" { // it says nothing
					require.NoError(t, err)
					require.Contains(t, strings.Join(s.Warnings(t.Context()), "; "), "a $stop in a final block at acc.v:")
					return
				}
				require.Error(t, err)
				require.Regexp(t, c.want, err.Error())
			})
		}
	}
}

// messagesUpToADifference has RTL that complains of inputs of 55 and 56 hex, flushes the latter, and complains of 57
// hex in its reset part from a model that is to be a cycle later.
func messagesUpToADifference(t *testing.T, s *cosim.Session) {
	require.NoError(t, s.SetExtra(1))
	const second = cosim.SlotRows + 52 // in the second batch
	for _, c := range []struct {
		differs   int
		reset     uint64 // the first input, which stands in the reset too
		complains []int
		flushed   []int
		kept      int
	}{
		{51, 0, []int{3, 49, 50, 51, 52, 90}, nil, 4}, {51, 0, []int{52}, nil, 0}, {51, 0, []int{51}, nil, 1},
		{51, 0, nil, []int{3, 51, 52}, 2}, {51, 0, []int{90}, []int{40}, 1},
		{second, 0, []int{5, second - 60, second - 1, second, second + 1}, nil, 4}, {second, 0, []int{second + 1}, nil, 0},
		{cosim.SlotRows, 0, []int{cosim.SlotRows + 1}, []int{cosim.SlotRows - 1}, 1},
		{51, 0x57, []int{52}, nil, 0},
	} {
		rows := make([][]uint64, c.differs+50)
		for k := range rows {
			rows[k] = make([]uint64, 5)
		}
		rows[0][0] = c.reset
		rows[c.differs-1][1] = 1 // the first valid word: the output of the next cycle says so
		for _, k := range c.complains {
			rows[k][0] = 0x55
		}
		for _, k := range c.flushed {
			rows[k][0] = 0x56
		}
		r, err := s.Run(t.Context(), cosim.Stimulus{Rows: rows}, nil)
		require.NoError(t, err)
		require.NotNil(t, r.Divergence)
		require.Equal(t, c.differs, r.Divergence.Cycle)
		inReset := 0
		for _, m := range r.Messages {
			if strings.Contains(m, "in reset") {
				inReset++
			}
		}
		require.Len(t, r.Messages[inReset:], c.kept, "%v", c)
		require.Equal(t, c.reset != 0, inReset > 0)
	}
}

// A simulator that does not come to an end, or wants all memory, is stopped; so is RTL.
func TestBoundsOfASimulator(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		edit func(*cosim.Options)
		want string
	}{
		"endless initial": {strings.Replace(plain, "assign out_odd",
			"reg [31:0] w = 0; initial while (w != 32'hffffffff || 1'b1) w = w + 2; assign out_odd", 1) +
			"", func(*cosim.Options) {}, "has not answered for 1s and was stopped"},
		"endless constant": {strings.Replace(plain, "assign out_odd",
			"function integer f(input integer x); begin f = x; while (1) f = f + 1; end endfunction localparam C = f(1); wire "+
				"[31:0] c = C; assign out_odd", 1),
			icarus, "iverilog has not ended after 2s and was stopped: a loop without an end in a constant"},
		"endless generate": {strings.Replace(plain, "assign out_odd",
			"genvar g; generate for (g = 0; g < 2000000000; g = g + 1) begin : many reg r; end endgenerate assign out_odd", 1),
			icarus, "iverilog (does not compile the RTL: it ended with .*: it may have wanted more than the 256 MiB of " +
				"--memory|has not ended after)"},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			text := c.text
			if name == "endless initial" { // its result is looked at
				text = strings.Replace(text, "out_valid <= in_valid;", "out_valid <= in_valid && w != 32'd77;", 1)
			}
			s, err := start(t, text, func(o *cosim.Options) {
				c.edit(o)
				o.Timeout, o.Design.BuildTimeout, o.Design.Memory = time.Second, 2*time.Second, 256<<20
				if name == "endless initial" {
					o.Design.BuildTimeout, o.Design.Memory = time.Minute, 2<<30
				}
			})
			if err == nil {
				_, err = s.Run(t.Context(), cosim.Stimulus{Cycles: 10, Seed: 8}, nil)
			}
			require.Error(t, err)
			require.Regexp(t, c.want, err.Error())
		})
	}
}
