package clock

import (
	"fmt"
	"math/big"
)

// Seek goes to the instant at which clock i has had edges[i] edges. It fails if there is none, since one clock would
// be ahead of another.
func (s *Schedule) Seek(edges []uint64) error {
	if len(edges) != len(s.specs) {
		return fmt.Errorf("edges of %d clocks, want %d", len(edges), len(s.specs))
	}
	latest, next := 0, 0 // the clocks of the last edge that was, and of the first that comes
	for i, n := range edges {
		if n == 1<<64-1 {
			return fmt.Errorf("clock %s: edge %d has none after it", s.specs[i].Name, n)
		}
		if n > 0 && (edges[latest] == 0 || s.Time(i, n).Seconds().Cmp(s.Time(latest, edges[latest]).Seconds()) > 0) {
			latest = i
		}
		if s.Time(i, n+1).Seconds().Cmp(s.Time(next, edges[next]+1).Seconds()) < 0 {
			next = i
		}
	}
	if edges[latest] > 0 && s.Time(latest, edges[latest]).Seconds().Cmp(s.Time(next, edges[next]+1).Seconds()) >= 0 {
		return fmt.Errorf("clock %s has had edge %d, but clock %s not the earlier edge %d",
			s.specs[latest].Name, edges[latest], s.specs[next].Name, edges[next]+1)
	}
	whole, past := make([]*big.Int, len(edges)), new(big.Int)
	for i, n := range edges {
		t := &s.timers[i]
		w, part := t.edge(s.step[i], n)
		whole[i], t.part, s.edges[i] = w, part, n
		if i == 0 || w.Cmp(past) < 0 {
			past = w
		}
	}
	s.known, s.searched = nil, 0 // what Learn knows began elsewhere
	for i, w := range whole {
		s.whole[i] = new(big.Int).Sub(w, past).Uint64()
	}
	return nil
}

// edge returns when edge n+1 is, in whole units from time zero and a fraction, where step is the whole units of a
// period.
func (t *timer) edge(step, n uint64) (whole *big.Int, part uint128) {
	num := func(whole uint64, part uint128) *big.Int {
		w := new(big.Int).Mul(new(big.Int).SetUint64(whole), t.den.big())
		return w.Add(w, part.big())
	}
	all := num(step, t.stepPart)
	all.Mul(all, new(big.Int).SetUint64(n)).Add(all, num(t.startWhole, t.startPart))
	whole, rest := all.DivMod(all, t.den.big(), new(big.Int))
	return whole, toUint128(rest)
}

func (a uint128) big() *big.Int {
	x := new(big.Int).SetUint64(a.hi)
	return x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(a.lo))
}
