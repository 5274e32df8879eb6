package schedule

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Three matches of eight key segments do not fit into two bins. Each rule of the checker is broken alone: a certificate
// that rests on such a lemma, or that counts such operations, is refused, whatever the rest of it proves.
func TestEachRuleOfACertificateIsChecked(t *testing.T) {
	g := &Graph{Name: "g"}
	for _, n := range []string{"M0", "M1", "M2", "late"} {
		g.Nodes = append(g.Nodes, Node{Name: n, Kind: Match, KeyBits: 640})
	}
	g.Nodes = append(g.Nodes, Node{Name: "A", Kind: Action, Fields: 1}, Node{Name: "own", Kind: Action, Fields: 1})
	const late, a, own = 3, 4, 5
	g.Edges = []Edge{
		{From: 0, To: late, Delay: AfterAction}, {From: a, To: late, Delay: AfterAction},
		{From: late, To: own, Delay: AfterMatch, SameTable: true},
	}
	l := DRMT(1)
	whole := Certificate{Bins: 2, First: 0, Last: 1, Match: true, Inside: []int{0, 1, 2}}
	right := Lemma{Op: late, Set: []int{0}, Gap: 1, Bins: 1}
	for _, c := range []struct {
		name   string
		want   string
		change func(*Certificate)
	}{
		{"as it is", "", func(*Certificate) {}},
		{"with a lemma", "", func(c *Certificate) { c.Lemmas = []Lemma{right} }},
		{
			"by a lemma that is not proved", "lemma 0: M0 is known to have 0 bins, not 1",
			func(c *Certificate) { c.Lemmas = []Lemma{{Op: late, Set: []int{0}, From: 1, Gap: 1, Bins: 2}} },
		},
		{
			"both kinds", "lemma 0: operations of both kinds",
			func(c *Certificate) { c.Lemmas = []Lemma{{Op: late, Set: []int{0, a}}} },
		},
		{
			"too far apart", "lemma 0: M0 and late are 1 bins apart, not 2",
			func(c *Certificate) { c.Lemmas = []Lemma{{Op: late, Set: []int{0}, Gap: 2, Bins: 2}} },
		},
		{
			"too many bins", "lemma 0: 2 bins, expected at most 1",
			func(c *Certificate) { c.Lemmas = []Lemma{{Op: late, Set: []int{0}, Gap: 1, Bins: 2}} },
		},
		{"nothing", "lemma 0: no operations", func(c *Certificate) { c.Lemmas = []Lemma{{Op: late}} }},
		{
			"a table's stage", "lemma 0: own and late are -",
			func(c *Certificate) { c.Pipeline, c.Lemmas = true, []Lemma{{Op: late, Set: []int{own}}} },
		},
		{
			"a coarse table's stage", "",
			func(c *Certificate) {
				c.Pipeline, c.Coarse, c.Lemmas = true, true, []Lemma{{Op: late, Set: []int{own}}}
			},
		},
		{"as much as fits", "the operations fit into the bins from 0 to 1", func(c *Certificate) {
			c.Inside = []int{0, 1}
		}},
		{"nobody", "the operations fit into the bins from 1 to 0", func(c *Certificate) {
			c.First, c.Last, c.Inside = 1, 0, nil
		}},
		{"not before", "M0 need not be in the bins from 1 to 1", func(c *Certificate) { c.First = 1 }},
		{"not after", "M0 need not be in the bins from 0 to 0", func(c *Certificate) { c.Last = 0 }},
		{"an action", "A need not be in the bins from 0 to 1", func(c *Certificate) { c.Inside = []int{a, 0, 1, 2} }},
	} {
		x := whole
		c.change(&x)
		if err := x.Check(g, l); c.want != "" {
			require.ErrorContains(t, err, c.want, c.name)
		} else {
			require.NoError(t, err, c.name)
		}
	}
}

// A period that is refuted raises the bound only if no smaller one is open.
func TestARefutedPeriodAboveAnOpenOne(t *testing.T) {
	s := &search{}
	s.result.Period = Bound{Low: 3}
	s.refutedPeriod(5, Refutation{By: Solver})
	require.Equal(t, Bound{Low: 3}, s.result.Period)
	s.refutedPeriod(3, Refutation{By: Solver})
	require.Equal(t, 4, s.result.Period.Low)
}
