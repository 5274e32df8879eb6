package cosim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks/units"
	"github.com/goldwire/goldwire/cosim"
)

// RTL on which simulators may disagree agrees under Verilator, and a reason stands beside: a warning, or Icarus'
// difference. Right RTL has none.
func TestAgreementsWithDoubts(t *testing.T) {
	const head = `module enc (input clk, input rst, input [63:0] in, output reg [5:0] out_index, output reg out_valid);
integer i; reg [5:0] n; always @* begin n = 0; for (i = 63; i >= 0; i = i - 1) if (in[i]) n = i[5:0]; end
`
	const end = "end else begin out_index <= a; out_valid <= v; end\nendmodule\n"
	const reset = "always @(posedge clk) if (rst) begin out_index <= 0; out_valid <= 0; "
	u, err := units.Units().Find("blocks/priority_encoder")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		text    string
		warning string // "" for none
		parts   bool   // under Icarus
	}{
		"right": {text: "wire [5:0] a = n; wire v = |in;\n"},
		"two drivers": {text: "wire [5:0] a; assign a = n; assign a = in[63] ? 6'd1 : n; wire v = |in;\n",
			parts: true},
		"latch": {text: "reg [5:0] l; always @* if (n != 6'd40) l = n;\n" +
			"wire [5:0] a = n | (l & 6'd0); wire v = |in;\n", warning: "a latch at enc.v:3 (LATCH)"},
		"race": {text: "reg [5:0] a; always @(posedge clk) a = n; wire v = |in;\n",
			warning: "a blocking assignment in sequential logic at enc.v:3 (BLKSEQ)", parts: true},
		"register of the other edge": {text: "reg [5:0] a; reg v; // negedge clk\n" +
			"always @(negedge clk) begin a <= n; v <= |in; end\n", warning: "a register of the falling edge of clk at enc.v:4"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, sim := range []cosim.Simulator{cosim.Verilator, cosim.Icarus} {
				if err := sim.Available(); err != nil {
					t.Skipf("%s was NOT run: %v", t.Name(), err)
				}
			}
			path := filepath.Join(t.TempDir(), "enc.v")
			require.NoError(t, os.WriteFile(path, []byte(head+c.text+reset+end), 0o644))
			s, err := cosim.Start(t.Context(), cosim.Options{Unit: u, Seed: 1, Timeout: 20 * time.Second,
				Design: cosim.Design{Sources: []string{path}, Top: "enc", Simulator: cosim.Verilator}})
			require.NoError(t, err)
			defer s.Close()
			st := cosim.Stimulus{Cycles: 2000, Seed: 1}
			r, err := s.Run(t.Context(), st, nil)
			require.NoError(t, err)
			require.Nil(t, r.Divergence, "Verilator sees nothing wrong")
			o, err := s.SecondOpinion(t.Context(), st)
			require.NoError(t, err)
			require.Equal(t, c.parts, o.Divergence != nil)
			if c.warning == "" {
				require.Empty(t, s.Warnings(t.Context()))
			} else {
				require.Contains(t, s.Warnings(t.Context()), c.warning)
			}
		})
	}
}

// A difference that Icarus shows is looked for under Verilator, and the other way round, of transfers too. A width that
// differs is no doubt: it is told apart.
func TestSecondOpinionsBothWays(t *testing.T) {
	wrong := strings.Replace(plain, "out_total[0];", "out_total[0] ^ (out_total[5:0] == 6'd33);", 1)
	slow := strings.Replace(elastic, "m_total[0]", "m_total[0] ^ (m_total[4:0] == 5'd17)", 1)
	for name, c := range map[string]struct {
		text string
		edit func(*cosim.Options)
	}{"icarus": {wrong, icarus},
		"verilator": {wrong, func(*cosim.Options) {}}, "transfers": {slow, elasticStreams},
		"transfers, icarus": {slow, elasticIcarus}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := start(t, c.text, c.edit)
			d := part(t, s, err)
			require.True(t, s.Confirmable(d), "at %d", d.Cycle)
			o, err := s.SecondOpinion(t.Context(), d.UpTo(cosim.Stimulus{Cycles: 5000, Seed: 8}))
			require.NoError(t, err)
			require.NotNil(t, o)
			require.NotNil(t, o.Divergence)
			require.Equal(t, d.Field, o.Divergence.Field)
		})
	}
	s, err := start(t, strings.Replace(plain, "STEP * in_data", "{24'd0, in_data}", 1), nil)
	agree(t, s, err)
	require.Empty(t, s.Warnings(t.Context()))
	require.Len(t, s.Widths(), 1)
	require.Regexp(t, `^acc\.v:\d+$`, s.Widths()[0])
}
