package emit_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/rtl"
)

// Faults in the Verilog of rifl/aligner: a text, and another one in its first place. The first shows within a few
// cycles of the reset.
var faultyAligner = [][2]string{
	{"out_first <= phase == 2'h0", "out_first <= phase == 2'h1"}, // a constant off by one
	{"raw_2 <= raw_1", "raw_2 <= raw_0"},                         // a word a cycle early
	{"raw_0 <= in", "raw_0 <= {in[0], in[63:1]}"},                // bits in another order
	{"phase <= 2'h0", "phase <= 2'h1"},                           // a wrong reset value
	{"moving <= 2'h3", "moving <= 2'h2"},
	{"look_window == 8'h10", "look_window == 8'h11"},
	{"look_legal < 8'h10", "look_legal < 8'h11"},
	{"look_illegal < 8'h2", "look_illegal < 8'h3"},
	{"slid + 6'h1", "slid + 6'h2"},
	{"moving <= 2'h2", "moving <= 2'h1"},
	{"fine <= slid[2:0]", "fine <= slid[3:1]"},
	{"live_level == 9'h100", "live_level == 9'h0ff"},
	{"{1'b0, slid} + 7'h7", "{1'b0, slid} + 7'h6"},
	{"reg [2:0] coarse", "reg [1:0] coarse"}, // a register narrower by one
}

// Verilog with a fault is never proved equal to the RTL written by hand. The whole list is for the long tests.
func TestFaultsAreNotProved(t *testing.T) {
	if err := formal.Available(formal.Auto); err != nil {
		t.Skipf("faults in emitted Verilog were NOT tried: %v", err)
	}
	u, err := catalogue.Designs().Units().Find("rifl/aligner")
	require.NoError(t, err)
	in, err := u.Simulate(rtl.Config{}, 1)
	require.NoError(t, err)
	_, text := written(t, load(t, in.Module), u)
	list := faultyAligner
	if !soaking {
		list = list[:1]
	}
	for _, fault := range list {
		t.Run(fault[1], func(t *testing.T) {
			require.Contains(t, text, fault[0])
			path := t.TempDir() + "/aligner.v"
			require.NoError(t, os.WriteFile(path, []byte(strings.Replace(text, fault[0], fault[1], 1)), 0o600))
			opt := cosim.Options{Unit: u, Seed: 1,
				Design: cosim.Design{Sources: []string{path}, Top: u.Module(), Simulator: cosim.Icarus}}
			p, err := cosim.Prove(t.Context(), opt, formal.Options{Engine: formal.Auto, Time: 30 * time.Second})
			require.NoError(t, err)
			require.NotEqual(t, formal.Proved, p.Answer.Verdict, p.Answer.How())
			t.Logf("%s (%s)", p.Answer.Verdict, p.Answer.How())
		})
	}
}
