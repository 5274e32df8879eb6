package shoal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
)

// A switch has an oscillator of its own where SwitchPPM has an offset for it, leaves first, and the distributed clock
// elsewhere.
func TestSwitchClocks(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	ppm := []float64{50, -50, 0, 25, -25} // of four leaves and two spines
	p, err := NewPrototype(PrototypeConfig{Schedule: s, SwitchPPM: ppm, Sync: &Sync{Guard: 1, Lead: 1}})
	require.NoError(t, err)
	freqs := map[string]clock.Freq{}
	for _, c := range p.Sim.Clocks() {
		freqs[c.Name()] = c.Freq()
	}
	for sw, name := range []string{"leaf_0", "leaf_1", "leaf_2", "leaf_3", "spine_0", "spine_1"} {
		f, own := freqs[name]
		require.Equal(t, sw != 2 && sw != 5, own, name)
		if own {
			require.Equal(t, XGMIIClock.PPM(ppm[sw]), f, name)
		}
	}
}

// The counter of a node that has stopped runs on, and is not compared: on a clock of 1,000 ppm it is three cycles ahead
// of the others after 3,000.
func TestSpreadIsOfLivingNodes(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	p, err := NewPrototype(PrototypeConfig{Schedule: s, PPM: []float64{0, 1000}, Sync: &Sync{Guard: 1, Lead: 1}})
	require.NoError(t, err)
	p.Stop(1)
	require.NoError(t, p.Clock.Run(3010))
	whole, fine := p.Spread(true)
	require.Zero(t, whole)
	require.Zero(t, fine)
	p.Ports[1].stopped = false
	whole, _ = p.Spread(false)
	require.EqualValues(t, 3, whole)
}

// Each node hears from each other one that it cannot reach the stopped one any more, and sends no cells for it that way
// (§3.5).
func TestUnreachableNodesAreTold(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	p, err := NewPrototype(PrototypeConfig{Schedule: s, Sync: &Sync{Guard: 1, Lead: 1}})
	require.NoError(t, err)
	require.NoError(t, p.Synchronise(t.Context()))
	require.NoError(t, p.Run(40))
	const stopped = 2
	p.Stop(stopped)
	require.NoError(t, p.Run(80))
	for i, nic := range p.NICs {
		for j := range p.NICs {
			for k := range p.NICs {
				if i == j || i == stopped || j == stopped {
					continue
				}
				at := nic.Node.RowTo(j)*8 + k
				require.Equal(t, k == stopped, nic.Node.cut[at>>6]>>(at&63)&1 != 0, "node %d of node %d by node %d", i, k, j)
			}
		}
	}
}
