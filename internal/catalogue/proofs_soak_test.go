//go:build soak

package catalogue_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/internal/formal"
)

// refutationTime is how much time of the processor the search for one difference may take: drmt/key_generator takes
// 21 s. Other programs that run beside it do not count.
const refutationTime = 3 * time.Minute

// Prove refutes every bug of every unit with RTL, by an engine or by simulation. Model and RTL part in the last cycle
// of the inputs that it finds, and the reference does not part from the model.
func TestProveRefutesPlantedBugs(t *testing.T) {
	if err := formal.Available(formal.Auto); err != nil {
		t.Skipf("planted bugs were NOT refuted: %v", err)
	}
	if err := cosim.Icarus.Available(); err != nil {
		t.Skipf("planted bugs were NOT refuted: %v", err)
	}
	for _, u := range catalogue.Designs().Units() {
		if u.RTL == "" || len(u.Clocks) > 0 {
			continue
		}
		for _, bug := range u.Bugs {
			t.Run(u.Module()+"/"+strings.ReplaceAll(bug.Kind, " ", "_"), func(t *testing.T) {
				p, err := cosim.Prove(t.Context(), cosim.Options{Unit: u.Exact(), Seed: 1,
					Design: cosim.Design{
						Sources: []string{withBug(t, u, bug.Edits)}, Top: u.Module(), Simulator: cosim.Icarus,
						Memory: cosim.DefaultMemory,
					}},
					formal.Options{Time: 10 * refutationTime, Processor: refutationTime})
				require.NoError(t, err)
				a := p.Answer
				require.Equal(t, formal.Refuted, a.Verdict, "%d cycles: %s", a.Steps, a.Why)
				t.Logf("| `%s` | %s | %s | %d | %.1f |", u.Name, bug.Kind, a.Engine, len(p.Set.Rows), a.Took.Seconds())
				require.Nil(t, p.Reference, "the reference parts from the model: %v", p.Reference)
				require.Empty(t, p.Unconfirmed)
				require.NotNil(t, p.Divergence)
				require.Equal(t, len(p.Set.Rows)-1, p.Divergence.Cycle)
			})
		}
	}
}
