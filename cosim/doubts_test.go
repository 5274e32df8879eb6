package cosim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/formal"
)

// inAcc puts items before the accumulator's output, and a statement where it takes a word.
func inAcc(items, statement string) string {
	return strings.NewReplacer("    assign out_odd", "    "+items+"\n    assign out_odd",
		"out_valid <= in_valid;", "out_valid <= in_valid; "+statement).Replace(plain)
}

// Whatever a simulator answers out of itself, and registers that nothing sets, stand beside an agreement, under both
// simulators. Statements that print, initial blocks and memories do not.
func TestDoubtsOfTheRTL(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"random": {inAcc("", "if ($random == 32'd7 && 1'b0) out_valid <= 0;"), "a call of $random at acc.v:"},
		"time":   {inAcc("", "if ($time == 64'd7 && 1'b0) out_valid <= 0;"), "a call of $time at acc.v:"},
		"printed": {inAcc(
			"reg [7:0] r; initial begin r = $random; end",
			`if (out_total == 12'hfff && r[0] && 1'b0) $display("%0t; %h", $time, in_data);`,
		), ""},
		"never given": {inAcc(
			"reg [15:0] m; always @(posedge clk) m <= m + 1;",
			"if (m == 16'h1234 && in_data == 8'h77 && 1'b0) out_valid <= 0;",
		), "a register m that neither reset nor stimulus sets"},
		"given": {inAcc(
			"reg [7:0] m; reg [7:0] past [0:255]; reg [7:0] q;",
			"m <= in_data; past[in_data] <= m; q <= past[m]; if (q == 1 && 1'b0) out_valid <= 0;",
		), ""},
	} {
		for sim, edit := range both(func(*cosim.Options) {}) {
			t.Run(name+" "+sim, func(t *testing.T) {
				t.Parallel()
				s, err := start(t, c.text, edit)
				agree(t, s, err)
				if sim == "verilator" {
					if cosim.Icarus.Available() != nil {
						t.Skipf("%s was NOT run: there is no Icarus", t.Name())
					}
					o, err := s.SecondOpinion(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8})
					require.NoError(t, err)
					require.NotNil(t, o)
					require.Nil(t, o.Divergence)
				}
				list := strings.Join(s.Warnings(t.Context()), "\n")
				if c.want == "" {
					require.Empty(t, list)
				} else {
					require.Contains(t, list, c.want)
				}
			})
		}
	}
}

// RTL that Yosys would read otherwise than simulators do is not proved without the reason, and names that it makes up
// wires for are refused. A parameter check that fails while the RTL is built is no agreement.
func TestProofsOfWhatYosysReadsOtherwise(t *testing.T) {
	if err := formal.Available(formal.Auto); err != nil {
		t.Skipf("%s was NOT run: %v", t.Name(), err)
	}
	for name, c := range map[string]struct{ text, given, refused, warning string }{
		"plain": {text: plain},
		"SYNTHESIS": {text: inAcc("", "\n`ifndef SYNTHESIS\nout_valid <= 0;\n`endif\n"),
			given: "SYNTHESIS defined, as yosys does (acc.v:"},
		"translate_off": {text: inAcc("", "\n// synopsys translate_off\nout_valid <= 0;\n// synopsys translate_on\n"),
			given: "what stands after translate_off left out (acc.v:"},
		"assertion": {text: inAcc("always @(posedge clk) assert (in_data != 8'h55);", ""),
			given: "the RTL's own assertions not asked (acc.v:"},
		"time": {text: inAcc("", "if ($time > 64'd100000) out_valid <= 0;"),
			refused: "it knows no $time, and takes it for a wire"},
		"random": {text: inAcc("", "if ($random == 3) out_valid <= 0;"),
			refused: "it knows no $random, and takes it for a wire"},
		"latch": {text: inAcc("reg l; always @* if (in_valid) l = in_data[0];", ""),
			warning: "a latch at acc.v:"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "acc.v")
			require.NoError(t, os.WriteFile(path, []byte(c.text), 0o644))
			u := accumulatorUnit()
			u.RTL, u.Name = strings.Replace(plain, "module acc", "module lib_acc", 1), "lib/acc"
			design, err := cosim.ReadArguments([]string{path})
			require.NoError(t, err)
			design.Top, design.Simulator = "acc", cosim.Icarus
			for _, extension := range []string{".v", ".sv"} {
				if extension == ".sv" {
					design.Sources[0] = sv(t, path)
				}
				opt := cosim.Options{Unit: u, Seed: 1, Design: design}
				p, err := cosim.Prove(t.Context(), opt, formal.Options{Time: time.Minute})
				if c.refused != "" {
					require.ErrorContains(t, err, c.refused)
					continue
				}
				require.NoError(t, err)
				require.Equal(t, formal.Proved, p.Answer.Verdict)
				given := strings.Join(p.Conditions, "\n")
				if c.given == "" {
					require.NotContains(t, given, "acc.v")
				} else {
					require.Contains(t, given, strings.TrimSuffix(c.given, ".v:")+".")
				}
				warnings := strings.Join(p.Warnings, "\n")
				if c.warning == "" || cosim.Verilator.Available() != nil {
					require.Empty(t, warnings)
				} else {
					require.Contains(t, warnings, strings.TrimSuffix(c.warning, ".v:")+".")
				}
			}
		})
	}
	failing := inAcc("generate if (1) begin : g $fatal(1, \"WIDTH is wrong\"); end endgenerate", "")
	s, err := start(t, failing, func(o *cosim.Options) {
		o.Design.Sources[0] = sv(t, o.Design.Sources[0])
	})
	require.Nil(t, s)
	require.ErrorContains(t, err, "WIDTH is wrong")
}
