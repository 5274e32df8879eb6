package shoal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
)

// The other nodes notice within a flight and an epoch that the time master has stopped, take the same new one, keep their counters equal, and lose no frame
// of each other. Cells are missing only where the stopped node had them.
func TestTimeMasterStops(t *testing.T) {
	r, err := runClockMaster(t.Context(), &experiment.Run{Seed: 1}, ClockMasterPoint{Lost: loseTime, Guard: 1, Cells: 10, Slots: 800})
	require.NoError(t, err)
	require.Equal(t, []int{1, 1, 1, 1, 1, 1, 1}, r.Masters)
	const flight, epoch, slot = 244, 84, 12
	require.Greater(t, r.Detected, uint64(flight))
	require.LessOrEqual(t, r.TakenOver, uint64(flight+epoch+2*slot+slot/2))
	require.EqualValues(t, 6*slot, r.TakenOver-r.Detected, "the master told the seven nodes the time in slots one after the other")
	require.Zero(t, r.Precision)
	require.Zero(t, r.Damaged+r.FirstLost)
	require.Positive(t, r.Missing)
	require.Less(t, r.Missing, 7*7, "node 0 had no more than a cell of each flow to each neighbour")
	require.Equal(t, r.Account.Copies, r.Account.Delivered+r.Account.Duplicate+r.Account.Lost+r.Account.Waiting+r.Account.OnLines)
	require.GreaterOrEqual(t, int(r.Account.Delivered), 420-r.Missing)
}

// A switch has an oscillator of its own where SwitchPPM has an offset for it, leaves first, and the distributed clock elsewhere.
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
			require.Equal(t, xgmiiClock.PPM(ppm[sw]), f, name)
		}
	}
}

// The counter of a node that has stopped runs on, and is not compared: on a clock of 1,000 ppm it is three cycles ahead of the others after 3,000.
func TestSpreadIsOfLivingNodes(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	p, err := NewPrototype(PrototypeConfig{Schedule: s, PPM: []float64{0, 1000}, Sync: &Sync{Guard: 1, Lead: 1}})
	require.NoError(t, err)
	p.Stop(1)
	require.NoError(t, p.Clock.Run(3010))
	whole, fine := p.spread(true)
	require.Zero(t, whole)
	require.Zero(t, fine)
	p.ports[1].stopped = false
	whole, _ = p.spread(false)
	require.EqualValues(t, 3, whole)
}

// When the distributed clock stops, the slots of switches drift until frames are lost.
func TestHoldOverEnds(t *testing.T) {
	r, err := runClockMaster(t.Context(), &experiment.Run{Seed: 1}, ClockMasterPoint{Lost: loseClock, PPM: 400, Guard: 1, Cells: 10, Slots: 150})
	require.NoError(t, err)
	require.Positive(t, r.FirstLost)
}

// Each node hears from each other one that it cannot reach the stopped one any more, and sends no cells for it that way (§3.5).
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
	for i, nic := range p.nics {
		for j := range p.nics {
			for k := range p.nics {
				if i == j || i == stopped || j == stopped {
					continue
				}
				at := nic.node.rowTo(j)*8 + k
				require.Equal(t, k == stopped, nic.node.cut[at>>6]>>(at&63)&1 != 0, "node %d of node %d by node %d", i, k, j)
			}
		}
	}
}
