package edm

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"goldwire/clock"
	"goldwire/pqueue"
	"goldwire/rtl"
)

// mirrored draws a network with two switches.
func mirrored(t *rapid.T) Config {
	cfg := Config{
		Nodes:    rapid.IntRange(2, 8).Draw(t, "nodes"),
		Lanes:    rapid.SampledFrom([]int{1, 4}).Draw(t, "lanes"),
		Chunk:    8 * rapid.IntRange(1, 40).Draw(t, "chunk words"),
		Active:   rapid.IntRange(1, 4).Draw(t, "active"),
		Policy:   rapid.SampledFrom([]pqueue.Policy{pqueue.SRPT, pqueue.FCFS}).Draw(t, "policy"),
		Equalise: rapid.Bool().Draw(t, "equalise"),
		Memory:   8192,
		Queue:    rapid.IntRange(1, 20).Draw(t, "queue"),
		Slack:    SlackRMW,
		Mirror:   true,
	}
	for range cfg.Nodes {
		cfg.Phases = append(cfg.Phases, clock.MustTime("0.04ns").Times(int64(rapid.IntRange(0, 15).Draw(t, "phase"))))
	}
	return cfg
}

// A switch may die at any time, in the middle of any message: everything arrives whole, once and in order.
func TestMirror(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := mirrored(t)
		most := rapid.SampledFrom([]int{8, 64, 700, 4000}).Draw(t, "most bytes")
		messages := mixed(rapid.Uint64().Draw(t, "seed"), cfg.Nodes, 60, most, int64(rapid.SampledFrom([]int{0, 2000, 50_000}).Draw(t, "interval")))
		dies, at := rapid.IntRange(0, 1).Draw(t, "dies"), uint64(rapid.IntRange(1, 4000).Draw(t, "at"))
		r, err := Run(t.Context(), cfg, messages, Options{Prepare: func(n *Network) { require.NoError(t, n.KillSwitch(dies, at)) }})
		require.NoError(t, err)
		finished(t, r)
	})
}

func TestMirrorModes(t *testing.T) {
	var want uint64
	for i, sim := range []rtl.Config{{}, {Mode: rtl.Strict, Seed: 1}, {Mode: rtl.Strict, Seed: 2}, {Mode: rtl.Parallel, Workers: 2}} {
		var hash *rtl.TraceHash
		r, err := Run(t.Context(), Config{Nodes: 4, Mirror: true, FailStop: true, Slack: SlackRMW, Sim: sim}, mixed(5, 4, 60, 300, 3000), Options{Prepare: func(n *Network) {
			hash = rtl.NewTraceHash(n.Sim)
			require.NoError(t, n.KillSwitch(0, 500))
		}})
		require.NoError(t, err)
		finished(t, r)
		if i == 0 {
			want = hash.Sum()
		}
		require.Equal(t, want, hash.Sum(), "%v", sim)
	}
}
