package catalogue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/rtl"
)

// The ports of each unit's RTL are found by Icarus, whatever it makes of the module's inside: of edm/scheduler it ends
// with an assertion of its own.
func TestPortsByIcarus(t *testing.T) {
	if err := cosim.Icarus.Available(); err != nil {
		t.Skipf("the ports of the units' RTL were NOT read: %v", err)
	}
	for _, u := range catalogue.Designs().Units() {
		if u.RTL == "" {
			continue
		}
		t.Run(u.Name, func(t *testing.T) {
			t.Parallel()
			s, err := cosim.Start(t.Context(), cosim.Options{Unit: u, BindOnly: true, Design: cosim.Design{
				Sources: []string{written(t, u, u.RTL)}, Top: u.Module(), Simulator: cosim.Icarus,
			}})
			require.NoError(t, err)
			in, err := u.Simulate(rtl.Config{}, 1)
			require.NoError(t, err)
			require.Len(t, s.Binding.Fields, len(in.Fields))
		})
	}
}
