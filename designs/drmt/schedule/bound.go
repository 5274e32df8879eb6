package schedule

import "fmt"

// Bound is the known range of the least value of a period, a length or a number of stages.
type Bound struct {
	// Low is the least value that is not refuted, High the least that is reached; 0 if none is.
	Low, High int
	// Refuted says why Low-1 is impossible. It is nil if Low is trivial.
	Refuted *Refutation
}

// Proved reports whether the least value is known.
func (b Bound) Proved() bool { return b.Low == b.High }

// String returns "15", or the known range: "251 to 278", "at least 15".
func (b Bound) String() string {
	switch {
	case b.Proved():
		return fmt.Sprint(b.Low)
	case b.High == 0:
		return fmt.Sprintf("at least %d", b.Low)
	}
	return fmt.Sprintf("%d to %d", b.Low, b.High)
}

// raise notes that value is refuted.
func (b *Bound) raise(value int, why Refutation) {
	if value >= b.Low {
		b.Low = value + 1
		b.Refuted = &why
	}
}

// Ways in which a value is refuted, besides Solver.
const (
	Counting     = "counting"
	CriticalPath = "critical path"
	ThreadsFull  = "critical path, more packets than threads"
	PointersFull = "counting, more actions than instruction pointers"
)

// Refutation says how it is known that a value is impossible.
type Refutation struct {
	// By is Counting, CriticalPath, ThreadsFull, PointersFull or Solver.
	By string
	// Certificate can be checked by hand; nil if By is not Counting.
	Certificate *Certificate
	// Hardware says that the refutation needs the hardware's limits. Otherwise Table 1's are enough, and so it holds for
	// both.
	Hardware bool
	// Learned is how many clauses the solver learned; Checked says that each of them, and the contradiction at the end,
	// was derived again by this package's own checker, so that the solver need not be trusted.
	Learned int
	Checked bool
}

func (r *Refutation) String() string {
	switch {
	case r == nil:
		return "nothing is less"
	case r.Certificate != nil:
		return fmt.Sprintf("counting, %d steps", len(r.Certificate.Lemmas)+1)
	case r.By == Solver && r.Checked:
		return fmt.Sprintf("%s, proof of %d clauses checked", r.By, r.Learned)
	case r.By == Solver:
		return fmt.Sprintf("%s, %d clauses", r.By, r.Learned)
	}
	return r.By
}

// LowerBound returns the least period if every cycle were full (Table 2's last column): all matches' segments, or all
// fields, divided by a cycle's capacity.
func LowerBound(g *Graph, l Limits) int {
	segments, fields := 0, 0
	for _, n := range g.Nodes {
		segments += l.keySegments(n)
		fields += n.Fields
	}
	return max(1, (segments+l.Segments-1)/l.Segments, (fields+l.Fields-1)/l.Fields)
}

// CriticalPathLength returns the least length of any schedule (Table 3's last column).
func CriticalPathLength(g *Graph, l Limits) int { return newModel(g, l).critical }
