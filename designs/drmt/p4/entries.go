package p4

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/internal/input"
)

// maxEntries bounds the entries that ReadEntries reads.
const maxEntries = 1 << 20

// ReadEntries reads the contents of tables as commands of BMv2's simple_switch_CLI, one a line:
//
//	table_add TABLE ACTION KEY... => PARAMETER... [PRIORITY]
//	table_set_default TABLE ACTION PARAMETER...
//
// Tables and actions have their full names, or their last part where that is unambiguous. A key is VALUE for an exact
// field, VALUE/LENGTH for lpm, VALUE&&&MASK for ternary, LOW->HIGH for range; an entry of a ternary or range table ends
// with its priority, of which the lowest wins. Values are decimal or 0x..., Ethernet addresses 00:11:22:33:44:55, IPv4
// addresses 10.0.0.1 or IPv6 addresses. Empty lines and text after # are passed over.
func ReadEntries(file string, r io.Reader, p *Program) (entries []Entry, defaults map[string]Entry, err error) {
	c, err := readConfiguration(file, r, p, false)
	return c.Entries, c.Defaults, err
}

// ReadConfiguration reads commands of simple_switch_CLI: [ReadEntries]' commands, and
//
//	table_indirect_add TABLE KEY... => MEMBER [PRIORITY]
//	table_indirect_add_with_group TABLE KEY... => GROUP [PRIORITY]
//	table_indirect_set_default TABLE MEMBER
//	table_indirect_set_default_with_group TABLE GROUP
//	act_prof_create_member PROFILE ACTION PARAMETER...
//	act_prof_create_group PROFILE
//	act_prof_add_member_to_group PROFILE MEMBER GROUP
//	register_write ARRAY INDEX VALUE
//	mc_mgrp_create GROUP
//	mc_node_create ID PORT...
//	mc_node_associate GROUP NODE
//	mirroring_add SESSION PORT
//	mirroring_add_mc SESSION GROUP
//	meter_set_rates ARRAY INDEX RATE:BURST...
//	meter_array_set_rates ARRAY RATE:BURST...
//	pvs_add SET VALUE
//
// Members, groups and nodes are numbered from 0 in the order in which they are created.
func ReadConfiguration(file string, r io.Reader, p *Program) (Configuration, error) {
	return readConfiguration(file, r, p, true)
}

func readConfiguration(file string, r io.Reader, p *Program, all bool) (Configuration, error) {
	c := &commands{p: p, Configuration: Configuration{Defaults: map[string]Entry{}, Members: map[string][]Entry{},
		Groups: map[string][][]int{}, Multicast: map[int][]Replica{}, Mirrors: map[int]Session{},
		ValueSets: map[string][]Number{}}}
	scan := input.NewLines(r, 64<<10)
	line := 1
	for ; scan.Scan(); line++ {
		text, _, _ := strings.Cut(scan.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		err := c.entry(words)
		if errors.Is(err, errOther) && all {
			err = c.other(words)
		}
		if err != nil {
			return Configuration{}, fmt.Errorf("%s:%d: %w", file, line, err)
		}
		if len(c.Entries) > maxEntries {
			return Configuration{}, fmt.Errorf("%s:%d: more than %d entries", file, line, maxEntries)
		}
	}
	if err := scan.Err(); err != nil {
		return Configuration{}, fmt.Errorf("%s:%d: %w", file, line, err)
	}
	return c.Configuration, nil
}

// commands are those read so far.
type commands struct {
	Configuration
	p      *Program
	nodes  [][]Replica
	placed []bool // by node: it is in a group
}

// errOther says that a command is none of the two for tables.
var errOther = errors.New("expected table_add or table_set_default with table and action")

// entry does the commands that fill tables.
func (c *commands) entry(words []string) error {
	p := c.p
	switch {
	case words[0] != "table_add" && words[0] != "table_set_default":
		return fmt.Errorf("%q, %w", strings.Join(words, " "), errOther)
	case len(words) < 3:
		return fmt.Errorf("%q, expected %s with table and action", strings.Join(words, " "), words[0])
	}
	t, err := p.tableNamed(words[1])
	if err != nil {
		return err
	}
	if t.Profile > 0 {
		return fmt.Errorf("table %s takes members of an action profile: table_indirect_add", t.Name)
	}
	e := Entry{Table: t.Name}
	if e.Action, err = p.actionNamed(t, words[2]); err != nil {
		return err
	}
	params := words[3:]
	if words[0] == "table_add" {
		if params, err = p.keys(t, &e, params); err != nil {
			return err
		}
	}
	if e.Data, e.Wide, err = p.parameters(e.Action, params); err != nil {
		return err
	}
	if words[0] == "table_add" {
		c.Entries = append(c.Entries, e)
	} else {
		c.Defaults[t.Name] = e
	}
	return nil
}

// keys reads the keys before =>, and the priority at the end, and returns the words between.
func (p *Program) keys(t *Table, e *Entry, words []string) (params []string, err error) {
	arrow := slices.Index(words, "=>")
	if arrow < 0 {
		return nil, fmt.Errorf("no => between key and parameters")
	}
	keys := words[:arrow]
	params = words[arrow+1:]
	if len(keys) != len(t.Key) {
		return nil, fmt.Errorf("%d keys for table %s, expected %d", len(keys), t.Name, len(t.Key))
	}
	for i, k := range t.Key {
		v, err := p.keyValue(k, keys[i])
		if err != nil {
			return nil, err
		}
		e.Key = append(e.Key, v)
	}
	if t.Match >= Ternary {
		if len(params) == 0 {
			return nil, fmt.Errorf("no priority, which table %s asks for", t.Name)
		}
		last := len(params) - 1
		if e.Priority, err = strconv.Atoi(params[last]); err != nil || e.Priority < 0 {
			return nil, fmt.Errorf("priority %q, expected a number", params[last])
		}
		params = params[:last]
	}
	return params, nil
}

// parameters reads an action's data.
func (p *Program) parameters(action int, words []string) (data []uint64, wide []Number, err error) {
	a := &p.Actions[action]
	if len(words) != len(a.Params) {
		return nil, nil, fmt.Errorf("%d parameters for action %s, expected %d", len(words), a.Name, len(a.Params))
	}
	for i, d := range a.Params {
		v, err := parseNumber(words[i], d.Bits)
		if err != nil {
			return nil, nil, fmt.Errorf("parameter %s: %w", d.Name, err)
		}
		data, wide = appendNumber(data, wide, v, d.Bits)
	}
	return data, wide, nil
}

func (p *Program) tableNamed(name string) (*Table, error) {
	var found *Table
	for _, pipe := range []*Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range pipe.Nodes {
			if n.Table == nil || n.Name != name && !strings.HasSuffix(n.Name, "."+name) {
				continue
			}
			if n.Name == name {
				return n.Table, nil
			}
			if found != nil {
				return nil, fmt.Errorf("table %s may be %s or %s", name, found.Name, n.Name)
			}
			found = n.Table
		}
	}
	if found == nil {
		return nil, fmt.Errorf("there is no table %s", name)
	}
	return found, nil
}

func (p *Program) actionNamed(t *Table, name string) (int, error) {
	found := -1
	for _, a := range t.Actions {
		full := p.Actions[a].Name
		if full == name {
			return a, nil
		}
		if strings.HasSuffix(full, "."+name) && found < 0 {
			found = a
		}
	}
	if found >= 0 {
		return found, nil
	}
	return 0, fmt.Errorf("table %s has no action %s", t.Name, name)
}

func (p *Program) keyValue(k KeyField, text string) (KeyValue, error) {
	f := p.Fields[k.Field]
	value, rest, mask, prefix, ok := text, "", Number(nil), 0, true
	var err error
	switch k.Match {
	case LPM:
		if value, rest, ok = strings.Cut(text, "/"); !ok {
			return KeyValue{}, fmt.Errorf("field %s: %q, expected VALUE/LENGTH", f.Name, text)
		}
		if prefix, err = strconv.Atoi(rest); err != nil || prefix < 0 || prefix > f.Bits {
			return KeyValue{}, fmt.Errorf("field %s: a prefix of %q bits, expected 0 to %d", f.Name, rest, f.Bits)
		}
	case Ternary:
		if value, rest, ok = strings.Cut(text, "&&&"); !ok {
			return KeyValue{}, fmt.Errorf("field %s: %q, expected VALUE&&&MASK", f.Name, text)
		}
	case Range:
		if value, rest, ok = strings.Cut(text, "->"); !ok {
			return KeyValue{}, fmt.Errorf("field %s: %q, expected LOW->HIGH", f.Name, text)
		}
	}
	if k.Match >= Ternary {
		if mask, err = parseNumber(rest, f.Bits); err != nil {
			return KeyValue{}, fmt.Errorf("field %s: %w", f.Name, err)
		}
	}
	v, err := parseNumber(value, f.Bits)
	if err != nil {
		return KeyValue{}, fmt.Errorf("field %s: %w", f.Name, err)
	}
	return p.EntryKey(k, v, mask, prefix)
}

// parseNumber reads a value that fits the bits given.
func parseNumber(text string, bits int) (Number, error) {
	v, ok := new(big.Int), true
	switch a, err := netip.ParseAddr(text); {
	case err == nil && a.Is4() && bits == 32, err == nil && a.Is6() && bits == 128:
		v.SetBytes(a.AsSlice())
	case strings.Count(text, ":") == 5:
		_, ok = v.SetString(strings.ReplaceAll(text, ":", ""), 16)
	case len(text) > maxBits:
		ok = false
	default:
		_, ok = v.SetString(text, 0)
	}
	if !ok || v.Sign() < 0 || v.BitLen() > bits {
		return nil, fmt.Errorf("%.40q, expected a number of %d bits, an Ethernet or an IP address", text, bits)
	}
	return v, nil
}
