package schedule

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Random describes random graphs by the recipe of §4.2.
type Random struct {
	// Nodes of the random graph; split ones make two operations.
	Nodes int
	// Edges is how many there are on average before nodes are split: an edge from node i to a later one exists with the
	// probability that makes it so.
	Edges float64
}

// Figure6 is the paper's choice.
var Figure6 = Random{Nodes: 100, Edges: 500}

// RandomGraph draws a graph. A node with successors is a default action with probability 0.15, a condition with 0.25, a
// match with its action with 0.6; one without, a default action with 0.15, a match with its action with 0.85. An action
// writes a geometric number of fields of mean 4, cut to 1 to 32; a key has a geometric number of bits of mean 106, cut
// to 80 to 640. An edge into a split node ends at its match, an edge out of it starts at its action, and waits the
// action latency.
func RandomGraph(r Random, rng *rand.Rand) *Graph {
	pairs := float64(r.Nodes) * float64(r.Nodes-1) / 2
	next := make([][]int, r.Nodes)
	for i := range r.Nodes {
		for j := i + 1; j < r.Nodes; j++ {
			if rng.Float64() < r.Edges/pairs {
				next[i] = append(next[i], j)
			}
		}
	}
	g := &Graph{Name: "random"}
	first, last := make([]int, r.Nodes), make([]int, r.Nodes) // the operations an edge ends and starts at
	add := func(kind Kind, name string, bits, fields int) int {
		g.Nodes = append(g.Nodes, Node{Name: name, Kind: kind, KeyBits: bits, Fields: fields})
		return len(g.Nodes) - 1
	}
	for i := range r.Nodes {
		x := rng.Float64()
		switch {
		case x < 0.15:
			first[i] = add(Action, fmt.Sprintf("default%d", i), 0, geometric(rng, 4, 1, 32))
			last[i] = first[i]
		case x < 0.4 && len(next[i]) > 0:
			first[i] = add(Condition, fmt.Sprintf("condition%d", i), 0, 1)
			last[i] = first[i]
		default:
			first[i] = add(Match, fmt.Sprintf("table%d_MATCH", i), geometric(rng, 106, 80, 640), 0)
			last[i] = add(Action, fmt.Sprintf("table%d_ACTION", i), 0, geometric(rng, 4, 1, 32))
			g.Edges = append(
				g.Edges, Edge{From: first[i], To: last[i], Delay: AfterMatch, SameTable: true, Why: "new_match_to_action"},
			)
		}
	}
	for i := range r.Nodes {
		for _, j := range next[i] {
			g.Edges = append(g.Edges, Edge{From: last[i], To: first[j], Delay: AfterAction, Why: "rmt_match"})
		}
	}
	return g
}

// geometric draws from 1, 2, 3, ... with the given mean and cuts the result.
func geometric(rng *rand.Rand, mean float64, low, high int) int {
	x := math.Floor(math.Log(1-rng.Float64())/math.Log(1-1/mean)) + 1
	return int(max(float64(low), min(float64(high), x)))
}
