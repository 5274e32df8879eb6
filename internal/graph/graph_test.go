package graph_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/internal/graph"
)

// In a graph without circles, whose nodes need only smaller ones, each comes once, after the nodes that it needs.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		needs := make([][]int, rapid.IntRange(1, 20).Draw(t, "nodes"))
		var nodes []int
		for i := range needs {
			nodes = append(nodes, i)
			if i > 0 {
				needs[i] = rapid.SliceOfN(rapid.IntRange(0, i-1), 0, 4).Draw(t, "needs")
			}
		}
		nodes = rapid.Permutation(nodes).Draw(t, "nodes in any order")
		order := graph.Order(nodes, func(n int) []int { return needs[n] }, func([]int) { t.Fatal("a circle") })
		require.ElementsMatch(t, nodes, order)
		for at, n := range order {
			for _, m := range needs[n] {
				require.Less(t, slices.Index(order, m), at)
			}
		}
	})
}

func TestCircle(t *testing.T) {
	needs := map[string][]string{"a": {"b"}, "b": {"c"}, "c": {"d", "b"}, "e": {"e"}}
	var circles [][]string
	order := graph.Order([]string{"a", "e"}, func(n string) []string { return needs[n] },
		func(c []string) { circles = append(circles, slices.Clone(c)) })
	require.Equal(t, [][]string{{"b", "c"}, {"e"}}, circles)
	require.Equal(t, []string{"d", "c", "b", "a", "e"}, order)
}

// Two numbers are in one group if and only if a path of joins leads from one to the other.
func TestGroups(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "numbers")
		g := graph.NewGroups(n)
		reach := make([][]bool, n)
		for i := range reach {
			reach[i] = make([]bool, n)
			reach[i][i] = true
		}
		for range rapid.IntRange(0, 12).Draw(t, "joins") {
			i, j := rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(0, n-1).Draw(t, "j")
			g.Join(i, j)
			reach[i][j], reach[j][i] = true, true
		}
		for via := range n { // Warshall
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][via] && reach[via][j]
				}
			}
		}
		for i := range n {
			require.Equal(t, slices.Index(reach[i], true), g.First(i))
		}
	})
}
