package cosim_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
)

// RTL that ends the run itself is no agreement, and RTL that complains is none without its complaint. An $error before
// a $stop is no reason to go on; without a $stop the run goes on, though Verilator stops at both alike.
func TestRTLThatStops(t *testing.T) {
	const stopped, complains = "stopped", "complains"
	for statement, want := range map[string]string{
		"$stop;":   stopped,
		"$finish;": stopped,
		"begin $error(\"too many\");\n $stop; end":   stopped,
		"begin $display(\"%%Error: x\"); $stop; end": stopped,
		"$fatal(1, \"too many\");":                   stopped,
		"begin\n $fatal(1,\n \"too many\"); end":     stopped,
		"$error(\"too many\");":                      complains,
		"assert (out_total == 0);":                   complains,
	} {
		for name, edit := range both(func(*cosim.Options) {}) {
			t.Run(name+" "+statement, func(t *testing.T) {
				t.Parallel()
				s, err := start(
					t,
					strings.Replace(plain, "out_valid <= in_valid;", "out_valid <= in_valid; if (out_total > 12'd500) "+statement, 1),
					func(o *cosim.Options) {
						edit(o)
						o.Design.Sources[0] = sv(t, o.Design.Sources[0])
					},
				)
				require.NoError(t, err)
				_, err = s.Run(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8}, nil)
				require.Error(t, err)
				require.NotContains(t, err.Error(), "\n")
				var reported *cosim.ReportedError
				is := stopped
				if errors.As(err, &reported) {
					is = complains
				}
				require.Equal(t, want, is, err.Error())
				if is == stopped {
					call, _, _ := strings.Cut(statement[strings.LastIndex(statement, "$"):], ";")
					call, _, _ = strings.Cut(call, "(")
					want := map[string]string{
						"verilator": `^cycle \d+: the RTL called \` + call + "; it said: ",
						"icarus":    `^cycle \d+: vvp ended`,
					}
					require.Regexp(t, want[name], err.Error())
				}
			})
		}
	}
}

// Registers start with random bits: an assertion about them before the first reset is no complaint.
func TestAssertionsHoldFromTheResetOn(t *testing.T) {
	t.Parallel()
	for _, dirty := range []int{0, 64} {
		text := strings.Replace(
			plain, "    always",
			"    reg [31:0] guard;\n    always @(posedge clk) begin if (rst) guard <= 32'd77; assert (guard == 32'd77); end\n"+
				"    always",
			1,
		)
		s, err := start(t, text, func(o *cosim.Options) { o.Dirty = dirty; o.Design.Sources[0] = sv(t, o.Design.Sources[0]) })
		agree(t, s, err)
		s, err = start(
			t,
			strings.Replace(text, "assert (guard == 32'd77)", "assert (guard == 32'd78)", 1),
			func(o *cosim.Options) {
				o.Dirty = dirty
				o.Design.Sources[0] = sv(t, o.Design.Sources[0])
			},
		)
		require.NoError(t, err)
		_, err = s.Run(t.Context(), cosim.Stimulus{Cycles: 100, Seed: 8}, nil)
		require.ErrorContains(t, err, "the RTL reported: ")
	}
}

// sv gives a file the name that SystemVerilog has.
func sv(t *testing.T, file string) string {
	t.Helper()
	named := strings.TrimSuffix(file, ".v") + ".sv"
	require.NoError(t, os.Rename(file, named))
	return named
}
