package p4

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/goldwire/goldwire/designs/drmt/schedule"
	"github.com/goldwire/goldwire/internal/input"
)

// maxGraphFile bounds what ReadGraph and ReadPythonGraph read; the largest of the authors' files has a quarter of a
// megabyte.
const maxGraphFile = 16 << 20

// graphFile is the JSON form of an operation dependency graph:
//
//	{"program": "toy",
//	 "delay_rule": {"new_match_to_action": "dM", "needs_fields": "dA", "reverse_read": "dS"},
//	 "condition_cost_fields": 1,
//	 "nodes": [{"name": "M1", "type": "match", "key_width": 48},
//	           {"name": "A1", "type": "action", "num_fields": 3},
//	           {"name": "c", "type": "condition"}],
//	 "edges": [{"from": "M1", "to": "A1", "dep_type": "new_match_to_action"}]}
//
// key_width is in bits; num_fields is how many fields an action writes, or how many comparisons a condition has (0
// stands for 1); condition_cost_fields, if it is there, must be 1. delay_rule says what each dep_type waits: dM the
// match latency, dA the action latency, dS nothing. Without delay_rule the names are in [defaultDelays]. The edge from
// a table's match to its own action has dep_type new_match_to_action. source, which may say where the graph came from,
// is not read. Unknown members are refused.
type graphFile struct {
	Program       string            `json:"program"`
	Source        string            `json:"source,omitempty"`
	DelayRule     map[string]string `json:"delay_rule,omitempty"`
	ConditionCost *int              `json:"condition_cost_fields,omitempty"`
	Nodes         []graphFileNode   `json:"nodes"`
	Edges         []graphFileEdge   `json:"edges"`
}

type graphFileNode struct {
	Name      string `json:"name"`
	Type      string `json:"type"`
	KeyWidth  int    `json:"key_width,omitempty"`
	NumFields int    `json:"num_fields,omitempty"`
}

type graphFileEdge struct {
	From    string `json:"from"`
	To      string `json:"to"`
	DepType string `json:"dep_type"`
}

// matchToAction is the dependency of a table's action on its own match; any other dep_type joins different tables.
const matchToAction = "new_match_to_action"

// defaultDelays are the dependencies' names in the authors' graphs and in graphs that Program.Graph derives.
var defaultDelays = map[string]schedule.Delay{
	matchToAction: schedule.AfterMatch,
	"new_successor_conditional_on_table_result_action_type": schedule.AfterMatch,
	"rmt_match":        schedule.AfterAction,
	"rmt_action":       schedule.AfterAction,
	"rmt_reverse_read": schedule.NotBefore,
	"rmt_successor":    schedule.NotBefore,
}

var delaySymbols = map[string]schedule.Delay{
	"dM": schedule.AfterMatch, "dA": schedule.AfterAction, "dS": schedule.NotBefore,
}

// ReadGraph reads a graph in the JSON form. file is for messages. The graph has passed its Check.
func ReadGraph(file string, r io.Reader) (g *schedule.Graph, err error) {
	defer func() { err = input.OneLine(err) }()
	data, err := readBounded(file, r)
	if err != nil {
		return nil, err
	}
	var f graphFile
	if err := decodeStrict(file, data, &f); err != nil {
		return nil, err
	}
	delays := defaultDelays
	if f.DelayRule != nil {
		delays = map[string]schedule.Delay{}
		for name, symbol := range f.DelayRule {
			d, ok := delaySymbols[symbol]
			if !ok {
				return nil, fmt.Errorf("%s: delay_rule of %q is %q, expected dM, dA or dS", file, name, symbol)
			}
			delays[name] = d
		}
	}
	if f.ConditionCost != nil && *f.ConditionCost != 1 {
		return nil, fmt.Errorf(
			"%s: condition_cost_fields is %d, expected 1: a condition takes one ALU", file, *f.ConditionCost,
		)
	}
	b := newGraphBuilder(file, f.Program)
	for _, n := range f.Nodes {
		if err := b.node(n); err != nil {
			return nil, err
		}
	}
	for _, e := range f.Edges {
		d, ok := delays[e.DepType]
		if !ok {
			return nil, fmt.Errorf(
				"%s: the edge from %s to %s has dep_type %q, which has no delay", file, e.From, e.To, e.DepType,
			)
		}
		if err := b.edge(e.From, e.To, d, e.DepType); err != nil {
			return nil, err
		}
	}
	return b.finish()
}

// WriteGraph writes a graph in the JSON form, each Why as its dep_type. It fails if one Why stands for two delays.
func WriteGraph(w io.Writer, g *schedule.Graph) error {
	symbols := map[schedule.Delay]string{}
	for symbol, d := range delaySymbols {
		symbols[d] = symbol
	}
	one := 1
	f := graphFile{Program: g.Name, DelayRule: map[string]string{}, ConditionCost: &one}
	for _, n := range g.Nodes {
		node := graphFileNode{Name: n.Name, Type: n.Kind.String(), KeyWidth: n.KeyBits}
		if n.Kind != schedule.Match {
			node.NumFields = n.Fields
		}
		f.Nodes = append(f.Nodes, node)
	}
	for _, e := range g.Edges {
		if had := f.DelayRule[e.Why]; had != "" && had != symbols[e.Delay] {
			return fmt.Errorf("graph %s: dependency %q waits %s and %s", g.Name, e.Why, had, symbols[e.Delay])
		}
		f.DelayRule[e.Why] = symbols[e.Delay]
		f.Edges = append(f.Edges, graphFileEdge{From: g.Nodes[e.From].Name, To: g.Nodes[e.To].Name, DepType: e.Why})
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(f)
}

// graphBuilder puts a graph together from names.
type graphBuilder struct {
	file  string
	graph *schedule.Graph
	index map[string]int
}

func newGraphBuilder(file, name string) *graphBuilder {
	if name == "" {
		name = file
	}
	return &graphBuilder{file, &schedule.Graph{Name: name}, map[string]int{}}
}

func (b *graphBuilder) node(n graphFileNode) error {
	node := schedule.Node{Name: n.Name}
	switch n.Type {
	case "match":
		node.Kind, node.KeyBits = schedule.Match, n.KeyWidth
	case "action":
		node.Kind, node.Fields = schedule.Action, n.NumFields
	case "condition":
		node.Kind, node.Fields = schedule.Condition, max(1, n.NumFields)
	default:
		return fmt.Errorf("%s: node %q is a %q, expected match, action or condition", b.file, n.Name, n.Type)
	}
	if _, twice := b.index[n.Name]; twice {
		return fmt.Errorf("%s: node %q is there twice", b.file, n.Name)
	}
	b.index[n.Name] = len(b.graph.Nodes)
	b.graph.Nodes = append(b.graph.Nodes, node)
	return nil
}

func (b *graphBuilder) edge(from, to string, d schedule.Delay, why string) error {
	f, ok := b.index[from]
	t, ok2 := b.index[to]
	if !ok || !ok2 {
		missing := from
		if ok {
			missing = to
		}
		return fmt.Errorf("%s: the edge from %s to %s: there is no node %q", b.file, from, to, missing)
	}
	b.graph.Edges = append(
		b.graph.Edges, schedule.Edge{From: f, To: t, Delay: d, Why: why, SameTable: why == matchToAction},
	)
	return nil
}

func (b *graphBuilder) finish() (*schedule.Graph, error) {
	if err := b.graph.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", b.file, err)
	}
	return b.graph, nil
}

func readBounded(file string, r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxGraphFile+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(data) > maxGraphFile {
		return nil, fmt.Errorf("%s: more than %d bytes", file, maxGraphFile)
	}
	return data, nil
}

// decodeStrict decodes one JSON value without unknown members and names the line of an error.
func decodeStrict(file string, data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	err := dec.Decode(into)
	if err == nil {
		if _, more := dec.Token(); more != io.EOF {
			return fmt.Errorf("%s:%d: more text after the end", file, lineAt(data, dec.InputOffset()))
		}
		return nil
	}
	return fmt.Errorf("%s:%d: %s", file, lineAt(data, dec.InputOffset()), strings.TrimPrefix(err.Error(), "json: "))
}

func lineAt(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(int64(len(data)), offset)], []byte("\n"))
}
