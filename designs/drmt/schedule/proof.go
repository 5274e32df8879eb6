package schedule

import (
	"context"
	"fmt"
)

// mostChecked is how long a solver's proof may be to be checked: the checker does without the solver's forgetting, so
// it slows down.
const mostChecked = 20000

// refutation turns an answer without a model into a Refutation, with its proof checked if that is not too long.
func (p *problem) refutation(ctx context.Context, a answer) (Refutation, error) {
	r := Refutation{By: Solver, Learned: len(a.proof)}
	if p.impossible || len(a.proof) > mostChecked {
		r.Checked = p.impossible
		return r, nil
	}
	ok, err := newChecker(p).check(ctx, a.proof)
	if err != nil {
		return r, fmt.Errorf("%s: %w", Solver, err)
	}
	r.Checked = ok
	return r, nil
}

// checker derives a solver's clauses again, by reverse unit propagation: with all literals of a clause false, the
// constraints and the clauses before it must run into a contradiction by propagation alone. It keeps for each
// constraint the weight that is not false yet minus the required weight, its slack: below 0 it is contradicted, and a
// literal that weighs more than it must be true.
type checker struct {
	value []int8 // of each variable: 1, -1, 0 unknown
	trail []literal
	// Constraints: their literals and weights, and their slack.
	lits    [][]literal
	weights [][]int
	slack   []int
	heavy   []int     // the greatest weight
	in      [][]entry // by literal: where it counts
	done    int       // of the trail
}

type entry struct{ constraint, weight int }

func newChecker(p *problem) *checker {
	c := &checker{value: make([]int8, p.variables+1), in: make([][]entry, 2*(p.variables+1))}
	for _, x := range p.list {
		lits := make([]literal, len(x.Lits))
		weights := make([]int, len(x.Lits))
		for i, l := range x.Lits {
			lits[i], weights[i] = literal(l), 1
			if x.Weights != nil {
				weights[i] = x.Weights[i]
			}
		}
		c.add(lits, weights, x.AtLeast)
	}
	return c
}

func side(l literal) int {
	if l < 0 {
		return -2*int(l) + 1
	}
	return 2 * int(l)
}

// add adds a constraint: the weights of the true literals reach at least that.
func (c *checker) add(lits []literal, weights []int, atLeast int) {
	slack, heavy := -atLeast, 0
	for i, l := range lits {
		c.in[side(l)] = append(c.in[side(l)], entry{len(c.lits), weights[i]})
		heavy = max(heavy, weights[i])
		if !c.isFalse(l) {
			slack += weights[i]
		}
	}
	c.lits, c.weights = append(c.lits, lits), append(c.weights, weights)
	c.slack, c.heavy = append(c.slack, slack), append(c.heavy, heavy)
}

func (c *checker) isFalse(l literal) bool {
	if l < 0 {
		return c.value[-l] == 1
	}
	return c.value[l] == -1
}

// assume makes a literal true; it reports false if it is false.
func (c *checker) assume(l literal) bool {
	if c.isFalse(l) {
		return false
	}
	v, sign := l, int8(1)
	if l < 0 {
		v, sign = -l, -1
	}
	if c.value[v] == 0 {
		c.value[v] = sign
		c.trail = append(c.trail, l)
		for _, e := range c.in[side(-l)] {
			c.slack[e.constraint] -= e.weight
		}
	}
	return true
}

// propagate draws conclusions until there are none, and reports false at a contradiction.
func (c *checker) propagate() bool {
	for ; c.done < len(c.trail); c.done++ {
		for _, e := range c.in[side(-c.trail[c.done])] {
			if !c.conclude(e.constraint) {
				return false
			}
		}
	}
	return true
}

func (c *checker) conclude(i int) bool {
	if c.slack[i] < 0 {
		return false
	}
	if c.slack[i] >= c.heavy[i] {
		return true
	}
	for j, l := range c.lits[i] {
		if c.weights[i][j] > c.slack[i] && !c.isFalse(l) {
			c.assume(l)
		}
	}
	return true
}

func (c *checker) undo(to int) {
	for i := len(c.trail) - 1; i >= to; i-- {
		l := c.trail[i]
		c.value[max(l, -l)] = 0
		for _, e := range c.in[side(-l)] {
			c.slack[e.constraint] += e.weight
		}
	}
	c.trail = c.trail[:to]
	c.done = to
}

// check reports whether the clauses follow one from another and end in a contradiction. It reports false without an
// error if the context ends first.
func (c *checker) check(ctx context.Context, proof [][]literal) (bool, error) {
	for i := range c.lits {
		if !c.conclude(i) {
			return true, nil
		}
	}
	if !c.propagate() {
		return true, nil
	}
	for n, clause := range proof {
		if ctx.Err() != nil {
			return false, nil
		}
		base := len(c.trail)
		contradiction := false
		for _, l := range clause {
			if !c.assume(-l) {
				contradiction = true
				break
			}
		}
		if !contradiction && c.propagate() {
			return false, fmt.Errorf("clause %d of %d of its proof does not follow", n+1, len(proof))
		}
		c.undo(base)
		weights := ones(len(clause))
		c.add(clause, weights, 1)
		if !c.conclude(len(c.lits)-1) || !c.propagate() {
			return true, nil
		}
	}
	return false, fmt.Errorf("its proof of %d clauses has no contradiction", len(proof))
}
