package cosim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
)

// However much a simulator says, all of it is read: a parameter that does not exist is told before or after it, and
// ports are found in any text.
func TestSimulatorsThatSayMuch(t *testing.T) {
	var warnings, fill strings.Builder
	for i := range 600 { // Icarus warns of each; the end that is kept has 16 KiB
		fmt.Fprintf(&warnings, "    wire [3:0] w%d; sub s%d(.a(w%d));\n", i, i, i)
		fmt.Fprintf(&fill, "    wire [63:0] a_name_of_some_length_%d = 64'd%d;\n", i, i)
	}
	require.Greater(t, fill.Len(), 20<<10)
	many := strings.Replace(plain, "endmodule\n", warnings.String()+"endmodule\nmodule sub(input [7:0] a); endmodule\n", 1)
	t.Run("parameter", func(t *testing.T) {
		t.Parallel()
		s, err := start(t, many, icarus)
		require.NoError(t, err)
		agree(t, s, err)
		_, err = start(t, many, func(o *cosim.Options) {
			icarus(o)
			o.Design.Parameters = []cosim.Parameter{{Name: "NOSUCH", Value: "1"}}
		})
		require.EqualError(t, err, "module acc has no parameter NOSUCH")
	})
	t.Run("interface", func(t *testing.T) {
		t.Parallel()
		for _, text := range []string{
			strings.Replace(withInterface, "    reg seen;\n", "    reg seen;\n"+fill.String(), 1),
			strings.Replace(withInterface, "    reg seen;\n",
				"    reg seen;\n    wire ["+strings.Repeat("0+", 9<<10)+"0:0] long = 0;\n", 1),
		} {
			s, err := start(t, text, func(o *cosim.Options) { interfacesMap(o); o.BindOnly = true })
			require.NoError(t, err)
			require.Len(t, s.Binding.Fields, 5)
		}
	})
	t.Run("the first error", func(t *testing.T) {
		t.Parallel()
		var unknown strings.Builder
		for i := range 400 {
			fmt.Fprintf(&unknown, "    unknown_%d x%d(clk);\n", i, i)
		}
		for _, edit := range both(func(*cosim.Options) {}) {
			text := strings.Replace(
				plain, "endmodule", "    no_such_module first_of_all(clk);\n"+unknown.String()+"endmodule", 1,
			)
			_, err := start(t, text, edit)
			require.ErrorContains(t, err, "no_such_module")
		}
	})
}
