package shoal

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawRack draws a rack, with failures and corruption now and then.
func drawRack(t *rapid.T) RackConfig {
	nodes, channels := rapid.IntRange(3, 12).Draw(t, "nodes"), rapid.IntRange(1, 4).Draw(t, "channels")
	build := Cyclic
	if rapid.Bool().Draw(t, "half-epoch") {
		build = HalfEpoch
	}
	s, err := build(nodes, channels)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order of rows"), 5))
	if rapid.Bool().Draw(t, "shuffled") {
		rng.Shuffle(len(s.to), func(a, b int) {
			s.to[a], s.to[b], s.from[a], s.from[b] = s.to[b], s.to[a], s.from[b], s.from[a]
		})
	}
	cfg := RackConfig{
		Schedule: s, Flight: rapid.IntRange(0, 3*s.Epoch()).Draw(t, "flight"), Seed: rapid.Uint64().Draw(t, "noise"),
	}
	o := &cfg.Options
	switch rapid.IntRange(0, 3).Draw(t, "reading of Equation 2") {
	case 1:
		o.WholeEpochs = true
	case 2:
		o.Counters = true
	}
	o.NoReady, o.NoAge = rapid.IntRange(0, 3).Draw(t, "ready") == 0, rapid.IntRange(0, 3).Draw(t, "age") == 0
	o.QueueAlone, o.LessOne = rapid.IntRange(0, 5).Draw(t, "Q alone") == 0, rapid.IntRange(0, 5).Draw(t, "less one") == 0
	o.Pair = PairOrder(rapid.IntRange(0, 2).Draw(t, "pair"))
	if o.Pair == PairFIFO {
		cfg.Workers = rapid.IntRange(0, 2).Draw(t, "workers")
	}
	if rapid.IntRange(0, 2).Draw(t, "corrupt") == 0 {
		cfg.Corrupt = rapid.SampledFrom([]float64{0.001, 0.02, 0.2}).Draw(t, "share")
	}
	if rapid.IntRange(0, 1).Draw(t, "failures") == 0 {
		cfg.Failures = drawFailures(t, s)
	}
	return cfg
}

func drawFailures(t *rapid.T, s *Schedule) *Failures {
	f := &Failures{From: uint64(rapid.IntRange(0, 200).Draw(t, "from slot"))}
	node := rapid.IntRange(0, s.nodes-1)
	f.Nodes = rapid.SliceOfN(node, 0, 2).Draw(t, "dead nodes")
	f.Links = rapid.SliceOfN(node, 0, 1).Draw(t, "dead links")
	if s.channels > 1 || !rapid.Bool().Draw(t, "switches") {
		return f
	}
	c, err := Decompose(s, FewestPorts(s.nodes))
	require.NoError(t, err)
	f.Clos = c
	f.Leaves = rapid.SliceOfN(rapid.IntRange(0, c.Leaves-1), 0, 1).Draw(t, "dead leaves")
	f.Spines = rapid.SliceOfN(rapid.IntRange(0, c.Spines-1), 0, 1).Draw(t, "dead spines")
	if rapid.Bool().Draw(t, "uplink") {
		f.Uplink = [][2]int{{rapid.IntRange(0, c.Leaves-1).Draw(t, "leaf"), rapid.IntRange(0, c.Spines-1).Draw(t, "spine")}}
	}
	return f
}

// The fast rack does what the plain rule does: the same header on every link in every slot, the same messages complete
// after the same slots, the same counts. Racks, options, failures, corruption and traffic are random.
func TestRackAgainstPlainRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawRack(t)
		fast, err := NewRack(cfg)
		require.NoError(t, err)
		plain, err := newPlainRack(cfg)
		require.NoError(t, err)
		n := cfg.Schedule.nodes
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "traffic"), 3))
		often, longest := 2+rng.IntN(30), 1+rng.IntN(80)
		popular := rng.IntN(3) == 0
		id, done := uint64(0), map[uint64]int{}
		for slot := range 400 {
			for slot < 300 && rng.IntN(often) == 0 {
				from, to := rng.IntN(n), rng.IntN(n)
				if popular && rng.IntN(3) > 0 {
					to = 0
				}
				if from == to {
					continue
				}
				cells := 1 + rng.IntN(longest)
				require.NoError(t, fast.Offer(id, from, to, uint32(cells)))
				plain.offer(id, from, to, cells)
				id++
			}
			if cfg.Workers > 1 {
				fast.runShared(1)
			} else {
				fast.Step()
			}
			plain.step()
			requireSameSlot(t, fast, plain, slot)
			for _, d := range fast.Done() {
				done[d.ID] = int(d.End)
			}
		}
		require.Equal(t, plain.done, done)
		for i := range fast.Nodes {
			want, got := plain.nodes[i].counts, fast.Nodes[i].Counts
			want.MaxQueued = got.MaxQueued
			require.Equal(t, want, got, "node %d", i)
		}
		if !cfg.Options.LessOne {
			require.NoError(t, fast.Conservation())
		}
	})
}

func requireSameSlot(t require.TestingT, fast *Rack, plain *plainRack, slot int) {
	n := len(fast.Nodes)
	sent := fast.sentIn(uint64(slot))
	for c, headers := range plain.wires[slot].headers {
		for i, want := range headers {
			if got := sent[c*n+i]; got != want {
				require.Equal(
					t, want, got,
					"slot %d, channel %d, node %d: %d to %d #%d with feedback %d, dropped %v; want %d to %d #%d with %d, %v",
					slot, c, i, got.Source(), got.Dest(), got.Sequence(), got.Feedback(), got.Dropped(), want.Source(),
					want.Dest(), want.Sequence(), want.Feedback(), want.Dropped(),
				)
			}
		}
	}
}
