package xbar

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The reference RTL is made from a file for other numbers of ports. At the default nothing but the file comes out.
func TestRTLAtTheDefaultsIsTheFile(t *testing.T) {
	for _, u := range Units() {
		text, err := Verilog.ReadFile("verilog/" + u.Module() + ".v")
		require.NoError(t, err)
		v, err := u.WithParams("ports=8")
		require.NoError(t, err)
		require.NotEqual(t, string(text), v.RTL)
		v, err = v.WithParams("ports=4")
		require.NoError(t, err)
		require.Equal(t, string(text), v.RTL)
	}
}
