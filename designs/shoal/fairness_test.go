package shoal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Why ready queues are not fair. On one link local flows meet remote ones. A remote cell is followed by the next of its
// flow after len(Q) + len(R) drains (Equation 6): all local flows and the remote cells that are in Q. Without ready
// queues those are all remote flows, and each flow gets the same. With them a remote cell has one local cell before it
// at most, so it leaves sooner, fewer remote ones are counted, and they come more often than local ones. One flow of
// each makes no difference.
func TestShareOfALinkWithReadyQueues(t *testing.T) {
	const nodes, via, dest = 40, 0, 39
	for _, c := range []struct{ local, remote int }{{1, 1}, {4, 4}, {8, 8}, {4, 12}} {
		for _, plain := range []bool{true, false} {
			r := newTestRack(t, halfEpoch(t, nodes), 0, Options{NoReady: plain, NoAge: plain})
			for k := range c.local {
				require.NoError(t, r.Offer(0, via, 1+k, 1<<30))
			}
			for k := range c.remote {
				require.NoError(t, r.Offer(0, 20+k, dest, 1<<30))
			}
			row := uint64(r.Times.pair[via*nodes+dest])
			local, all := 0, 0
			for range 300 * r.Epoch() {
				r.Step()
				if slot := r.Slot() - 1; slot > uint64(100*r.Epoch()) && slot%uint64(r.Epoch()) == row {
					if cell := r.sentIn(slot)[via]; !cell.Dummy() {
						all++
						if cell.Source() == via {
							local++
						}
					}
				}
			}
			require.NoError(t, r.Broken())
			fair, got := float64(c.local)/float64(c.local+c.remote), float64(local)/float64(all)
			if plain || c.local == 1 {
				require.InEpsilon(t, fair, got, 0.05, "%+v, without ready queues %v", c, plain)
			} else {
				require.Less(t, got, 0.95*fair, "%+v", c)
			}
		}
	}
}
