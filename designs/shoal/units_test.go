package shoal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The RTL of a circuit switch is made from a file, with other ports and another schedule. At the default nothing but
// the file comes out.
func TestCircuitSwitchRTLAtTheDefaultIsTheFile(t *testing.T) {
	text, err := Verilog.ReadFile("verilog/shoal_circuit_switch.v")
	require.NoError(t, err)
	require.Equal(t, string(text), circuitSwitchRTL(unitSwitch(4, 8, 12, false)))
	require.NotEqual(t, string(text), circuitSwitchRTL(unitSwitch(4, 8, 12, true)))
}
