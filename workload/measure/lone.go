package measure

import (
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/workload"
)

// Lone holds the latencies of messages that have the network to themselves, in nanoseconds.
type Lone struct {
	Sizes []int     `json:"sizes"`   // measured, ascending
	Read  []float64 `json:"read_ns"` // by the place of the size
	Write []float64 `json:"write_ns"`
	Swap  float64   `json:"swap_ns,omitempty"` // of a compare-and-swap of [SwapBytes]; 0 if it was not measured
}

// NewLone measures reads and writes of some sizes with a function that sends a lone message and returns its time in
// nanoseconds.
func NewLone(sizes []int, send func(t workload.MessageType, bytes int) (ns float64, err error)) (*Lone, error) {
	l := &Lone{Sizes: slices.Compact(slices.Sorted(slices.Values(sizes)))}
	for _, of := range []struct {
		t     workload.MessageType
		times *[]float64
	}{{workload.Read, &l.Read}, {workload.Write, &l.Write}} {
		for _, b := range l.Sizes {
			ns, err := send(of.t, b)
			if err != nil {
				return nil, err
			}
			*of.times = append(*of.times, ns)
		}
	}
	return l, nil
}

// AddSwap measures a compare-and-swap as well.
func (l *Lone) AddSwap(send func(t workload.MessageType, bytes int) (ns float64, err error)) error {
	var err error
	l.Swap, err = send(workload.CompareSwap, SwapBytes)
	return err
}

// Time returns a message's latency alone in the network, in nanoseconds: measured, or linear between the nearest sizes
// measured. Beyond the greatest size it is that size's latency. A compare-and-swap that was not measured takes as long
// as a read.
func (l *Lone) Time(t workload.MessageType, bytes int) float64 {
	y := l.Read
	switch {
	case t == workload.Write:
		y = l.Write
	case t == workload.CompareSwap && l.Swap > 0:
		return l.Swap
	}
	i, found := slices.BinarySearch(l.Sizes, bytes)
	switch {
	case found || i == 0:
		return y[i]
	case i == len(l.Sizes):
		return y[i-1]
	}
	x0, x1 := float64(l.Sizes[i-1]), float64(l.Sizes[i])
	return y[i-1] + (y[i]-y[i-1])*(float64(bytes)-x0)/(x1-x0)
}

// Spread returns at most 12 sizes between which a distribution lies, the least and the greatest drawn among them:
// those at which to measure lone messages.
func Spread(s workload.Sizes, seed uint64) []int {
	rng := rand.New(rand.NewPCG(seed, 8))
	var sizes []int
	for range 2000 {
		sizes = append(sizes, s.Draw(rng))
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	const most = 12
	if len(sizes) <= most {
		return sizes
	}
	var few []int
	for i := range most {
		few = append(few, sizes[i*(len(sizes)-1)/(most-1)])
	}
	return few
}
