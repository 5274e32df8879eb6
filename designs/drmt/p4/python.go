package p4

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// ReadPythonGraph reads a graph from a Python file as dRMT's authors publish them: two assignments of literals,
//
//	nodes = {'M1': {'type': 'match', 'key_width': 48}, 'A1': {'type': 'action', 'num_fields': 3}, ...}
//	edges = {('M1', 'A1'): {'dep_type': 'new_match_to_action', 'delay': dM}, ...}
//
// The file is read as data: only literals (dicts, lists, tuples, strings, numbers, and names, which stand for
// themselves) of assignments at the left margin are understood, everything else is passed over, nothing is executed.
// What an edge waits follows from its dep_type, as in [ReadGraph]; without one, from a delay that is dM, dA or dS.
func ReadPythonGraph(file string, r io.Reader) (*schedule.Graph, error) {
	data, err := readBounded(file, r)
	if err != nil {
		return nil, err
	}
	p := &pythonReader{file: file, text: string(data), line: 1}
	vars, err := p.assignments()
	if err != nil {
		return nil, err
	}
	nodes, ok := vars["nodes"].(pyDict)
	if !ok {
		return nil, fmt.Errorf("%s: no assignment of a dict to nodes", file)
	}
	edges, ok := vars["edges"].(pyDict)
	if !ok {
		return nil, fmt.Errorf("%s: no assignment of a dict to edges", file)
	}
	b := newGraphBuilder(file, strings.TrimSuffix(file[strings.LastIndexByte(file, '/')+1:], ".py"))
	for _, n := range nodes {
		name, ok := n.key.(string)
		attributes, ok2 := n.value.(pyDict)
		if !ok || !ok2 {
			return nil, fmt.Errorf("%s:%d: a node is NAME: {...}", file, n.line)
		}
		node := graphFileNode{
			Name: name, Type: attributes.text("type"), KeyWidth: attributes.number("key_width"),
			NumFields: attributes.number("num_fields"),
		}
		if err := b.node(node); err != nil {
			return nil, err
		}
	}
	for _, e := range edges {
		ends, ok := e.key.([]any)
		attributes, ok2 := e.value.(pyDict)
		if !ok || len(ends) != 2 || !ok2 {
			return nil, fmt.Errorf("%s:%d: an edge is (FROM, TO): {...}", file, e.line)
		}
		from, _ := ends[0].(string)
		to, _ := ends[1].(string)
		why := attributes.text("dep_type")
		delay, known := defaultDelays[why]
		if !known {
			delay, known = delaySymbols[attributes.text("delay")]
		}
		if !known {
			return nil, fmt.Errorf(
				"%s:%d: the edge from %s to %s has dep_type %q and delay %q, which have no meaning", file, e.line, from, to,
				why, attributes.text("delay"),
			)
		}
		if err := b.edge(from, to, delay, why); err != nil {
			return nil, err
		}
	}
	return b.finish()
}

// pyDict is a dict in the order of the file. Other literals are string (also for names), int, []any and nil.
type pyDict []pyItem

type pyItem struct {
	key, value any
	line       int
}

func (d pyDict) get(key string) any {
	for _, i := range d {
		if i.key == key {
			return i.value
		}
	}
	return nil
}

func (d pyDict) text(key string) string { s, _ := d.get(key).(string); return s }
func (d pyDict) number(key string) int  { n, _ := d.get(key).(int); return n }

type pythonReader struct {
	file, text string
	at, line   int
}

func (p *pythonReader) assignments() (map[string]any, error) {
	vars := map[string]any{}
	for p.at < len(p.text) {
		name := p.word()
		p.space(false)
		if name == "" || !strings.HasPrefix(p.text[p.at:], "=") || strings.HasPrefix(p.text[p.at:], "==") ||
			name != "nodes" && name != "edges" {
			p.skipLine()
			continue
		}
		p.at++
		if _, twice := vars[name]; twice {
			return nil, fmt.Errorf("%s:%d: %s is assigned twice", p.file, p.line, name)
		}
		v, err := p.literal(0)
		if err != nil {
			return nil, err
		}
		vars[name] = v
		p.skipLine()
	}
	return vars, nil
}

func (p *pythonReader) skipLine() {
	for p.at < len(p.text) && p.text[p.at] != '\n' {
		p.at++
	}
	if p.at < len(p.text) {
		p.at++
		p.line++
	}
}

// word takes a name or nothing.
func (p *pythonReader) word() string {
	start := p.at
	for p.at < len(p.text) {
		c := p.text[p.at]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9' || p.at == start) {
			break
		}
		p.at++
	}
	return p.text[start:p.at]
}

// space passes over blanks, comments, continued lines and, within brackets, ends of lines.
func (p *pythonReader) space(lines bool) {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == ' ' || c == '\t' || c == '\r':
			p.at++
		case c == '\\' && p.at+1 < len(p.text) && (p.text[p.at+1] == '\n' || p.text[p.at+1] == '\r'):
			p.at++
			p.skipLine()
		case c == '\n' && lines:
			p.at++
			p.line++
		case c == '#' && lines:
			p.skipLine()
		default:
			return
		}
	}
}

func (p *pythonReader) fail(want string) error {
	have := "the end"
	if p.at < len(p.text) {
		have = strconv.Quote(p.text[p.at:min(len(p.text), p.at+12)])
	}
	return fmt.Errorf("%s:%d: %s, expected %s", p.file, p.line, have, want)
}

func (p *pythonReader) literal(depth int) (any, error) {
	p.space(depth > 0)
	if depth > 32 {
		return nil, p.fail("at most 32 levels of brackets")
	}
	if p.at == len(p.text) {
		return nil, p.fail("a value")
	}
	switch c := p.text[p.at]; {
	case c == '{':
		return p.dict(depth)
	case c == '(' || c == '[':
		return p.list(depth)
	case c == '\'' || c == '"':
		end := strings.IndexByte(p.text[p.at+1:], c)
		if end < 0 || strings.ContainsAny(p.text[p.at+1:p.at+1+end], "\n\\") {
			return nil, p.fail("a string of one line without escapes")
		}
		s := p.text[p.at+1 : p.at+1+end]
		p.at += end + 2
		return s, nil
	case c >= '0' && c <= '9' || c == '-':
		start := p.at
		p.at++
		for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
			p.at++
		}
		n, err := strconv.Atoi(p.text[start:p.at])
		if err != nil || p.at < len(p.text) && (p.text[p.at] == '.' || p.text[p.at] == 'e') {
			p.at = start
			return nil, p.fail("an integer")
		}
		return n, nil
	}
	if w := p.word(); w != "" {
		return w, nil
	}
	return nil, p.fail("a value")
}

func (p *pythonReader) dict(depth int) (any, error) {
	d := pyDict{}
	for p.at++; ; {
		p.space(true)
		if strings.HasPrefix(p.text[p.at:], "}") {
			p.at++
			return d, nil
		}
		item := pyItem{line: p.line}
		var err error
		if item.key, err = p.literal(depth + 1); err != nil {
			return nil, err
		}
		p.space(true)
		if !strings.HasPrefix(p.text[p.at:], ":") {
			return nil, p.fail("a colon")
		}
		p.at++
		if item.value, err = p.literal(depth + 1); err != nil {
			return nil, err
		}
		d = append(d, item)
		if err := p.comma('}'); err != nil {
			return nil, err
		}
	}
}

func (p *pythonReader) list(depth int) (any, error) {
	closing := byte(')')
	if p.text[p.at] == '[' {
		closing = ']'
	}
	list := []any{}
	for p.at++; ; {
		p.space(true)
		if p.at < len(p.text) && p.text[p.at] == closing {
			p.at++
			return list, nil
		}
		v, err := p.literal(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		if err := p.comma(closing); err != nil {
			return nil, err
		}
	}
}

// comma takes a comma, or sees the closing bracket and leaves it.
func (p *pythonReader) comma(closing byte) error {
	p.space(true)
	switch {
	case p.at < len(p.text) && p.text[p.at] == ',':
		p.at++
		return nil
	case p.at < len(p.text) && p.text[p.at] == closing:
		return nil
	}
	return p.fail("a comma or " + string(closing))
}
