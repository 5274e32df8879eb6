package p4

// meter is a meter of several rates, as BMv2's: a bucket of tokens a rate, the lowest rate first. A packet asks the
// highest rate first, as in RFC 2698. Its color is the number, counted from 1, of the first rate it asks whose bucket
// has too few tokens; the lower rates then lose none. It is 0 if all have enough, or if no rates are set.
type meter struct{ buckets []bucket }

type bucket struct {
	rate         Rate
	tokens, last uint64
}

func newMeter(rates []Rate) meter {
	var m meter
	for _, r := range rates {
		m.buckets = append(m.buckets, bucket{rate: r, tokens: r.Burst})
	}
	return m
}

// execute takes some units at a time in microseconds.
func (m *meter) execute(units, now uint64) uint64 {
	for i := len(m.buckets) - 1; i >= 0; i-- {
		b := &m.buckets[i]
		since := uint64(float64(now) * b.rate.PerMicrosecond)
		b.tokens = min(b.tokens+since-b.last, b.rate.Burst)
		b.last = since
		if b.tokens < units {
			return uint64(i + 1)
		}
		b.tokens -= units
	}
	return 0
}
