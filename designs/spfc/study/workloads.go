package study

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/spfc"
)

// arrivals makes a Poisson process of flows with a load: the share of a line's time that their bytes on the line take,
// on average, from one time until another. Sizes are drawn with the flows, so the same seed gives the same flows at
// any load, at other times.
type arrivals struct {
	times, sizes *rand.Rand
	table        workload.Sizes
	mean         float64 // picoseconds between flows
	at           float64
}

func newArrivals(table workload.Sizes, load float64, byteTime spfc.Time, seed, stream uint64) *arrivals {
	perByte := float64(spfc.PacketBytes) / spfc.PayloadBytes * float64(byteTime)
	return &arrivals{times: rand.New(rand.NewPCG(seed, 2*stream)), sizes: rand.New(rand.NewPCG(seed, 2*stream+1)),
		table: table, mean: table.Mean() * perByte / load}
}

// next returns when the next flow starts, and its size.
func (a *arrivals) next() (spfc.Time, int64) {
	a.at += a.times.ExpFloat64() * a.mean
	if a.at > math.MaxInt64/2 {
		return spfc.Never, 1
	}
	return spfc.Time(a.at), int64(a.table.Draw(a.sizes))
}

// allToAll are flows between hosts drawn at random, each host's own arrivals at a load of its line, until a time.
func allToAll(hosts int, table workload.Sizes, load float64, byteTime spfc.Time, until spfc.Time,
	control spfc.Control, seed uint64) []spfc.Flow {
	var flows []spfc.Flow
	for h := range hosts {
		a := newArrivals(table, load, byteTime, seed, uint64(h))
		for {
			at, bytes := a.next()
			if at >= until {
				break
			}
			to := a.sizes.IntN(hosts - 1)
			if to >= h {
				to++
			}
			flows = append(flows, spfc.Flow{From: h, To: to, Bytes: bytes, Start: at, Control: control})
		}
	}
	sortFlows(flows)
	return flows
}

// sortFlows sorts by start; of flows that start together the lower host's comes first.
func sortFlows(flows []spfc.Flow) {
	slices.SortStableFunc(flows, func(a, b spfc.Flow) int {
		if a.Start != b.Start {
			return int(min(max(a.Start-b.Start, -1), 1))
		}
		return a.From - b.From
	})
}

// sizeClasses are the classes of Table II and of the FCT figures.
var sizeClasses = []struct {
	Name string
	Most int64
}{{"0-10KB", 10_000}, {"10KB-100KB", 100_000}, {"100KB-1MB", 1_000_000}, {">1MB", math.MaxInt64}}

func sizeClass(bytes int64) int {
	for i, c := range sizeClasses {
		if bytes <= c.Most {
			return i
		}
	}
	panic("unreachable")
}

// classFCT are the completion times of flows of a class, over those in an idle network.
type classFCT struct {
	Flows    int     `json:"flows"`
	Mean     float64 `json:"mean"`
	P95      float64 `json:"p95"`
	P99      float64 `json:"p99"`
	Gbps     float64 `json:"gbps"` // mean of the flows' goodput
	Finished int     `json:"finished"`
}

// slowdowns returns the slowdowns of the flows that a filter lets through, by class of size. Flows that have not
// finished at the end of a run have taken at least until then, and count so.
func slowdowns(f *spfc.Fabric, of func(i int) bool) [4]classFCT {
	var all [4][]float64
	var r [4]classFCT
	for i := range f.Traffic.Flows {
		fl := &f.Traffic.Flows[i]
		if !of(i) {
			continue
		}
		c := sizeClass(fl.Bytes)
		took := fl.Finish - fl.Start
		if fl.Finish < 0 {
			took = max(f.Net.Now()-fl.Start, f.Alone(i))
		} else {
			r[c].Finished++
		}
		all[c] = append(all[c], float64(took)/float64(f.Alone(i)))
		r[c].Gbps += float64(min(fl.Received*spfc.PayloadBytes, fl.Bytes)) * 8000 / float64(max(took, 1))
	}
	for c, s := range all {
		r[c].summarise(s)
	}
	return r
}

// summarise fills in the figures of some slowdowns, which it sorts. Gbps is their flows' sum before.
func (c *classFCT) summarise(s []float64) {
	if len(s) == 0 {
		return
	}
	slices.Sort(s)
	c.Flows = len(s)
	c.Gbps /= float64(len(s))
	for _, x := range s {
		c.Mean += x / float64(len(s))
	}
	c.P95, c.P99 = measure.Quantile(s, 0.95), measure.Quantile(s, 0.99)
}
