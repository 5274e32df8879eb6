package schedule

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
)

// Options of a search. The zero value is ready for use.
type Options struct {
	// Period, if not 0, is the period wanted, instead of the least.
	Period int
	// PeriodOnly asks for the least period alone, for which at IPC 1 no schedule is needed; then the hardware's limits are
	// not kept.
	PeriodOnly bool
	// Seed is of the heuristics' random choices. The same seed and limit give the same schedule and bounds on every
	// machine, unless the context ends.
	Seed uint64
	// Clauses is how many clauses the solver may learn in the whole search; 0 stands for [DefaultClauses]. Then the search
	// ends with the bounds known so far. A question that is given up is neither answered yes nor no.
	Clauses int
	// Progress, if not nil, is told the current question and the bounds so far, by one goroutine at a time.
	Progress func(Progress)
}

// DefaultClauses is the solver's limit if the options have none.
const DefaultClauses = 1 << 16

// allowance is how many clauses a search may still learn.
type allowance int

func (o Options) allowance() *allowance {
	a := allowance(DefaultClauses)
	if o.Clauses > 0 {
		a = allowance(o.Clauses)
	}
	return &a
}

// solve asks the solver with a budget for the question (0: half of the rest) and takes its clauses off the allowance.
func (a *allowance) solve(ctx context.Context, p *problem, budget int, learned func(int)) (answer, error) {
	most := int(*a)
	if budget == 0 {
		budget = max(1, most/2)
	}
	if most <= 0 && !p.impossible {
		return answer{}, errAbandoned
	}
	x, err := p.solve(ctx, min(budget, most), learned)
	*a -= allowance(x.learned)
	return x, err
}

// Progress is where a search stands.
type Progress struct {
	// The figure to minimise: "period", "length", "stages".
	What string
	// Low and High are its bounds so far, High 0 if nothing is found yet; Trying is the value in question.
	Low, High, Trying int
	// Learned is how many clauses the solver has learned for it.
	Learned int
}

func (o Options) tell(what string, low, high, trying int) func(int) {
	if o.Progress == nil {
		return nil
	}
	return func(learned int) { o.Progress(Progress{what, low, high, trying, learned}) }
}

// Result is what a search knows when it ends.
type Result struct {
	// Schedule is the best found: of the least period, and of the least length for it. It keeps all limits. nil if none
	// was found.
	Schedule *Schedule
	// Period is the bound of the least period, Length about the least length at Schedule's period.
	Period, Length Bound
}

// Minimize searches for a schedule of the least period, and the least length at that period (Equation 1), with proofs
// that less is impossible: a search with ejection first, then an exact solver. It returns its bounds when the solver
// gives up or the context ends; the error is for graphs and limits that cannot be scheduled at all.
func Minimize(ctx context.Context, g *Graph, l Limits, opt Options) (*Result, error) {
	if err := check(g, l); err != nil {
		return nil, err
	}
	if e, ok := newModel(g, l).mixed(); ok && l.IPC == 1 {
		return nil, fmt.Errorf(
			"graph %s: %s and %s are of different kinds and may start together; no rule of §3.1 makes such an edge",
			g.Name, g.Nodes[e.from].Name, g.Nodes[e.to].Name,
		)
	}
	if opt.PeriodOnly {
		l = l.WithoutHardware()
	}
	s := &search{
		m: newModel(g, l), relaxed: newModel(g, l.WithoutHardware()), opt: opt, left: opt.allowance(),
		rng: rand.New(rand.NewPCG(opt.Seed, 0x64524d54)),
	}
	if err := s.period(ctx); err != nil {
		return nil, err
	}
	if s.result.Period.High > 0 && !opt.PeriodOnly {
		if err := s.length(ctx); err != nil {
			return nil, err
		}
	}
	return &s.result, nil
}

func check(g *Graph, l Limits) error {
	if err := g.Check(); err != nil {
		return err
	}
	if err := l.check(); err != nil {
		return err
	}
	return l.fits(g)
}

// search is one run of Minimize.
type search struct {
	m, relaxed *model // with and without the hardware's limits
	opt        Options
	rng        *rand.Rand
	left       *allowance
	result     Result
}

// longest is the greatest length that a schedule of a period needs. Threads bound it. So does the program: between two
// start times that follow each other without one between, a period can be taken out of the gap as long as the longest
// latency is left. Classes stay as they are, and results wait no longer.
func (s *search) longest(period int) int {
	l := s.m.limits
	most := (s.m.n-1)*(max(l.MatchLatency, l.ActionLatency)+period-1) + 1
	if l.Threads > 0 {
		most = min(most, l.Threads*period)
	}
	return most
}

// longestPeriod is the greatest period that is looked at.
func (s *search) longestPeriod() int {
	if most := s.m.limits.MaxPeriod; most > 0 {
		return most
	}
	return 1 << 10
}

// period finds the least period, or checks the wanted one, and a first schedule for it.
func (s *search) period(ctx context.Context) error {
	bound := &s.result.Period
	bound.Low = 1
	bundles := newBins(s.relaxed, false, false)
	first, last := 1, s.longestPeriod()
	if s.m.limits.IPC == 1 {
		first = max(1, bundles.enough()-1) // no shorter one is possible, and the last of these has a certificate
		bound.Low = min(first, last)
	}
	if s.opt.Period > 0 {
		first, last = s.opt.Period, min(s.opt.Period, last)
		bound.Low = first
	}
	for p := first; p <= last && bound.High == 0; p++ {
		if err := s.decidePeriod(ctx, bundles, p); err != nil || ctx.Err() != nil {
			return err
		}
	}
	switch {
	case first <= last && bound.Low <= last:
		return nil // found, or given up
	case s.opt.Period > 0 && bound.Refuted != nil:
		return fmt.Errorf(
			"graph %s: no schedule of period %d at IPC %d (%s)", s.m.graph.Name, s.opt.Period, s.m.limits.IPC,
			bound.Refuted,
		)
	case s.opt.Period > 0:
		return fmt.Errorf(
			"graph %s: a period of %d is asked for, the longest is %d", s.m.graph.Name, s.opt.Period, s.longestPeriod(),
		)
	}
	why := ""
	if bound.Refuted != nil {
		why = fmt.Sprintf(" (%s)", bound.Refuted)
	}
	return fmt.Errorf(
		"graph %s: a period of %d is too short at IPC %d%s, and %w", s.m.graph.Name, last, s.m.limits.IPC, why, ErrLongest,
	)
}

// ErrLongest says that no period that the hardware has is long enough.
var ErrLongest = errors.New("the hardware has no longer one")

// decidePeriod looks for a schedule of a period, or for why there is none: by counting, by the search with ejection, by
// the solver.
func (s *search) decidePeriod(ctx context.Context, bundles *bins, p int) error {
	if why := s.countPeriod(bundles, p); why != nil {
		s.refutedPeriod(p, *why)
		return nil
	}
	if p*s.m.limits.IPC >= bundles.enough() { // else the exact question is answered by its ranges
		if start := s.shortest(ctx, p); start != nil {
			s.found(p, start)
			return nil
		}
	}
	return s.exactPeriod(ctx, bundles, p)
}

// refutedPeriod notes that a period is impossible. One above a period that is given up on raises no bound.
func (s *search) refutedPeriod(p int, why Refutation) {
	if p == s.result.Period.Low {
		s.result.Period.raise(p, why)
	}
}

// countPeriod refutes a period by counting, or returns nil.
func (s *search) countPeriod(bundles *bins, p int) *Refutation {
	if c := s.refutePeriod(bundles, p); c != nil {
		return &Refutation{By: Counting, Certificate: c}
	}
	if s.longest(p) < s.m.critical {
		return &Refutation{By: ThreadsFull, Hardware: true}
	}
	pointers, shared := 0, 0
	for v := range s.m.n {
		if s.m.pointer[v] {
			pointers++
		}
		if s.m.fixed[v] {
			shared = 1
		}
	}
	if most := s.m.limits.Actions; most > 0 && pointers+shared > p*most {
		return &Refutation{By: PointersFull, Hardware: true}
	}
	return nil
}

// refutePeriod looks for a certificate against a period. At any IPC the operations of the whole program take the cycles
// they take; the order of bundles counts only if each class has one.
func (s *search) refutePeriod(bundles *bins, p int) *Certificate {
	if s.m.limits.IPC == 1 {
		return bundles.refute(p)
	}
	for _, match := range []bool{true, false} {
		size, all := 0, []int(nil)
		for v := range s.m.n {
			if s.m.match[v] == match {
				size, all = size+s.m.size[v], append(all, v)
			}
		}
		if size > p*s.m.capacity(match) {
			return &Certificate{Bins: p, Last: p - 1, Match: match, Inside: all}
		}
	}
	return nil
}

func (s *search) found(p int, start []int) {
	s.result.Schedule = s.m.schedule(p, start)
	s.result.Period.High = p
}

// shortest looks for schedules of a period with ejection: first a length that goes, then shorter ones.
func (s *search) shortest(ctx context.Context, p int) []int {
	const placements = 20000
	var best []int
	try := func(length int) bool {
		start := s.m.settle(p, newEjector(s.m, p, length, s.rng).run(ctx, placements))
		if start != nil {
			best = start
		}
		return start != nil
	}
	low, high := s.m.critical, 0
	for step := 0; ; step = 2*step + 1 {
		length := min(s.m.critical+step, s.longest(p))
		if try(length) {
			high = length
			break
		}
		if low = length + 1; length == s.longest(p) || step > 4*p {
			return nil
		}
	}
	for low < high {
		if mid := (low + high) / 2; try(mid) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return best
}

// exactPeriod asks the solver about a period that the search with ejection has found no schedule for: first without the
// hardware's limits and however long the schedule is, then with all limits, at growing lengths.
func (s *search) exactPeriod(ctx context.Context, bundles *bins, p int) error {
	bound := &s.result.Period
	var x *pairProblem
	if s.m.limits.IPC == 1 {
		x = &pairProblem{binProblem: newBinProblem(newProblem(), bundles, p)}
	} else {
		x = newPairProblem(s.relaxed, p)
	}
	a, err := s.left.solve(ctx, x.problem, 0, s.opt.tell("period", bound.Low, bound.High, p))
	switch {
	case errors.Is(err, errAbandoned):
		return nil
	case err != nil:
		return err
	case a.model == nil:
		why, err := x.refutation(ctx, a)
		if err == nil {
			s.refutedPeriod(p, why)
		}
		return err
	}
	if s.opt.PeriodOnly {
		bound.High = p
		return nil
	}
	var long *Schedule
	if s.m.limits.IPC == 1 {
		long = s.fromBundles(x.read(a.model), p)
	} else {
		long = s.fromPairs(x, a.model)
	}
	if start := s.m.settle(p, long.Start); start != nil {
		s.found(p, start)
		return nil
	}
	return s.exactLength(ctx, p)
}

// exactLength looks for any schedule of a period that keeps all limits, or for a proof that the longest is impossible.
// Lengths that are not much longer than the critical path come first: in them few results wait.
func (s *search) exactLength(ctx context.Context, p int) error {
	longest := s.longest(p)
	return s.budgets(ctx, func(budget int) (done bool, err error) {
		tried := -1
		for _, more := range []int{0, p, 2 * p, 3 * p, 4 * p, longest} {
			length := min(s.m.critical+more, longest)
			if length == tried {
				continue
			}
			tried = length
			start, why, err := s.decide(ctx, p, length, budget)
			switch {
			case err != nil:
				return true, err
			case start != nil:
				s.found(p, start)
				return true, nil
			case why != nil && length == longest:
				s.refutedPeriod(p, *why)
				return true, nil
			}
		}
		return false, nil
	})
}

// budgets tries with more and more clauses for each question until it is done, one question may take the whole rest, or
// the context ends.
func (s *search) budgets(ctx context.Context, try func(budget int) (done bool, err error)) error {
	for budget := firstBudget; ctx.Err() == nil; budget *= 2 {
		last := budget >= int(*s.left)
		if done, err := try(budget); done || err != nil || last {
			return err
		}
	}
	return nil
}

// fromBundles starts bundles one by one at the first cycle that is late enough and in a class without a bundle of their
// kind.
func (s *search) fromBundles(bin []int, p int) *Schedule {
	key := func(v int) [2]int {
		if s.m.match[v] {
			return [2]int{0, bin[v]}
		}
		return [2]int{1, bin[v]}
	}
	taken := [2][]bool{make([]bool, p), make([]bool, p)}
	return s.placeBundles(p, key, func(b [2]int, t int) bool { return !taken[b[0]][t%p] },
		func(b [2]int, t int) { taken[b[0]][t%p] = true })
}

// placeBundles gives every bundle, in an order that dependencies allow, the first start time that is free.
func (s *search) placeBundles(
	p int, key func(v int) [2]int, free func(b [2]int, t int) bool, take func(b [2]int, t int),
) *Schedule {
	m := s.m
	members := map[[2]int][]int{}
	var bundles [][2]int
	for _, v := range m.order {
		if b := key(v); members[b] == nil {
			bundles = append(bundles, b)
		}
		members[key(v)] = append(members[key(v)], v)
	}
	start := make([]int, m.n)
	done := map[[2]int]bool{}
	for len(done) < len(bundles) {
		next, at := [2]int{-1}, 0
		for _, b := range bundles { // the earliest possible one
			if done[b] {
				continue
			}
			earliest, ready := 0, true
			for _, v := range members[b] {
				for _, e := range m.in[v] {
					if from := key(e.from); from != b {
						ready = ready && done[from]
						earliest = max(earliest, start[e.from]+e.cycles)
					}
				}
			}
			if ready && (next[0] < 0 || earliest < at) {
				next, at = b, earliest
			}
		}
		if next[0] < 0 {
			return nil // bundles wait for each other: they are not in an order
		}
		for !free(next, at) {
			at++
		}
		take(next, at)
		for _, v := range members[next] {
			start[v] = at
		}
		done[next] = true
	}
	return m.schedule(p, start)
}

// fromPairs starts bundles one by one at the first cycle that is late enough and in their class.
func (s *search) fromPairs(x *pairProblem, model []bool) *Schedule {
	p := len(x.class[0][0])
	bin := x.read(model)
	class := func(b [2]int) int {
		for c, l := range x.class[b[0]][b[1]] {
			if value(model, l) {
				return c
			}
		}
		return 0
	}
	key := func(v int) [2]int {
		if s.m.match[v] {
			return [2]int{0, bin[v]}
		}
		return [2]int{1, bin[v]}
	}
	return s.placeBundles(p, key, func(b [2]int, t int) bool { return t%p == class(b) }, func([2]int, int) {})
}

// Effort returns how many clauses the solver learns until it knows whether a period is possible at IPC 1: a time that
// does not depend on the machine (Figure 8).
func Effort(ctx context.Context, g *Graph, l Limits, period int) (int, error) {
	if err := check(g, l); err != nil {
		return 0, err
	}
	a, err := newBinProblem(
		newProblem(), newBins(newModel(g, l.WithoutHardware()), false, false), period,
	).solve(ctx, 0, nil)
	return len(a.proof), err
}
