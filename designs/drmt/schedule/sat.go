package schedule

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/crillab/gophersat/solver"
)

// Solver names the exact solver in refutations.
const Solver = "gophersat v1.4.0"

// errAbandoned is returned by solve when its context ends first.
var errAbandoned = errors.New("abandoned")

// literal is a variable, counted from 1, or its negation; yes and no are the constants.
type literal int

const (
	yes literal = 1
	no  literal = -1
)

// problem is a pseudo-Boolean problem in the making. Variable 1 is true. Constraints that hold anyway are left out: the
// solver does not expect them.
type problem struct {
	variables int
	list      []solver.PBConstr
	// impossible is set by a constraint that cannot hold.
	impossible bool
}

func newProblem() *problem {
	p := &problem{variables: 1}
	p.list = append(p.list, solver.PropClause(int(yes)))
	return p
}

func (p *problem) variable() literal {
	p.variables++
	return literal(p.variables)
}

// clause asks that one of the literals be true.
func (p *problem) clause(lits ...literal) {
	var c []int
	for _, l := range lits {
		switch l {
		case yes:
			return
		case no:
		default:
			c = append(c, int(l))
		}
	}
	if len(c) == 0 {
		p.impossible = true
		return
	}
	p.list = append(p.list, solver.PropClause(c...))
}

// atMost asks that the weights of the true literals add up to the limit or less.
func (p *problem) atMost(lits []literal, weights []int, limit int) {
	var c, w []int
	sum, alike := 0, true
	for i, l := range lits {
		switch {
		case l == no || weights[i] == 0:
		case l == yes:
			limit -= weights[i]
		default:
			c, w = append(c, -int(l)), append(w, weights[i])
			sum += weights[i]
			alike = alike && weights[i] == w[0]
		}
	}
	if limit < 0 {
		p.impossible = true
		return
	}
	if sum <= limit {
		return
	}
	for i, x := range w {
		if x > limit { // too large alone
			p.clause(literal(c[i]))
		}
	}
	if alike {
		p.list = append(p.list, solver.AtLeast(c, len(c)-limit/w[0]))
		return
	}
	p.list = append(p.list, solver.GtEq(c, w, sum-limit))
}

// answer is what a solver says.
type answer struct {
	// model has the values of the variables; nil if there are none.
	model []bool
	// proof is all clauses it learned, in order. A refutation ends with the empty clause.
	proof [][]literal
	// learned is how many it learned, also where it gave up.
	learned int
}

// solving is held by the one solver at work in this process: version 1.4.0 learns clauses in a buffer that all solvers
// share (bufLits in learn.go), so two at a time spoil each other's and then refute solvable questions.
var solving sync.Mutex

// solve asks the solver. It gives up with errAbandoned when it has learned budget clauses (0: never) or when the
// context ends. learned is told now and then how many it has learned.
//
// The solver cannot be stopped from outside; but it hands every clause it learns to a channel, and sending to one that
// is closed panics there, in the solver's own goroutine, where that is caught. So it is gone within a moment, with all
// its memory.
func (p *problem) solve(ctx context.Context, budget int, learned func(int)) (answer, error) {
	if p.impossible {
		return answer{}, nil
	}
	solving.Lock()
	defer solving.Unlock()
	if ctx.Err() != nil {
		return answer{}, errAbandoned
	}
	clauses, done := make(chan string), make(chan struct{})
	var result answer
	var failed error
	go func() {
		defer close(done)
		defer func() {
			if x := recover(); x != nil {
				failed = fmt.Errorf("%s: %v", Solver, x)
			}
		}()
		list := slices.Clone(p.list)
		for i := range list {
			list[i].Weights = slices.Clone(list[i].Weights) // the solver sorts them in place
		}
		s := solver.New(solver.ParsePBConstrs(list))
		s.Certified, s.CertChan = true, clauses
		if s.Solve() == solver.Sat {
			result.model = s.Model()
		}
	}()
	var proof [][]literal
	for {
		select {
		case line := <-clauses:
			proof = append(proof, readClause(line))
		case <-done:
			result.proof, result.learned = proof, len(proof)
			return result, failed
		case <-ctx.Done():
			budget = -1
		}
		n := len(proof)
		if learned != nil && n%256 == 0 {
			learned(n)
		}
		if budget < 0 || budget > 0 && n >= budget {
			close(clauses)
			<-done
			return answer{learned: n}, errAbandoned
		}
	}
}

// readClause reads a line of the solver's certificate, literals and a 0.
func readClause(line string) []literal {
	var c []literal
	for word := range strings.FieldsSeq(line) {
		if n, err := strconv.Atoi(word); err == nil && n != 0 {
			c = append(c, literal(n))
		}
	}
	return c
}

// ordered returns literals for a number from low to high: element i says that it is i or more. There are count+1 of
// them.
func (p *problem) ordered(count, low, high int) []literal {
	row := make([]literal, count+1)
	for i := range row {
		switch {
		case i <= low:
			row[i] = yes
		case i > high:
			row[i] = no
		default:
			row[i] = p.variable()
			p.clause(-row[i], row[i-1])
		}
	}
	return row
}

// within returns a literal that is true if an ordered number is i.
func (p *problem) within(row []literal, i int) literal {
	here, later := row[i], row[i+1]
	switch {
	case here == no || later == yes:
		return no
	case later == no:
		return here
	case here == yes:
		return -later
	}
	x := p.variable()
	p.clause(-here, later, x)
	p.clause(-x, here)
	p.clause(-x, -later)
	return x
}

// position reads an ordered number off a solution.
func position(model []bool, row []literal) int {
	i := 0
	for i+1 < len(row) && value(model, row[i+1]) {
		i++
	}
	return i
}

// value reads a literal off a solution. The solver knows the variables up to the last one that stands in a constraint;
// those after it are free, and taken as false.
func value(model []bool, l literal) bool {
	if l < 0 {
		return !value(model, -l)
	}
	return l == yes || int(l) <= len(model) && model[l-1]
}
