package schedule

import (
	"fmt"
	"strings"
)

// Kind is what an operation is.
type Kind uint8

const (
	// Match is a table search: a key goes to memory, a result comes back the match latency later.
	Match Kind = iota + 1
	// Action modifies fields of the packet header vector. It is a table's action, or one that needs no match (a default
	// action).
	Action
	// Condition evaluates a predicate. It takes an ALU for each comparison and is subject to everything an action is
	// (§4.2).
	Condition
)

var kindNames = [...]string{Match: "match", Action: "action", Condition: "condition"}

func (k Kind) String() string {
	if k < Match || k > Condition {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return kindNames[k]
}

// Node is an operation.
type Node struct {
	// Name is unique in its graph.
	Name string
	Kind Kind
	// KeyBits is the key width of a match in bits, at least 1; 0 for other operations.
	KeyBits int
	// Fields is how many fields of the header vector the operation writes, which is how many ALUs it takes: 0 or more for
	// an action, at least 1 for a condition (1 in the authors' graphs), 0 for a match.
	Fields int
}

// Delay is how much later than its origin the end of an edge may start, at the earliest.
type Delay uint8

const (
	// AfterMatch waits the match latency: for a match's result.
	AfterMatch Delay = iota + 1
	// AfterAction waits the action latency: for fields that an action or a condition writes.
	AfterAction
	// NotBefore lets both start in the same cycle: a write must not overtake a read of the old value (reverse read), and a
	// write that is committed by a predicate must not overtake the predicate (successor).
	NotBefore
)

var delayNames = [...]string{AfterMatch: "match latency", AfterAction: "action latency", NotBefore: "no latency"}

func (d Delay) String() string {
	if d < AfterMatch || d > NotBefore {
		return fmt.Sprintf("Delay(%d)", uint8(d))
	}
	return delayNames[d]
}

// Edge is a dependency between two nodes, given by their indices.
type Edge struct {
	From, To int
	Delay    Delay
	// SameTable joins the match and the action of one table: RMT's stages keep them together (§4.1), and the match's
	// result has the instruction pointer of the action (§5.1). The delay is AfterMatch, the end an action.
	SameTable bool
	// Why is the dependency's name in the input, for messages: "rmt_match".
	Why string
}

// Graph is an operation dependency graph (§3.1). Nodes and edges keep the order of the input, so that everything that
// follows from a graph and a seed is reproducible.
type Graph struct {
	Name  string
	Nodes []Node
	Edges []Edge
}

// Bounds of a graph. widest is of key bits and fields, so that sums of them stay small; mostNodes is for the search,
// which keeps the distance of every two operations twice: 512 MB for that many. The paper's largest program has 328.
const (
	widest    = 1 << 20
	mostNodes = 1 << 13
)

// Check reports the first thing that is wrong with the graph, naming the node or edge: a missing or repeated name, a
// width or a number of fields that does not fit the kind, an edge to a node that is not there, a match latency that
// does not start at a match, or a cycle, which it spells out.
func (g *Graph) Check() error {
	if len(g.Nodes) == 0 {
		return fmt.Errorf("graph %s: no operations", g.Name)
	}
	if len(g.Nodes) > mostNodes {
		return fmt.Errorf("graph %s: %d operations, at most %d are accepted", g.Name, len(g.Nodes), mostNodes)
	}
	names := map[string]bool{}
	for _, n := range g.Nodes {
		switch {
		case n.Name == "":
			return fmt.Errorf("graph %s: an operation without a name", g.Name)
		case names[n.Name]:
			return fmt.Errorf("graph %s: operation %s is there twice", g.Name, n.Name)
		case n.Kind < Match || n.Kind > Condition:
			return fmt.Errorf("graph %s: operation %s is neither match, action nor condition", g.Name, n.Name)
		case n.KeyBits > widest || n.Fields > widest:
			return fmt.Errorf(
				"graph %s: operation %s has a key of %d bits and writes %d fields, expected at most %d", g.Name, n.Name,
				n.KeyBits, n.Fields, widest,
			)
		case n.Kind == Match && (n.KeyBits < 1 || n.Fields != 0):
			return fmt.Errorf(
				"graph %s: match %s has a key of %d bits and writes %d fields, expected at least 1 bit and no field",
				g.Name, n.Name, n.KeyBits, n.Fields,
			)
		case n.Kind != Match && n.KeyBits != 0:
			return fmt.Errorf("graph %s: %s %s has a key of %d bits, expected none", g.Name, n.Kind, n.Name, n.KeyBits)
		case n.Kind == Action && n.Fields < 0, n.Kind == Condition && n.Fields < 1:
			return fmt.Errorf("graph %s: %s %s writes %d fields", g.Name, n.Kind, n.Name, n.Fields)
		}
		names[n.Name] = true
	}
	for _, e := range g.Edges {
		if e.From < 0 || e.From >= len(g.Nodes) || e.To < 0 || e.To >= len(g.Nodes) {
			return fmt.Errorf("graph %s: an edge from operation %d to %d, of %d operations", g.Name, e.From, e.To, len(g.Nodes))
		}
		from, to := g.Nodes[e.From], g.Nodes[e.To]
		switch {
		case e.Delay < AfterMatch || e.Delay > NotBefore:
			return fmt.Errorf("graph %s: the edge from %s to %s has no delay", g.Name, from.Name, to.Name)
		case e.Delay == AfterMatch && from.Kind != Match:
			return fmt.Errorf(
				"graph %s: the edge from %s to %s waits for a match's result, but %s is a %s", g.Name, from.Name, to.Name,
				from.Name, from.Kind,
			)
		case e.SameTable && (e.Delay != AfterMatch || to.Kind != Action):
			return fmt.Errorf("graph %s: %s and %s are no match and action of one table", g.Name, from.Name, to.Name)
		case e.Delay == AfterAction && from.Kind == Match:
			return fmt.Errorf(
				"graph %s: the edge from %s to %s waits for an action, but %s is a match", g.Name, from.Name, to.Name,
				from.Name,
			)
		}
	}
	if cycle := g.cycle(); cycle != nil {
		var path []string
		for _, v := range cycle {
			path = append(path, g.Nodes[v].Name)
		}
		if len(path) > 8 {
			path = append(append(path[:4:4], "..."), path[len(path)-3:]...)
		}
		return fmt.Errorf("graph %s: operations depend on each other: %s", g.Name, strings.Join(path, " -> "))
	}
	return nil
}

// cycle returns a closed path, its first node repeated at the end, or nil.
func (g *Graph) cycle() []int {
	const unseen, open, done = 0, 1, 2
	out := g.successors()
	state := make([]int, len(g.Nodes))
	var path []int
	var visit func(v int) []int
	visit = func(v int) []int {
		state[v] = open
		path = append(path, v)
		for _, e := range out[v] {
			w := g.Edges[e].To
			if state[w] == open {
				i := len(path) - 1
				for path[i] != w {
					i--
				}
				return append(path[i:], w)
			}
			if state[w] == unseen {
				if found := visit(w); found != nil {
					return found
				}
			}
		}
		path = path[:len(path)-1]
		state[v] = done
		return nil
	}
	for v := range g.Nodes {
		if state[v] == unseen {
			if found := visit(v); found != nil {
				return found
			}
		}
	}
	return nil
}

// successors returns, for each node, the indices of its edges out.
func (g *Graph) successors() [][]int {
	at := make([][]int, len(g.Nodes))
	for i, e := range g.Edges {
		at[e.From] = append(at[e.From], i)
	}
	return at
}

// order returns the nodes in a topological order, the first of equals first.
func (g *Graph) order() []int {
	missing := make([]int, len(g.Nodes))
	for _, e := range g.Edges {
		missing[e.To]++
	}
	out := g.successors()
	var order []int
	for v := range g.Nodes {
		if missing[v] == 0 {
			order = append(order, v)
		}
	}
	for i := 0; i < len(order); i++ {
		for _, e := range out[order[i]] {
			w := g.Edges[e].To
			if missing[w]--; missing[w] == 0 {
				order = append(order, w)
			}
		}
	}
	return order
}

// matched reports, for each node, whether it is the action of a table with a match. Which of the table's actions it is
// comes with the match's result, as an instruction pointer; other actions and all conditions are the same for every
// packet (§5.1).
func (g *Graph) matched() []bool {
	matched := make([]bool, len(g.Nodes))
	for _, e := range g.Edges {
		if e.SameTable {
			matched[e.To] = true
		}
	}
	return matched
}
