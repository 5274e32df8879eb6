//go:build soak

package emit_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// Yosys makes gates of a whole end of a link: no loop, no net without a driver, no latch. Resource sharing is left out:
// it asks a solver about each pair of operations.
func TestTheEndpointIsSynthesised(t *testing.T) {
	_, path, _ := whole(t, "rifl/endpoint")
	report := t.TempDir() + "/stat"
	cmd := exec.CommandContext(t.Context(), "yosys", "-q", "-p", "read_verilog "+path+
		"; synth -noshare -top rifl_endpoint; check -assert; select -assert-none t:$_DLATCH_*; select -assert-any t:$_*DFF*"+
		"; tee -q -o "+report+" stat -top rifl_endpoint")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	text, err := os.ReadFile(report)
	require.NoError(t, err)
	t.Logf("%s", text)
}
