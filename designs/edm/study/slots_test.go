package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"

	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
)

// When all messages are over, no table has an entry for any of them, in any mode; with timers too.
func TestTablesAreEmptyAtTheEnd(t *testing.T) {
	for _, timeout := range []string{"0ns", "1ms"} {
		for _, mode := range modes {
			cfg := edm.Config{Nodes: 8, Timeout: clock.MustTime(timeout), TimeWrites: true, Sim: mode}
			l := Load{Offered: 0.8, Sizes: workload.Fixed(64), Reads: 0.4, Swaps: 0.3, Messages: 400, Seed: 3}
			messages, _, _, err := l.Make(cfg)
			require.NoError(t, err)
			var n *edm.Network
			r, err := edm.Run(t.Context(), cfg, messages, edm.Options{Prepare: func(made *edm.Network) { n = made }})
			require.NoError(t, err)
			require.Zero(t, r.Monitor.Count, r.Monitor.Violations)
			sizes := map[string]int{}
			for i, h := range n.Hosts {
				sizes["messages"] += h.Tx.Messages.Size()
				if h.Tx.Timeout > 0 {
					sizes["timers"] += h.Tx.Timers.Size()
				}
				sizes["responses"] += h.Tx.Responses.Size()
				sizes["words"] += r.Monitor.Expected[i].By.Size()
				sizes["pairs"] += n.Scheduler.Dests[i].Pairs.Size()
				require.Positive(t, h.Tx.Messages.Room()+h.Tx.Responses.Room(), "host %d had something to do", i)
			}
			for _, f := range n.Switches {
				sizes["requests"] += f.Grants.Requests.Size() + f.Grants.More.Size()
				require.Positive(t, f.Grants.More.Room())
			}
			for table, size := range sizes {
				require.Zero(t, size, "%s, mode %v, timeout %s", table, mode, timeout)
			}
		}
	}
}
