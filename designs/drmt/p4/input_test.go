package p4_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

func TestBadPrograms(t *testing.T) {
	data, err := os.ReadFile("programs/l2l3.json")
	require.NoError(t, err)
	for _, c := range []struct{ name, old, new, want string }{
		{"unsupported primitive", `"op": "mark_to_drop"`, `"op": "drop_on_tuesdays"`,
			`bad.json: action MyIngress.drop: primitive "drop_on_tuesdays" is not supported`},
		{"field that is not there", `"dstAddr"`, `"dstaddr"`,
			`bad.json: action MyIngress.route: assign: there is no field ethernet.dstAddr`},
		{"registers", `"register_arrays": []`, `"register_arrays": [{}]`,
			`bad.json: register_array "": no name, or one that is there twice`},
		{"great registers", `"register_arrays": []`, `"register_arrays": [{"name": "r", "size": 16777217, "bitwidth": 8}]`,
			`bad.json: register_array r: 16777217 elements, expected 0 to 16777216`},
		{"externs", `"extern_instances": []`, `"extern_instances": [{"name": "x", "type": "y"}]`,
			`bad.json: extern x of type y is not supported`},
		{"version", "\"version\": [\n   2", "\"version\": [\n   3", `bad.json: version 3 of the format, expected 2`},
		{"not JSON", `{`, `[`, `bad.json:1: `},
		{"match type", `"match_type": "lpm"`, `"match_type": "best"`,
			`bad.json: ingress: table MyIngress.ipv4_lpm: a key of match type "best" is not supported, expected exact, lpm, ` +
				`ternary, range or valid`},
		{"odd header", `"totalLen",
     16`, `"totalLen",
     15`, `bad.json: header ipv4: 159 bits, expected a whole number of bytes`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(string(data), c.old, c.new, 1)
			require.NotEqual(t, string(data), text)
			_, err := p4.ParseBMv2("bad.json", strings.NewReader(text))
			require.Error(t, err)
			require.NotContains(t, err.Error(), "\n")
			require.Contains(t, err.Error(), c.want)
		})
	}
}

// A checksum over an input of any width would be a run without an end, and one of a constant that is too long would be
// computed of 0.
func TestBadChecksums(t *testing.T) {
	data, err := os.ReadFile("programs/l2l3.json")
	require.NoError(t, err)
	const first = `"input": [`
	require.Equal(t, 1, strings.Count(string(data), first))
	with := func(input string) (*p4.Program, error) {
		return p4.ParseBMv2("bad.json", strings.NewReader(strings.Replace(string(data), first, first+input+",", 1)))
	}
	for width, want := range map[string]string{"1000000000000000": "1000000000000000", "-8": "-8", "0": "0",
		"65537": "65537"} {
		_, err = with(`{"type": "hexstr", "value": "0x1", "bitwidth": ` + width + `}`)
		require.ErrorContains(t, err, "an input has a bitwidth of "+want+", expected 1 to 65536")
	}
	p, err := with(`{"type": "hexstr", "value": "0x123456789abcdef0123", "bitwidth": 80}`)
	require.NoError(t, err)
	require.Equal(t, "0x123456789abcdef0123", fmt.Sprintf("%#x", p.Checksums[0].Input[0].Number))
}

// Nesting that is deeper than any program's is refused at once.
func TestDeepNesting(t *testing.T) {
	data, err := os.ReadFile("programs/l2l3.json")
	require.NoError(t, err)
	deep := strings.Repeat(
		`{"type": "expression", "value": {"op": "not", "left": null, "right": `,
		4000,
	) + `{"type": "bool", "value": true}` + strings.Repeat(
		"}}", 4000,
	)
	text := strings.Replace(string(data), `"if_cond": null`, `"if_cond": `+deep, 1)
	if text == string(data) {
		text = strings.Replace(string(data), `"input": [`, `"input": [`+deep+`,`, 1)
	}
	_, err = p4.ParseBMv2("bad.json", strings.NewReader(text))
	require.ErrorContains(t, err, "an expression of more than 64 levels")
	_, err = p4.ParseBMv2("bad.json", strings.NewReader(strings.Repeat("[", 1<<20)))
	require.Error(t, err)
	_, err = p4.ReadPythonGraph("g.py", strings.NewReader("nodes = "+strings.Repeat("[", 1<<20)))
	require.ErrorContains(t, err, "at most 32 levels of brackets")
}

// Whatever is cut off, the error is one line.
func TestTruncatedPrograms(t *testing.T) {
	data, err := os.ReadFile("programs/l2l3.json")
	require.NoError(t, err)
	whole := len(bytes.TrimSpace(data))
	for n := 0; n < whole; n += 1 + whole/97 {
		_, err := p4.ParseBMv2("cut.json", bytes.NewReader(data[:n]))
		require.Error(t, err, "%d bytes", n)
		require.Regexp(t, `^cut\.json[^\n]*$`, err.Error())
	}
}

// Control flow that comes back is found, whatever the node.
func TestProgramThatComesBack(t *testing.T) {
	data, err := os.ReadFile("programs/l2l3.json")
	require.NoError(t, err)
	var f map[string]any
	require.NoError(t, json.Unmarshal(data, &f))
	tables := f["pipelines"].([]any)[0].(map[string]any)["tables"].([]any)
	next := tables[3].(map[string]any)["next_tables"].(map[string]any) // nexthop
	for k := range next {
		next[k] = "MyIngress.my_mac"
	}
	text, err := json.Marshal(f)
	require.NoError(t, err)
	_, err = p4.ParseBMv2("bad.json", bytes.NewReader(text))
	require.ErrorContains(t, err, "can come back to itself")
}

func TestBadEntries(t *testing.T) {
	p, err := p4.Load("l2l3")
	require.NoError(t, err)
	for text, want := range map[string]string{
		"table_add nowhere route 1 => 2 3":  `e:1: there is no table nowhere`,
		"\ntable_add nexthop rout 1 => 2 3": `e:2: table MyIngress.nexthop has no action rout`,
		"table_add nexthop route 1 => 512 3": `e:1: parameter port: "512", expected a number of 9 bits, an ` +
			`Ethernet or an IP address`,
		"table_add ipv4_lpm set_nexthop 10.0.0.0 => 1":   `e:1: field ipv4.dstAddr: "10.0.0.0", expected VALUE/LENGTH`,
		"table_add ipv4_lpm set_nexthop 1.2.3.4/33 => 1": `e:1: field ipv4.dstAddr: a prefix of "33" bits, expected 0 to 32`,
		"table_add nexthop": `e:1: "table_add nexthop", expected table_add with table ` +
			`and action`,
		"\n" + strings.Repeat("\x00", 70_000): `e:2: a line of more than 65536 bytes`,

		"table_del nexthop 1": `e:1: "table_del nexthop 1", expected table_add or table_set_default with table and action`,
	} {
		_, _, err := p4.ReadEntries("e", strings.NewReader(text), p)
		require.EqualError(t, err, want)
	}
}

// What simple_switch_CLI can and nothing here does is refused by its name and line, not passed over.
func TestBadCommands(t *testing.T) {
	p, err := p4.Load("l2l3")
	require.NoError(t, err)
	for text, want := range map[string]string{
		"table_delete nexthop 0":               `e:1: the command table_delete of simple_switch_CLI is not supported`,
		"\nset_crc16_parameters c 1 2 3 0 0":   `e:2: the command set_crc16_parameters of simple_switch_CLI is not supported`,
		"mirroring_remove 1":                   `e:1: there is no command "mirroring_remove"`,
		"mirroring_add 1":                      `e:1: mirroring_add takes at least 2 words, not 1`,
		"mc_node_create 1 2 | 3":               `e:1: a list of link aggregation groups is not supported`,
		"mc_node_associate 1 0":                `e:1: there is no multicast group 1, or no node 0`,
		"register_write r 0 1":                 `e:1: there is no register_array r`,
		"meter_set_rates m 0 1:1":              `e:1: there is no meter_array m`,
		"act_prof_create_group g":              `e:1: there is no action profile g`,
		"pvs_add s 1":                          `e:1: there is no value set s`,
		"table_indirect_add nexthop 1 => 0 1":  `e:1: 2 words after =>, expected one member or group`,
		"mc_mgrp_create 1\nmc_mgrp_create two": `e:2: "two", expected a number from 0`,
		"mc_mgrp_create 1\nmc_mgrp_create 2\nmc_node_create 1 2\nmc_node_associate 1 0\n" +
			"mc_node_associate 2 0": `e:5: node 0 is in a group already, and a node has one at most`,
	} {
		_, err := p4.ReadConfiguration("e", strings.NewReader(text), p)
		require.EqualError(t, err, want)
	}
}

// A line that is too long is named.
func TestLongLineOfEntries(t *testing.T) {
	p, err := p4.Load("l2l3")
	require.NoError(t, err)
	_, _, err = p4.ReadEntries("e", strings.NewReader("\n# one\n"+strings.Repeat("x", 1<<20)), p)
	require.ErrorContains(t, err, "e:3: ")
}

const graphText = `{"nodes": [{"name": "a", "type": "action", "num_fields": 1}, {"name": "m", "type": "match", "key_width": 20}, {"name": "c", "type": "condition"}],
 "edges": [{"from": "a", "to": "m", "dep_type": "rmt_match"}, {"from": "m", "to": "c", "dep_type": "new_successor_conditional_on_table_result_action_type"}]}`

func TestGraphForms(t *testing.T) {
	g, err := p4.ReadGraph("g.json", strings.NewReader(graphText))
	require.NoError(t, err)
	require.Equal(
		t,
		[]schedule.Node{
			{Name: "a", Kind: schedule.Action, Fields: 1}, {Name: "m", Kind: schedule.Match, KeyBits: 20},
			{Name: "c", Kind: schedule.Condition, Fields: 1},
		},
		g.Nodes,
	)
	require.Equal(t, schedule.AfterAction, g.Edges[0].Delay)
	require.Equal(t, schedule.AfterMatch, g.Edges[1].Delay)

	var b bytes.Buffer
	require.NoError(t, p4.WriteGraph(&b, g))
	again, err := p4.ReadGraph("g.json", &b)
	require.NoError(t, err)
	require.Equal(t, g, again)

	python, err := p4.ReadPythonGraph("g.py", strings.NewReader(`from somewhere import *   # not executed
nodes = {\
  'a' : {'type': 'action', 'num_fields': 1},
  "m" : {'type': "match", 'key_width': 20,},  # a comment
  'c' : {'type': 'condition', 'conditions': [('x', 1), None]},
}
edges = { ('a', 'm'): {'delay': dA, 'dep_type': 'rmt_match'},
  ('m', 'c'): {'dep_type': 'new_successor_conditional_on_table_result_action_type'} }
print(nodes)
`))
	require.NoError(t, err)
	python.Name = g.Name
	require.Equal(t, g, python)
}

func TestBadGraphs(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"to": "c"`, `"to": "a"`, `g.json: graph g.json: operations depend on each other: a -> m -> a`},
		{`"match"`, `"mtach"`, `g.json: node "m" is a "mtach", expected match, action or condition`},
		{`"to": "m"`, `"to": "x"`, `g.json: the edge from a to x: there is no node "x"`},
		{`"name": "c"`, `"name": "a"`, `g.json: node "a" is there twice`},
		{`rmt_match`, `rmt_mach`, `g.json: the edge from a to m has dep_type "rmt_mach", which has no delay`},
		{`"key_width": 20`, `"key_width": 0`,
			`g.json: graph g.json: match m has a key of 0 bits and writes 0 fields, expected at least 1 bit and no field`},
		{`"nodes"`, `"node"`, `g.json:2: unknown field "node"`},
	} {
		_, err := p4.ReadGraph("g.json", strings.NewReader(strings.Replace(graphText, c.old, c.new, 1)))
		require.Error(t, err)
		if c.old != `"nodes"` {
			require.EqualError(t, err, c.want)
		} else {
			require.ErrorContains(t, err, `unknown field "node"`)
		}
	}
	for text, want := range map[string]string{
		"edges = {}": "g.py: no assignment of a dict to nodes",
		"nodes = {'a': {'type': 'action'}}\n" +
			"edges = {('a', 'a'): {'dep_type': 'rmt_action'}}": "g.py: graph g: operations depend on each other: a -> a",
		"nodes = {'a' 3}":                  `g.py:1: "3}", expected a colon`,
		"\nnodes = {'a': __import__('x')}": `g.py:2: "('x')}", expected a comma or }`,
	} {
		_, err := p4.ReadPythonGraph("g.py", strings.NewReader(text))
		require.EqualError(t, err, want)
	}
}

func FuzzParseBMv2(f *testing.F) {
	for _, name := range p4.ProgramNames() {
		data, err := os.ReadFile("programs/" + name + ".json")
		require.NoError(f, err)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := p4.ParseBMv2("f", bytes.NewReader(data))
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		_, _ = p.Graph()
		if in, err := p4.NewInterpreter(p, nil, nil); err == nil {
			in.Run(0, make([]byte, 200))
		}
	})
}

func FuzzReadPythonGraph(f *testing.F) {
	f.Add("nodes = {'a': {'type': 'action'}}\nedges = {}")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := p4.ReadPythonGraph("f", strings.NewReader(text)); err != nil {
			require.NotContains(t, err.Error(), "\n")
		}
	})
}

// A name with a newline, which quotes allow, is part of one line.
func TestNamesWithNewlines(t *testing.T) {
	_, err := p4.ParseBMv2("f", strings.NewReader(`{"__meta__":{"version":[2,1]},"extern_instances":[{"name":"a\nb","type":"c"}]}`))
	require.ErrorContains(t, err, `extern a\nb of type c`)
	_, err = p4.ReadGraph("f", strings.NewReader(`{"nodes":[{"name":"a","type":"action"}],"edges":[{"from":"x\n","to":"a","dep_type":"rmt_action"}]}`))
	require.ErrorContains(t, err, `x\n`)
}
