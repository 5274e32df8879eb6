package measure

import (
	"encoding/json"
	"math"
)

// HistogramSize is how many values a [Histogram] tells apart.
const HistogramSize = 1 << 14

// Histogram counts whole numbers below [HistogramSize]. Numbers from there on share the last place; sum, mean and
// maximum are exact all the same. The zero value counts nothing yet.
type Histogram struct {
	N, Sum, Max uint64

	counts []uint64 // by value
}

// Add counts a number n times.
func (h *Histogram) Add(v, n uint64) {
	h.N += n
	h.Sum += v * n
	h.Max = max(h.Max, v)
	h.count(min(v, HistogramSize-1), n)
}

func (h *Histogram) count(v, n uint64) {
	for uint64(len(h.counts)) <= v {
		h.counts = append(h.counts, 0)
	}
	h.counts[v] += n
}

// Merge adds another histogram's counts.
func (h *Histogram) Merge(o *Histogram) {
	h.N += o.N
	h.Sum += o.Sum
	h.Max = max(h.Max, o.Max)
	for v, n := range o.counts {
		if n > 0 {
			h.count(uint64(v), n)
		}
	}
}

// Counts returns how often each value was counted, from 0 to the greatest. The slice is the histogram's own.
func (h *Histogram) Counts() []uint64 { return h.counts }

// Mean returns the mean, 0 of nothing.
func (h *Histogram) Mean() float64 {
	if h.N == 0 {
		return 0
	}
	return float64(h.Sum) / float64(h.N)
}

// Reach returns the half width of the mean's 95 % confidence interval: 1.96 standard errors.
func (h *Histogram) Reach() float64 {
	mean, squares := h.Mean(), 0.0
	for v, n := range h.counts {
		x := float64(v) - mean
		squares += x * x * float64(n)
	}
	return 1.96 * math.Sqrt(squares) / float64(h.N)
}

// MarshalJSON writes the counts by value, from 0 on.
func (h Histogram) MarshalJSON() ([]byte, error) { return json.Marshal(h.counts) }

// UnmarshalJSON reads what MarshalJSON wrote. Of numbers from [HistogramSize] on it knows no more than that.
func (h *Histogram) UnmarshalJSON(b []byte) error {
	var counts []uint64
	if err := json.Unmarshal(b, &counts); err != nil {
		return err
	}
	*h = Histogram{}
	for v, n := range counts {
		if n > 0 {
			h.Add(uint64(v), n)
		}
	}
	return nil
}

// Quantile returns the least number that at least a share q of the counts does not exceed, 0 of nothing.
func (h *Histogram) Quantile(q float64) uint64 {
	var seen uint64
	for v, n := range h.counts {
		if seen += n; seen > 0 && float64(seen) >= q*float64(h.N) {
			return uint64(v)
		}
	}
	return h.Max
}
