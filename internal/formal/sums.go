package formal

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"path/filepath"
	"slices"
)

// Two networks of exclusive ors with many inputs and another order of them are hard for a solver: a CRC, a scrambler.
// As sums modulo 2 both are the same list of nets. sums makes each net of a graph such a list:
//
//	a ^ b ^ (c & d)    the terms a, b and the product c & d
//
// A product is a term of its own, known by the two sums that it multiplies. Nets with the same sum are equal; nets with
// other sums may be equal, too.
type sums struct {
	graph    *aigerGraph
	of       []sum          // by node
	ids      map[string]sum // of the sums' terms
	terms    [][]int32      // by id of a sum, in order; term 0 is the constant 1
	products map[[2]sum]int32
	factors  [][2]sum // by term, both 0 for a net that is no product
	made     int      // nets so far, in all rounds
}

// sum is the id of a sum. Sum 0 is the constant 0.
type sum int32

// mostTerms bounds a sum: a longer one is a product of its parts.
const mostTerms = 1 << 10

func newSums(g *aigerGraph) *sums {
	return &sums{graph: g, of: make([]sum, g.firstAnd()+len(g.ands))}
}

// fill makes the sums of all nets, where leaf says the sum of an input or latch: a constant, or the number of a term.
func (s *sums) fill(leaf func(node int) (value int, term int32)) {
	s.ids, s.products = map[string]sum{}, map[[2]sum]int32{}
	s.terms, s.factors = s.terms[:0], make([][2]sum, s.graph.firstAnd())
	s.made += len(s.of)
	s.id(nil)
	one := s.id([]int32{0})
	s.of[0] = 0
	for n := 1; n < s.graph.firstAnd(); n++ {
		switch value, term := leaf(n); value {
		case 0:
			s.of[n] = 0
		case 1:
			s.of[n] = one
		default:
			s.of[n] = s.id([]int32{term})
		}
	}
	for i, operands := range s.graph.ands {
		s.of[s.graph.firstAnd()+i] = s.and(s.read(operands[0]), s.read(operands[1]))
	}
}

// read returns a literal's sum.
func (s *sums) read(l literal) sum {
	x := s.of[l>>1]
	if l&1 == 1 {
		x = s.not(x)
	}
	return x
}

func (s *sums) id(terms []int32) sum {
	key := make([]byte, 0, 4*len(terms))
	for _, t := range terms {
		key = binary.LittleEndian.AppendUint32(key, uint32(t))
	}
	x, ok := s.ids[string(key)]
	if !ok {
		x = sum(len(s.terms))
		s.ids[string(key)] = x
		s.terms = append(s.terms, slices.Clone(terms))
	}
	return x
}

func (s *sums) not(a sum) sum { return s.add(a, 1) }

// add adds two sums: terms that both have cancel.
func (s *sums) add(a, b sum) sum {
	x, y := s.terms[a], s.terms[b]
	all := make([]int32, 0, len(x)+len(y))
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0] == y[0]:
			x, y = x[1:], y[1:]
		case x[0] < y[0]:
			all, x = append(all, x[0]), x[1:]
		default:
			all, y = append(all, y[0]), y[1:]
		}
	}
	return s.id(append(append(all, x...), y...))
}

// and multiplies two sums.
func (s *sums) and(a, b sum) sum {
	switch {
	case a == b:
		return a
	case a == 0 || b == 0 || a == s.not(b):
		return 0
	case a == 1:
		return b
	case b == 1:
		return a
	}
	// !(c & d) & !(!c & !d) is c ^ d, which a graph of ands has no other way to say
	if c, d, ok := s.factorsOf(s.not(a)); ok {
		if e, f, ok := s.factorsOf(s.not(b)); ok && len(s.terms[c])+len(s.terms[d]) <= mostTerms &&
			(e == s.not(c) && f == s.not(d) || e == s.not(d) && f == s.not(c)) {
			return s.add(c, d)
		}
	}
	return s.product(a, b)
}

// product is the sum whose only term is a product.
func (s *sums) product(a, b sum) sum {
	if a > b {
		a, b = b, a
	}
	term, ok := s.products[[2]sum{a, b}]
	if !ok {
		term = int32(len(s.factors))
		s.products[[2]sum{a, b}] = term
		s.factors = append(s.factors, [2]sum{a, b})
	}
	return s.id([]int32{term})
}

// factorsOf returns the factors of a sum that is a product.
func (s *sums) factorsOf(a sum) (c, d sum, ok bool) {
	terms := s.terms[a]
	if len(terms) != 1 || terms[0] == 0 {
		return 0, 0, false
	}
	f := s.factors[terms[0]]
	return f[0], f[1], f != [2]sum{}
}

// mostSupport is how many inputs and latches a factor may have whose values are tried one by one.
const mostSupport = 12

// support returns the inputs and latches that a sum depends on, nil if there are more than mostSupport.
func (s *sums) support(a sum, known map[sum][]int32) []int32 {
	if list, ok := known[a]; ok {
		return list
	}
	list := []int32{}
	for _, t := range s.terms[a] {
		more := []int32{t}
		switch f := s.factors[t]; {
		case t == 0:
			continue
		case f != [2]sum{}:
			x, y := s.support(f[0], known), s.support(f[1], known)
			if more = nil; x != nil && y != nil {
				more = append(slices.Clone(x), y...)
			}
		}
		if more == nil {
			list = nil
			break
		}
		list = append(list, more...)
		slices.Sort(list)
		if list = slices.Compact(list); len(list) > mostSupport {
			list = nil
			break
		}
	}
	known[a] = list
	return list
}

// mostLooks bounds the products that choose looks at.
const mostLooks = 1 << 10

// choose returns the input or latch of whose values two sums that differ depend most: it decides, alone or with few
// others, whether products of both count. It returns 0 if there is none.
func (s *sums) choose(a, b sum) int {
	known, seen := map[sum][]int32{}, map[int32]bool{}
	weight := map[int32]float64{}
	var products []int32
	look := func(a sum) {
		for _, t := range s.terms[a] {
			if s.factors[t] != [2]sum{} && !seen[t] && len(products) < mostLooks {
				seen[t] = true
				products = append(products, t)
			}
		}
	}
	look(s.add(a, b))
	for i := 0; i < len(products); i++ {
		f := s.factors[products[i]]
		least := s.support(f[0], known)
		if other := s.support(f[1], known); least == nil || other != nil && len(other) < len(least) {
			least = other
		}
		for _, t := range least {
			weight[t] += 1 / float64(len(least))
		}
		look(f[0])
		look(f[1])
	}
	best := int32(0)
	for t, w := range weight {
		if w > weight[best] || w == weight[best] && t < best {
			best = t
		}
	}
	return int(best)
}

// alike are latches of a graph that are taken to be equal: by latch, the first one of its kind, or -1 for a latch
// that is 0.
type alike struct {
	sums  *sums
	first []int
}

// mostNets bounds the sums that are made: some seconds.
const mostNets = 4_000_000

// constants returns the inputs and latches that constraints make constant, by node: a constraint that is a product of
// them does.
func (s *sums) constants() map[int]int {
	constant := map[int]int{}
	if len(s.graph.constraints) == 0 {
		return constant
	}
	s.fill(func(node int) (int, int32) { return -1, int32(node) })
	var look func(a sum)
	look = func(a sum) {
		if c, d, ok := s.factorsOf(a); ok {
			look(c)
			look(d)
			return
		}
		terms := s.terms[a]
		if value := 2 - len(terms); len(terms) > 0 && value == int(min(terms[0], 1)) { // x, or 1 ^ x
			if n := int(terms[len(terms)-1]); n > 0 {
				constant[n] = value
			}
		}
	}
	for _, l := range s.graph.constraints {
		look(s.read(l))
	}
	return constant
}

// simulated returns the latches that were equal, or 0, in some steps with random inputs.
func (g *aigerGraph) simulated(steps int) *alike {
	rng, constant := rand.New(rand.NewPCG(1, 0x73756d73)), newSums(g).constants()
	values := make([]uint64, g.firstAnd()+len(g.ands))
	read := func(l literal) uint64 { return values[l>>1] ^ -uint64(l&1) }
	kind := make([]int, len(g.next)) // latches of a kind have had the same values
	for range steps {
		type key struct {
			kind  int
			value uint64
		}
		kinds := map[key]int{{0, 0}: 0}
		for i := range kind {
			k := key{kind[i], values[1+g.inputs+i]}
			n, ok := kinds[k]
			if !ok {
				n = len(kinds)
				kinds[k] = n
			}
			kind[i] = n
		}
		for i := range g.inputs {
			values[1+i] = rng.Uint64()
			if v, ok := constant[1+i]; ok {
				values[1+i] = -uint64(v)
			}
		}
		for i, operands := range g.ands {
			values[g.firstAnd()+i] = read(operands[0]) & read(operands[1])
		}
		next := make([]uint64, len(g.next))
		for i, l := range g.next {
			next[i] = read(l)
		}
		copy(values[1+g.inputs:], next)
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
		if at := node - 1 - s.graph.inputs; at >= 0 {
			if a.first[at] < 0 {
				return 0, 0
			}
			node = 1 + s.graph.inputs + a.first[at]
		}
		if v, ok := fixed[node]; ok {
			return v, 0
		}
		return -1, int32(node)
	}
	var split func(open []int)
	split = func(open []int) {
		s.fill(leaf)
		if slices.ContainsFunc(s.graph.constraints, func(l literal) bool { return s.read(l) == 0 }) {
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
	g, err := readAIGER(filepath.Join(s.dir, afterFile))
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
func (g *aigerGraph) bySums(ctx context.Context) bool {
	const steps = 256
	a := g.simulated(steps)
	for {
		var list []equality
		var latch []int
		for i, f := range a.first {
			switch {
			case f < 0:
				list, latch = append(list, equality{g.next[i], 0}), append(latch, i)
			case f < i:
				list, latch = append(list, equality{g.next[i], g.next[f]}), append(latch, i)
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
	if a.holdNot(ctx, g.bads) {
		return true
	}
	// an output may be compared in some steps only, and latches differ in others: the step before is looked at, too
	start := &alike{newSums(g), slices.Repeat([]int{-1}, len(g.next))}
	w := g.twice()
	return start.holdNot(ctx, g.bads) && (&alike{newSums(w), a.first}).holdNot(ctx, w.bads)
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
func (g *aigerGraph) twice() *aigerGraph {
	w := &aigerGraph{inputs: 2 * g.inputs, next: make([]literal, len(g.next)), known: map[[2]literal]literal{}}
	latch := w.latch
	for step := range 2 {
		of := make([]literal, g.firstAnd()+len(g.ands))
		read := func(l literal) literal { return of[l>>1] ^ l&1 }
		for i := range g.inputs {
			of[1+i] = literal(2 * (1 + step*g.inputs + i))
		}
		for i := range g.next {
			of[1+g.inputs+i] = latch(i)
		}
		for i, operands := range g.ands {
			of[g.firstAnd()+i] = w.and(read(operands[0]), read(operands[1]))
		}
		for _, l := range g.constraints {
			w.constraints = append(w.constraints, read(l))
		}
		latch = func(i int) literal { return read(g.next[i]) }
		if step == 0 {
			continue
		}
		for _, l := range g.bads {
			w.bads = append(w.bads, read(l))
		}
	}
	return w
}
