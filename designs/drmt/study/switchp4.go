package study

import (
	_ "embed" // switchp4.txt
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// switchFacts is what the operations of switch.p4 take and how they depend on each other; its head says how to read it.
//
//go:embed switchp4.txt
var switchFacts string

// switchPipelines are switch.p4's pipelines by the names of Tables 2 and 3. Combined is one processor's program for
// both.
var switchPipelines = []string{"ingress", "egress", "combined"}

// switchGraphs returns the graph of each pipeline.
var switchGraphs = sync.OnceValues(func() (map[string]*schedule.Graph, error) {
	graphs := map[string]*schedule.Graph{}
	combined := &schedule.Graph{Name: "switch_combined"}
	for _, part := range strings.Split(switchFacts, "\npipeline ")[1:] {
		name, lines, _ := strings.Cut(part, "\n")
		g, err := readFacts(name, lines)
		if err != nil {
			return nil, err
		}
		graphs[name] = g
		base := len(combined.Nodes)
		for _, n := range g.Nodes {
			n.Name = name + "_" + n.Name
			combined.Nodes = append(combined.Nodes, n)
		}
		for _, e := range g.Edges {
			e.From, e.To = e.From+base, e.To+base
			combined.Edges = append(combined.Edges, e)
		}
	}
	graphs["combined"] = combined
	return graphs, combined.Check()
})

// readFacts reads a pipeline's lines.
func readFacts(pipeline, lines string) (*schedule.Graph, error) {
	g := &schedule.Graph{Name: "switch_" + pipeline}
	index := map[string]int{}
	type dependency struct {
		from, to string
		edge     schedule.Edge
	}
	var all []dependency
	for line := range strings.Lines(lines) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		name, words := words[0], words[1:]
		n, err := factNode(name, &words)
		if err != nil {
			return nil, fmt.Errorf("switch.p4's %s: %q: %w", pipeline, strings.TrimSpace(line), err)
		}
		index[name] = len(g.Nodes)
		g.Nodes = append(g.Nodes, n)
		if n.Kind == schedule.Action {
			all = append(
				all,
				dependency{
					"M" + name[1:], name,
					schedule.Edge{Delay: schedule.AfterMatch, SameTable: true, Why: "own table's match"},
				},
			)
		}
		var e schedule.Edge
		for _, w := range words {
			if i := slices.Index(factDelays, w); i >= 0 {
				e = schedule.Edge{Delay: schedule.AfterMatch + schedule.Delay(i), Why: w}
				continue
			}
			all = append(all, dependency{w, name, e})
		}
	}
	for _, d := range all {
		from, ok := index[d.from]
		switch {
		case ok:
			d.edge.From, d.edge.To = from, index[d.to]
			g.Edges = append(g.Edges, d.edge)
		case !d.edge.SameTable: // an action may be of a table without a key
			return nil, fmt.Errorf("switch.p4's %s: %s follows %s, which is not there", pipeline, d.to, d.from)
		}
	}
	return g, g.Check()
}

// factDelays are the words for dependencies, in the order of schedule.AfterMatch, AfterAction, NotBefore.
var factDelays = []string{"result", "after", "with"}

// factNode reads an operation's name and size, and takes the size from words.
func factNode(name string, words *[]string) (schedule.Node, error) {
	size := 1
	if len(*words) > 0 {
		if n, err := strconv.Atoi((*words)[0]); err == nil {
			size, *words = n, (*words)[1:]
		}
	}
	switch name[0] {
	case 'M':
		return schedule.Node{Name: "table" + name[1:] + "_MATCH", Kind: schedule.Match, KeyBits: size}, nil
	case 'A':
		return schedule.Node{Name: "table" + name[1:] + "_ACTION", Kind: schedule.Action, Fields: size}, nil
	case 'C':
		return schedule.Node{Name: "condition" + name[1:], Kind: schedule.Condition, Fields: size}, nil
	}
	return schedule.Node{}, fmt.Errorf("expected M, A or C and a number")
}
