package drmt

// MeterRate is a rate of a meter: how many units a microsecond it lets pass, and how many at once.
type MeterRate struct {
	PerMicrosecond float64
	Burst          uint64
}

// A meter is an element of an array that lies where registers lie: an access takes the way and the time of a match, and
// its answer is the packet's color. Each rate has tokens, up to its burst. An element keeps, for each rate, its tokens
// in values and all tokens that it was ever given in counts. A packet that comes sooner finds the tokens of the time of
// its arrival, whatever the cycle of the access.

// rates is how many rates an element has.
func (a *Array) rates() (most int) {
	for _, m := range a.Meters {
		most = max(most, len(m))
	}
	return most
}

// fill gives each rate its burst.
func (a *Array) fill(tokens []uint64) {
	n := a.rates()
	for i, m := range a.Meters {
		for k, r := range m {
			tokens[i*n+k] = r.Burst
		}
	}
}

// color takes units from an element's rates, the highest rate first. The color is 1 + the number of the first one that
// has too few, which loses none; 0 if all have enough.
func (a *Array) color(index int, units, now uint64) uint64 {
	rates := a.Meters[index]
	first := index * a.perElement
	for k := len(rates) - 1; k >= 0; k-- {
		r := &rates[k]
		tokens, given := &a.values[first+k], &a.counts[first+k]
		all := uint64(float64(now) * r.PerMicrosecond)
		*tokens, *given = min(*tokens+all-*given, r.Burst), all
		if *tokens < units {
			return uint64(k) + 1
		}
		*tokens -= units
	}
	return 0
}
