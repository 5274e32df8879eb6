package spfc

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload"
)

func TestCheckpointOfAFabric(t *testing.T) {
	sizes, err := workload.ParseSizes("websearch")
	require.NoError(t, err)
	for _, control := range []Control{WithDCQCN, WithTIMELY} {
		designtest.CheckModel(t, 100, func(t *testing.T) designtest.Model {
			sc := DefaultScenario(DeadlockPod())
			sc.Flows = allToAll(64, sizes, 0.8, Gbps100, 100*Microsecond, control, 5)
			f, err := NewFabric(&sc)
			require.NoError(t, err)
			return designtest.Model{Run: func(us uint64) { require.NoError(t, f.Run(t.Context(), f.Net.Now()+Time(us)*Microsecond)) }, Roots: []any{f}}
		})
	}
}

func TestCheckpointOfACellSwitch(t *testing.T) {
	designtest.CheckNetwork(t, 800, func(t *testing.T, cfg rtl.Config) designtest.Network {
		const ports, delay = 4, 6
		pfc := DefaultPFC()
		pfc.MaxPacket = 16 * CellBytes
		link := Link{ByteTime: Gbps100, Delay: delay * slot100G}
		sc := SwitchConfig{Buffer: DefaultBuffer(ports, 0, pfc.HeadroomNeeded(link)), Arbitration: IngressFair, Routes: [][]uint8{{3}}}
		b := &sc.Buffer
		b.Cell, b.Seed, b.Lossless, b.Policy, b.K, b.Window = CellBytes, 7, 1<<3, SPFC, 1, 100*slot100G
		b.Bytes = 20_000 - b.Pool()
		for i := range b.Ports {
			b.Ports[i].ECN = ECN{KMin: 1000, KMax: 8000, PMax: 0.5}
		}
		sw, err := NewCellSwitch(sc, pfc)
		require.NoError(t, err)
		sim := rtl.New(cfg)
		clk := sim.Clock("cells", cellClock)
		scope := sim.Scope("test").On(clk)
		scope.Add("switch", sw)
		for i := range ports {
			h := newCellHost(delay)
			scope.Add(fmt.Sprint("host", i), h)
			rtl.Connect(&h.Out, &sw.In[i])
			rtl.Connect(&sw.Out[i], &h.In)
			for seq := range uint64(100) {
				if i < 3 {
					h.frames = append(h.frames, Packet{Flow: uint32(i), Seq: seq, Bytes: uint16(CellBytes * (1 + (seq+uint64(i))%16)), Prio: 3})
				}
			}
		}
		require.NoError(t, sim.Elaborate())
		return designtest.Network{Sim: sim, Clock: clk}
	})
}

func TestExperimentsGoOnFromACheckpoint(t *testing.T) {
	designtest.CheckResume(t, FabricTest, 50_000, map[string]string{"pods": "1", "scheme": "spfc", "lasts": "100us"})
	pod := map[string]string{"pods": "1", "scheme": "spfc", "lasts": "200us", "load": "0.9", "memory": "1.5"}
	designtest.CheckFork(t, FabricTest, 100_000, pod, map[string]string{"alpha": "0.5"}, map[string]string{"tc": "40us"})
	designtest.CheckFork(t, FabricTest, 100_000, pod, map[string]string{"k": "1"}, map[string]string{"load": "0.5"})
	designtest.CheckResume(t, Compare, 50_000, map[string]string{"pods": "1", "figure": "fig15", "load": "0.3", "runs": "2", "lasts": "100us", "memory": "2"})
	designtest.CheckResume(t, Workload, 2_500_000, map[string]string{"runs": "1", "scheme": "spfc", "lasts": "3ms"})
	designtest.CheckResume(t, Burst, 1_000_000, map[string]string{"n": "3", "scheme": "spfc", "lasts": "300us"})
	flows := filepath.Join(t.TempDir(), "flows.csv")
	rows := "id,type,source,destination,bytes,start_ns\n1,write,0,5,4000000,0\n2,write,3,5,2000000,100\n3,write,5,0,300,9000\n"
	require.NoError(t, os.WriteFile(flows, []byte(rows), 0o600))
	designtest.CheckResume(t, Trace, 250_000, map[string]string{"FILE": flows})
	designtest.CheckResume(t, Sweep, 3_000_000, map[string]string{"n": "3", "scheme": "spfc", "lasts": "100us", "offsets": "2", "timers": "card", "first-later": "false", "keep-target": "true",
		"headroom": "apart", "arbitration": "fair", "mark": "departure", "tc": "80us"})
}
