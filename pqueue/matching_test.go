package pqueue_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pqueue"
)

// demandOf draws a demand and lists that hold it with random keys.
func demandOf(rng *rand.Rand, ports int, density float64) (pqueue.Demand, []*pqueue.List) {
	d := pqueue.NewDemand(ports)
	lists := make([]*pqueue.List, ports)
	for dest := range ports {
		lists[dest] = pqueue.NewList(ports, ports)
		for source := range ports {
			if rng.Float64() < density {
				d[dest].Set(source)
				lists[dest].Insert(pqueue.Entry{Key: uint64(rng.IntN(1000)), ID: uint32(source), Flow: uint16(source)})
			}
		}
	}
	return d, lists
}

// Every matcher gives a matching within the demand, and stops only when it is maximal.
func TestMatchingsAreMaximal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ports := rapid.IntRange(1, 70).Draw(t, "ports")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		d, lists := demandOf(rng, ports, rapid.Float64Range(0, 1).Draw(t, "density"))
		for _, x := range []pqueue.Matcher{pqueue.NewPIM(ports, rng), pqueue.NewISLIP(ports), pqueue.NewPriorityPIM(lists)} {
			m := pqueue.NewMatching(ports)
			n := pqueue.Match(x, d, m)
			require.NoError(t, m.Check(d))
			require.True(t, m.Maximal(d))
			require.LessOrEqual(t, n, ports)
		}
	})
}

// With one iteration, a source is matched if any destination's best entry is from it. Of such destinations it gets the
// one with the best entry.
func TestPriorityPIMGrantsTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ports := rapid.IntRange(1, 20).Draw(t, "ports")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		_, lists := demandOf(rng, ports, 0.5)
		p := pqueue.NewPriorityPIM(lists)
		m := pqueue.NewMatching(ports)
		p.Iterate(nil, m)
		for source := range ports {
			var want uint64 = math.MaxUint64
			for dest := range ports {
				if e := lists[dest].Entries(); len(e) > 0 && int(e[0].Flow) == source {
					want = min(want, e[0].Key)
				}
			}
			if want == math.MaxUint64 {
				require.EqualValues(t, -1, m.DestOf[source])
				continue
			}
			dest := m.DestOf[source]
			require.GreaterOrEqual(t, dest, int32(0))
			require.Equal(t, want, lists[dest].Entries()[0].Key)
		}
	})
}

// The array with its priority encoder chooses what a comparison of all requests would.
func TestSourceArrayChoosesTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const ports = 10
		a := pqueue.NewSourceArray(ports)
		keys := map[int]uint64{}
		for range rapid.IntRange(1, 40).Draw(t, "updates") {
			dest, key, has := rapid.IntRange(0, ports-1).Draw(t, "dest"), rapid.Uint64Range(0, 50).Draw(t, "key"),
				rapid.Bool().Draw(t, "has")
			a.Update(dest, key, has)
			delete(keys, dest)
			if has {
				keys[dest] = key
			}
		}
		requests := blocks.NewBits(ports)
		requests[0] = rapid.Uint64Range(0, 1<<ports-1).Draw(t, "requests")
		var best uint64 = math.MaxUint32
		for dest, key := range keys {
			if requests.Has(dest) {
				best = min(best, key)
			}
		}
		got := a.Choose(requests)
		if best == math.MaxUint32 {
			require.Equal(t, -1, got)
			return
		}
		require.True(t, requests.Has(got))
		require.Equal(t, best, keys[got])
	})
}

// Iterations to a maximal matching grow like log2 N under dense random demand (EDM §3.1.2, Anderson et al.): the mean
// lies below log2 N + 4/3, the bound that they prove for PIM.
func TestIterationsGrowLikeTheLogarithm(t *testing.T) {
	for _, ports := range []int{2, 16, 144, 512} {
		rng := rand.New(rand.NewPCG(uint64(ports), 1))
		runs := max(4, 2000/ports)
		var pim, priority, islip float64
		slip := pqueue.NewISLIP(ports)
		for range runs {
			d, lists := demandOf(rng, ports, 0.5)
			pim += float64(pqueue.Match(pqueue.NewPIM(ports, rng), d, pqueue.NewMatching(ports))) / float64(runs)
			priority += float64(pqueue.Match(pqueue.NewPriorityPIM(lists), d, pqueue.NewMatching(ports))) / float64(runs)
			islip += float64(pqueue.Match(slip, d, pqueue.NewMatching(ports))) / float64(runs)
		}
		log := math.Log2(float64(ports))
		t.Logf("%d ports: log2 %.1f, PIM %.2f, priority PIM %.2f, iSLIP %.2f iterations", ports, log, pim, priority, islip)
		require.LessOrEqual(t, pim, log+4.0/3)
		require.LessOrEqual(t, priority, log+4.0/3+1)
	}
}

// A matching step allocates nothing.
func TestMatchersDoNotAllocate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const ports = 100
	d, lists := demandOf(rng, ports, 0.5)
	for _, x := range []pqueue.Matcher{pqueue.NewPIM(ports, rng), pqueue.NewISLIP(ports), pqueue.NewPriorityPIM(lists)} {
		m := pqueue.NewMatching(ports)
		require.Zero(t, testing.AllocsPerRun(20, func() {
			m.Reset()
			pqueue.Match(x, d, m)
		}), "%T", x)
	}
}
