package shoal

import (
	"testing"

	"github.com/stretchr/testify/require"

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
