package rifl

// Histogram counts whole numbers. Those at or above its size share the last place; their mean is exact all the same.
type Histogram struct {
	N, Sum, Max uint64

	bins []uint64
}

// histogramSize is more than the latency in frames of anything that is not down.
const histogramSize = 1 << 14

// Add counts a number n times.
func (h *Histogram) Add(v, n uint64) {
	if h.bins == nil {
		h.bins = make([]uint64, histogramSize)
	}
	h.N += n
	h.Sum += v * n
	h.Max = max(h.Max, v)
	h.bins[min(v, histogramSize-1)] += n
}

// Merge adds another histogram's counts.
func (h *Histogram) Merge(o *Histogram) {
	for v, n := range o.bins {
		if n > 0 {
			sum := h.Sum
			h.Add(uint64(v), n)
			h.Sum = sum
		}
	}
	h.Sum += o.Sum
	h.Max = max(h.Max, o.Max)
}

// Mean returns the mean, 0 of nothing.
func (h *Histogram) Mean() float64 {
	if h.N == 0 {
		return 0
	}
	return float64(h.Sum) / float64(h.N)
}

// Quantile returns the least number that at least a share q of the counts does not exceed.
func (h *Histogram) Quantile(q float64) uint64 {
	var seen uint64
	for v, n := range h.bins {
		if seen += n; seen > 0 && float64(seen) >= q*float64(h.N) {
			return uint64(v)
		}
	}
	return h.Max
}
