//go:build soak

package emit_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/internal/emit"
	"github.com/goldwire/goldwire/internal/formal"
)

// The Verilog of each unit of the record is proved equal to the RTL written by hand, for all inputs and all cycles.
func TestCatalogueIsProved(t *testing.T) {
	require.NoError(t, formal.Available(formal.Auto))
	for _, name := range proved(t) {
		t.Run(name, func(t *testing.T) {
			u, err := catalogue.Designs().Units().Find(name)
			require.NoError(t, err)
			c, err := emit.Unit(t.Context(), "../..", u)
			require.NoError(t, err)
			path := t.TempDir() + "/" + u.Module() + ".v"
			require.NoError(t, os.WriteFile(path, []byte(c.Verilog()), 0o600))
			opt := cosim.Options{Unit: u, Seed: 1,
				Design: cosim.Design{Sources: []string{path}, Top: u.Module(), Simulator: cosim.Icarus}}
			p, err := cosim.Prove(t.Context(), opt, formal.Options{Engine: formal.Auto, Time: time.Hour})
			require.NoError(t, err)
			require.Equal(t, formal.Proved, p.Answer.Verdict, p.Answer.Why)
			t.Logf("%s: %s, %.1f s", name, p.Answer.How(), p.Answer.Took.Seconds())
		})
	}
}
