package formal

import "github.com/goldwire/goldwire/internal/aiger"

type literal = aiger.Literal

// graph is a design after the reset, or a part of it. Assertions are its bad states, assumptions its constraints.
type graph struct{ aiger.Graph }

func newGraph(inputs, latches int) *graph {
	return &graph{aiger.Graph{Inputs: inputs, Next: make([]literal, latches)}}
}

func readGraph(name string) (*graph, error) {
	g, err := aiger.Read(name)
	if err != nil {
		return nil, err
	}
	return &graph{*g}, nil
}

// at0 returns the graph with more latches. Every latch but first is read as 0 in the first step, in which first is 0.
// Its value is 0 then anyhow; since the graph says so, an induction tries no other.
func (g *graph) at0(first literal, more int) (w *graph, read func(literal) literal) {
	w = newGraph(g.Inputs, len(g.Next)+more)
	of := make([]literal, g.Nodes())
	read = func(l literal) literal { return of[l>>1] ^ l&1 }
	for i := range of {
		switch l := literal(2 * i); {
		case i <= g.Inputs || l == first:
			of[i] = l
		case i < g.FirstAnd():
			of[i] = w.And(first, l)
		default:
			operands := g.Ands[i-g.FirstAnd()]
			of[i] = w.And(read(operands[0]), read(operands[1]))
		}
	}
	for i, l := range g.Next {
		w.Next[i] = read(l)
	}
	for _, l := range g.Bads {
		w.Bads = append(w.Bads, read(l))
	}
	for _, l := range g.Constraints {
		w.Constraints = append(w.Constraints, read(l))
	}
	return w, read
}
