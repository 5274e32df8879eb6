package wave

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
)

// DiffOptions say how two dumps are compared.
type DiffOptions struct {
	// Clock names the clock in A and, if it differs, ClockB that in B. Values are taken as a flip-flop takes them: those that
	// stand before the clock's edge. Without a clock, both are compared at every time at which either changes.
	Clock, ClockB string
	Falling       bool // sample at falling edges

	// Map says how paths of A are called in B: the first pair whose From is the path or a scope above it replaces that part. With
	// it, only what it names is compared.
	Map []Rename

	Only   []string // compare these paths of A, or what is below them; none is all
	Offset int      // B is Offset samples later than A; below 0, earlier

	Common bool // compare the variables that both have, and let the others be
	Prefix bool // compare up to the end of the shorter dump

	IgnoreX bool // an x or z bit on one side fits any
	Around  int  // samples to show on either side of the first difference
}

// Rename maps a path or a scope.
type Rename struct{ From, To string }

// DiffResult is the outcome of a comparison.
type DiffResult struct {
	Compared int         `json:"compared"`         // variables in both
	Samples  uint64      `json:"samples"`          // compared
	OnlyA    []string    `json:"only_a,omitempty"` // paths that have no partner
	OnlyB    []string    `json:"only_b,omitempty"`
	RestA    uint64      `json:"rest_a,omitempty"` // samples that one dump has more than the other
	RestB    uint64      `json:"rest_b,omitempty"`
	First    *Divergence `json:"first,omitempty"` // nil if there is none

	opt DiffOptions
}

// Same tells whether the dumps agree in all that was to be compared: no value differs, neither has variables that the other
// lacks, and neither goes on when the other has ended, but for what the options let be.
func (r *DiffResult) Same() bool {
	return r.First == nil && (r.opt.Common || len(r.OnlyA)+len(r.OnlyB) == 0) && (r.opt.Prefix || r.RestA+r.RestB == 0)
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
}

// Diff compares two dumps. A comparison without a sample is an error.
func Diff(a, b *Reader, opt DiffOptions) (*DiffResult, error) {
	res := &DiffResult{opt: opt}
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
	step := func() (bool, error) { // the shorter file ends the comparison
		okA, err := sa.next()
		if err != nil {
			return false, err
		}
		okB, err := sb.next()
		if err == nil && okA != okB {
			err = rest(res, okA, sa, sb)
		}
		return okA && okB, err
	}
	if opt.Clock == "" {
		if opt.Offset != 0 {
			return nil, errors.New("an offset in samples needs a clock")
		}
		if a.Scale.Unit().Cmp(b.Scale.Unit()) != 0 {
			return nil, fmt.Errorf("%s has time unit %v and %s %v: compare at a clock", a.name, a.Scale, b.name, b.Scale)
		}
		step = func() (bool, error) { return nextTime(sa, sb) }
	}
	for range max(opt.Offset, 0) {
		if _, err := sb.next(); err != nil {
			return nil, err
		}
	}
	start := uint64(max(-opt.Offset, 0))
	for range start {
		if _, err := sa.next(); err != nil {
			return nil, err
		}
	}
	if err := compare(res, pairs, sa, sb, step, opt, start); err != nil {
		return nil, err
	}
	if res.Samples == 0 {
		for _, s := range []*sampler{sa, sb} {
			if s.clock >= 0 && s.count == 0 {
				return nil, fmt.Errorf("%s: nothing to compare: the clock %s never has the edge to sample at", s.r.name, s.r.Vars[s.clock].Path)
			}
		}
		return nil, fmt.Errorf("%s and %s: nothing to compare: no sample stands in both", a.name, b.name)
	}
	return res, nil
}

// rest counts what one dump has more than the other, but for what the offset leaves over.
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

type varPair struct{ a, b int }

func pair(a, b *Reader, opt DiffOptions, res *DiffResult) ([]varPair, error) {
	inB := map[string]int{}
	for i, v := range b.Vars {
		inB[v.Path] = i
	}
	var pairs []varPair
	used, seen := map[int]bool{}, map[string]bool{}
	for i, v := range a.Vars {
		if seen[v.Path] || !named(v.Path, opt.Map, Rename.from) || len(opt.Only) > 0 && !slices.ContainsFunc(opt.Only, func(p string) bool { return matches(p, v.Path) }) {
			continue
		}
		seen[v.Path] = true
		j, ok := inB[rename(v.Path, opt.Map)]
		if !ok {
			res.OnlyA = append(res.OnlyA, v.Path)
			continue
		}
		if a.Vars[i].Width != b.Vars[j].Width {
			return nil, fmt.Errorf("%s has %d bits in %s and %d in %s", v.Path, v.Width, a.name, b.Vars[j].Width, b.name)
		}
		pairs, used[j] = append(pairs, varPair{i, j}), true
	}
	for j, v := range b.Vars {
		if !used[j] && inB[v.Path] == j && len(opt.Only) == 0 && named(v.Path, opt.Map, Rename.to) {
			res.OnlyB = append(res.OnlyB, v.Path)
		}
	}
	if len(pairs) == 0 {
		return nil, fmt.Errorf("%s and %s have no variable in common: want a name map, such as top.dut=tb.dut", a.name, b.name)
	}
	res.Compared = len(pairs)
	return pairs, nil
}

func (r Rename) from() string { return r.From }
func (r Rename) to() string   { return r.To }

// named tells whether a path is among what the rules name on one side; without rules all are.
func named(path string, rules []Rename, side func(Rename) string) bool {
	return len(rules) == 0 || slices.ContainsFunc(rules, func(r Rename) bool {
		return path == side(r) || strings.HasPrefix(path, side(r)+".")
	})
}

func rename(path string, rules []Rename) string {
	for _, r := range rules {
		if path == r.From {
			return r.To
		}
		if rest, ok := strings.CutPrefix(path, r.From+"."); ok {
			return r.To + "." + rest
		}
	}
	return path
}

// row is a sample: the time, and the paired variables' values on each side.
type row struct {
	timeA, timeB uint64
	a, b         []string
}

func compare(res *DiffResult, pairs []varPair, sa, sb *sampler, step func() (bool, error), opt DiffOptions, sample uint64) error {
	var before []row
	for {
		if ok, err := step(); !ok || err != nil {
			return err
		}
		now := take(pairs, sa, sb)
		var differ []int
		for i := range pairs {
			if !equal(now.a[i], now.b[i], opt.IgnoreX) {
				differ = append(differ, i)
			}
		}
		res.Samples++
		before = append(before, now)
		if len(differ) == 0 {
			if len(before) > opt.Around {
				before = before[1:]
			}
			sample++
			continue
		}
		d := &Divergence{Sample: sample, TimeA: now.timeA, TimeB: now.timeB, From: sample + 1 - uint64(len(before))}
		for range opt.Around {
			if ok, err := step(); !ok || err != nil {
				break // the divergence is what counts
			}
			before = append(before, take(pairs, sa, sb))
		}
		for _, i := range differ {
			s := DivergentSignal{Path: sa.r.Vars[pairs[i].a].Path, A: now.a[i], B: now.b[i]}
			for _, r := range before {
				s.AroundA, s.AroundB = append(s.AroundA, r.a[i]), append(s.AroundB, r.b[i])
			}
			d.Signals = append(d.Signals, s)
		}
		res.First = d
		return nil
	}
}

func take(pairs []varPair, sa, sb *sampler) row {
	r := row{timeA: sa.time, timeB: sb.time, a: make([]string, len(pairs)), b: make([]string, len(pairs))}
	for i, p := range pairs {
		r.a[i], r.b[i] = sa.values[p.a], sb.values[p.b]
	}
	return r
}

func equal(a, b string, ignoreX bool) bool {
	if a == b {
		return true
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

// sampler gives the state of all variables at each edge of a clock, or at each time.
type sampler struct {
	r       *Reader
	clock   int // -1: every time
	edge    string
	values  []string // the sample
	current []string
	pending []Change // of the next time
	ahead   []Change // read already, of a later time
	time    uint64
	count   uint64
	ended   bool
}

func newSampler(r *Reader, clock string, falling bool) (*sampler, error) {
	s := &sampler{r: r, clock: -1, edge: "1", values: make([]string, len(r.Vars)), current: make([]string, len(r.Vars))}
	if falling {
		s.edge = "0"
	}
	for i, v := range r.Vars {
		s.current[i] = strings.Repeat("x", v.Width)
		if v.Path == clock {
			s.clock = i
		}
	}
	if clock != "" && s.clock < 0 {
		return nil, fmt.Errorf("%s has no variable %s to sample at", r.name, clock)
	}
	return s, s.load()
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
			if s.r.Partial() {
				return fmt.Errorf("%s:%d: the file ends in the middle of a line, want a complete dump", s.r.name, s.r.Line())
			}
		} else if err != nil {
			return err
		}
	}
	return nil
}

// apply makes the pending changes, and reads on.
func (s *sampler) apply() error {
	for _, c := range s.pending {
		s.current[c.Var] = c.Value
	}
	return s.load()
}

// next moves to the next sample; it returns false at the end.
func (s *sampler) next() (bool, error) {
	for len(s.pending) > 0 {
		at := s.pending[0].Time
		sampled := false
		for _, c := range s.pending {
			if c.Var == s.clock && c.Value == s.edge && s.current[c.Var] != s.edge && s.current[c.Var] != "x" {
				sampled = true
			}
		}
		if sampled {
			copy(s.values, s.current)
			s.time = at
			s.count++
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

// nextTime moves both to the earliest time at which either changes, and past the changes of that time.
func nextTime(a, b *sampler) (bool, error) {
	if len(a.pending) == 0 && len(b.pending) == 0 {
		return false, nil
	}
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
		s.time = at
		copy(s.values, s.current)
	}
	return true, nil
}

// String tells the outcome for a person: the first divergence with its neighbourhood.
func (r *DiffResult) String() string {
	var b strings.Builder
	list := func(what string, paths []string) {
		const most = 20
		if len(paths) > 0 {
			more := ""
			if n := len(paths) - most; n > 0 {
				paths, more = paths[:most], fmt.Sprintf(" and %d more", n)
			}
			fmt.Fprintf(&b, "only in %s: %s%s\n", what, strings.Join(paths, ", "), more)
		}
	}
	more := func(what string, n uint64) {
		if n > 0 {
			fmt.Fprintf(&b, "%s goes on for %d samples more\n", what, n)
		}
	}
	if r.First == nil {
		fmt.Fprintf(&b, "no difference in %d variables over %d samples\n", r.Compared, r.Samples)
		list("A", r.OnlyA)
		list("B", r.OnlyB)
		more("A", r.RestA)
		more("B", r.RestB)
		return b.String()
	}
	d := r.First
	fmt.Fprintf(&b, "first difference at sample %d (time %d in A, %d in B)\n", d.Sample, d.TimeA, d.TimeB)
	for _, s := range d.Signals {
		fmt.Fprintf(&b, "\n%s: A has %s, B has %s\n", s.Path, hex(s.A), hex(s.B))
		cell := 6
		for _, v := range append(append([]string(nil), s.AroundA...), s.AroundB...) {
			cell = max(cell, len(hex(v)))
		}
		b.WriteString("  sample")
		for k := range s.AroundA {
			fmt.Fprintf(&b, "  %*d", cell, d.From+uint64(k))
		}
		for side, values := range [][]string{s.AroundA, s.AroundB} {
			fmt.Fprintf(&b, "\n  %-6s", "AB"[side:side+1])
			for _, v := range values {
				fmt.Fprintf(&b, "  %*s", cell, hex(v))
			}
		}
		b.WriteString("\n        ")
		for k := range s.AroundA {
			mark := ""
			if s.AroundA[k] != s.AroundB[k] {
				mark = "^"
			}
			fmt.Fprintf(&b, "  %*s", cell, mark)
		}
		b.WriteByte('\n')
	}
	text := strings.Split(b.String(), "\n")
	for i := range text {
		text[i] = strings.TrimRight(text[i], " ")
	}
	b.Reset()
	b.WriteString(strings.Join(text, "\n"))
	list("A", r.OnlyA)
	list("B", r.OnlyB)
	return b.String()
}

// hex writes a binary value in hexadecimal, or as it is if it has an x or z.
func hex(bits string) string {
	n, ok := new(big.Int).SetString(bits, 2)
	if !ok {
		return bits
	}
	return fmt.Sprintf("%0*x", (len(bits)+3)/4, n)
}
