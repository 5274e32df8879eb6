package p4

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/internal/input"
)

// runtimeFile is a switch's configuration as the controllers of the P4 tutorials write it for P4Runtime, with names for
// ids. Target, p4info and bmv2_json name other files, which are not read.
type runtimeFile struct {
	Target  json.RawMessage `json:"target"`
	P4Info  json.RawMessage `json:"p4info"`
	BMv2    json.RawMessage `json:"bmv2_json"`
	Entries []runtimeEntry  `json:"table_entries"`
	Groups  []struct {
		ID       int              `json:"multicast_group_id"`
		Replicas []runtimeReplica `json:"replicas"`
	} `json:"multicast_group_entries"`
	Sessions []struct {
		ID       int              `json:"clone_session_id"`
		Replicas []runtimeReplica `json:"replicas"`
	} `json:"clone_session_entries"`
}

type runtimeEntry struct {
	Table    string                     `json:"table"`
	Match    map[string]json.RawMessage `json:"match"`
	Action   string                     `json:"action_name"`
	Default  bool                       `json:"default_action"`
	Params   map[string]json.RawMessage `json:"action_params"`
	Priority int                        `json:"priority"`
}

type runtimeReplica struct {
	Port     int `json:"egress_port"`
	Instance int `json:"instance"`
}

// mostPriority turns P4Runtime's priorities, of which the highest wins, into the interpreter's.
const mostPriority = math.MaxInt32

// ReadRuntime reads a configuration in JSON, as controllers of the P4 tutorials take it for P4Runtime:
//
//	{"table_entries": [
//	   {"table": "MyIngress.ipv4_lpm", "default_action": true, "action_name": "MyIngress.drop", "action_params": {}},
//	   {"table": "MyIngress.ipv4_lpm", "match": {"hdr.ipv4.dstAddr": ["10.0.1.1", 32]},
//	    "action_name": "MyIngress.ipv4_forward", "action_params": {"dstAddr": "08:00:00:00:01:11", "port": 1}}],
//	 "multicast_group_entries": [{"multicast_group_id": 1, "replicas": [{"egress_port": 1, "instance": 1}]}],
//	 "clone_session_entries": [{"clone_session_id": 5, "replicas": [{"egress_port": 3}]}]}
//
// A match is VALUE for an exact field, [VALUE, LENGTH] for lpm, [VALUE, MASK] for ternary, [LOW, HIGH] for range. Lpm,
// ternary and range fields that are left out match everything. As in P4Runtime the highest priority wins. Values are
// numbers, or strings as [ReadEntries] takes them.
func ReadRuntime(file string, r io.Reader, p *Program) (c Configuration, err error) {
	defer func() { err = input.OneLine(err) }()
	data, err := readBounded(file, r)
	if err != nil {
		return Configuration{}, err
	}
	var in runtimeFile
	if err := decodeStrict(file, data, &in); err != nil {
		return Configuration{}, err
	}
	c = Configuration{Defaults: map[string]Entry{}, Multicast: map[int][]Replica{}, Mirrors: map[int]Session{}}
	if len(in.Entries) > maxEntries {
		return c, fmt.Errorf("%s: %d entries, expected at most %d", file, len(in.Entries), maxEntries)
	}
	for i := range in.Entries {
		if err := c.runtimeEntry(p, &in.Entries[i]); err != nil {
			return Configuration{}, fmt.Errorf("%s: table_entries[%d]: %w", file, i, err)
		}
	}
	for i, g := range in.Groups {
		if g.ID <= 0 {
			return Configuration{}, fmt.Errorf(
				"%s: multicast_group_entries[%d]: multicast_group_id %d, expected 1 or more", file, i, g.ID,
			)
		}
		for _, x := range g.Replicas {
			c.Multicast[g.ID] = append(c.Multicast[g.ID], Replica{x.Port, x.Instance})
		}
	}
	for i, s := range in.Sessions {
		if len(s.Replicas) != 1 {
			return Configuration{}, fmt.Errorf(
				"%s: clone_session_entries[%d]: %d replicas, expected 1", file, i, len(s.Replicas),
			)
		}
		c.Mirrors[s.ID] = Session{s.Replicas[0].Port, -1}
	}
	return c, nil
}

func (c *Configuration) runtimeEntry(p *Program, in *runtimeEntry) error {
	t, err := p.tableNamed(in.Table)
	if err != nil {
		return err
	}
	if t.Profile > 0 {
		return fmt.Errorf("table %s takes members of an action profile: commands of simple_switch_CLI fill it", t.Name)
	}
	e := Entry{Table: t.Name}
	if e.Action, err = p.actionNamed(t, in.Action); err != nil {
		return err
	}
	a := &p.Actions[e.Action]
	var words []string
	for _, d := range a.Params {
		v, ok := in.Params[d.Name]
		if !ok {
			return fmt.Errorf("no parameter %s for action %s", d.Name, a.Name)
		}
		words = append(words, word(v))
	}
	for name := range in.Params {
		if !slices.ContainsFunc(a.Params, func(d Param) bool { return d.Name == name }) {
			return fmt.Errorf("action %s has no parameter %s", a.Name, name)
		}
	}
	if e.Data, e.Wide, err = p.parameters(e.Action, words); err != nil {
		return err
	}
	if in.Default {
		if len(in.Match) > 0 {
			return fmt.Errorf("a default action with a match")
		}
		c.Defaults[t.Name] = e
		return nil
	}
	left := len(in.Match)
	for _, k := range t.Key {
		v, ok := in.match(p, k)
		if ok {
			left--
		}
		x, err := p.runtimeKey(k, v)
		if err != nil {
			return err
		}
		e.Key = append(e.Key, x)
	}
	if left > 0 {
		return fmt.Errorf("%d matches that name no field of table %s", left, t.Name)
	}
	if t.Match >= Ternary {
		if in.Priority < 1 || in.Priority > mostPriority {
			return fmt.Errorf("priority %d, expected 1 or more for table %s", in.Priority, t.Name)
		}
		e.Priority = mostPriority - in.Priority
	}
	c.Entries = append(c.Entries, e)
	return nil
}

// match finds a key's match by the name that the program's source gives it, or by the field's name at its end.
func (in *runtimeEntry) match(p *Program, k KeyField) (json.RawMessage, bool) {
	if v, ok := in.Match[k.Name]; ok && k.Name != "" {
		return v, true
	}
	field := p.Fields[k.Field].Name
	for name, v := range in.Match {
		if name == field || strings.HasSuffix(name, "."+field) {
			return v, true
		}
	}
	return nil, false
}

// runtimeKey makes a key's value of VALUE or [VALUE, MORE].
func (p *Program) runtimeKey(k KeyField, v json.RawMessage) (KeyValue, error) {
	f := &p.Fields[k.Field]
	if v == nil {
		text := map[MatchKind]string{
			LPM: "0/0", Ternary: "0&&&0", Range: "0->0x" + wideOnes(f.Bits).Text(16),
		}[k.Match]
		if text == "" {
			return KeyValue{}, fmt.Errorf("no match for field %s", f.Name)
		}
		return p.keyValue(k, text)
	}
	var pair []json.RawMessage
	isPair := json.Unmarshal(v, &pair) == nil
	between := map[MatchKind]string{LPM: "/", Ternary: "&&&", Range: "->"}[k.Match]
	switch {
	case between == "" && isPair && len(pair) == 1:
		return p.keyValue(k, word(pair[0]))
	case between == "" && !isPair:
		return p.keyValue(k, word(v))
	case between != "" && isPair && len(pair) == 2:
		return p.keyValue(k, word(pair[0])+between+word(pair[1]))
	}
	want := "VALUE"
	if between != "" {
		want = "[VALUE, " + map[MatchKind]string{LPM: "LENGTH", Ternary: "MASK", Range: "HIGH"}[k.Match] + "]"
	}
	return KeyValue{}, fmt.Errorf("field %s: match %.40s, expected %s", f.Name, v, want)
}

// word is a number's or a string's text.
func word(v json.RawMessage) string {
	var text string
	if json.Unmarshal(v, &text) == nil {
		return text
	}
	return string(v)
}
