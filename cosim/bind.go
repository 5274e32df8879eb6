package cosim

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// binder brings fields and ports together.
type binder struct {
	*Binding
	m       Map
	used    []bool         // ports
	claimed map[int]bool   // ports that the map uses for something else than clock, reset and enable
	driver  map[bit]string // of the bits of RTL inputs
	causes  []string
}

// fault notes a misfit.
func (b *binder) fault(format string, args ...any) {
	const most = 280 // characters: an error is a line that can be read
	b.causes = append(b.causes, clip(fmt.Sprintf(format, args...), most))
}

// bind brings fields and ports together. Every misfit is reported at once. In a waveform, the drivers of the RTL's
// other inputs are of no interest.
func bind(u vectors.Unit, fields []vectors.Field, ports []Port, m Map, waveform bool) (*Binding, error) {
	b := &binder{
		m:       m,
		used:    make([]bool, len(ports)),
		claimed: map[int]bool{},
		driver:  map[bit]string{},
		Binding: &Binding{
			Ports: ports, stall: m.Stall, skip: m.Skip, holds: m.Holds, ready: map[string]readyPort{}, waveform: waveform,
			joined: map[int]int{}, shakes: handshakesOf(u)},
	}
	for _, f := range fields {
		x := Bound{Field: f, bits: make([]bit, f.Width)}
		if f.Dir == rtl.Output {
			x.mask = ^uint64(0) >> (64 - f.Width)
		}
		for i := range x.bits {
			x.bits[i] = bit{port: openBit}
		}
		b.Fields = append(b.Fields, x)
	}
	b.claim()
	b.mapFields()
	b.controls()
	b.tie()
	b.streams()
	if len(b.causes) == 0 {
		b.guess(b.used)
	}
	b.joinHollow()
	guessed := len(b.causes) == 0
	if guessed {
		b.wantAll()
	}
	if len(b.causes) == 0 {
		b.drivers()
	}
	if len(b.causes) > 0 {
		e := &BindError{Causes: b.causes}
		if guessed {
			e.Map = b.streamMap()
		}
		return nil, e
	}
	for i := range b.Fields {
		f := &b.Fields[i]
		f.Text = formatBits(ports, f.bits)
		if f.How == "held" || f.How == "ignored" || f.How == "stream" {
			f.Text = ""
		}
	}
	return b.Binding, nil
}

// bindRTL binds a design.
func bindRTL(u vectors.Unit, fields []vectors.Field, r reading, m Map) (*Binding, error) {
	b, err := bind(u, fields, r.ports, m, false)
	if err == nil {
		b.ifaces = r.ifaces
	}
	return b, err
}

// openBit is a bit of a field that nothing stands for yet.
const openBit = -3

// claim finds the ports that the map names, so that none of them is taken for a clock by its name.
func (b *binder) claim() {
	texts := slices.Concat(slices.Collect(maps.Values(b.m.Ports)), slices.Collect(maps.Keys(b.m.Tie)))
	for _, s := range b.m.Streams {
		texts = append(texts, s.Ready)
	}
	for _, text := range texts {
		bits, _ := parseBits(b.Ports, text) // its faults are reported later
		for _, v := range bits {
			b.claimed[v.port] = true
		}
	}
}

// find returns the field, or the slice of it, that a key of the map names.
func (b *binder) find(key, text string) (*Bound, fieldSlice, bool) {
	s, ok := parseSlice(text)
	for i := range b.Fields {
		f := &b.Fields[i]
		if !ok || f.Name != s.name {
			continue
		}
		if s.hi < 0 {
			s.hi, s.lo = f.Width-1, 0
		}
		if s.lo > s.hi || s.hi >= f.Width {
			b.fault("%s: %s: no such bits, %s has [%d:0]", key, quote(text), f.Name, f.Width-1)
			return nil, s, false
		}
		return f, s, true
	}
	b.fault("%s: the unit has no field %s; it has %s", key, clip(text, 60), b.fieldNames())
	return nil, s, false
}

func (b *binder) fieldNames() string {
	var names []string
	for i := range b.Fields {
		names = append(names, b.Fields[i].Name)
	}
	return strings.Join(names, ", ")
}

// place assigns RTL bits to bits of a field.
func (b *binder) place(key string, f *Bound, s fieldSlice, how string, bits func(i int) bit) {
	for k := s.hi; k >= s.lo; k-- {
		at := &f.bits[f.Width-1-k]
		if at.port != openBit {
			b.fault("%s: bit %d of %s stands in the map already", key, k, f.Name)
			return
		}
		*at = bits(s.hi - k)
	}
	if f.How == "" || how == "map" {
		f.How = how
	}
}

// mapFields goes through what the map says of fields.
func (b *binder) mapFields() {
	for _, key := range slices.Sorted(maps.Keys(b.m.Ports)) {
		f, s, ok := b.find("ports", key)
		if !ok {
			continue
		}
		text := b.m.Ports[key]
		bits, err := parseBits(b.Ports, text)
		if err != nil {
			b.fault("ports: %s: %v", key, err)
			continue
		}
		if len(bits) != s.width() {
			b.fault("ports: %s has %s, %s has %d%s", key, bitCount(s.width()), clip(text, 60), len(bits),
				narrower(f, s, text, len(bits)))
			continue
		}
		for i, v := range bits {
			switch {
			case v.port == constantBit && f.Dir == rtl.Input: // the RTL lacks the bit: the model has its value
				f.held |= 1 << (s.hi - i)
				f.value |= uint64(v.place) << (s.hi - i)
			case v.port == constantBit:
			case !b.Ports[v.port].is(f.Dir):
				b.fault(
					"ports: %s is an %v, %s is an %v of the RTL", f.Name, dirName(f.Dir), b.Ports[v.port].Name,
					dirName(b.Ports[v.port].Dir),
				)
			default:
				b.used[v.port] = true
			}
		}
		b.place("ports", f, s, "map", func(i int) bit { return bits[i] })
	}
	for _, key := range slices.Sorted(maps.Keys(b.m.Without)) {
		f, s, ok := b.find("without", key)
		value := b.m.Without[key]
		switch {
		case !ok:
		case f.Clock:
			b.fault("without: %s is a clock: it rises when it does", f.Name)
		case f.Dir != rtl.Input:
			b.fault("without: %s is an output: ignore it", f.Name)
		case s.width() < 64 && value>>s.width() != 0:
			b.fault("without: %d has more than the %s of %s", value, bitCount(s.width()), key)
		default:
			f.held |= s.mask()
			f.value |= value << s.lo
			b.place("without", f, s, "held", func(int) bit { return bit{port: absentBit} })
		}
	}
	for _, key := range b.m.Ignore {
		if b.ignorePort(key) {
			continue
		}
		f, s, ok := b.find("ignore", key)
		switch {
		case !ok:
		case f.Dir == rtl.Input:
			b.fault("ignore: %s is an input: hold it (without: {%s: 0})", f.Name, key)
		default:
			f.mask &^= s.mask()
			b.place("ignore", f, s, "ignored", func(int) bit { return bit{port: absentBit} })
		}
	}
	for _, key := range slices.Sorted(maps.Keys(b.m.Mask)) {
		f, s, ok := b.find("mask", key)
		mask := b.m.Mask[key]
		switch {
		case !ok:
		case f.Dir == rtl.Input:
			b.fault("mask: %s is an input, want an output", f.Name)
		case s.width() < 64 && mask>>s.width() != 0:
			b.fault("mask: %#x has more than the %s of %s", mask, bitCount(s.width()), key)
		case mask == 0:
			b.fault("mask: 0 leaves nothing of %s: ignore it (ignore: [%s])", key, key)
		default:
			f.mask &^= s.mask() &^ (mask << s.lo)
		}
	}
	b.mapValid()
	b.mapExtra()
}

// always is what Valid says of an output that counts in every cycle.
const always = "always"

// mapValid says when outputs count. Its entry for a field counts more than its entry for the port.
func (b *binder) mapValid() {
	keys := slices.Sorted(maps.Keys(b.m.Valid))
	for _, own := range []bool{false, true} {
		for _, key := range keys {
			valid := b.m.Valid[key]
			is := slices.ContainsFunc(
				b.Fields, func(f Bound) bool { return f.Name == valid && f.Dir == rtl.Output && f.Width == 1 },
			)
			if valid != always && !is {
				b.fault("valid: %s: %s is no output of one bit; the unit has %s", clip(key, 60), quote(valid), b.fieldNames())
				return
			}
			found := false
			for i := range b.Fields {
				f := &b.Fields[i]
				if f.Name == key || f.Port == key {
					found = true
					if f.Dir == rtl.Input {
						b.fault("valid: %s is an input, want an output", clip(key, 60))
						return
					}
				}
				switch {
				case (f.Name == key) != own || !own && f.Port != key:
				case valid == always || valid == f.Name:
					f.Valid = ""
				default:
					f.Valid = valid
				}
			}
			if !found {
				b.fault("valid: the unit has no field %s; it has %s", clip(key, 60), b.fieldNames())
				return
			}
		}
	}
}

// ignorePort ignores all fields of an output port that has the name and is no field itself.
func (b *binder) ignorePort(name string) bool {
	found := false
	for i := range b.Fields {
		f := &b.Fields[i]
		if f.Port != name || f.Name == name || f.Dir != rtl.Output {
			continue
		}
		found = true
		f.mask = 0
		b.place("ignore", f, fieldSlice{f.Name, f.Width - 1, 0}, "ignored", func(int) bit { return bit{port: absentBit} })
	}
	return found
}

// mapExtra gives outputs their latencies. A field's entry counts more than its port's.
func (b *binder) mapExtra() {
	for _, key := range slices.Sorted(maps.Keys(b.m.Extra)) {
		l, found := b.m.Extra[key], false
		for i := range b.Fields {
			f := &b.Fields[i]
			_, own := b.m.Extra[f.Name]
			if f.Name != key && (f.Port != key || own) {
				continue
			}
			found = true
			if f.Dir == rtl.Input {
				b.fault("extra: %s is an input, want an output", key)
				break
			}
			f.extra = &l
		}
		switch {
		case !found:
			b.fault("extra: the unit has no field %s; it has %s", clip(key, 60), b.fieldNames())
		case l < -MaxExtra || l > MaxExtra:
			b.fault("extra: %s: %d cycles, want %d to %d", key, l, -MaxExtra, MaxExtra)
		}
	}
}

// single returns the one bit of a port that the map names for something.
func (b *binder) single(what, text string, dir rtl.Direction) *bit {
	bits, err := parseBits(b.Ports, text)
	switch {
	case err != nil:
		b.fault("%s: %v", what, err)
	case len(bits) != 1 || bits[0].port < 0 || !b.Ports[bits[0].port].is(dir):
		b.fault("%s: %s is not one bit of an %s of the RTL", what, quote(text), dirName(dir))
	default:
		b.used[bits[0].port] = true
		if dir == rtl.Input {
			b.drive(bits[0], what)
		}
		return &bits[0]
	}
	return nil
}

// drive notes the driver of a bit of an RTL input.
func (b *binder) drive(v bit, by string) {
	v.invert = false
	if first, ok := b.driver[v]; ok {
		b.fault("bit %d of %s is driven by %s and by %s", v.place, b.Ports[v.port].Name, first, by)
		return
	}
	b.driver[v] = by
}

// wantAll wants something for each field, and a driver for each input of the RTL.
func (b *binder) wantAll() {
	for i := range b.Fields {
		f := &b.Fields[i]
		switch k := slices.IndexFunc(f.bits, func(v bit) bool { return v.port == openBit }); {
		case k < 0:
		case f.How == "":
			b.fault(
				"%s %s of %s: no port of the RTL fits (not in use: %s): name it in the map (ports: {%s: %s}), or %s",
				dirName(f.Dir), f.Name, bitCount(f.Width), orNone(clip(b.free(f.Dir), 80)), f.Name, b.only(f), b.instead(f),
			)
		default:
			b.fault("%s", openBits(f, k))
		}
	}
	for i, p := range b.Ports {
		if !b.used[i] && p.Dir == rtl.Input {
			b.fault("input %v of the RTL is driven by nothing: name it in the map, or tie it (tie: {%s: 0})", p, p.Name)
		}
	}
}

// joinHollow joins the ports of interfaces to the top module's of the same name, else to each other: mostly their
// clocks'.
func (b *binder) joinHollow() {
	short := func(p Port) string { return p.Name[strings.Index(p.Name, ".")+1:] }
	for i, p := range b.Ports {
		if !p.hollow || b.used[i] {
			continue
		}
		k := slices.IndexFunc(b.Ports, func(q Port) bool { return q.iface < 0 && q.Dir == rtl.Input && q.Name == short(p) })
		for j, q := range b.Ports {
			if k < 0 && q.hollow && b.used[j] && b.joined[j] == 0 && short(q) == short(p) {
				k = j
			}
		}
		if k >= 0 && b.Ports[k].Width() == p.Width() {
			b.used[i], b.joined[i] = true, k+1
		}
	}
}

// drivers wants one driver for each bit of an RTL input.
func (b *binder) drivers() {
	for i := range b.Fields {
		f := &b.Fields[i]
		for _, v := range f.bits {
			if f.Dir == rtl.Input && v.port >= 0 {
				b.drive(v, f.Name)
			}
		}
	}
	for i, p := range b.Ports {
		if p.Dir != rtl.Input || !b.used[i] || b.joined[i] > 0 {
			continue
		}
		for place := range p.Width() {
			if _, ok := b.driver[bit{port: i, place: place}]; !ok {
				b.fault("bit %d of %v is driven by nothing", place, p)
				break
			}
		}
	}
}

func dirName(d rtl.Direction) string {
	if d == rtl.Input {
		return "input"
	}
	return "output"
}

func bitCount(n int) string {
	if n == 1 {
		return "1 bit"
	}
	return fmt.Sprintf("%d bits", n)
}

func without(d rtl.Direction, name string) string {
	if d == rtl.Input {
		return fmt.Sprintf("hold it (without: {%s: 0})", name)
	}
	return fmt.Sprintf("ignore it (ignore: [%s])", name)
}

func (b *binder) free(d rtl.Direction) string {
	var free []Port
	for i, p := range b.Ports {
		if !b.used[i] && p.is(d) {
			free = append(free, p)
		}
	}
	return portNames(free)
}

// only names the one free port that could be a field: of its direction and width, and of several the one whose name
// has the most words of the field's, as wvalid has in_valid's.
func (b *binder) only(f *Bound) string {
	found, best, several := "…", -1, false
	for i, p := range b.Ports {
		if b.used[i] || !p.is(f.Dir) || p.Width() != f.Width {
			continue
		}
		alike := 0
		for _, w := range words(f.Name) {
			if w != "in" && w != "out" && strings.Contains(strings.ToLower(p.Name), w) {
				alike++
			}
		}
		switch {
		case alike > best:
			found, best, several = p.Name, alike, false
		case alike == best:
			several = true
		}
	}
	if several {
		return "…"
	}
	return found
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
