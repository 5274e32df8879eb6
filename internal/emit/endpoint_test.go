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

// endpoint writes the Verilog of a whole end of a link into a file.
func endpoint(t *testing.T) (u vectors.Unit, path, text string) {
	t.Helper()
	u, err := catalogue.Designs().Emitted().Find("rifl/endpoint")
	require.NoError(t, err)
	c, err := emit.Whole(t.Context(), "../..", u)
	require.NoError(t, err)
	path = filepath.Join(t.TempDir(), "endpoint.v")
	text = c.Verilog()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return u, path, text
}

// A whole end of a link is a top with an instance for each module, each kind of module once, and its buffers are
// memories. Verilator has nothing to say of it but that not all bits are read. It runs beside the model through bit
// errors and pauses. The tag soak makes it a million frames, and wants a wrong wire to show.
func TestTheEndpoint(t *testing.T) {
	u, path, text := endpoint(t)
	require.Equal(t, 1, strings.Count(text, "module rifl_endpoint ("))
	require.Equal(t, 4, strings.Count(text, "    rifl_endpoint_synchroniser "),
		"up, pause, retrans and missing: nobody reads aligned")
	require.Equal(t, 1, strings.Count(text, "module rifl_endpoint_synchroniser ("))
	require.Contains(t, text, "reg [63:0] buffer_bank3 [0:63];")
	require.Contains(t, text, "reg [63:0] lanes_0_ring_bank3 [0:143];")
	if err := cosim.Verilator.Available(); err != nil {
		t.Skipf("the endpoint's Verilog was NOT run: %v", err)
	}
	lint := exec.CommandContext(t.Context(), "verilator", "--lint-only", "-Wall", "-Wno-DECLFILENAME",
		"--top-module", "rifl_endpoint", path)
	out, err := lint.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Empty(t, string(out))
	lockstep(t, u, path, cosim.Verilator, endpointRows)
	if !soaking {
		return
	}
	wrong := strings.Replace(text, ".missing(sync_missing_out)", ".missing(sync_retrans_out)", 1)
	require.NotEqual(t, text, wrong)
	require.NoError(t, os.WriteFile(path, []byte(wrong), 0o600))
	s, err := cosim.Start(t.Context(), cosim.Options{Unit: u, Seed: 1,
		Design: cosim.Design{Sources: []string{path}, Top: u.Module(), Simulator: cosim.Verilator}})
	require.NoError(t, err)
	defer s.Close()
	r, err := s.Run(t.Context(), cosim.Stimulus{Cycles: 100_000, Seed: 1}, nil)
	require.NoError(t, err)
	require.NotNil(t, r.Divergence, "a wire between the wrong modules")
}
