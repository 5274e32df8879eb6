package measure

import (
	"slices"

	"github.com/goldwire/goldwire/workload"
)

// Latency summarises messages that finished.
type Latency struct {
	Messages  int        `json:"messages"`
	Mean      float64    `json:"mean_ns"`
	Median    float64    `json:"median_ns"`
	P99       float64    `json:"p99_ns"`
	Most      float64    `json:"most_ns"`
	Quarters  [4]float64 `json:"quarters_ns"` // means by quarter of the run: equal in steady state
	Unloaded  float64    `json:"unloaded_ns"` // mean of the messages' latencies alone in the network
	Ratio     float64    `json:"ratio"`       // mean of latency over unloaded latency
	MeanRatio float64    `json:"mean_ratio"`  // mean latency over mean unloaded latency
}

// NewLatency summarises the finished messages that a filter lets through, all of them if it is nil. Alone says how
// long a message takes alone, in nanoseconds: [Lone.Time].
func NewLatency(results []workload.Result, of func(workload.MessageType) bool,
	alone func(workload.MessageType, int) float64) Latency {
	var s Latency
	var ns []float64
	var quarters, counts [4]float64
	last := int64(1)
	for _, r := range results {
		last = max(last, r.Start+1)
	}
	for _, r := range results {
		if !r.Finished || of != nil && !of(r.Type) {
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
	s.Messages, s.Median, s.P99, s.Most = len(ns), Quantile(ns, 0.5), Quantile(ns, 0.99), ns[len(ns)-1]
	s.Mean, s.Unloaded, s.Ratio = s.Mean/n, s.Unloaded/n, s.Ratio/n
	s.MeanRatio = s.Mean / s.Unloaded
	for q := range quarters {
		s.Quarters[q] = quarters[q] / max(counts[q], 1)
	}
	return s
}

// LatencyOf summarises the finished messages of a type.
func LatencyOf(results []workload.Result, t workload.MessageType,
	alone func(workload.MessageType, int) float64) Latency {
	return NewLatency(results, func(x workload.MessageType) bool { return x == t }, alone)
}

// Steady is the mean latency without the first quarter of the run, in which queues fill.
func (l Latency) Steady() float64 { return (l.Quarters[1] + l.Quarters[2] + l.Quarters[3]) / 3 }

// Slowdown returns for each finished message its latency divided by its latency alone in the network, sorted.
func Slowdown(results []workload.Result, alone func(workload.MessageType, int) float64) []float64 {
	var s []float64
	for _, r := range results {
		if r.Finished {
			s = append(s, float64(r.Latency())/1000/alone(r.Type, r.Bytes))
		}
	}
	slices.Sort(s)
	return s
}

// SizeClass summarises the finished messages of a range of sizes.
type SizeClass struct {
	Above       int     `json:"above_bytes"`
	Most        int     `json:"most_bytes"` // 0 is no bound
	Messages    int     `json:"messages"`
	Mean        float64 `json:"mean_ns"` // completion time
	P99         float64 `json:"p99_ns"`
	Slowdown    float64 `json:"mean_slowdown"`
	SlowdownP99 float64 `json:"p99_slowdown"`
}

// BySize summarises completion times by classes of size. Bounds are the greatest sizes of the classes but the last,
// ascending.
func BySize(results []workload.Result, bounds []int, alone func(workload.MessageType, int) float64) []SizeClass {
	classes := make([]SizeClass, len(bounds)+1)
	times, slow := make([][]float64, len(classes)), make([][]float64, len(classes))
	for i, b := range bounds {
		classes[i].Most, classes[i+1].Above = b, b
	}
	for _, r := range results {
		if !r.Finished {
			continue
		}
		i, _ := slices.BinarySearch(bounds, r.Bytes)
		ns := float64(r.Latency()) / 1000
		times[i], slow[i] = append(times[i], ns), append(slow[i], ns/alone(r.Type, r.Bytes))
	}
	for i := range classes {
		c := &classes[i]
		if c.Messages = len(times[i]); c.Messages == 0 {
			continue
		}
		slices.Sort(times[i])
		slices.Sort(slow[i])
		for k, ns := range times[i] {
			c.Mean += ns
			c.Slowdown += slow[i][k]
		}
		c.Mean /= float64(c.Messages)
		c.Slowdown /= float64(c.Messages)
		c.P99, c.SlowdownP99 = Quantile(times[i], 0.99), Quantile(slow[i], 0.99)
	}
	return classes
}
