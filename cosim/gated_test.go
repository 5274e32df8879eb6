package cosim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
)

// gated is the accumulator behind a clock gate with a latch, and a reset that is asynchronous and active low.
const gated = `module acc (input clk, input rst_core_n, input ce, input [7:0] in_data, input in_valid,
    output reg [11:0] out_total, output out_odd, output reg out_valid);
    reg open;
    always @* if (!clk) open = ce;
    wire clk_core = clk & open;
    assign out_odd = out_total[0];
    always @(posedge clk_core or negedge rst_core_n)
        if (!rst_core_n) begin out_total <= 0; out_valid <= 0; end
        else begin out_valid <= in_valid; if (in_valid) out_total <= out_total + in_data; end
endmodule
`

// A clock gate in the RTL is a clock enable to the map; one that does not close is found.
func TestGatedClock(t *testing.T) {
	for _, sim := range []cosim.Simulator{cosim.Icarus, cosim.Verilator} {
		if sim == cosim.Verilator && !soak {
			continue
		}
		options := func(o *cosim.Options) {
			if o.Design.Simulator = sim; sim == cosim.Icarus {
				o.Dirty = 0
			}
			o.Map.Stall = 0.3
		}
		s, err := start(t, gated, options)
		agree(t, s, err)
		require.Contains(t, s.Binding.Controls(), cosim.Control{Role: "reset", Text: "~rst_core_n", Note: "active low"})
		s, err = start(t, strings.Replace(gated, "clk & open", "clk & (open | in_valid)", 1), options)
		require.Contains(t, []string{"out_total", "out_odd", "out_valid"}, part(t, s, err).Field)
	}
}
