package cosim

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// controls finds clock, reset and clock enable.
func (b *binder) controls() {
	control := func(what, text string, guesses []string) *bit {
		if text == "" {
			text = guessControl(b.Ports, b.claimed, guesses)
		}
		if text == "" || text == "none" {
			return nil
		}
		return b.single(what, text, rtl.Input)
	}
	before := len(b.causes)
	several := slices.ContainsFunc(b.Fields, func(f Bound) bool { return f.Clock })
	if !several && strings.HasPrefix(strings.TrimSpace(b.m.Clock), "{") {
		b.clock, b.clocks = b.several("clock", b.m.Clock)
	} else if !several {
		b.clock = control("clock", b.m.Clock, clockNames)
	} else if b.m.Clock != "" {
		b.fault("clock: the unit has several, which are fields: name their ports (ports: {%s: …})", b.Fields[0].Name)
	}
	if b.clock == nil && !several && b.m.Clock != "none" && len(b.causes) == before {
		b.fault(
			"clock: the RTL has no input that looks like one (%s): name it in the map (clock: …), or clock: none for "+
				"combinational RTL",
			clip(portNames(b.Ports), 120),
		)
	}
	switch {
	case several && b.m.Reset == "": // one of each clock
		b.takeResets(guessResets(b.Ports, b.claimed))
	case strings.HasPrefix(strings.TrimSpace(b.m.Reset), "{"):
		b.takeResets(b.m.Reset)
	default:
		b.reset = control("reset", b.m.Reset, resetNames)
	}
	b.enable = control("enable", b.m.Enable, enableNames)
	if b.enable != nil && b.m.Enable != "" && b.m.Stall == 0 && len(b.m.Streams) == 0 {
		b.stall = usualStall
	}
	switch {
	case !(b.m.Stall >= 0 && b.m.Stall <= maxStall):
		b.fault("stall: %g, want a share from 0 to %g", b.m.Stall, maxStall)
	case b.m.Stall > 0 && b.enable == nil && !b.waveform:
		b.fault("stall: %g, and no clock enable: name it in the map (enable: …)", b.m.Stall)
	}
	switch n, err := strconv.Atoi(b.m.Start); {
	case b.m.Start == "":
	case b.m.Start == autoStart:
		b.finds = true
	case err != nil || n < 0 || n > maxStart:
		b.fault("start: %s, want a number of cycles, 0 to %d, or auto", quote(b.m.Start), maxStart)
	default:
		b.start = n
	}
	if (b.finds || b.start > 0) && b.reset == nil {
		b.fault("start: the map has no reset that it could come after")
	}
	switch {
	case b.m.Holds < 0 || b.m.Holds > maxHolds:
		b.fault("holds: %d transfers, want 1 to %d", b.m.Holds, maxHolds)
	case b.m.Holds > 0 && len(b.m.Streams) == 0:
		b.fault("holds: %d: transfers are counted where the map has streams", b.m.Holds)
	}
	if b.m.Skip < 0 || b.m.Skip > maxSkip {
		b.fault("skip: %d cycles, want 0 to %d", b.m.Skip, maxSkip)
	}
}

// takeResets takes several resets, "{rst, ~arst_n}", that are active at the same time.
func (b *binder) takeResets(text string) {
	if text != "" {
		b.reset, b.resets = b.several("reset", text)
	}
}

// several returns the bits of inputs that the map names for one thing, the first and the others.
func (b *binder) several(what, text string) (first *bit, others []bit) {
	bits, err := parseBits(b.Ports, text)
	if err != nil {
		b.fault("%s: %v", what, err)
		return nil, nil
	}
	for _, v := range bits {
		if v.port < 0 || !b.Ports[v.port].is(rtl.Input) {
			b.fault("%s: %s: want bits of inputs of the RTL", what, quote(text))
			return nil, nil
		}
		b.used[v.port] = true
		b.drive(v, what)
	}
	return &bits[0], bits[1:]
}

// tie drives what the unit does not have.
func (b *binder) tie() {
	if b.waveform {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(b.m.Tie)) {
		value := b.m.Tie[key]
		bits, err := parseBits(b.Ports, key)
		switch {
		case errors.Is(err, errNoPort):
			b.fault("tie: the RTL has no input %s", clip(key, 60))
			continue
		case err != nil:
			b.fault("tie: %v", err)
			continue
		case strings.ContainsAny(key, "{~'") || !b.Ports[bits[0].port].is(rtl.Input):
			b.fault("tie: the RTL has no input %s", clip(key, 60))
			continue
		}
		if len(bits) < 64 && value>>len(bits) != 0 {
			b.fault("tie: %d has more than the %s of %s", value, bitCount(len(bits)), key)
			continue
		}
		for _, v := range bits {
			b.drive(v, "tie")
		}
		b.used[bits[0].port] = true
		b.ties = append(b.ties, tie{bits, value})
	}
}

// streams finds the handshakes.
func (b *binder) streams() {
	for _, name := range slices.Sorted(maps.Keys(b.m.Streams)) {
		s := b.m.Streams[name]
		h := b.handshake(name)
		i := slices.IndexFunc(b.Fields, func(f Bound) bool { return f.Name == h.Valid && f.Width == 1 })
		if i < 0 {
			b.fault("streams: the unit has no port %s with a valid bit%s", clip(name, 60), b.streamPorts())
			continue
		}
		if !(s.Stall >= 0 && s.Stall <= maxStall) {
			b.fault("streams: %s: stall: %g, want a share from 0 to %g", name, s.Stall, maxStall)
		}
		switch {
		case s.Latency < 0 || s.Latency > maxLatency:
			b.fault("streams: %s: latency: %d edges, want 0 to %d", name, s.Latency, maxLatency)
		case s.Latency > 0 && b.Fields[i].Dir == rtl.Input:
			b.fault("streams: %s: latency is of output streams: the data of an input come with it", name)
		}
		if ready := slices.IndexFunc(b.Fields,
			func(f Bound) bool { return f.Name == h.Ready && f.Dir != b.Fields[i].Dir && f.Width == 1 }); ready >= 0 &&
			b.Fields[ready].How == "" {
			f := &b.Fields[ready] // the model's own: the RTL keeps its own pace
			f.mask = 0
			b.place("streams", f, fieldSlice{f.Name, 0, 0}, "stream", func(int) bit { return bit{port: absentBit} })
		}
		if s.Ready == "" {
			b.ready[name] = readyPort{bit{port: absentBit}, s.Stall, false, s.Latency}
			if s.Yumi {
				b.fault("streams: %s: yumi, and no port of the RTL that says what is taken (ready: …)", name)
			}
			continue
		}
		if r := b.single("streams: "+name, s.Ready, 1-b.Fields[i].Dir); r != nil {
			b.ready[name] = readyPort{*r, s.Stall, s.Yumi, s.Latency}
			if s.Yumi && b.Fields[i].Dir == rtl.Input {
				b.fault("streams: %s: yumi is of output streams; the RTL's ready of an input may come with valid or before", name)
			}
		}
	}
}

// handshake returns the fields around the data of a port: the unit's, if it declares them, else the port's own.
func (b *Binding) handshake(name string) vectors.Handshake {
	if h, ok := b.shakes[name]; ok {
		return h
	}
	return vectors.Handshake{Valid: name + "_valid", Ready: name + "_ready"}
}

// handshakesOf returns the unit's handshakes whose fields are not called P_valid and P_ready.
func handshakesOf(u vectors.Unit) map[string]vectors.Handshake {
	all := maps.Clone(u.Streams)
	for port, ready := range u.Ready {
		if all == nil {
			all = map[string]vectors.Handshake{}
		}
		if _, ok := all[port]; !ok {
			all[port] = vectors.Handshake{Valid: port + "_valid", Ready: ready}
		}
	}
	return all
}

// streamPorts says which ports carry streams, where the unit declares them.
func (b *Binding) streamPorts() string {
	if len(b.shakes) == 0 {
		return ""
	}
	return "; ports with a handshake are " + strings.Join(slices.Sorted(maps.Keys(b.shakes)), " and ")
}

// carries tells whether a field goes with the beats of a port.
func (b *Binding) carries(f vectors.Field, port string) bool {
	return f.Port == port || f.Name == b.handshake(port).Valid
}

// Control is a port of the RTL that is no field's.
type Control struct{ Role, Text, Note string }

// Controls returns clock, reset, clock enable, handshakes and tied inputs.
func (b *Binding) Controls() []Control {
	one := func(v bit) string { return formatBits(b.Ports, []bit{v}) }
	list := []Control{{"clock", "none", "combinational"}, {"reset", "none", ""}}
	if slices.ContainsFunc(b.Fields, func(f Bound) bool { return f.Clock }) {
		list[0] = Control{"clock", "several", "fields of their names"}
	}
	if b.clock != nil {
		list[0] = Control{"clock", one(*b.clock), "rising edge"}
		if b.clock.invert {
			list[0].Note = "falling edge"
		}
		for _, v := range b.clocks {
			note := "rising edge"
			if v.invert {
				note = "falling edge"
			}
			list = slices.Insert(list, 1, Control{"clock", one(v), note})
		}
	}
	if b.reset != nil {
		at := 1 + len(b.clocks)
		list[at] = Control{"reset", one(*b.reset), "active high"}
		if b.reset.invert {
			list[at].Note = "active low"
		}
		for _, v := range b.resets {
			note := "active high"
			if v.invert {
				note = "active low"
			}
			list = append(list, Control{"reset", one(v), note})
		}
	}
	if b.start > 0 {
		list[1+len(b.clocks)].Note += fmt.Sprintf(", left after %d more cycles", b.start)
	}
	if b.enable != nil {
		note := "held on"
		if b.stall > 0 {
			note = fmt.Sprintf("off in %g %% of cycles", 100*b.stall)
		}
		list = append(list, Control{"clock enable", one(*b.enable), note})
	}
	for _, name := range slices.Sorted(maps.Keys(b.ready)) {
		if r := b.ready[name]; r.port >= 0 {
			list = append(list, Control{"ready of " + name, one(r.bit), "map"})
		}
	}
	for _, i := range slices.Sorted(maps.Keys(b.joined)) {
		list = append(list, Control{b.Ports[i].Name, b.Ports[b.joined[i]-1].Name, "of the interface"})
	}
	for _, t := range b.ties {
		list = append(list, Control{"tied", formatBits(b.Ports, t.bits), fmt.Sprintf("to %d", t.value)})
	}
	return list
}
