package emit_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/internal/emit"
	"github.com/goldwire/goldwire/vectors"
)

// whole writes the Verilog of an assembly into a file.
func whole(t *testing.T, name string) (u vectors.Unit, path, text string) {
	t.Helper()
	u, err := catalogue.Designs().Emitted().Find(name)
	require.NoError(t, err)
	c, err := emit.Whole(t.Context(), "../..", u)
	require.NoError(t, err)
	path = filepath.Join(t.TempDir(), u.Module()+".v")
	text = c.Verilog()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return u, path, text
}

// A whole end of a link is a top with an instance for each module, each kind of module once, and its buffers are
// memories. It runs beside the model through bit errors and pauses.
func TestTheEndpoint(t *testing.T) {
	u, path, text := whole(t, "rifl/endpoint")
	require.Equal(t, 1, strings.Count(text, "module rifl_endpoint ("))
	require.Equal(t, 4, strings.Count(text, "    rifl_endpoint_synchroniser "),
		"up, pause, retrans and missing: nobody reads aligned")
	require.Equal(t, 1, strings.Count(text, "module rifl_endpoint_synchroniser ("))
	require.Contains(t, text, "reg [63:0] buffer_bank3 [0:63];")
	require.Contains(t, text, "reg [63:0] lanes_0_ring_bank3 [0:143];")
	beside(t, u, path, text, ".missing(sync_missing_out)", ".missing(sync_retrans_out)")
}

// A whole PCS, both ways, has two clocks and a line with bit errors.
func TestThePCS(t *testing.T) {
	u, path, text := whole(t, "pcs/endpoint")
	require.Equal(t, 9, strings.Count("\n"+text, "\nmodule pcs_endpoint"), "eight boxes and the top")
	beside(t, u, path, text, ".hi_ber(ber_monitor_hi_ber),", ".hi_ber(block_sync_slip),") // the decoder's
}

// beside runs an assembly's Verilog in lockstep with its model, of which the tag soak makes a million frames. Verilator
// has nothing to say of it but that not all bits are read. Under that tag a wrong wire has to show.
func beside(t *testing.T, u vectors.Unit, path, text, wire, wrong string) {
	t.Helper()
	if err := cosim.Verilator.Available(); err != nil {
		t.Skipf("the Verilog of %s was NOT run: %v", u.Name, err)
	}
	lint := exec.CommandContext(t.Context(), "verilator", "--lint-only", "-Wall", "-Wno-DECLFILENAME",
		"--top-module", u.Module(), path)
	out, err := lint.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Empty(t, string(out))
	lockstep(t, u, path, cosim.Verilator, endpointRows)
	if !soaking {
		return
	}
	require.Contains(t, text, wire)
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(text, wire, wrong, 1)), 0o600))
	s, err := cosim.Start(t.Context(), cosim.Options{Unit: u, Seed: 1,
		Design: cosim.Design{Sources: []string{path}, Top: u.Module(), Simulator: cosim.Verilator}})
	require.NoError(t, err)
	defer s.Close()
	r, err := s.Run(t.Context(), cosim.Stimulus{Cycles: 100_000, Seed: 1}, nil)
	require.NoError(t, err)
	require.NotNil(t, r.Divergence, "a wire between the wrong modules")
}
