package study

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/designtest"

	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/spfc"
)

func TestCheckpointOfAFabric(t *testing.T) {
	sizes, err := workload.ParseSizes("websearch")
	require.NoError(t, err)
	for _, control := range []spfc.Control{spfc.WithDCQCN, spfc.WithTIMELY} {
		designtest.CheckModel(t, 100, func(t *testing.T) designtest.Model {
			sc := spfc.DefaultScenario(spfc.DeadlockPod())
			sc.Flows = allToAll(64, sizes, 0.8, spfc.Gbps100, 100*spfc.Microsecond, control, 5)
			f, err := spfc.NewFabric(&sc)
			require.NoError(t, err)
			return designtest.Model{
				Run:   func(us uint64) { require.NoError(t, f.Run(t.Context(), f.Net.Now()+spfc.Time(us)*spfc.Microsecond)) },
				Roots: []any{f},
			}
		})
	}
}

func TestExperimentsGoOnFromACheckpoint(t *testing.T) {
	designtest.CheckResume(t, fabricTest, 50_000, map[string]string{"pods": "1", "scheme": "spfc", "lasts": "100us"})
	pod := map[string]string{"pods": "1", "scheme": "spfc", "lasts": "200us", "load": "0.9", "memory": "1.5"}
	designtest.CheckFork(t, fabricTest, 100_000, pod, map[string]string{"alpha": "0.5"}, map[string]string{"tc": "40us"})
	designtest.CheckFork(t, fabricTest, 100_000, pod, map[string]string{"k": "1"}, map[string]string{"load": "0.5"})
	designtest.CheckResume(t, compare, 50_000, map[string]string{"pods": "1", "figure": "fig15", "load": "0.3",
		"runs": "2", "lasts": "100us", "memory": "2"})
	designtest.CheckResume(t, Workload, 2_500_000, map[string]string{"runs": "1", "scheme": "spfc", "lasts": "3ms"})
	designtest.CheckResume(t, burst, 1_000_000, map[string]string{"n": "3", "scheme": "spfc", "lasts": "300us"})
	flows := filepath.Join(t.TempDir(), "flows.csv")
	rows := "id,type,source,destination,bytes,start_ns\n1,write,0,5,4000000,0\n2,write,3,5,2000000,100\n" +
		"3,write,5,0,300,9000\n"
	require.NoError(t, os.WriteFile(flows, []byte(rows), 0o600))
	designtest.CheckResume(t, Trace, 250_000, map[string]string{"FILE": flows})
	designtest.CheckResume(
		t,
		sweep,
		3_000_000,
		map[string]string{
			"n": "3", "scheme": "spfc", "lasts": "100us", "offsets": "2", "timers": "card",
			"first-later": "false", "keep-target": "true", "headroom": "apart", "arbitration": "fair",
			"mark": "departure", "tc": "80us",
		},
	)
}
