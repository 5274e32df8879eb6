// Package graph answers two questions that elaboration asks of a graph: in which order do the nodes come, and which
// nodes are connected.
package graph

import "slices"

// Order returns the nodes and all nodes that they need, directly or not, each after the nodes that it needs. It calls
// circle with each circle of needs that it meets, and ignores the need that closes it.
func Order[N comparable](nodes []N, needs func(N) []N, circle func([]N)) []N {
	var order, open []N
	met := map[N]bool{}
	var visit func(N)
	visit = func(n N) {
		if met[n] {
			if at := slices.Index(open, n); at >= 0 {
				circle(open[at:])
			}
			return
		}
		met[n] = true
		open = append(open, n)
		for _, m := range needs(n) {
			visit(m)
		}
		open = open[:len(open)-1]
		order = append(order, n)
	}
	for _, n := range nodes {
		visit(n)
	}
	return order
}

// groups are the numbers from 0 to n-1 in groups, each at first of its own.
type groups struct{ towards []int } // a smaller member of the group; the number itself if it is the first

// NewGroups returns n groups of one member.
func NewGroups(n int) *groups {
	g := &groups{make([]int, n)}
	for i := range g.towards {
		g.towards[i] = i
	}
	return g
}

// First returns the smallest member of a number's group.
func (g *groups) First(i int) int {
	for g.towards[i] != i {
		g.towards[i] = g.towards[g.towards[i]]
		i = g.towards[i]
	}
	return i
}

// Join makes the groups of two numbers one.
func (g *groups) Join(i, j int) {
	a, b := g.First(i), g.First(j)
	g.towards[max(a, b)] = min(a, b)
}
