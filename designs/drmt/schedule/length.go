package schedule

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// length finds the least length at the period found. Between the bounds it tries the middle first, and other lengths
// where that is too hard: lengths far from the least one are decided quickly on either side.
func (s *search) length(ctx context.Context) error {
	bound := &s.result.Length
	p := s.result.Period.High
	bound.Low = 1
	if s.m.critical > 1 {
		bound.raise(s.m.critical-1, Refutation{By: CriticalPath})
	}
	bound.High = s.result.Schedule.Length()
	return s.budgets(ctx, func(budget int) (done bool, err error) {
		tried := map[int]bool{}
		for _, eighths := range []int{4, 1, 7, 2, 6, 0} {
			width := bound.High - bound.Low
			length := bound.Low + min(width*eighths/8, width-1)
			if width == 0 || tried[length] {
				continue
			}
			tried[length] = true
			start, why, err := s.decide(ctx, p, length, budget)
			switch {
			case err != nil:
				return true, err
			case start != nil:
				s.result.Schedule = s.m.schedule(p, start)
				bound.High = s.result.Schedule.Length()
			case why != nil:
				bound.raise(length, *why)
			}
		}
		return bound.Proved(), nil
	})
}

// round is how many clauses the first of several attempts may learn.
const round = 256

// firstBudget is how many clauses a question may take at first.
const firstBudget = 8 * round

// mostCells bounds a question by its start times: operations times cycles. The paper's largest has 328 of 672 cycles at
// most.
const mostCells = 1 << 21

// decide asks whether there is a schedule of a period and a length at most: it returns one, or why there is none, or
// neither if it gives up, after budget clauses for each attempt or with the context. Without the hardware's limits
// first: a length refuted so is refuted with them, and a found schedule can mostly be settled into them. At IPC 1 with
// and without the knowledge of bundles, which helps to refute, and to find hard schedules, but not always.
func (s *search) decide(ctx context.Context, p, length, budget int) ([]int, *Refutation, error) {
	if start := s.m.settle(p, newEjector(s.m, p, length, s.rng).run(ctx, 2000)); start != nil {
		return start, nil, nil
	}
	type attempt struct{ linked, hardware bool }
	attempts := []attempt{{false, false}}
	if s.m.limits.IPC == 1 && length >= p {
		attempts = append(attempts, attempt{true, false})
	}
	if s.m.limits != s.relaxed.limits {
		for _, a := range attempts {
			attempts = append(attempts, attempt{a.linked, true})
		}
	}
	tell := s.opt.tell("length", s.result.Length.Low, s.result.Length.High, length)
	for _, try := range attempts {
		if s.m.n*length > mostCells {
			return nil, nil, nil
		}
		x, at := s.ask(p, length, try.linked, try.hardware, budget > firstBudget)
		a, err := s.left.solve(ctx, x.problem, budget, tell)
		switch {
		case errors.Is(err, errAbandoned):
			continue
		case err != nil:
			return nil, nil, err
		case a.model == nil:
			why, err := x.refutation(ctx, a)
			why.Hardware = try.hardware
			return nil, &why, err
		}
		start := x.starts(a.model)
		if at != nil {
			start = pick(start, at)
		}
		if s.relaxed.schedule(p, start).Validate() != nil {
			return nil, nil, fmt.Errorf(
				"graph %s: the schedule of period %d that %s found is not valid", s.m.graph.Name, p, Solver,
			)
		}
		if start = s.m.settle(p, start); start != nil {
			return start, nil, nil
		}
	}
	return nil, nil, nil
}

// ask states the question for the solver. How soon a solver is done depends much on the order of its variables: after a
// first attempt in vain the operations are shuffled, and at says where each one went.
func (s *search) ask(p, length int, linked, hardware, shuffle bool) (x *timesProblem, at []int) {
	m := s.relaxed
	if hardware {
		m = s.m
	}
	if shuffle {
		at = s.rng.Perm(m.n)
		m = m.reordered(at)
	}
	x = newTimesProblem(m, p, length)
	if linked {
		x.linkBundles()
	}
	return x, at
}

// reordered is a model whose operation at[v] is v of this one.
func (m *model) reordered(at []int) *model {
	g := &Graph{Name: m.graph.Name, Nodes: make([]Node, m.n)}
	for v, n := range m.graph.Nodes {
		g.Nodes[at[v]] = n
	}
	for _, e := range m.graph.Edges {
		e.From, e.To = at[e.From], at[e.To]
		g.Edges = append(g.Edges, e)
	}
	slices.SortStableFunc(g.Edges, func(a, b Edge) int { return a.To - b.To })
	return newModel(g, m.limits)
}

// pick returns the elements of a list at the given places.
func pick(list, at []int) []int {
	all := make([]int, len(at))
	for v, i := range at {
		all[v] = list[i]
	}
	return all
}
