package formal

import (
	"encoding/binary"
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
	graph    *graph
	of       []sum          // by node
	ids      map[string]sum // of the sums' terms
	terms    [][]int32      // by id of a sum, in order; term 0 is the constant 1
	products map[[2]sum]int32
	factors  [][2]sum // by term, both 0 for a net that is no product
	made     int      // nets so far, in all rounds
}

// sum is the id of a sum. Sum 0 is the constant 0, sum 1 the constant 1.
type sum int32

// mostNets bounds the sums that are made: some seconds.
const mostNets = 4_000_000

// mostTerms bounds a sum: a longer one is a product of its parts.
const mostTerms = 1 << 10

func newSums(g *graph) *sums {
	return &sums{graph: g, of: make([]sum, g.Nodes())}
}

// fill makes the sums of all nets, where leaf says the sum of an input or latch: a constant, or the number of a term.
func (s *sums) fill(leaf func(node int) (value int, term int32)) {
	s.ids, s.products = map[string]sum{}, map[[2]sum]int32{}
	s.terms, s.factors = s.terms[:0], make([][2]sum, s.graph.FirstAnd())
	s.made += len(s.of)
	s.id(nil)
	s.id([]int32{0})
	s.of[0] = 0
	for n := 1; n < s.graph.FirstAnd(); n++ {
		switch value, term := leaf(n); value {
		case 0, 1:
			s.of[n] = sum(value)
		default:
			s.of[n] = s.id([]int32{term})
		}
	}
	for i, operands := range s.graph.Ands {
		s.of[s.graph.FirstAnd()+i] = s.and(s.read(operands[0]), s.read(operands[1]))
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

// constants returns the inputs and latches that constraints make constant, by node: a constraint that is a product of
// them does.
func (s *sums) constants() map[int]int {
	constant := map[int]int{}
	if len(s.graph.Constraints) == 0 {
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
	for _, l := range s.graph.Constraints {
		look(s.read(l))
	}
	return constant
}
