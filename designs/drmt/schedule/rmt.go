package schedule

import (
	"context"
	"errors"
	"fmt"
)

// RMT returns the limits of an RMT stage (Table 1). fields is how many fields a stage modifies: Table 1 prints 224, one
// ALU for each field; the RMT columns of Tables 2 and 3 follow from 32.
func RMT(fields int) Limits {
	return Limits{SegmentBits: 80, Segments: 8, Fields: fields, MatchLatency: 18, ActionLatency: 2, IPC: 1}
}

// Pipeline is a program on RMT: the stage of each operation (Appendix B). A stage does its matches, then its actions;
// memory is not limited, as in §4.1.
type Pipeline struct {
	Graph  *Graph
	Limits Limits
	// Coarse keeps a table's match and action in one stage; RMT fine does not.
	Coarse bool
	Stage  []int
}

// Stages returns how many there are.
func (p *Pipeline) Stages() int {
	n := 0
	for _, s := range p.Stage {
		n = max(n, s+1)
	}
	return n
}

// Threads returns how many packets the pipeline holds: match and action latency for each stage (§4.1, metrics).
func (p *Pipeline) Threads() int {
	return p.Stages() * (p.Limits.MatchLatency + p.Limits.ActionLatency)
}

// Validate reports everything that is wrong with the pipeline. Sub-stage 2s holds the matches of stage s, 2s+1 its
// actions (Equations 14 and 15); an operation that waits for another is in a later sub-stage, one that must not be
// earlier is in none before.
func (p *Pipeline) Validate() error {
	g, l := p.Graph, p.Limits
	if err := g.Check(); err != nil {
		return err
	}
	if len(p.Stage) != len(g.Nodes) {
		return fmt.Errorf("pipeline of %s: %d stages for %d operations", g.Name, len(p.Stage), len(g.Nodes))
	}
	var broken []error
	substage := make([]int, len(g.Nodes))
	segments, fields := map[int]int{}, map[int]int{}
	for v, n := range g.Nodes {
		if p.Stage[v] < 0 || p.Stage[v] > longest {
			return fmt.Errorf("pipeline of %s: %s is in stage %d, expected 0 to %d", g.Name, n.Name, p.Stage[v], longest)
		}
		substage[v] = 2 * p.Stage[v]
		if n.Kind != Match {
			substage[v]++
			fields[p.Stage[v]] += n.Fields
		} else {
			segments[p.Stage[v]] += (n.KeyBits + l.SegmentBits - 1) / l.SegmentBits
		}
	}
	for _, e := range g.Edges {
		least := 0
		if e.Delay != NotBefore {
			least = 1
		}
		if d := substage[e.To] - substage[e.From]; d < least || p.Coarse && e.SameTable && d != 1 {
			broken = append(
				broken,
				fmt.Errorf(
					"pipeline of %s: %s is in stage %d, %s in %d", g.Name, g.Nodes[e.From].Name, p.Stage[e.From],
					g.Nodes[e.To].Name, p.Stage[e.To],
				),
			)
		}
	}
	for s := range p.Stages() {
		if segments[s] > l.Segments {
			broken = append(
				broken,
				fmt.Errorf("pipeline of %s: stage %d sends %d key segments of %d", g.Name, s, segments[s], l.Segments),
			)
		}
		if fields[s] > l.Fields {
			broken = append(
				broken, fmt.Errorf("pipeline of %s: stage %d modifies %d fields of %d", g.Name, s, fields[s], l.Fields),
			)
		}
	}
	return errors.Join(broken...)
}

// mostStages is how many stages are looked at after the least number that is not refuted.
const mostStages = 64

// MinimizeStages returns a pipeline of as few stages as possible, and the proof that there is none with fewer. Where
// the solver gives up (see [Options]), more stages are tried, and the bound has the known range. If the context ends
// first, the pipeline is nil.
func MinimizeStages(ctx context.Context, g *Graph, l Limits, coarse bool, opt Options) (*Pipeline, Bound, error) {
	if err := check(g, l); err != nil {
		return nil, Bound{}, err
	}
	m := newModel(g, l)
	b := newBins(m, true, coarse)
	first := max(1, b.enough()-1) // fewer are impossible, and the last impossible number has a certificate
	bound := Bound{Low: first}
	left := opt.allowance()
	filled := b.fill(g, l)
	for n := first; n < bound.Low+mostStages; n++ {
		if c := b.refute(n); c != nil {
			bound.raise(n, Refutation{By: Counting, Certificate: c})
			continue
		}
		if filled != nil && filled.Stages() <= n {
			bound.High = filled.Stages()
			return filled, bound, nil
		}
		x := newBinProblem(newProblem(), b, n)
		a, err := left.solve(ctx, x.problem, 0, opt.tell("stages", bound.Low, 0, n))
		switch {
		case ctx.Err() != nil:
			return nil, bound, nil
		case errors.Is(err, errAbandoned):
			continue
		case err != nil:
			return nil, bound, err
		case a.model == nil:
			why, err := x.refutation(ctx, a)
			if err != nil {
				return nil, bound, err
			}
			bound.raise(n, why) // and all below: a pipeline of fewer stages is one of n with stages that do nothing
			continue
		}
		bound.High = n
		return &Pipeline{Graph: g, Limits: l, Coarse: coarse, Stage: x.read(a.model)}, bound, nil
	}
	return nil, bound, nil
}
