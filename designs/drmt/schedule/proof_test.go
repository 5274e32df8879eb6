package schedule

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// pigeons asks for places of a number of pigeons, each in a hole, most of them in one: variable 2+holes*i+j has pigeon
// i in hole j.
func pigeons(count, holes, most int) *problem {
	p := newProblem()
	in := make([][]literal, holes)
	for range count {
		var row []literal
		for j := range holes {
			v := p.variable()
			row, in[j] = append(row, v), append(in[j], v)
		}
		p.clause(row...)
	}
	for j := range holes {
		p.atMost(in[j], ones(count), most)
	}
	return p
}

// The checker takes a proof whose clauses follow, and none other: one from a possible problem, one that is right but of
// a clause that propagation does not show, one that ends too soon.
func TestCheckerRefusesWhatDoesNotFollow(t *testing.T) {
	check := func(p *problem, proof ...[]literal) error {
		ok, err := newChecker(p).check(context.Background(), proof)
		require.Equal(t, err == nil, ok)
		return err
	}
	three := pigeons(3, 2, 1) // pigeon 0 in 2 or 3, 1 in 4 or 5, 2 in 6 or 7
	require.NoError(t, check(three, []literal{-2}, []literal{}))
	require.EqualError(t, check(three), "its proof of 0 clauses has no contradiction")
	require.EqualError(t, check(three, []literal{}), "clause 1 of 1 of its proof does not follow")
	possible := pigeons(2, 2, 1)
	// it may be in the other hole
	require.EqualError(t, check(possible, []literal{2}), "clause 1 of 1 of its proof does not follow")
	require.EqualError(t, check(possible, []literal{-2, -4}, []literal{-3}), "clause 2 of 2 of its proof does not follow")
	require.EqualError(t, check(possible, []literal{-2, -4}), "its proof of 1 clauses has no contradiction")

	a, err := pigeons(5, 4, 1).solve(context.Background(), 0, nil)
	require.NoError(t, err)
	require.Nil(t, a.model)
	require.NoError(t, check(pigeons(5, 4, 1), a.proof...))
	require.Error(t, check(pigeons(5, 4, 2), a.proof...), "the proof is of another problem, which is possible")
}

// A literal is drawn as a conclusion only where its weight is more than the slack: of weights 5, 2 and 2 with a sum of
// 2 at most, the first is false, and each of the others may be true.
func TestCheckerWeighsLiterals(t *testing.T) {
	p := newProblem()
	x, y, z := p.variable(), p.variable(), p.variable()
	p.atMost([]literal{x, y, z}, []int{5, 2, 2}, 2)
	for _, l := range []literal{-y, -z, y} {
		_, err := newChecker(p).check(context.Background(), [][]literal{{l}})
		require.EqualError(t, err, "clause 1 of 1 of its proof does not follow", "%d", l)
	}
	for _, follows := range [][]literal{{-x}, {-y, -z}} {
		_, err := newChecker(p).check(context.Background(), [][]literal{follows})
		require.EqualError(t, err, "its proof of 1 clauses has no contradiction")
	}
}

// A refutation says that it is checked if it is: a proof of the right problem is, a proof that is too long is not, nor
// is one whose check is stopped, and a proof of another problem is an error.
func TestRefutationsSayWhetherTheyAreChecked(t *testing.T) {
	five := pigeons(5, 4, 1)
	a, err := five.solve(context.Background(), 0, nil)
	require.NoError(t, err)
	r, err := five.refutation(context.Background(), a)
	require.NoError(t, err)
	require.Equal(t, Refutation{By: Solver, Learned: len(a.proof), Checked: true}, r)
	_, err = pigeons(5, 4, 2).refutation(context.Background(), a)
	require.ErrorContains(t, err, "of its proof does not follow")
	long := answer{proof: make([][]literal, mostChecked+1)}
	r, err = five.refutation(context.Background(), long)
	require.NoError(t, err)
	require.Equal(t, Refutation{By: Solver, Learned: mostChecked + 1}, r)
	stopped, stop := context.WithCancel(context.Background())
	stop()
	r, err = five.refutation(stopped, a)
	require.NoError(t, err)
	require.False(t, r.Checked)
	never := newProblem()
	never.clause(no)
	r, err = never.refutation(context.Background(), answer{})
	require.NoError(t, err)
	require.Equal(t, Refutation{By: Solver, Checked: true}, r)
}

// While a solver works, it holds the lock that keeps other solvers away.
func TestASolverIsAloneWhileItWorks(t *testing.T) {
	asked := false
	_, err := pigeons(9, 8, 1).solve(context.Background(), 300, func(int) {
		asked = true
		if solving.TryLock() {
			solving.Unlock()
			t.Error("another solver could start")
		}
	})
	require.ErrorIs(t, err, errAbandoned)
	require.True(t, asked)
}

// Solvers at the same time do not disturb each other: each one answers as it does alone.
func TestSolversAtTheSameTime(t *testing.T) {
	graph := func(seed uint64) *Graph {
		return RandomGraph(Random{Nodes: 50, Edges: 150}, rand.New(rand.NewPCG(seed, 9)))
	}
	ask := func(seed uint64) string {
		g := graph(seed)
		m := newModel(g, DRMT(1).WithoutHardware())
		b := newBins(m, false, false)
		text := ""
		for p := b.enough(); p < b.enough()+3; p++ {
			x := newBinProblem(newProblem(), b, p)
			a, err := x.solve(context.Background(), 3000, nil)
			text += fmt.Sprintln(p, a.model != nil, a.learned, err, len(a.proof))
		}
		return text
	}
	var alone []string
	for seed := range uint64(6) {
		alone = append(alone, ask(seed))
	}
	together := make([]string, len(alone))
	var all sync.WaitGroup
	for i := range together {
		all.Go(func() { together[i] = ask(uint64(i)) })
	}
	all.Wait()
	require.Equal(t, alone, together)
}

// What a search gives up on is not refuted: whatever its allowance, its bounds have the least number between them.
func TestGivingUpRefutesNothing(t *testing.T) {
	open := 0
	for seed := range uint64(6) {
		g := RandomGraph(Random{Nodes: 20, Edges: 40}, rand.New(rand.NewPCG(seed, 4)))
		for ipc := 1; ipc <= 2; ipc++ {
			l := DRMT(ipc)
			whole, err := Minimize(context.Background(), g, l, Options{Clauses: 4000})
			require.NoError(t, err)
			for _, clauses := range []int{1, 20} {
				r, err := Minimize(context.Background(), g, l, Options{Clauses: clauses})
				require.NoError(t, err)
				require.LessOrEqual(t, r.Period.Low, whole.Period.High, "a schedule of that period was found")
				if r.Period.High == whole.Period.High {
					require.LessOrEqual(t, r.Length.Low, whole.Length.High, "a schedule of that length was found")
				}
				if !r.Length.Proved() {
					open++
				}
			}
		}
	}
	require.Positive(t, open, "no search gave up")
}
