package wave

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
)

// sampler gives the state of all variables at each edge of a clock, or at each time.
type sampler struct {
	r       *Reader
	clock   int // -1: every time
	bit     int // of the clock's value
	edge    byte
	values  []string // the sample
	current []string
	events  []int    // variables that are events: "1" if it came since the sample before
	pending []Change // of the next time
	ahead   []Change // read already, of a later time
	time    uint64
	first   uint64 // time of the first sample
	count   uint64 // of samples
	gap     int    // the first that is not over
	ended   bool
}

func newSampler(r *Reader, clock string, falling bool) (*sampler, error) {
	s := &sampler{r: r, clock: -1, edge: '1', values: make([]string, len(r.Vars)), current: make([]string, len(r.Vars))}
	if falling {
		s.edge = '0'
	}
	for i, v := range r.Vars {
		switch {
		case v.Kind == "event":
			s.events = append(s.events, i)
			s.current[i] = "0"
		case !v.Text():
			s.current[i] = strings.Repeat("x", v.Width)
		}
	}
	if clock == "" {
		return s, s.load()
	}
	if s.clock, s.bit = findBit(r.Vars, clock); s.clock < 0 {
		return nil, fmt.Errorf("%s has no variable %s to sample at", r.name, printable(clock))
	}
	return s, s.load()
}

// findBit finds a variable of one bit, or a bit of a vector, "top.clocks[3]", and its place in the value.
func findBit(vars []Declared, path string) (variable, place int) {
	index, front, indexed := cutSelector(path)
	for i, v := range vars {
		switch {
		case v.Text():
		case v.Path == path && v.Width == 1:
			return i, 0
		case !indexed || index.colon || v.Path != front || !v.Ranged:
		case v.Left >= index.left && index.left >= v.Right:
			return i, v.Left - index.left
		case v.Left <= index.left && index.left <= v.Right:
			return i, index.left - v.Left
		}
	}
	return -1, 0
}

// load reads all changes of the next time into pending.
func (s *sampler) load() error {
	s.pending, s.ahead = append(s.pending[:0], s.ahead...), s.ahead[:0]
	for !s.ended && len(s.ahead) == 0 {
		err := s.r.Next(func(c Change) {
			if len(s.pending) > 0 && c.Time != s.pending[0].Time {
				s.ahead = append(s.ahead, c)
			} else {
				s.pending = append(s.pending, c)
			}
		})
		if errors.Is(err, io.EOF) {
			s.ended = true
		} else if err != nil {
			return err
		}
	}
	return nil
}

// apply makes the pending changes, and reads on.
func (s *sampler) apply() error {
	for _, c := range s.pending {
		if s.r.Vars[c.Var].Kind != "event" || c.Value == "1" {
			s.current[c.Var] = c.Value
		}
	}
	return s.load()
}

// take makes the current values the sample of a time.
func (s *sampler) take(at uint64) {
	copy(s.values, s.current)
	s.time = at
	if s.count == 0 {
		s.first = at
	}
	s.count++
	for _, i := range s.events {
		s.current[i] = "0"
	}
}

// off tells whether nothing was dumped at a time. Times do not go back.
func (s *sampler) off(at uint64) bool {
	gaps := s.r.Gaps()
	for s.gap < len(gaps) && !gaps[s.gap].Open && gaps[s.gap].To <= at {
		s.gap++
	}
	return s.gap < len(gaps) && gaps[s.gap].In(at)
}

// next moves to the next sample; it returns false at the end.
func (s *sampler) next() (bool, error) {
	for len(s.pending) > 0 {
		at := s.pending[0].Time
		sampled := false
		level := s.current[max(s.clock, 0)]
		for _, c := range s.pending {
			if c.Var == s.clock {
				sampled = sampled || c.Value[s.bit] == s.edge && level[s.bit] != s.edge && level[s.bit] != 'x'
				level = c.Value
			}
		}
		if sampled {
			s.take(at)
		}
		if err := s.apply(); err != nil {
			return false, err
		}
		if sampled {
			return true, nil
		}
	}
	return false, nil
}

// nextTime moves both to the earliest time at which either changes, and past the changes of that time. Times at which
// one is off are counted and left out.
func nextTime(res *DiffResult, a, b *sampler) (bool, error) {
	for len(a.pending) > 0 || len(b.pending) > 0 {
		at := ^uint64(0)
		for _, s := range []*sampler{a, b} {
			if len(s.pending) > 0 {
				at = min(at, s.pending[0].Time)
			}
		}
		for _, s := range []*sampler{a, b} {
			if len(s.pending) > 0 && s.pending[0].Time == at {
				if err := s.apply(); err != nil {
					return false, err
				}
			}
			s.take(at)
		}
		offA, offB := a.off(at), b.off(at)
		if !offA && !offB {
			return true, nil
		}
		res.Gaps++
	}
	return false, nil
}

// nextEdges moves both to their next sample. The shorter file ends the comparison. Behind a gap of either, both go on
// at samples that are equally far from those before it.
func nextEdges(res *DiffResult, a, b *sampler) (bool, error) {
	sinceA, sinceB := a.time, b.time
	okA, err := a.next()
	if err != nil {
		return false, err
	}
	okB, err := b.next()
	if err == nil && okA && okB && (a.crossed(sinceA) || b.crossed(sinceB)) {
		if okA, okB, err = align(res, a, b, sinceA, sinceB); err == nil && !(okA && okB) {
			return false, nil // align has counted the rest
		}
	}
	if err == nil && okA != okB {
		err = rest(res, okA, a, b)
	}
	return okA && okB, err
}

// crossed tells whether a gap is between a time and the sample.
func (s *sampler) crossed(since uint64) bool {
	gaps := s.r.Gaps()
	for k := len(gaps) - 1; k >= 0; k-- {
		if g := gaps[k]; g.From <= s.time && (g.Open || g.To >= since) && (s.count > 1 || g.From > 0) {
			return true
		} else if g.To < since {
			break
		}
	}
	return false
}

// align leaves samples out until both are equally far from a pair of times, and none is in a gap. How long a time of A
// is in B is known from the samples so far, or else from the time units.
func align(res *DiffResult, a, b *sampler, sinceA, sinceB uint64) (okA, okB bool, err error) {
	unitA, unitB := a.r.Scale.Unit().Seconds(), b.r.Scale.Unit().Seconds()
	if sinceA > a.first && sinceB > b.first {
		unitA, unitB = rational(sinceB-b.first), rational(sinceA-a.first)
	} else if unitA.Sign() == 0 || unitB.Sign() == 0 {
		unitA, unitB = rational(1), rational(1)
	}
	for okA, okB = true, true; okA && okB && err == nil; res.Gaps++ {
		offA, offB := a.off(a.time), b.off(b.time)
		farA, farB := rational(a.time-sinceA), rational(b.time-sinceB)
		order := farA.Mul(farA, unitA).Cmp(farB.Mul(farB, unitB))
		switch {
		case order < 0 || offA && order == 0:
			okA, err = a.next()
		case order > 0 || offB:
			okB, err = b.next()
		default:
			return true, true, nil
		}
	}
	return okA, okB, err
}

func rational(n uint64) *big.Rat { return new(big.Rat).SetInt(new(big.Int).SetUint64(n)) }
