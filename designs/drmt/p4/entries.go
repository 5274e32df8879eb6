package p4

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// maxEntries bounds what ReadEntries reads.
const maxEntries = 1 << 20

// ReadEntries reads the contents of tables as commands of BMv2's simple_switch_CLI, one a line:
//
//	table_add TABLE ACTION KEY... => PARAMETER... [PRIORITY]
//	table_set_default TABLE ACTION PARAMETER...
//
// Tables and actions have their full names, or their last part where that is unambiguous. A key is VALUE for an exact field,
// VALUE/LENGTH for lpm, VALUE&&&MASK for ternary; a ternary table's entry ends with its priority, of which the lowest wins. Values are
// decimal or 0x..., Ethernet addresses 00:11:22:33:44:55 or IPv4 addresses 10.0.0.1. Empty lines and what comes after # are passed over.
func ReadEntries(file string, r io.Reader, p *Program) (entries []Entry, defaults map[string]Entry, err error) {
	defaults = map[string]Entry{}
	scan := bufio.NewScanner(r)
	line := 1
	for ; scan.Scan(); line++ {
		text, _, _ := strings.Cut(scan.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		e, err := p.command(words)
		if err != nil {
			return nil, nil, fmt.Errorf("%s:%d: %w", file, line, err)
		}
		if words[0] == "table_set_default" {
			defaults[e.Table] = e
			continue
		}
		if entries = append(entries, e); len(entries) > maxEntries {
			return nil, nil, fmt.Errorf("%s:%d: more than %d entries", file, line, maxEntries)
		}
	}
	if err := scan.Err(); err != nil {
		return nil, nil, fmt.Errorf("%s:%d: %w", file, line, err)
	}
	return entries, defaults, nil
}

func (p *Program) command(words []string) (Entry, error) {
	if len(words) < 3 || words[0] != "table_add" && words[0] != "table_set_default" {
		return Entry{}, fmt.Errorf("%q, expected table_add or table_set_default with table and action", strings.Join(words, " "))
	}
	t, err := p.tableNamed(words[1])
	if err != nil {
		return Entry{}, err
	}
	e := Entry{Table: t.Name}
	if e.Action, err = p.actionNamed(t, words[2]); err != nil {
		return e, err
	}
	params := words[3:]
	if words[0] == "table_add" {
		arrow := slices.Index(params, "=>")
		if arrow < 0 {
			return e, fmt.Errorf("no => between key and parameters")
		}
		keys := params[:arrow]
		params = params[arrow+1:]
		if len(keys) != len(t.Key) {
			return e, fmt.Errorf("%d keys for table %s, expected %d", len(keys), t.Name, len(t.Key))
		}
		for i, k := range t.Key {
			v, err := p.keyValue(k, keys[i])
			if err != nil {
				return e, err
			}
			e.Key = append(e.Key, v)
		}
		if t.Match == Ternary {
			if len(params) == 0 {
				return e, fmt.Errorf("no priority, which table %s asks for", t.Name)
			}
			last := len(params) - 1
			if e.Priority, err = strconv.Atoi(params[last]); err != nil || e.Priority < 0 {
				return e, fmt.Errorf("priority %q, expected a number", params[last])
			}
			params = params[:last]
		}
	}
	a := &p.Actions[e.Action]
	if len(params) != len(a.Params) {
		return e, fmt.Errorf("%d parameters for action %s, expected %d", len(params), a.Name, len(a.Params))
	}
	for i, d := range a.Params {
		v, err := number(params[i], d.Bits)
		if err != nil {
			return e, fmt.Errorf("parameter %s: %w", d.Name, err)
		}
		e.Data = append(e.Data, v)
	}
	return e, nil
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
	for _, a := range t.Actions {
		if full := p.Actions[a].Name; full == name || strings.HasSuffix(full, "."+name) {
			return a, nil
		}
	}
	return 0, fmt.Errorf("table %s has no action %s", t.Name, name)
}

func (p *Program) keyValue(k KeyField, text string) (KeyValue, error) {
	f := p.Fields[k.Field]
	v := KeyValue{Mask: ones(f.Bits), PrefixLen: f.Bits}
	var err error
	value, rest := text, ""
	switch k.Match {
	case LPM:
		var ok bool
		if value, rest, ok = strings.Cut(text, "/"); !ok {
			return v, fmt.Errorf("field %s: %q, expected VALUE/LENGTH", f.Name, text)
		}
		if v.PrefixLen, err = strconv.Atoi(rest); err != nil || v.PrefixLen < 0 || v.PrefixLen > f.Bits {
			return v, fmt.Errorf("field %s: a prefix of %q bits, expected 0 to %d", f.Name, rest, f.Bits)
		}
		v.Mask = ones(f.Bits) &^ ones(f.Bits-v.PrefixLen)
	case Ternary:
		var ok bool
		if value, rest, ok = strings.Cut(text, "&&&"); !ok {
			return v, fmt.Errorf("field %s: %q, expected VALUE&&&MASK", f.Name, text)
		}
		if v.Mask, err = number(rest, f.Bits); err != nil {
			return v, fmt.Errorf("field %s: %w", f.Name, err)
		}
		v.PrefixLen = bits.OnesCount64(v.Mask)
	}
	if v.Value, err = number(value, f.Bits); err != nil {
		return v, fmt.Errorf("field %s: %w", f.Name, err)
	}
	v.Value &= v.Mask
	return v, nil
}

// number reads a value that fits the bits given.
func number(text string, bits int) (uint64, error) {
	var v uint64
	var err error
	switch {
	case strings.Count(text, ":") == 5:
		v, err = strconv.ParseUint(strings.ReplaceAll(text, ":", ""), 16, 64)
	case strings.Count(text, ".") == 3:
		var a netip.Addr
		if a, err = netip.ParseAddr(text); err == nil && a.Is4() {
			for _, b := range a.As4() {
				v = v<<8 | uint64(b)
			}
		}
	default:
		v, err = strconv.ParseUint(text, 0, 64)
	}
	if err != nil || v > ones(bits) {
		return 0, fmt.Errorf("%q, expected a number of %d bits, an Ethernet or an IPv4 address", text, bits)
	}
	return v, nil
}
