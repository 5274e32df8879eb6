package spfc

import (
	"fmt"

	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/rtl"
)

func TestCheckpointOfACellSwitch(t *testing.T) {
	designtest.CheckNetwork(t, 800, func(t *testing.T, cfg rtl.Config) designtest.Network {
		const ports, delay = 4, 6
		pfc := DefaultPFC()
		pfc.MaxPacket = 16 * CellBytes
		link := Link{ByteTime: Gbps100, Delay: delay * slot100G}
		sc := SwitchConfig{Buffer: DefaultBuffer(ports, 0, pfc.HeadroomNeeded(link)), Arbitration: IngressFair,
			Routes: [][]uint8{{3}}}
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
					h.frames = append(h.frames, Packet{Flow: uint32(i), Seq: seq,
						Bytes: uint16(CellBytes * (1 + (seq+uint64(i))%16)), Prio: 3})
				}
			}
		}
		require.NoError(t, sim.Elaborate())
		return designtest.Network{Sim: sim, Clock: clk}
	})
}
