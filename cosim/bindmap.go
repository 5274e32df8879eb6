package cosim

import (
	"fmt"
	"maps"
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

// streamMap is a map with the streams of the unit, filled in as far as the names of ports allow, "" of a unit without
// handshakes, or if the map has some already. It follows the guesses and takes ports:
// the binding is of no use after it.
func (b *binder) streamMap() string {
	if len(b.shakes) == 0 || len(b.m.Streams) > 0 || b.waveform {
		return ""
	}
	names := map[rtl.Direction][]string{}
	for i := range b.Fields {
		if f := &b.Fields[i]; b.handshake(f.Port).Valid == f.Name || b.shakes[f.Port].Valid != "" {
			if !slices.Contains(names[f.Dir], f.Port) && b.hasValid(f.Port) {
				names[f.Dir] = append(names[f.Dir], f.Port)
			}
		}
	}
	if len(names[rtl.Input]) == 0 || len(names[rtl.Output]) == 0 {
		return ""
	}
	open := func(f *Bound) bool { return f.How == "" }
	var streams, ports []string
	done := map[string]bool{}
	write := func(f *Bound, text string) {
		if open(f) && !done[f.Name] {
			ports = append(ports, fmt.Sprintf("  %s: %s\n", f.Name, text))
		}
		done[f.Name] = true
	}
	for _, dir := range []rtl.Direction{rtl.Input, rtl.Output} {
		data, valid, ready := rolesOf(dir)
		for _, name := range names[dir] {
			one, h, shown := len(names[dir]) == 1, b.handshake(name), unknownPort
			payload := 0
			for i := range b.Fields {
				if f := &b.Fields[i]; b.carries(f.Field, name) && f.Name != h.Valid {
					payload++
				}
			}
			for i := range b.Fields {
				switch f := &b.Fields[i]; {
				case f.Name == h.Ready && !open(f): // its port has the same name
					shown, done[f.Name] = formatBits(b.Ports, f.bits), true
				case f.Name == h.Ready:
					done[f.Name] = true
				case f.Clock || !b.carries(f.Field, name) || !open(f):
				case f.Name == h.Valid && one:
					write(f, b.takes(valid, 1))
				case payload == 1 && one:
					write(f, b.takes(data, f.Width))
				default:
					write(f, unknownPort)
				}
			}
			if shown == unknownPort && one {
				shown = b.takes(ready, 1)
			}
			streams = append(streams, fmt.Sprintf("  %s: {ready: %s, stall: 0.2}\n", name, shown))
		}
	}
	var ignored []string
	for i := range b.Fields {
		switch f := &b.Fields[i]; {
		case done[f.Name] || !open(f):
		case f.Clock:
			side := `^(w|wr|write|s|src|in|push|enq)?`
			if slices.ContainsFunc(names[rtl.Output], func(n string) bool { return b.handshake(n).Clock == f.Name }) {
				side = `^(r|rd|read|m|dst|out|pop|deq)?`
			}
			write(f, b.takes(role{rtl.Input, regexp.MustCompile(side + `(clk|clock)$`), nil}, 1))
		case f.Dir == rtl.Output:
			ignored = append(ignored, f.Name)
		default:
			write(f, unknownPort)
		}
	}
	text := "streams:\n" + strings.Join(streams, "")
	if len(ports) > 0 {
		text += "ports:\n" + strings.Join(ports, "")
	}
	if len(ignored) > 0 {
		text += fmt.Sprintf("ignore: [%s]\n", strings.Join(ignored, ", "))
	}
	var resets, ties []string
	for i, p := range b.Ports {
		switch {
		case b.used[i] || p.Dir != rtl.Input || p.hollow:
		case b.reset == nil && p.Width() == 1 && anyReset.MatchString(p.Name):
			if lowReset.MatchString(p.Name) {
				resets = append(resets, "~"+p.Name)
			} else {
				resets = append(resets, p.Name)
			}
		default:
			ties = append(ties, fmt.Sprintf("%s: 0", p.Name))
		}
	}
	if len(resets) > 0 {
		text += fmt.Sprintf("reset: %s\n", map[bool]string{true: resets[0],
			false: "\"{" + strings.Join(resets, ", ") + "}\""}[len(resets) == 1])
	}
	if len(ties) > 0 {
		text += fmt.Sprintf("tie: {%s}\n", strings.Join(ties, ", "))
	}
	return text
}

// hasValid tells whether the handshake of a port has a valid bit among the fields.
func (b *binder) hasValid(port string) bool {
	valid := b.handshake(port).Valid
	return slices.ContainsFunc(b.Fields, func(f Bound) bool { return f.Name == valid && f.Width == 1 }) &&
		(slices.Contains(slices.Collect(maps.Keys(b.shakes)), port) || valid == port+"_valid")
}
