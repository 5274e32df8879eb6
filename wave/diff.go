package wave

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// DiffOptions say how two dumps are compared.
type DiffOptions struct {
	// Clock names the clock in A and, if its name differs in B, ClockB the clock there. Values are sampled as a flip-flop
	// samples them, just before the clock's edge. Without a clock, both dumps are compared at every time at which either
	// changes.
	Clock, ClockB string
	Falling       bool // sample at falling edges

	// Map says how paths of A are called in B: the first pair whose From is the path or a scope above it replaces that
	// part. With a Map, only the paths that it names are compared.
	Map []Rename

	Only   []string // compare these paths of A and the paths below them; empty: all
	Offset int      // B is Offset samples later than A; below 0, earlier

	Common bool // compare the variables that both have, and let the others be
	Prefix bool // compare up to the end of the shorter dump

	IgnoreX bool // an x or z bit on one side fits any
	Around  int  // samples to show on either side of the first difference
}

// mostOffset is the largest offset in samples, either way.
const mostOffset = 1_000_000_000

// Rename maps a path or a scope.
type Rename struct{ From, To string }

// DiffResult is the outcome of a comparison.
type DiffResult struct {
	Compared int         `json:"compared"`         // variables in both
	Samples  uint64      `json:"samples"`          // compared
	OnlyA    []string    `json:"only_a,omitempty"` // paths that have no partner
	OnlyB    []string    `json:"only_b,omitempty"`
	Unlike   []string    `json:"unlike,omitempty"`  // paths in both, with both ranges or kinds
	Gaps     uint64      `json:"in_gaps,omitempty"` // samples that are not compared, since one dump was off
	Notes    []string    `json:"notes,omitempty"`   // on the files
	RestA    uint64      `json:"rest_a,omitempty"`  // samples that one dump has more than the other
	RestB    uint64      `json:"rest_b,omitempty"`
	First    *Divergence `json:"first,omitempty"` // nil if there is none

	opt DiffOptions
}

// Same tells whether the dumps agree: no value differs, no variable has another range or kind in the other dump,
// neither dump has variables that the other lacks (unless DiffOptions.Common), and neither goes on after the other has
// ended (unless DiffOptions.Prefix).
func (r *DiffResult) Same() bool {
	return r.First == nil && len(r.Unlike) == 0 && (r.opt.Common || len(r.OnlyA)+len(r.OnlyB) == 0) &&
		(r.opt.Prefix || r.RestA+r.RestB == 0)
}

// Divergence is the first sample at which values differ.
type Divergence struct {
	Sample  uint64            `json:"sample"` // of A, counted from 0
	TimeA   uint64            `json:"time_a"` // in the files' time units
	TimeB   uint64            `json:"time_b"`
	Signals []DivergentSignal `json:"signals"`
	From    uint64            `json:"from"` // sample of the neighbourhood's first column
}

// DivergentSignal is a variable that differs, with both its values around the divergence.
type DivergentSignal struct {
	Path    string   `json:"path"` // in A
	A       string   `json:"a"`    // binary
	B       string   `json:"b"`
	AroundA []string `json:"around_a"`
	AroundB []string `json:"around_b"`

	text bool // the values are no bits
}

// Diff compares two dumps. A variable is its scope, its name and its range: only variables that agree in all three are
// compared. Real numbers are compared as numbers. An event is compared by whether it came since the sample before.
// Where a dump was off (see [Gap]) nothing is compared. A comparison without a sample is an error.
func Diff(a, b *Reader, opt DiffOptions) (*DiffResult, error) {
	res := &DiffResult{opt: opt}
	opt = opt.plain()
	if opt.Offset < -mostOffset || opt.Offset > mostOffset {
		return nil, fmt.Errorf("an offset of %d samples: want %d to %d", opt.Offset, -mostOffset, mostOffset)
	}
	pairs, err := pair(a, b, opt, res)
	if err != nil {
		return nil, err
	}
	sa, err := newSampler(a, opt.Clock, opt.Falling)
	if err != nil {
		return nil, err
	}
	clockB := opt.ClockB
	if clockB == "" && opt.Clock != "" {
		clockB = rename(opt.Clock, opt.Map)
	}
	sb, err := newSampler(b, clockB, opt.Falling)
	if err != nil {
		return nil, err
	}
	step := func() (bool, error) { return nextEdges(res, sa, sb) }
	if opt.Clock == "" {
		if opt.Offset != 0 {
			return nil, errors.New("an offset in samples needs a clock")
		}
		if a.Scale.Unit().Cmp(b.Scale.Unit()) != 0 {
			return nil, fmt.Errorf("%s has time unit %v and %s %v: compare at a clock", a.name, a.Scale, b.name, b.Scale)
		}
		step = func() (bool, error) { return nextTime(res, sa, sb) }
	}
	for range max(opt.Offset, 0) {
		if _, err := sb.next(); err != nil {
			return nil, err
		}
	}
	for range max(-opt.Offset, 0) {
		if _, err := sa.next(); err != nil {
			return nil, err
		}
	}
	if err := compare(res, pairs, sa, sb, step, opt); err != nil {
		return nil, err
	}
	res.Notes = a.Notes()
	for _, n := range b.Notes() {
		if !slices.Contains(res.Notes, n) { // a file and itself
			res.Notes = append(res.Notes, n)
		}
	}
	if res.Samples == 0 {
		for _, s := range []*sampler{sa, sb} {
			if s.clock >= 0 && s.count == 0 {
				return nil, fmt.Errorf("%s: nothing to compare: the clock %s never has the edge to sample at", s.r.name,
					s.r.Vars[s.clock].Path)
			}
		}
		return nil, fmt.Errorf("%s and %s: nothing to compare: no sample stands in both", a.name, b.name)
	}
	return res, nil
}

// plain is the options with all paths as [Declared] has them.
func (o DiffOptions) plain() DiffOptions {
	o.Clock, o.ClockB = PlainPath(o.Clock), PlainPath(o.ClockB)
	o.Map, o.Only = slices.Clone(o.Map), slices.Clone(o.Only)
	for i, r := range o.Map {
		o.Map[i] = Rename{PlainPath(r.From), PlainPath(r.To)}
	}
	for i, p := range o.Only {
		o.Only[i] = PlainPath(p)
	}
	return o
}

// rest counts the samples that one dump has beyond the other's end, less the samples skipped for the offset.
func rest(res *DiffResult, inA bool, sa, sb *sampler) error {
	s, over, left := sb, &res.RestB, uint64(max(-res.opt.Offset, 0))
	if inA {
		s, over, left = sa, &res.RestA, uint64(max(res.opt.Offset, 0))
	}
	n := uint64(1)
	for {
		ok, err := s.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		n++
	}
	*over = n - min(n, left)
	return nil
}

// row is a sample: the time, and the paired variables' values on each side.
type row struct {
	timeA, timeB uint64
	a, b         []string
}

func compare(res *DiffResult, pairs []varPair, sa, sb *sampler, step func() (bool, error), opt DiffOptions) error {
	var before []row
	var spare row // to be used again
	for {
		if ok, err := step(); !ok || err != nil {
			return err
		}
		now := take(spare, pairs, sa, sb)
		spare = row{}
		var differ []int
		for i := range pairs {
			if !equal(now.a[i], now.b[i], pairs[i].real, opt.IgnoreX) {
				differ = append(differ, i)
			}
		}
		res.Samples++
		before = append(before, now)
		if len(differ) == 0 {
			if len(before) > opt.Around {
				spare, before = before[0], append(before[:0], before[1:]...)
			}
			continue
		}
		d := &Divergence{Sample: sa.count - 1, TimeA: now.timeA, TimeB: now.timeB, From: sa.count - uint64(len(before))}
		for range opt.Around {
			if ok, err := step(); !ok || err != nil {
				break // the divergence counts more than an error after it
			}
			before = append(before, take(row{}, pairs, sa, sb))
		}
		for _, i := range differ {
			s := DivergentSignal{Path: sa.r.Vars[pairs[i].a].Path, A: now.a[i], B: now.b[i], text: sa.r.Vars[pairs[i].a].Text()}
			for _, r := range before {
				s.AroundA, s.AroundB = append(s.AroundA, r.a[i]), append(s.AroundB, r.b[i])
			}
			d.Signals = append(d.Signals, s)
		}
		res.First = d
		return nil
	}
}

// take makes a row of the samples of both.
func take(r row, pairs []varPair, sa, sb *sampler) row {
	if r.a == nil {
		r.a, r.b = make([]string, len(pairs)), make([]string, len(pairs))
	}
	r.timeA, r.timeB = sa.time, sb.time
	for i, p := range pairs {
		r.a[i], r.b[i] = sa.values[p.a], sb.values[p.b]
		switch p.turn {
		case sideA:
			r.a[i] = turned(r.a[i])
		case sideB:
			r.b[i] = turned(r.b[i])
		}
	}
	return r
}

func turned(bits string) string {
	b := []byte(bits)
	slices.Reverse(b)
	return string(b)
}

func equal(a, b string, real, ignoreX bool) bool {
	if a == b {
		return true
	}
	if real {
		x, errA := strconv.ParseFloat(a, 64)
		y, errB := strconv.ParseFloat(b, 64)
		return errA == nil && errB == nil && (x == y || math.IsNaN(x) && math.IsNaN(y))
	}
	if !ignoreX || len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && !strings.ContainsRune("xz", rune(a[i])) && !strings.ContainsRune("xz", rune(b[i])) {
			return false
		}
	}
	return true
}
