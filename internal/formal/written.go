package formal

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/goldwire/goldwire/internal/abc"
)

// The graph with a bit for each register that no reset clears, and the graph with the pairs of them that were proved.
const (
	watchedFile = "watched.aig"
	pairsFile   = "pairs.aig"
	givenFile   = "given.aig"
)

// mostDeep bounds how far above a register its condition to hold its value is looked for.
const mostDeep = 24

// watch adds to a graph, for each bit of a register that any value may be in at the start, a latch that tells whether
// the bit was written since. Its output is the bit where it was written, 0 elsewhere: two memories whose contents begin
// unlike have outputs that stay alike. The latch bears on nothing else, so no proof depends on how its condition was
// found. The other outputs are the graph's own latches.
func (g *graph) watch() (w *graph, written int) {
	first := g.second()
	open := map[int]bool{} // latches whose first value is an input
	for _, operands := range g.Ands {
		for k, l := range operands {
			at := int(operands[1-k]>>1) - 1 - g.Inputs
			if l == first && at >= 0 && at < len(g.Next) {
				open[at] = true
			}
		}
	}
	if first == 0 || len(open) == 0 {
		return nil, 0
	}
	w, read := g.at0(first, len(open))
	for i := range g.Next {
		if !open[i] {
			continue
		}
		bit := w.Latch(len(g.Next) + written)
		was := w.And(first, bit)
		low := w.cofactor(w.Next[i], w.Latch(i), 0, first, mostDeep, map[literal]literal{})
		high := w.cofactor(w.Next[i], w.Latch(i), 1, first, mostDeep, map[literal]literal{})
		holds := w.And(low.Not(), high)
		w.Next[len(g.Next)+written] = w.And(was.Not(), holds).Not()
		w.Outputs = append(w.Outputs, w.And(was, w.Latch(i)))
		written++
	}
	for i := range g.Next {
		w.Outputs = append(w.Outputs, read(g.Latch(i)))
	}
	return w, written
}

// second returns the latch that is 1 from the second step on, 0 if there is none.
func (g *graph) second() (first literal) {
	for i, next := range g.Next {
		if next == 1 {
			first = g.Latch(i)
		}
	}
	return first
}

// cofactor is a net with a latch of a constant value, in a later step than the first.
func (g *graph) cofactor(l, latch, value, first literal, deep int, known map[literal]literal) literal {
	node, inverted := l&^1, l&1
	switch {
	case node == latch:
		return value ^ inverted
	case node == first:
		return 1 ^ inverted
	case int(node>>1) < g.FirstAnd() || deep == 0:
		return l
	}
	x, ok := known[node]
	if !ok {
		operands := g.Ands[int(node>>1)-g.FirstAnd()]
		x = g.And(
			g.cofactor(operands[0], latch, value, first, deep-1, known),
			g.cofactor(operands[1], latch, value, first, deep-1, known),
		)
		known[node] = x
	}
	return x ^ inverted
}

// byWritten tells whether the assertions hold if registers that no reset clears are looked at where they were written.
func (s *search) byWritten(ctx context.Context) (proved bool, err error) {
	g, err := readGraph(filepath.Join(s.dir, afterFile))
	if err != nil {
		return false, err
	}
	w, written := g.watch()
	if w == nil {
		return false, nil
	}
	if err := w.WriteFile(filepath.Join(s.dir, watchedFile)); err != nil {
		return false, err
	}
	s.opt.Progress("pdr: joining what was written")
	commands := fmt.Sprintf("read_aiger %s; fold; scorr; write_aiger %s", watchedFile, pairsFile)
	if err := s.run(ctx, []string{"yosys-abc", "-c", commands}, func(string) {}); err != nil {
		return false, err
	}
	joined, err := readGraph(filepath.Join(s.dir, pairsFile))
	if err != nil {
		return false, err
	}
	watched, bads := joined.Outputs, joined.Outputs[min(len(w.Outputs), len(joined.Outputs)):]
	if len(watched) != len(w.Outputs)+len(w.Bads) {
		return false, fmt.Errorf("yosys-abc wrote %d outputs, want %d", len(watched), len(w.Outputs)+len(w.Bads))
	}
	proved = true
	for _, bad := range bads {
		proved = proved && bad == 0
	}
	if proved {
		return true, nil
	}
	given := w.given(watched[:len(w.Outputs)], written)
	if given == nil {
		return false, nil
	}
	if err := given.WriteFile(filepath.Join(s.dir, givenFile)); err != nil {
		return false, err
	}
	s.opt.Progress("pdr: looking for an invariant about what was written")
	status, err := s.abc(ctx, givenFile, "fold; scorr", func(string) {})
	return status == abc.Proved, err
}

// given adds a constraint to a watched graph for each of the first outputs that was proved to be like another one: the
// literals of both in the joined graph are equal then. A constraint that always holds leaves no path out. It returns
// nil if there is no such pair.
func (w *graph) given(joined []literal, written int) *graph {
	like := map[literal]literal{0: 0} // an output of each of the joined graph's literals
	for i := len(joined) - 1; i >= 0; i-- {
		l, o := joined[i], w.Outputs[i]
		inverted := l & 1
		other, ok := like[l&^1]
		if !ok {
			like[l&^1] = o ^ inverted
			continue
		}
		if other ^= inverted; i < written {
			w.Constraints = append(w.Constraints, w.And(w.And(o, other.Not()).Not(), w.And(o.Not(), other).Not()))
		}
	}
	w.Outputs = nil
	if len(w.Constraints) == 0 {
		return nil
	}
	return w
}
