package formal

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func (g *graph) xor(a, b literal) literal {
	return g.And(g.And(a, b).Not(), g.And(a.Not(), b.Not()).Not())
}

func (g *graph) choice(on, a, b literal) literal {
	return g.And(g.And(on, a).Not(), g.And(on.Not(), b).Not()).Not()
}

// reaches tells whether inputs lead from the first state, in which all latches are 0, to a bad one. It tries all.
func (g *graph) reaches() bool {
	seen, open := map[int]bool{0: true}, []int{0}
	values := make([]int, g.Nodes())
	read := func(l literal) int { return values[l>>1] ^ int(l&1) }
	for len(open) > 0 {
		state := open[0]
		open = open[1:]
		for in := range 1 << g.Inputs {
			for i := range g.Inputs {
				values[1+i] = in >> i & 1
			}
			for i := range g.Next {
				values[1+g.Inputs+i] = state >> i & 1
			}
			for i, operands := range g.Ands {
				values[g.FirstAnd()+i] = read(operands[0]) & read(operands[1])
			}
			if slices.ContainsFunc(g.Constraints, func(l literal) bool { return read(l) == 0 }) {
				continue
			}
			for _, bad := range g.Bads {
				if read(bad) == 1 {
					return true
				}
			}
			next := 0
			for i, l := range g.Next {
				next |= read(l) << i
			}
			if !seen[next] {
				seen[next] = true
				open = append(open, next)
			}
		}
	}
	return false
}

// twoForms is a random circuit of four inputs and three latches, and a second form of it:
//
//	next = on ? a ^ b ^ (c & d) : e ^ f      next = e ^ f ^ (on & (f ^ (c & d) ^ b ^ e ^ a))
//
// A bad state has latches that differ. A fault, if there is one, leaves out a term of the second form.
func twoForms(rng *rand.Rand, fault bool) *graph {
	const inputs, latches = 4, 3
	g := newGraph(inputs, 2*latches)
	// a net of each form: an input, or the form's own latch
	net := func() (a, b literal) {
		n := rng.IntN(inputs + latches)
		a, b = literal(2*(1+n)), literal(2*(1+n))
		if n >= inputs {
			b += 2 * latches
		}
		inverted := literal(rng.IntN(2))
		return a ^ inverted, b ^ inverted
	}
	lost := -1
	if fault {
		lost = rng.IntN(latches)
	}
	for i := range latches {
		var first [2]literal
		var terms, shared []literal // of the second form
		for k := range first {
			for range 1 + rng.IntN(4) {
				a, b := net()
				if rng.IntN(3) == 0 {
					c, d := net()
					a, b = g.And(a, c), g.And(b, d)
				}
				first[k] = g.xor(first[k], a)
				if terms = append(terms, b); k == 0 {
					shared = append(shared, b)
				}
			}
		}
		a1, b1 := net()
		a2, b2 := net()
		on, other := g.And(a1, a2), g.And(b1, b2)
		g.Next[i] = g.choice(on, first[1], first[0])
		if i == lost {
			terms = terms[1:]
		}
		sum := func(list []literal) (x literal) {
			rng.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
			for _, l := range list {
				x = g.xor(l, x)
			}
			return x
		}
		g.Next[latches+i] = g.xor(sum(shared), g.And(other, sum(terms)))
	}
	for i := range latches {
		g.Bads = append(g.Bads, g.xor(g.Latch(i), g.Latch(latches+i)))
	}
	return g
}

// Sums show two forms of a circuit to be equal, and never say so of forms that differ: all inputs are tried beside.
func TestSumsOfTwoForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	differ, same := 0, 0
	for n := range 2000 {
		g := twoForms(rng, n%2 == 1)
		switch bad := g.reaches(); {
		case bad:
			differ++
			require.False(t, g.bySums(t.Context()), "round %d: a bad state is reached", n)
		case n%2 == 0:
			same++
			require.True(t, g.bySums(t.Context()), "round %d", n)
		}
	}
	require.Greater(t, differ, 500)
	require.Equal(t, 1000, same)
}

// Of random circuits sums show some to have no bad state, and none that has.
func TestSumsOfRandomCircuits(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	proved, bad := 0, 0
	for n := range 20_000 {
		g := newGraph(2, 4)
		any := func() literal { return literal(rng.IntN(2 * (g.Nodes()))) }
		for range 4 + rng.IntN(24) {
			g.And(any(), any())
		}
		for i := range g.Next {
			g.Next[i] = any()
		}
		g.Bads = []literal{g.And(any(), any())}
		for range rng.IntN(3) {
			g.Constraints = append(g.Constraints, any())
		}
		reached := g.reaches()
		if reached {
			bad++
		}
		if g.bySums(t.Context()) {
			proved++
			require.False(t, reached, "round %d", n)
		}
	}
	require.Greater(t, proved, 3000)
	require.Greater(t, bad, 3000)
}

// What random inputs do not show is not taken for granted: a latch that one input word of 2^24 sets, alone or beside
// one that it does not set.
func TestSumsOfARareInput(t *testing.T) {
	for _, beside := range []bool{false, true} {
		g := newGraph(24, 2)
		rare := literal(1)
		for i := range g.Inputs {
			rare = g.And(rare, literal(2*(1+i)))
		}
		g.Next[0] = g.And(g.Latch(0).Not(), rare.Not()).Not()
		if beside { // both follow an input, but for the rare word
			g.Next[0] = g.xor(literal(2), rare)
			g.Next[1] = literal(2)
		}
		g.Bads = []literal{g.xor(g.Latch(0), g.Latch(1))}
		require.False(t, g.bySums(t.Context()))
	}
}

// Products that two forms share are one term: forty inputs in pairs, whose values are too many to be tried.
func TestSumsOfProducts(t *testing.T) {
	g := newGraph(1, 80)
	for form := range 2 {
		sum := literal(0)
		for i := range 40 {
			if form == 1 {
				i = 39 - i
			}
			sum = g.xor(sum, g.And(g.Latch(40*form+i), g.Latch(40*form+(i+1)%40)))
		}
		for i := range 40 {
			next := g.Latch(40*form + (i+39)%40)
			if i == 0 {
				next = g.xor(literal(2), sum)
			}
			g.Next[40*form+i] = next
		}
	}
	for i := range 40 {
		g.Bads = append(g.Bads, g.xor(g.Latch(i), g.Latch(40+i)))
	}
	require.True(t, g.bySums(t.Context()))
}

// A serial CRC and its table of sums, of 0 to 4 bytes a cycle, are equal; with one coefficient changed they are not.
// Each bit is a sum of some forty, and which, four inputs decide.
func TestSumsOfACRC(t *testing.T) {
	for _, wrong := range []bool{false, true} {
		g := newGraph(32+3, 64)
		in := func(i int) literal { return literal(2 * (1 + i)) }
		bytes := func(n int) literal { // whether n bytes come
			x := literal(1)
			for i := range 3 {
				x = g.And(x, in(32+i)^literal(1^n>>i&1))
			}
			return x
		}
		more := [4]literal{}
		for i := range more {
			x := literal(0)
			for n := i + 1; n < 8; n++ {
				x = g.choice(bytes(n), 1, x)
			}
			more[i] = x
		}
		step := func(c []literal, bit literal, polynomial uint32) []literal {
			top := g.xor(c[0], bit)
			next := make([]literal, 32)
			for k := range next {
				if k < 31 {
					next[k] = c[k+1]
				}
				if polynomial>>k&1 == 1 {
					next[k] = g.xor(next[k], top)
				}
			}
			return next
		}
		serial, table := make([]literal, 32), make([]literal, 32)
		for k := range 32 {
			serial[k] = g.Latch(k)
		}
		ways := [5][]literal{}
		for i := range 32 {
			next := step(serial, in(i), 0xedb88320)
			for k := range next {
				serial[k] = g.choice(more[i/8], next[k], serial[k])
			}
		}
		for n := range ways { // each sum from its end
			for k := range 32 {
				terms := map[int]bool{}
				for basis := range 64 {
					c := uint32(0)
					if basis < 32 {
						c = 1 << basis
					}
					for i := range 8 * n {
						bit := uint32(0)
						if basis == 32+i {
							bit = 1
						}
						low := c&1 ^ bit
						if c >>= 1; low == 1 {
							c ^= 0xedb88320
						}
					}
					terms[basis] = c>>k&1 == 1
				}
				if wrong && n == 4 && k == 9 {
					terms[40] = !terms[40]
				}
				sum := literal(0)
				for basis := 63; basis >= 0; basis-- {
					switch {
					case !terms[basis]:
					case basis < 32:
						sum = g.xor(sum, g.Latch(32+basis))
					default:
						sum = g.xor(sum, in(basis-32))
					}
				}
				ways[n] = append(ways[n], sum)
			}
		}
		for k := range 32 {
			table[k] = ways[4][k]
			for n := range 4 {
				table[k] = g.choice(bytes(n), ways[n][k], table[k])
			}
			g.Next[k], g.Next[32+k] = serial[k].Not(), table[k].Not()
			g.Bads = append(g.Bads, g.xor(g.Latch(k), g.Latch(32+k)))
		}
		require.Equal(t, !wrong, g.bySums(t.Context()))
	}
}
