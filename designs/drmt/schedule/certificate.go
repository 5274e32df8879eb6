package schedule

import (
	"fmt"
	"slices"
	"strings"
)

// Certificate shows by counting that operations do not fit into a number of bins, so that a reader can check it without
// a solver. The bins are, of each kind, the operations that start together in a schedule at IPC 1 or in a stage of RMT;
// see [Certificate.Check] for the rules.
type Certificate struct {
	// Bins is how many there are of each kind: a period, or a number of stages.
	Bins int
	// Pipeline says that the bins are RMT's stages; Coarse that a table's match and action share one.
	Pipeline, Coarse bool
	// Lemmas are in the order of their proofs: each rests on those before it.
	Lemmas []Lemma
	// First to Last, of the matches' bins if Match is set, else of the actions', cannot hold the operations of Inside,
	// which by the lemmas must be in them. If First > Last, Inside is one operation for which no bin is left.
	First, Last int
	Match       bool
	Inside      []int
}

// Lemma says that at least Bins bins of its kind come before operation Op, or after it if After is set. The reason: the
// operations of Set, all of one kind, come Gap bins or more before it (after it), and earlier lemmas keep them out of
// the first (last) From bins. So they take whole bins from there on, at least one, and Gap-1 more bins lie between.
type Lemma struct {
	Op, Bins  int
	After     bool
	Set       []int
	From, Gap int
}

// enough returns a number of bins that counting does not refute: with one fewer, the operations before and after some
// operation do not fit.
func (b *bins) enough() int {
	before, after := b.least(false), b.least(true)
	n := 1
	for v := range b.m.n {
		n = max(n, before[v].bins+after[v].bins+1)
	}
	return n
}

// refute returns a certificate that count bins are not enough, the shortest of some, nil if it finds none.
func (b *bins) refute(count int) *Certificate {
	const most = 40 // certificates that are compared
	before, after := b.least(false), b.least(true)
	var best *Certificate
	compared := 0
	offer := func(first, last int, match bool, inside []int) {
		c := &Certificate{
			Bins: count, Pipeline: b.pipeline, Coarse: b.coarse, First: first, Last: last, Match: match, Inside: inside,
		}
		done := map[lemmaOf]bool{}
		for _, v := range inside {
			b.explain(c, v, first, false, done)
			b.explain(c, v, count-1-last, true, done)
		}
		if compared++; best == nil || c.weight() < best.weight() {
			best = c
		}
	}
	// All bins together come first: that needs no lemma.
	for _, match := range []bool{true, false} {
		if size, inside := b.mustBeIn(0, count-1, count, match, before, after); size > count*b.m.capacity(match) {
			offer(0, count-1, match, inside)
			return best
		}
	}
	for v := range b.m.n {
		if first, last := before[v].bins, count-1-after[v].bins; first > last && compared < most {
			offer(first, last, b.m.match[v], []int{v})
		}
	}
	for _, match := range []bool{true, false} {
		for first := range count {
			for last := first; last < count && compared < 2*most; last++ {
				if size, inside := b.mustBeIn(first, last, count, match, before, after); size > (last-first+1)*b.m.capacity(match) {
					offer(first, last, match, inside)
				}
			}
		}
	}
	return best
}

// mustBeIn returns the operations of a kind that can be in no other bins, and their size.
func (b *bins) mustBeIn(first, last, count int, match bool, before, after []reason) (size int, inside []int) {
	for v := range b.m.n {
		if b.m.match[v] == match && before[v].bins >= first && after[v].bins >= count-1-last {
			size, inside = size+b.m.size[v], append(inside, v)
		}
	}
	return size, inside
}

// weight orders certificates by the effort to read them.
func (c *Certificate) weight() int {
	w := len(c.Inside)
	for _, l := range c.Lemmas {
		w += 10 + len(l.Set)
	}
	return w
}

// lemmaOf names a lemma: the step of its reason before an operation or after it.
type lemmaOf struct {
	step  int
	after bool
}

// reaches returns the first reason why v has enough bins before it, or after it, and whether there is one; none is
// needed for 0.
func (b *bins) reaches(v, enough int, after bool) (reason, bool) {
	if enough <= 0 {
		return reason{}, true
	}
	for _, r := range b.history(after)[v] {
		if r.bins >= enough {
			return r, true
		}
	}
	return reason{}, false
}

// explain adds the lemma that v has enough bins before it, or after it, and first those it rests on.
func (b *bins) explain(c *Certificate, v, enough int, after bool, done map[lemmaOf]bool) {
	r, _ := b.reaches(v, enough, after)
	key := lemmaOf{r.step, after}
	if r.step == 0 || done[key] {
		return
	}
	done[key] = true
	l := Lemma{Op: v, Bins: r.bins, After: after, From: r.from, Gap: r.gap}
	for u := range b.m.n {
		d := b.between(u, v, after)
		if b.coarse && r.gap == 0 && b.sameTable(u, v) {
			d = 0
		}
		was, known := b.reaches(u, r.from, after)
		if u != v && d != never && d >= r.gap && b.m.match[u] == r.match && known && was.step < r.step {
			l.Set = append(l.Set, u)
			if r.gap == 0 {
				break
			}
		}
	}
	for _, u := range l.Set {
		b.explain(c, u, r.from, after, done)
	}
	c.Lemmas = append(c.Lemmas, l)
}

func (b *bins) sameTable(u, v int) bool {
	for _, e := range b.m.edges {
		if e.table && (e.from == u && e.to == v || e.from == v && e.to == u) {
			return true
		}
	}
	return false
}

// Text spells the certificate out, a line a step, with at most the given number of names in a line.
func (c *Certificate) Text(g *Graph, l Limits, names int) []string {
	bin := "bundle"
	if c.Pipeline {
		bin = "stage"
	}
	list := func(set []int) string {
		var s []string
		for _, v := range set {
			s = append(s, g.Nodes[v].Name)
		}
		if len(s) > names {
			s = append(s[:names:names], "...")
		}
		return strings.Join(s, ", ")
	}
	volume := func(set []int) (int, string) {
		size := 0
		for _, v := range set {
			size += max(l.keySegments(g.Nodes[v]), g.Nodes[v].Fields)
		}
		if g.Nodes[set[0]].Kind == Match {
			return size, fmt.Sprintf("%d key segments, %d a cycle", size, l.Segments)
		}
		return size, fmt.Sprintf("%d fields, %d a cycle", size, l.Fields)
	}
	var lines []string
	for _, m := range c.Lemmas {
		where := "before"
		if m.After {
			where = "after"
		}
		_, what := volume(m.Set)
		line := fmt.Sprintf(
			"%s has %d %ss %s it: %d operations take %s", g.Nodes[m.Op].Name, m.Bins, bin, where, len(m.Set), what,
		)
		if len(m.Set) == 1 {
			line = fmt.Sprintf(
				"%s has %d %ss %s it: %s comes %s it", g.Nodes[m.Op].Name, m.Bins, bin, where, g.Nodes[m.Set[0]].Name,
				where,
			)
		}
		if m.From > 0 {
			line += fmt.Sprintf(", with %d more %s", m.From, where)
		}
		if len(m.Set) > 1 {
			line += " (" + list(m.Set) + ")"
		}
		lines = append(lines, line)
	}
	if c.First > c.Last {
		return append(lines, fmt.Sprintf("%s would need more than %d %ss", g.Nodes[c.Inside[0]].Name, c.Bins, bin))
	}
	_, what := volume(c.Inside)
	return append(
		lines,
		fmt.Sprintf(
			"%d operations must share %d of %d %ss and take %s (%s)", len(c.Inside), c.Last-c.First+1, c.Bins, bin, what,
			list(c.Inside),
		),
	)
}

// Check verifies the certificate from the graph alone; it shares no code with the search for certificates. A lemma's
// bins follow from
//
//   - order: of two operations on a path with a latency, of one kind, the later one is in a later bin; in a pipeline
//     also an action is in the stage of a match on a path before it or in a later one, a match in a later stage than an
//     action before it;
//   - Coarse: a table's match and action have the same stage;
//   - capacity: a bin holds no more than a cycle.
func (c *Certificate) Check(g *Graph, l Limits) error {
	type known struct{ before, after int }
	at := make([]known, len(g.Nodes))
	size := func(set []int) int {
		n := 0
		for _, v := range set {
			n += g.Nodes[v].Fields + l.keySegments(g.Nodes[v])
		}
		return n
	}
	capacity := func(v int) int {
		if g.Nodes[v].Kind == Match {
			return l.Segments
		}
		return l.Fields
	}
	for i, m := range c.Lemmas {
		if len(m.Set) == 0 {
			return fmt.Errorf("lemma %d: no operations", i)
		}
		for _, u := range m.Set {
			first, second, have := u, m.Op, at[u].before
			if m.After {
				first, second, have = m.Op, u, at[u].after
			}
			if have < m.From {
				return fmt.Errorf("lemma %d: %s is known to have %d bins, not %d", i, g.Nodes[u].Name, have, m.From)
			}
			if (g.Nodes[u].Kind == Match) != (g.Nodes[m.Set[0]].Kind == Match) {
				return fmt.Errorf("lemma %d: operations of both kinds", i)
			}
			if steps := c.apart(g, l, first, second); steps < m.Gap {
				return fmt.Errorf(
					"lemma %d: %s and %s are %d bins apart, not %d", i, g.Nodes[first].Name, g.Nodes[second].Name, steps,
					m.Gap,
				)
			}
		}
		take := 1
		if m.Gap > 0 {
			take = max(1, (size(m.Set)+capacity(m.Set[0])-1)/capacity(m.Set[0]))
		}
		if m.Bins > m.From+take+m.Gap-1 {
			return fmt.Errorf("lemma %d: %d bins, expected at most %d", i, m.Bins, m.From+take+m.Gap-1)
		}
		if m.After {
			at[m.Op].after = max(at[m.Op].after, m.Bins)
		} else {
			at[m.Op].before = max(at[m.Op].before, m.Bins)
		}
	}
	for _, v := range c.Inside {
		if (g.Nodes[v].Kind == Match) != c.Match || at[v].before < c.First || at[v].after < c.Bins-1-c.Last {
			return fmt.Errorf("%s need not be in the bins from %d to %d", g.Nodes[v].Name, c.First, c.Last)
		}
	}
	if len(c.Inside) == 0 || c.First <= c.Last && size(c.Inside) <= (c.Last-c.First+1)*capacity(c.Inside[0]) {
		return fmt.Errorf("the operations fit into the bins from %d to %d", c.First, c.Last)
	}
	return nil
}

// apart returns how many bins lie between two operations at least, by the best single path; a negative number if
// nothing is known.
func (c *Certificate) apart(g *Graph, l Limits, from, to int) int {
	type state struct {
		steps int
		later bool
	}
	isMatch := func(v int) bool { return g.Nodes[v].Kind == Match }
	memo := map[int]state{}
	var best func(v int) state // of paths from `from` to v
	best = func(v int) state {
		if s, ok := memo[v]; ok {
			return s
		}
		s := state{steps: -1 << 20}
		if v == from {
			s = state{}
		}
		for _, e := range g.Edges {
			if e.To != v {
				continue
			}
			p := best(e.From)
			wait := l.Latency(e.Delay)
			if c.Pipeline {
				if wait > 0 && (!isMatch(e.From) || isMatch(v)) {
					p.steps++
				}
			} else {
				p.later = p.later || wait > 0
				if isMatch(v) == isMatch(from) && p.later {
					p = state{p.steps + 1, false}
				}
			}
			if p.steps > s.steps || p.steps == s.steps && p.later {
				s = p
			}
		}
		memo[v] = s
		return s
	}
	steps := best(to).steps
	if c.Coarse && slices.ContainsFunc(g.Edges, func(e Edge) bool {
		return e.SameTable && (e.From == from && e.To == to || e.From == to && e.To == from)
	}) {
		steps = max(steps, 0)
	}
	return steps
}
