package rack

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/spfc"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload"
)

// ECN thresholds and ST's threshold of a user's own reach the switch of the lossless Ethernets: seven senders to one
// node fill its queue over 2 KB, and each sender's port over 3 KB.
func TestKnobsReachTheEthernets(t *testing.T) {
	run := func(fabric string, bytes int, k spfc.Knobs) carried {
		var messages []workload.Message
		for from := 1; from < 8; from++ {
			messages = append(messages, workload.Message{Type: workload.Write, Source: from, Bytes: bytes})
		}
		l := defaultLinks()
		l.Nodes, l.Knobs = 8, k
		f, err := named(fabric)
		require.NoError(t, err)
		c, err := f.run(t.Context(), &experiment.Run{Seed: 1}, l, messages)
		require.NoError(t, err)
		return c
	}
	require.Zero(t, run("dt", 50_000, spfc.Knobs{}).marks, "400 KB are the usual least")
	require.Greater(t, run("dt", 50_000, spfc.Knobs{ECN: "1:2:100"}).marks, uint64(150))
	require.Zero(t, run("st", 50_000, spfc.Knobs{}).pauses)
	require.Positive(t, run("st", 50_000, spfc.Knobs{Static: 3}).pauses)
	slow := run("dt", 2_000_000, spfc.Knobs{ECN: "1:2:100", DCQCNKnobs: "least=1"})
	fast := run("dt", 2_000_000, spfc.Knobs{ECN: "1:2:100", DCQCNKnobs: "least=50000"})
	require.Greater(t, slow.results[0].Finish+slow.results[6].Finish, fast.results[0].Finish+fast.results[6].Finish)
}

func TestBadKnobsOfACompare(t *testing.T) {
	p := params{}
	p.Links, p.Fabrics, p.Loads = defaultLinks(), []string{"dctcp"}, []float64{0.1}
	p.Workload = Workload{Sizes: "fixed:700", Messages: 400}
	p.ECN = "1:2:3"
	require.EqualError(t, check(&p), "--ecn, --static, --dcqcn, --timely: want one of dt, st, spfc among --fabrics")
	p.Fabrics, p.ECN = []string{"dt"}, "1:2"
	require.ErrorContains(t, check(&p), `--ecn "1:2": want KMIN:KMAX:PERCENT`)
	p.Knobs, p.Cell = spfc.Knobs{}, 128
	require.EqualError(t, check(&p), "--cell, --guard: want shoal among --fabrics")
}
