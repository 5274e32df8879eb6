package edm

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/workload"
)

// Load is a point of a latency-against-load curve.
type Load struct {
	Offered  float64 // share of the busiest links' blocks that the messages need, control and framing counted
	Messages int
	Shared   bool // every node is compute and memory node; if not, the first half asks and the second answers
	Pattern  workload.Pattern
	Sizes    workload.Sizes
	Reads    float64 // share of reads among the messages
	Seed     uint64
}

// directions are the blocks that one message needs on each of the four directions of link, requests, notifications and grants
// included.
type directions struct{ computeUp, computeDown, memoryUp, memoryDown float64 }

// lineBlocks counts the blocks of a message.
func lineBlocks(t workload.MessageType, bytes, chunk int) (l directions) {
	if t == workload.CompareSwap {
		bytes = CompareSwap.ResponseBytes()
	}
	for at := 0; at < bytes; at += mostPiece {
		piece := min(mostPiece, bytes-at)
		for c := 0; c < piece; c += chunk {
			n := min(chunk, piece-c)
			if t == workload.Write {
				up := float64(messageBlocks(WREQ, n))
				l.computeUp += up
				l.memoryDown += up
				l.computeDown++ // its /G/
				continue
			}
			up := float64(messageBlocks(RRES, n))
			l.memoryUp += up
			l.computeDown += up
			if c > 0 {
				l.memoryDown++ // the first is granted by the request
			}
		}
		request := float64(messageBlocks(RREQ, 0))
		switch t {
		case workload.Write:
			l.computeUp++ // /N/
			continue
		case workload.CompareSwap:
			request = float64(messageBlocks(RMWREQ, 0))
		}
		l.computeUp += request
		l.memoryDown += request
	}
	return l
}

// Interval returns the mean time in picoseconds between the messages of a compute node that offers the load.
func (l Load) Interval(cfg Config) (float64, error) {
	if err := cfg.fill(); err != nil {
		return 0, err
	}
	if !(l.Offered > 0) {
		return 0, fmt.Errorf("load %v, want more than 0", l.Offered)
	}
	const draws = 20_000
	rng := rand.New(rand.NewPCG(l.Seed, 7))
	var sum directions
	for i := range draws {
		t := workload.Write
		if float64(i) < l.Reads*draws {
			t = workload.Read
		}
		b := lineBlocks(t, l.Sizes.Draw(rng), cfg.Chunk)
		sum.computeUp += b.computeUp
		sum.computeDown += b.computeDown
		sum.memoryUp += b.memoryUp
		sum.memoryDown += b.memoryDown
	}
	compute, memory := len(l.compute(cfg.Nodes)), len(l.memory(cfg.Nodes))
	share := float64(compute) / float64(memory) // messages of a memory node for each of a compute node
	switch l.Pattern {
	case workload.Permutation:
		share = 1
	case workload.Incast:
		share = float64(compute)
	}
	up, down := []float64{sum.computeUp, sum.memoryUp * share}, []float64{sum.computeDown, sum.memoryDown * share}
	busiest := max(slices.Max(up), slices.Max(down))
	if l.Shared { // a node's links carry both
		busiest = max(up[0]+up[1], down[0]+down[1])
	}
	return busiest / draws * blockPicoseconds / float64(cfg.Lanes) / l.Offered, nil
}

func (l Load) compute(nodes int) []int {
	if l.Shared {
		return upTo(0, nodes)
	}
	return upTo(0, nodes/2)
}

func (l Load) memory(nodes int) []int {
	if l.Shared {
		return upTo(0, nodes)
	}
	return upTo(nodes/2, nodes)
}

func upTo(from, to int) []int {
	var s []int
	for i := from; i < to; i++ {
		s = append(s, i)
	}
	return s
}

// Make returns the load's messages.
func (l Load) Make(cfg Config) ([]workload.Message, error) {
	interval, err := l.Interval(cfg)
	if err != nil {
		return nil, err
	}
	return workload.GenerateMessages(workload.Config{Nodes: cfg.Nodes, Compute: l.compute(cfg.Nodes), Memory: l.memory(cfg.Nodes), Pattern: l.Pattern,
		Sizes: l.Sizes, ReadShare: l.Reads, Messages: l.Messages, Interval: interval, Seed: l.Seed})
}

// Latency summarises the messages of one type.
type Latency struct {
	Messages  int        `json:"messages"`
	Mean      float64    `json:"mean_ns"`
	Median    float64    `json:"median_ns"`
	P99       float64    `json:"p99_ns"`
	Most      float64    `json:"most_ns"`
	Quarters  [4]float64 `json:"quarters_ns"` // means by quarter of the run: equal in steady state
	Unloaded  float64    `json:"unloaded_ns"` // mean of what each would have taken alone
	Ratio     float64    `json:"ratio"`       // mean of latency over unloaded latency
	MeanRatio float64    `json:"mean_ratio"`  // mean latency over mean unloaded latency
}

// Summarise returns the latencies of a type's finished messages. Alone says how long a message takes in an idle network.
func Summarise(results []workload.Result, t workload.MessageType, alone func(workload.MessageType, int) float64) Latency {
	return summarise(results, func(x workload.MessageType) bool { return x == t }, alone)
}

func summarise(results []workload.Result, of func(workload.MessageType) bool, alone func(workload.MessageType, int) float64) Latency {
	var s Latency
	var ns []float64
	var quarters, counts [4]float64
	last := int64(1)
	for _, r := range results {
		last = max(last, r.Start+1)
	}
	for _, r := range results {
		if !of(r.Type) || !r.Finished {
			continue
		}
		x := float64(r.Latency()) / 1000
		ns = append(ns, x)
		q := r.Start * 4 / last
		quarters[q] += x
		counts[q]++
		u := alone(r.Type, r.Bytes)
		s.Mean += x
		s.Unloaded += u
		s.Ratio += x / u
	}
	if len(ns) == 0 {
		return s
	}
	slices.Sort(ns)
	n := float64(len(ns))
	s.Messages, s.Median, s.P99, s.Most = len(ns), ns[len(ns)/2], ns[len(ns)*99/100], ns[len(ns)-1]
	s.Mean, s.Unloaded, s.Ratio = s.Mean/n, s.Unloaded/n, s.Ratio/n
	s.MeanRatio = s.Mean / s.Unloaded
	for q := range quarters {
		s.Quarters[q] = quarters[q] / max(counts[q], 1)
	}
	return s
}

// Alone measures messages of some sizes in an idle network and returns how long one of any size takes, in nanoseconds: measured,
// or linear between the sizes measured.
func Alone(ctx context.Context, cfg Config, sizes []int) (func(workload.MessageType, int) float64, error) {
	sizes = slices.Clone(sizes)
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	times, err := aloneTimes(ctx, cfg, sizes)
	if err != nil {
		return nil, err
	}
	return interpolate(sizes, times), nil
}

// aloneTimes measures reads and writes of some sizes, sorted, in an idle network of two nodes.
func aloneTimes(ctx context.Context, cfg Config, sizes []int) ([][]float64, error) {
	cfg.Nodes, cfg.Up, cfg.Down, cfg.Phases = 2, nil, nil, nil
	times := make([][]float64, 2)
	for t := range times {
		for _, b := range sizes {
			c := cfg
			c.Memory = max(cfg.Memory, (min(b, mostPiece)+15)&^7)
			r, err := Run(ctx, c, []workload.Message{{Type: workload.MessageType(t), Source: 0, Dest: 1, Bytes: b}}, Options{Limit: 1 << 40})
			if err != nil {
				return nil, err
			}
			if !r.Messages[0].Finished {
				return nil, fmt.Errorf("a lone %v of %d bytes does not finish", workload.MessageType(t), b)
			}
			times[t] = append(times[t], float64(r.Messages[0].Latency())/1000)
		}
	}
	return times, nil
}

// interpolate returns the times of reads and writes of any size: those measured, or linear between sizes measured.
func interpolate(sizes []int, times [][]float64) func(workload.MessageType, int) float64 {
	return func(t workload.MessageType, bytes int) float64 {
		y := times[workload.Read]
		if t == workload.Write {
			y = times[workload.Write]
		}
		i, found := slices.BinarySearch(sizes, bytes)
		switch {
		case found || i == 0:
			return y[i]
		case i == len(sizes):
			return y[i-1]
		}
		x0, x1 := float64(sizes[i-1]), float64(sizes[i])
		return y[i-1] + (y[i]-y[i-1])*(float64(bytes)-x0)/(x1-x0)
	}
}

// Spread returns sizes between which a distribution lies, for measuring what a message takes alone.
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
