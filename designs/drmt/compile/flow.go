package compile

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// exit is where both pipelines are done, as a node's successor.
const exit = -1

// node is a table or a condition of either pipeline.
type node struct {
	p4.Node
	egress bool
	// next are the distinct successors, in the order of the first way to them.
	next []int
	// actions are, by successor, the table's actions that lead there.
	actions [][]int
	// dominates: each path to those nodes passes here. postdominates: each path from those does.
	dominators, postdominators map[int]bool
}

// flow is the control flow of ingress and egress together, nodes in an order in which all edges go forward.
type flow struct{ nodes []node }

// newFlow joins the pipelines: a step that ends ingress goes to egress.
func newFlow(p *p4.Program) (*flow, error) {
	n := len(p.Ingress.Nodes)
	from := func(base int, end int) func(int) int {
		return func(x int) int {
			if x == p4.Accept {
				return end
			}
			return base + x
		}
	}
	egress := exit
	if p.Egress.First != p4.Accept {
		egress = n + p.Egress.First
	}
	var all []node
	add := func(pipe *p4.Pipeline, egress bool, to func(int) int) {
		for _, x := range pipe.Nodes {
			y := node{Node: x, egress: egress}
			for i, s := range successors(x) {
				y.next = appendNew(y.next, to(s))
				if k := slices.Index(y.next, to(s)); k == len(y.actions) {
					y.actions = append(y.actions, leading(x, i))
				} else {
					y.actions[k] = append(y.actions[k], leading(x, i)...)
				}
			}
			all = append(all, y)
		}
	}
	add(&p.Ingress, false, from(0, egress))
	add(&p.Egress, true, from(n, exit))
	first := egress
	if p.Ingress.First != p4.Accept {
		first = p.Ingress.First
	}
	order, err := topological(p.Name, all, first)
	if err != nil {
		return nil, err
	}
	f := &flow{}
	place := map[int]int{exit: exit}
	for i, x := range order {
		place[x] = i
	}
	for _, x := range order {
		y := all[x]
		y.next = nil
		for _, s := range all[x].next {
			y.next = append(y.next, place[s])
		}
		f.nodes = append(f.nodes, y)
	}
	f.dominate()
	return f, nil
}

func appendNew(list []int, x int) []int {
	for _, y := range list {
		if x == y {
			return list
		}
	}
	return append(list, x)
}

// successors of a node, by the program's numbers.
func successors(n p4.Node) []int {
	switch t := n.Table; {
	case t == nil:
		return []int{n.Condition.True, n.Condition.False}
	case t.HitOrMiss && len(t.Key) == 0: // never hit
		return []int{t.Miss}
	case t.HitOrMiss:
		return []int{t.Hit, t.Miss}
	case t.Apart && len(t.Key) == 0:
		return []int{t.Miss}
	case t.Apart:
		return append([]int{t.Miss}, t.Next...)
	case len(t.Key) == 0:
		return []int{nextOf(t, t.Default)}
	default:
		var all []int
		for i := range t.Actions {
			all = append(all, t.Next[i])
		}
		return append(all, nextOf(t, t.Default))
	}
}

// leading are the actions that lead to one of a node's successors.
func leading(n p4.Node, successor int) []int {
	t := n.Table
	if t == nil {
		return nil
	}
	miss := []int{t.Default}
	switch {
	case len(t.Key) == 0:
		return miss
	case t.HitOrMiss && successor == 0:
		return slices.Clone(t.Actions)
	case t.HitOrMiss || t.Apart && successor == 0:
		return miss
	case t.Apart:
		return []int{t.Actions[successor-1]}
	case successor < len(t.Actions):
		return []int{t.Actions[successor]}
	}
	return miss
}

// nextOf returns the successor that a table's action has.
func nextOf(t *p4.Table, action int) int {
	for i, a := range t.Actions {
		if a == action {
			return t.Next[i]
		}
	}
	return p4.Accept // no table's: then the program has been refused
}

// topological returns the nodes that can be reached, each before its successors.
func topological(program string, all []node, first int) ([]int, error) {
	const open, done = 1, 2
	state := make([]int, len(all))
	var order []int
	var visit func(int) error
	visit = func(x int) error {
		if x == exit || state[x] == done {
			return nil
		}
		if state[x] == open {
			return fmt.Errorf("%s: control flow comes back to %s", program, all[x].Name)
		}
		state[x] = open
		for i := len(all[x].next) - 1; i >= 0; i-- { // the first successor ends up in front
			if err := visit(all[x].next[i]); err != nil {
				return err
			}
		}
		state[x] = done
		order = append(order, x)
		return nil
	}
	if err := visit(first); err != nil {
		return nil, err
	}
	for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
		order[i], order[j] = order[j], order[i]
	}
	return order, nil
}

// dominate finds the nodes on every path to a node, and on every path from it.
func (f *flow) dominate() {
	n := len(f.nodes)
	before := make([][]int, n)
	for i := range f.nodes {
		for _, s := range f.nodes[i].next {
			if s != exit {
				before[s] = append(before[s], i)
			}
		}
	}
	for i := range f.nodes {
		f.nodes[i].dominators = meet(i, before[i], func(x int) map[int]bool { return f.nodes[x].dominators })
	}
	for i := n - 1; i >= 0; i-- {
		f.nodes[i].postdominators = meet(i, f.nodes[i].next, func(x int) map[int]bool {
			if x == exit {
				return nil
			}
			return f.nodes[x].postdominators
		})
	}
}

// meet returns what all neighbours have, and the node itself.
func meet(self int, neighbours []int, of func(int) map[int]bool) map[int]bool {
	m := map[int]bool{self: true}
	if len(neighbours) > 0 {
		for x := range of(neighbours[0]) {
			all := true
			for _, y := range neighbours[1:] {
				all = all && of(y)[x]
			}
			if all {
				m[x] = true
			}
		}
	}
	return m
}

// equivalent returns the first node that is run whenever this one is, and only then.
func (f *flow) equivalent(x int) int {
	for d := range x {
		if f.nodes[x].dominators[d] && f.nodes[d].postdominators[x] {
			return d
		}
	}
	return x
}

// way is one of a node's successors, by its place among them.
type way struct{ node, next int }

// deciders returns the ways that decide that a packet comes to a node: the ways that always lead to it, of nodes that
// do not. A packet comes to the node if it takes one of them.
func (f *flow) deciders(x int) (all []way) {
	for y := range x {
		if f.nodes[y].postdominators[x] {
			continue
		}
		for i, s := range f.nodes[y].next {
			if s == x || s != exit && f.nodes[s].postdominators[x] {
				all = append(all, way{y, i})
			}
		}
	}
	return all
}

// reaches tells which nodes a path leads to from a node.
func (f *flow) reaches() [][]bool {
	r := make([][]bool, len(f.nodes))
	for i := len(f.nodes) - 1; i >= 0; i-- {
		r[i] = make([]bool, len(f.nodes))
		for _, s := range f.nodes[i].next {
			if s == exit {
				continue
			}
			r[i][s] = true
			for k, ok := range r[s] {
				r[i][k] = r[i][k] || ok
			}
		}
	}
	return r
}
