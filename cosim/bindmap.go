package cosim

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/rtl"
)

// role is a port of a stream by its usual names, without the marks of direction and the underscores.
type role struct {
	dir  rtl.Direction
	name *regexp.Regexp
	low  *regexp.Regexp // of these, the inverse is meant
}

// rolesOf are the roles beside a stream in, and beside a stream out.
func rolesOf(dir rtl.Direction) (data, valid, ready role) {
	if dir == rtl.Input {
		const from = `^(w|wr|write|s|saxis|in|src|push|enq)?`
		return role{rtl.Input, regexp.MustCompile(from + `t?(data|din|dat|d)(in)?$`), nil},
			role{rtl.Input, regexp.MustCompile(from + `(t?valid|vld|v|en|ena|we|wr|write|push|inc|enq|put)$`), nil},
			role{rtl.Output, regexp.MustCompile(from + `(t?ready|rdy|full|fulln|nfull)$`), regexp.MustCompile(`full$`)}
	}
	const from = `^(r|rd|read|m|maxis|out|dst|pop|deq)?`
	return role{rtl.Output, regexp.MustCompile(from + `t?(data|dout|dat|d|q)(out)?$`), nil},
		role{rtl.Output, regexp.MustCompile(from + `(t?valid|vld|v|empty|emptyn|nempty)$`), regexp.MustCompile(`empty$`)},
		role{rtl.Input, regexp.MustCompile(from + `(t?ready|rdy|en|ena|re|rd|read|pop|inc|deq|get|take|yumi)$`), nil}
}

// joinedName is a port's name without marks of direction and underscores: i_wr_data and wr_data_i are wrdata.
func joinedName(name string) string {
	parts := strings.Split(strings.ToLower(name), "_")
	for len(parts) > 1 && (parts[0] == "i" || parts[0] == "o") {
		parts = parts[1:]
	}
	for last := len(parts) - 1; last > 0 && (parts[last] == "i" || parts[last] == "o"); last-- {
		parts = parts[:last]
	}
	return strings.Join(parts, "")
}

// anyReset matches names of resets, also wrst_n; lowReset matches the active low ones.
var (
	anyReset = regexp.MustCompile(`(?i)(rst|reset)`)
	lowReset = regexp.MustCompile(`(?i)((rst|reset)_?n|n_?(rst|reset))`)
)

// unknownPort stands for a port that the names do not tell.
const unknownPort = "…"

// takes names the one free port with a role, and takes it.
func (b *binder) takes(r role, width int) string {
	var plain, inverse []int
	for i, p := range b.Ports {
		switch name := joinedName(p.Name); {
		case b.used[i] || !p.is(r.dir) || p.Width() != width || !r.name.MatchString(name):
		case r.low != nil && r.low.MatchString(name):
			inverse = append(inverse, i)
		default:
			plain = append(plain, i)
		}
	}
	switch {
	case len(plain) == 1: // a full beside a ready is for something else
		b.used[plain[0]] = true
		return b.Ports[plain[0]].Name
	case len(plain) == 0 && len(inverse) == 1:
		b.used[inverse[0]] = true
		return "~" + b.Ports[inverse[0]].Name
	}
	return unknownPort
}

// streamMap is a map with the streams of the unit, filled in as far as the names of ports allow. It is empty for a unit
// without handshakes, and if the map has streams already. It follows the guesses and takes ports: the binding is of no
// use after it.
func (b *binder) streamMap() string {
	if len(b.shakes) == 0 || len(b.m.Streams) > 0 || b.waveform {
		return ""
	}
	ins, outs := b.streamsOf(rtl.Input), b.streamsOf(rtl.Output)
	if len(ins) == 0 || len(outs) == 0 {
		return ""
	}
	t := mapDraft{b: b, done: map[string]bool{}}
	t.streamsOf(ins, rtl.Input)
	t.streamsOf(outs, rtl.Output)
	t.otherFields(outs)
	t.otherPorts()
	return t.String()
}

// streamsOf are the unit's ports of a direction whose handshake has a valid bit.
func (b *binder) streamsOf(dir rtl.Direction) (names []string) {
	for i := range b.Fields {
		f := &b.Fields[i]
		valid := b.handshake(f.Port).Valid
		if f.Dir == dir && !slices.Contains(names, f.Port) &&
			slices.ContainsFunc(b.Fields, func(v Bound) bool { return v.Name == valid && v.Width == 1 }) {
			names = append(names, f.Port)
		}
	}
	return names
}

// mapDraft collects the lines of a map to begin with.
type mapDraft struct {
	b                                     *binder
	done                                  map[string]bool // fields that have their line, or need none
	streams, ports, ignored, resets, ties []string
}

// open tells whether a field has no port yet.
func open(f *Bound) bool { return f.How == "" }

// port adds the port of a field.
func (t *mapDraft) port(f *Bound, name string) {
	if open(f) && !t.done[f.Name] {
		t.ports = append(t.ports, fmt.Sprintf("  %s: %s\n", f.Name, name))
	}
	t.done[f.Name] = true
}

// streamsOf adds the streams of a direction, with the ports of their fields.
func (t *mapDraft) streamsOf(names []string, dir rtl.Direction) {
	b := t.b
	data, valid, ready := rolesOf(dir)
	one := len(names) == 1 // of several, nobody knows which stream a name like wr_data belongs to
	for _, name := range names {
		h, shown, payload := b.handshake(name), unknownPort, 0
		for i := range b.Fields {
			if f := &b.Fields[i]; b.carries(f.Field, name) && f.Name != h.Valid {
				payload++
			}
		}
		for i := range b.Fields {
			switch f := &b.Fields[i]; {
			case f.Name == h.Ready && !open(f): // its port has the same name
				shown, t.done[f.Name] = formatBits(b.Ports, f.bits), true
			case f.Name == h.Ready:
				t.done[f.Name] = true
			case f.Clock || !b.carries(f.Field, name) || !open(f):
			case f.Name == h.Valid && one:
				t.port(f, b.takes(valid, 1))
			case payload == 1 && one:
				t.port(f, b.takes(data, f.Width))
			default:
				t.port(f, unknownPort)
			}
		}
		if shown == unknownPort && one {
			shown = b.takes(ready, 1)
		}
		t.streams = append(t.streams, fmt.Sprintf("  %s: {ready: %s, stall: 0.2}\n", name, shown))
	}
}

// otherFields adds the fields that belong to no stream: clocks by their names, inputs without a port, outputs ignored.
func (t *mapDraft) otherFields(outs []string) {
	b := t.b
	for i := range b.Fields {
		switch f := &b.Fields[i]; {
		case t.done[f.Name] || !open(f):
		case f.Clock:
			side := `^(w|wr|write|s|src|in|push|enq)?`
			if slices.ContainsFunc(outs, func(n string) bool { return b.handshake(n).Clock == f.Name }) {
				side = `^(r|rd|read|m|dst|out|pop|deq)?`
			}
			t.port(f, b.takes(role{rtl.Input, regexp.MustCompile(side + `(clk|clock)$`), nil}, 1))
		case f.Dir == rtl.Output:
			t.ignored = append(t.ignored, f.Name)
		default:
			t.port(f, unknownPort)
		}
	}
}

// otherPorts adds the RTL's inputs that nothing drives: resets by their names, ties for the others.
func (t *mapDraft) otherPorts() {
	for i, p := range t.b.Ports {
		switch {
		case t.b.used[i] || p.Dir != rtl.Input || p.hollow:
		case t.b.reset != nil || p.Width() > 1 || !anyReset.MatchString(p.Name):
			t.ties = append(t.ties, fmt.Sprintf("%s: 0", p.Name))
		case lowReset.MatchString(p.Name):
			t.resets = append(t.resets, "~"+p.Name)
		default:
			t.resets = append(t.resets, p.Name)
		}
	}
}

// String is the map.
func (t *mapDraft) String() string {
	text := "streams:\n" + strings.Join(t.streams, "")
	if len(t.ports) > 0 {
		text += "ports:\n" + strings.Join(t.ports, "")
	}
	if len(t.ignored) > 0 {
		text += fmt.Sprintf("ignore: [%s]\n", strings.Join(t.ignored, ", "))
	}
	switch len(t.resets) {
	case 0:
	case 1:
		text += fmt.Sprintf("reset: %s\n", t.resets[0])
	default:
		text += fmt.Sprintf("reset: \"{%s}\"\n", strings.Join(t.resets, ", "))
	}
	if len(t.ties) > 0 {
		text += fmt.Sprintf("tie: {%s}\n", strings.Join(t.ties, ", "))
	}
	return text
}
