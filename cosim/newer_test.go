package cosim_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/internal/verilator"
	"github.com/goldwire/goldwire/pcs"
)

// withInterface is the accumulator with an interface, a struct and an unpacked array at its ports.
const withInterface = `interface word_if; logic [7:0] data; logic valid; modport to(input data, valid); modport from(output data, valid); endinterface
typedef struct packed { logic [11:0] total; logic odd; } sum_t;
module acc(input wire clk, input wire rst, word_if.to w, output sum_t sum, output logic valid [0:1]);
    reg [11:0] total;
    reg seen;
    assign sum = {total, total[0]}, valid[1] = seen, valid[0] = ~seen;
    always @(posedge clk)
        if (rst) begin total <= 0; seen <= 0; end
        else begin
            seen <= w.valid;
            if (w.valid) total <= total + 12'(w.data);
        end
endmodule
`

func interfacesMap(o *cosim.Options) {
	o.Map.Ports = map[string]string{
		"in_data": "w.data", "in_valid": "w.valid", "out_total": "sum.total", "out_odd": "sum.odd",
		"out_valid": "valid[1]",
	}
}

// The variable GOLDWIRE_VERILATORS names folders with other versions' programs verilator, as PATH names folders: to
// ports, lockstep and testbenches each is what the one on PATH is.
func TestOtherVersionsOfVerilator(t *testing.T) {
	folders := filepath.SplitList(os.Getenv("GOLDWIRE_VERILATORS"))
	if len(folders) == 0 {
		t.Skip("other versions of Verilator were NOT tested: GOLDWIRE_VERILATORS names no folder")
	}
	encoder, err := pcs.Units().Find("pcs/encoder")
	require.NoError(t, err)
	path := os.Getenv("PATH")
	for _, folder := range folders {
		t.Run(folder, func(t *testing.T) {
			t.Setenv("PATH", folder+string(os.PathListSeparator)+path)
			tool, err := verilator.Known()
			require.NoError(t, err)
			require.Equal(t, folder, filepath.Dir(tool.Program))
			t.Logf("Verilator %v", tool.Version)
			s, err := start(t, encoder.RTL, func(o *cosim.Options) { o.Unit, o.Design.Top = encoder, encoder.Module() })
			agree(t, s, err)
			s, err = start(t, withInterface, interfacesMap)
			agree(t, s, err)
			bench := filepath.Join(t.TempDir(), "t.sv")
			text := "module t; initial begin $dumpfile(\"t.vcd\"); $dumpvars; #5 $display(\"at %0t\", $time); $finish; end " +
				"endmodule\n"
			require.NoError(t, os.WriteFile(bench, []byte(text), 0o644))
			results, err := hdl.Verilator.Run(
				t.Context(), hdl.Job{Top: "t", Sources: []string{bench}, Trace: true, Dir: t.TempDir()},
			)
			require.NoError(t, err)
			require.True(t, results[0].Passed())
			require.Contains(t, results[0].Output, "at 5\n")
		})
	}
}
