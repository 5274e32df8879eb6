package p4

// meter is a meter of several rates, as BMv2's: a bucket of tokens a rate, the lowest rate first. The color of a packet
// is the number of the first rate, counted from 1, whose bucket has too few tokens; 0 if all have enough, or if no
// rates are set.
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
	for i := range m.buckets {
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
