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
func (g *aigerGraph) watch() (w *aigerGraph, written int) {
	first := g.second()
	open := map[int]bool{} // latches whose first value is an input
	for _, operands := range g.ands {
		for k, l := range operands {
			at := int(operands[1-k]>>1) - 1 - g.inputs
			if l == first && at >= 0 && at < len(g.next) {
				open[at] = true
			}
		}
	}
	if first == 0 || len(open) == 0 {
		return nil, 0
	}
	w, read := g.at0(first, len(open))
	for i := range g.next {
		if !open[i] {
			continue
		}
		bit := w.latch(len(g.next) + written)
		was := w.and(first, bit)
		low := w.cofactor(w.next[i], w.latch(i), 0, first, mostDeep, map[literal]literal{})
		high := w.cofactor(w.next[i], w.latch(i), 1, first, mostDeep, map[literal]literal{})
		holds := w.and(low.not(), high)
		w.next[len(g.next)+written] = w.and(was.not(), holds).not()
		w.outputs = append(w.outputs, w.and(was, w.latch(i)))
		written++
	}
	for i := range g.next {
		w.outputs = append(w.outputs, read(g.latch(i)))
	}
	return w, written
}

// second returns the latch that is 1 from the second step on, 0 if there is none.
func (g *aigerGraph) second() (first literal) {
	for i, next := range g.next {
		if next == 1 {
			first = g.latch(i)
		}
	}
	return first
}

// cofactor is a net with a latch of a constant value, in a later step than the first.
func (g *aigerGraph) cofactor(l, latch, value, first literal, deep int, known map[literal]literal) literal {
	node, inverted := l&^1, l&1
	switch {
	case node == latch:
		return value ^ inverted
	case node == first:
		return 1 ^ inverted
	case int(node>>1) < g.firstAnd() || deep == 0:
		return l
	}
	x, ok := known[node]
	if !ok {
		operands := g.ands[int(node>>1)-g.firstAnd()]
		x = g.and(
			g.cofactor(operands[0], latch, value, first, deep-1, known),
			g.cofactor(operands[1], latch, value, first, deep-1, known),
		)
		known[node] = x
	}
	return x ^ inverted
}

// byWritten tells whether the assertions hold if registers that no reset clears are looked at where they were written.
func (s *search) byWritten(ctx context.Context) (proved bool, err error) {
	g, err := readAIGER(filepath.Join(s.dir, afterFile))
	if err != nil {
		return false, err
	}
	w, written := g.watch()
	if w == nil {
		return false, nil
	}
	if err := w.write(filepath.Join(s.dir, watchedFile)); err != nil {
		return false, err
	}
	s.opt.Progress("pdr: joining what was written")
	commands := fmt.Sprintf("read_aiger %s; fold; scorr; write_aiger %s", watchedFile, pairsFile)
	if err := s.run(ctx, []string{"yosys-abc", "-c", commands}, func(string) {}); err != nil {
		return false, err
	}
	joined, err := readAIGER(filepath.Join(s.dir, pairsFile))
	if err != nil {
		return false, err
	}
	watched, bads := joined.outputs, joined.outputs[min(len(w.outputs), len(joined.outputs)):]
	if len(watched) != len(w.outputs)+len(w.bads) {
		return false, fmt.Errorf("yosys-abc wrote %d outputs, want %d", len(watched), len(w.outputs)+len(w.bads))
	}
	proved = true
	for _, bad := range bads {
		proved = proved && bad == 0
	}
	if proved {
		return true, nil
	}
	given := w.given(watched[:len(w.outputs)], written)
	if given == nil {
		return false, nil
	}
	if err := given.write(filepath.Join(s.dir, givenFile)); err != nil {
		return false, err
	}
	s.opt.Progress("pdr: looking for an invariant about what was written")
	status, err := s.abc(ctx, givenFile, "fold; scorr", func(string) {})
	return status == abc.Proved, err
}

// given adds a constraint to a watched graph for each of the first outputs that was proved to be like another one: the
// literals of both in the joined graph are equal then. A constraint that always holds leaves no path out. It returns
// nil if there is no such pair.
func (w *aigerGraph) given(joined []literal, written int) *aigerGraph {
	like := map[literal]literal{0: 0} // an output of each of the joined graph's literals
	for i := len(joined) - 1; i >= 0; i-- {
		l, o := joined[i], w.outputs[i]
		inverted := l & 1
		other, ok := like[l&^1]
		if !ok {
			like[l&^1] = o ^ inverted
			continue
		}
		if other ^= inverted; i < written {
			w.constraints = append(w.constraints, w.and(w.and(o, other.not()).not(), w.and(o.not(), other).not()))
		}
	}
	w.outputs = nil
	if len(w.constraints) == 0 {
		return nil
	}
	return w
}
