package cosim_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks/units"
	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/formal"
)

// A proof has the clock enable free: RTL that moves while it is off is refuted, and the conditions of a proof name the
// enable.
func TestProofOfAClockEnable(t *testing.T) {
	if _, err := exec.LookPath("yosys"); err != nil {
		t.Skipf("proofs with a clock enable were NOT made: %v", err)
	}
	const head = `module enc (input clk, input rst, input ce, input mode, input [63:0] in, output reg [5:0] out_index, output reg out_valid);
integer i; reg [5:0] n; always @* begin n = 0; for (i = 63; i >= 0; i = i - 1) if (in[i]) n = i[5:0]; end
always @(posedge clk) if (rst) begin out_index <= 0; out_valid <= 0; end else begin if (ce) out_index <= n; if (ce`
	u, err := units.Units().Find("blocks/priority_encoder")
	require.NoError(t, err)
	for rest, want := range map[string]formal.Verdict{
		") out_valid <= |in; end\nendmodule":                          formal.Proved,
		" | (in == 64'h1234)) out_valid <= |in; end\nendmodule":       formal.Refuted,
		" | (mode & in[0])) out_valid <= |in; end\nendmodule":         formal.Proved,  // the map ties mode
		") out_valid <= |in ^ (in == 64'h5a5a5a5a5a); end\nendmodule": formal.Refuted, // with the enable on
	} {
		path := filepath.Join(t.TempDir(), "enc.v")
		require.NoError(t, os.WriteFile(path, []byte(head+rest), 0o644))
		p, err := cosim.Prove(
			t.Context(),
			cosim.Options{Unit: u, Seed: 1, Map: cosim.Map{Enable: "ce", Tie: map[string]uint64{"mode": 0}},
				Design: cosim.Design{
					Sources: []string{path}, Top: "enc", Simulator: cosim.Icarus,
				}},
			formal.Options{Time: time.Minute},
		)
		require.NoError(t, err, rest)
		require.Equal(t, want, p.Answer.Verdict, rest)
		require.Contains(t, p.Conditions, "reset once, for 4 cycles")
		require.Contains(t, p.Conditions, "ce on or off in any cycle")
		require.Contains(t, p.Conditions, "mode tied to 0")
	}
}

// A clock enable that the map names is off in some cycles, whether it says how many or not; one found by its name alone
// is told to be held.
func TestClockEnableIsNeverVacuous(t *testing.T) {
	for name, enable := range map[string]string{"off in 20 % of cycles": "ce", "held on": ""} {
		s, err := start(
			t,
			plain[:len("module acc #(parameter STEP = 1) (")]+"input ce, "+plain[len("module acc #(parameter STEP = 1) ("):],
			func(o *cosim.Options) { icarus(o); o.Map.Enable, o.BindOnly = enable, true },
		)
		require.NoError(t, err)
		var notes []string
		for _, c := range s.Binding.Controls() {
			notes = append(notes, c.Note)
		}
		require.Contains(t, notes, name)
	}
}
