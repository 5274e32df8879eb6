package formal

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
)

// alike are latches of a graph that are taken to be equal: by latch, the first one of its kind, or -1 for a latch
// that is 0.
type alike struct {
	sums  *sums
	first []int
}

// simulated returns the latches that were equal, or 0, in some steps with random inputs.
func (g *graph) simulated(steps int) *alike {
	rng, constant := rand.New(rand.NewPCG(1, 0x73756d73)), newSums(g).constants()
	values := make([]uint64, g.Nodes())
	read := func(l literal) uint64 { return values[l>>1] ^ -uint64(l&1) }
	kind := make([]int, len(g.Next)) // latches of a kind have had the same values
	for range steps {
		type key struct {
			kind  int
			value uint64
		}
		kinds := map[key]int{{0, 0}: 0}
		for i := range kind {
			k := key{kind[i], values[1+g.Inputs+i]}
			n, ok := kinds[k]
			if !ok {
				n = len(kinds)
				kinds[k] = n
			}
			kind[i] = n
		}
		for i := range g.Inputs {
			values[1+i] = rng.Uint64()
			if v, ok := constant[1+i]; ok {
				values[1+i] = -uint64(v)
			}
		}
		for i, operands := range g.Ands {
			values[g.FirstAnd()+i] = read(operands[0]) & read(operands[1])
		}
		next := make([]uint64, len(g.Next))
		for i, l := range g.Next {
			next[i] = read(l)
		}
		copy(values[1+g.Inputs:], next)
	}
	return (&alike{newSums(g), nil}).byKind(kind)
}

// byKind takes latches of the same kind to be equal, and latches of kind 0 to be 0.
func (a *alike) byKind(kind []int) *alike {
	a.first = make([]int, len(kind))
	firsts := map[int]int{0: -1}
	for i, k := range kind {
		if _, ok := firsts[k]; !ok {
			firsts[k] = i
		}
		a.first[i] = firsts[k]
	}
	return a
}

// equality is two literals that shall be equal.
type equality struct{ a, b literal }

// hold returns, for each equality, whether sums show it in all states in which the latches are alike and the
// constraints hold.
func (a *alike) hold(ctx context.Context, list []equality) []bool {
	holds := make([]bool, len(list))
	open := make([]int, len(list))
	for i := range list {
		holds[i], open[i] = true, i
	}
	s := a.sums
	fixed := s.constants()
	leaf := func(node int) (int, int32) {
		if at := node - 1 - s.graph.Inputs; at >= 0 {
			if a.first[at] < 0 {
				return 0, 0
			}
			node = 1 + s.graph.Inputs + a.first[at]
		}
		if v, ok := fixed[node]; ok {
			return v, 0
		}
		return -1, int32(node)
	}
	var split func(open []int)
	split = func(open []int) {
		s.fill(leaf)
		if slices.ContainsFunc(s.graph.Constraints, func(l literal) bool { return s.read(l) == 0 }) {
			return
		}
		var left []int
		at := 0
		for _, i := range open {
			x, y := s.read(list[i].a), s.read(list[i].b)
			if !holds[i] || x == y {
				continue
			}
			if at == 0 {
				at = s.choose(x, y)
			}
			left = append(left, i)
		}
		if len(left) == 0 {
			return
		}
		if at == 0 || s.made > mostNets || ctx.Err() != nil {
			for _, i := range left {
				holds[i] = false
			}
			return
		}
		for v := range 2 {
			fixed[at] = v
			split(left)
		}
		delete(fixed, at)
	}
	split(open)
	return holds
}

// bySums asks sums about the graph that begins after the reset.
func (s *search) bySums(ctx context.Context) (proved bool, err error) {
	g, err := readGraph(filepath.Join(s.dir, afterFile))
	if err != nil {
		return false, err
	}
	s.opt.Progress("pdr: comparing sums modulo 2")
	if first := g.second(); first != 0 {
		g, _ = g.at0(first, 0)
	}
	return g.bySums(ctx), nil
}

// bySums tells whether no bad state is reached, as far as sums show it: latches that random inputs leave alike stay
// alike in every step, and while they are alike no state is bad. All latches are 0 at first, so all are alike then.
func (g *graph) bySums(ctx context.Context) bool {
	const steps = 256
	a := g.simulated(steps)
	for {
		var list []equality
		var latch []int
		for i, f := range a.first {
			switch {
			case f < 0:
				list, latch = append(list, equality{g.Next[i], 0}), append(latch, i)
			case f < i:
				list, latch = append(list, equality{g.Next[i], g.Next[f]}), append(latch, i)
			}
		}
		holds := a.hold(ctx, list)
		if !slices.Contains(holds, false) {
			break
		}
		if a.sums.made > mostNets || ctx.Err() != nil {
			return false
		}
		// latches that are not shown to stay like the first of their kind are a kind of their own
		kind := make([]int, len(a.first))
		for i, f := range a.first {
			kind[i] = 1 + f
		}
		for k, ok := range holds {
			if !ok {
				kind[latch[k]] = 1 + len(kind) + 1 + a.first[latch[k]]
			}
		}
		a.byKind(kind)
	}
	if a.holdNot(ctx, g.Bads) {
		return true
	}
	// an output may be compared in some steps only, and latches differ in others: the step before is looked at, too
	start := &alike{newSums(g), slices.Repeat([]int{-1}, len(g.Next))}
	w := g.twice()
	return start.holdNot(ctx, g.Bads) && (&alike{newSums(w), a.first}).holdNot(ctx, w.Bads)
}

// holdNot tells whether sums show literals to be 0 in all states in which the latches are alike.
func (a *alike) holdNot(ctx context.Context, literals []literal) bool {
	var list []equality
	for _, l := range literals {
		list = append(list, equality{l, 0})
	}
	return !slices.Contains(a.hold(ctx, list), false)
}

// twice is a graph of two steps, with inputs for each. Its bad states are those after the second step's inputs.
func (g *graph) twice() *graph {
	w := newGraph(2*g.Inputs, len(g.Next))
	latch := w.Latch
	for step := range 2 {
		of := make([]literal, g.Nodes())
		read := func(l literal) literal { return of[l>>1] ^ l&1 }
		for i := range g.Inputs {
			of[1+i] = literal(2 * (1 + step*g.Inputs + i))
		}
		for i := range g.Next {
			of[1+g.Inputs+i] = latch(i)
		}
		for i, operands := range g.Ands {
			of[g.FirstAnd()+i] = w.And(read(operands[0]), read(operands[1]))
		}
		for _, l := range g.Constraints {
			w.Constraints = append(w.Constraints, read(l))
		}
		latch = func(i int) literal { return read(g.Next[i]) }
		if step == 0 {
			continue
		}
		for _, l := range g.Bads {
			w.Bads = append(w.Bads, read(l))
		}
	}
	return w
}
