package fuse

import (
	"cmp"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/rtl/fused"
)

// domains is an island of several clocks, or with delays, whose code can be written: a function for each clock, which
// calls methods of the modules' twins. Registers stay where the kernel has them. One that all its readers have read
// before its module's tick is set in place.
type domains struct {
	boxes  []*domainBox
	combs  []int
	rates  []float64 // of the clocks
	order  []int     // clocks, in the order of their ticks at an instant
	ranks  []*domainBox
	groups map[int][]*group // of each clock, in the order of their ticks
	kept   Refusals
	unseen Refusals

	leaves, gives, comes []crossing
}

// domainBox is a module of such an island.
type domainBox struct {
	*box
	code    *twin
	number  int
	readers map[string][]*domainBox // of each output
	aside   map[string]bool         // registers that are set aside until all modules have ticked
	class   *class
	group   *group         // nil if the module stands in the island by itself
	sizes   map[string]int // of the outputs, in bytes
}

// class is what the code of modules of one type, with as many ports and the same registers set aside, is in common.
type class struct {
	name     string
	of       *domainBox
	pointers map[string]bool // the ports whose values its code gets at by their pointers
	// the helpers, and the Comb, that its code calls, by their names: each island of a file has bodies of its own
	called  map[string]bool
	commits bool // its code gives registers the values set aside
}

// fuseIsland reads an island. names are the packages that the code for other islands names, and get this one's names.
func fuseIsland(src *source, home string, shape fused.Shape, names packageNames) (*domains, error) {
	for {
		d, err := readDomains(src, home, shape, names)
		var m *missing
		if !errors.As(err, &m) {
			return d, err
		}
		if err := src.load(m.path); err != nil {
			return nil, err
		}
	}
}

func readDomains(src *source, home string, shape fused.Shape, names packageNames) (*domains, error) {
	g, err := readShape(src, home, shape)
	if err != nil {
		return nil, err
	}
	if len(g.refused) > 0 {
		return nil, g.refused
	}
	d := &domains{combs: g.combs, rates: shape.Rates}
	for i, b := range g.boxes {
		box := &domainBox{
			box: b, number: i, readers: map[string][]*domainBox{}, aside: map[string]bool{}, sizes: map[string]int{},
		}
		for _, port := range b.order {
			if b.delay {
				continue
			}
			box.sizes[port] = int(types.SizesFor("gc", "amd64").Sizeof(b.signalType(port))) * cmp.Or(b.lengths[port], 1)
		}
		d.boxes = append(d.boxes, box)
	}
	if err := d.readTwins(src, home, g); err != nil {
		return nil, err
	}
	if len(g.refused) > 0 {
		return nil, g.refused
	}
	if err := d.connect(); err != nil {
		return nil, err
	}
	if err := d.cross(g); err != nil {
		return nil, err
	}
	d.rank()
	own := maps.Clone(names)
	if d.checkImports(g, home, own); len(g.refused) > 0 {
		return nil, g.refused
	}
	maps.Copy(names, own)
	return d, nil
}

// readTwins reads each type once.
func (d *domains) readTwins(src *source, home string, g *graph) error {
	known := map[string]*twin{}
	some := false
	for _, b := range d.boxes {
		if b.delay {
			continue
		}
		key := types.TypeString(b.named, nil) + fmt.Sprint(b.lengths, b.rows)
		t := known[key]
		if t == nil {
			t = readTwin(src, home, b.box, slices.Contains(d.combs, b.number))
			if t.hard == nil && t.refuse == nil {
				t.checkSets()
			}
			known[key] = t
		}
		b.code = t
		var hard *Refusal
		switch {
		case errors.As(t.hard, &hard):
			_ = g.refuse(&Refusal{b.path, hard.Reason, hard.Where})
		case t.hard != nil:
			return t.hard
		case t.refuse != nil:
			d.kept = append(d.kept, &Refusal{b.path, t.refuse.Reason, t.refuse.Where})
		default:
			some = true
			if t.unseen != nil {
				d.unseen = append(d.unseen, &Refusal{b.path, t.unseen.Reason, t.unseen.Where})
			}
		}
	}
	if !some && len(g.refused) == 0 {
		g.refused = d.kept
		for _, b := range d.boxes {
			if b.delay {
				g.refused = append(g.refused, b.moved())
			}
		}
	}
	return nil
}

// output is a port of a module that others read.
type output struct {
	box  *domainBox
	port string
}

// outputs returns all outputs, also the inputs, by their names in the shape.
func (d *domains) outputs() map[string]output {
	outputs := map[string]output{}
	for i, b := range d.boxes {
		for _, port := range b.order {
			for _, name := range b.signals(port) {
				outputs[strconv.Itoa(i)+"."+name] = output{b, port}
			}
		}
	}
	return outputs
}

// connect finds the readers of each output.
func (d *domains) connect() error {
	outputs := d.outputs()
	for _, b := range d.boxes {
		for _, from := range b.ins {
			if b.delay || !strings.Contains(from, ".") {
				continue // a delay reads before any register is set, a constant stays
			}
			o, there := outputs[from]
			if !there {
				return b.older()
			}
			if readers := o.box.readers[o.port]; !slices.Contains(readers, b) {
				o.box.readers[o.port] = append(readers, b)
			}
		}
	}
	return nil
}

// rank orders the ticks, clock by clock. Clocks that are alike stand together: their groups have one function, and at
// instants that they share it is called once for all.
func (d *domains) rank() {
	var kinds [][]int // clocks that are alike
	for _, clock := range d.clocks() {
		i := slices.IndexFunc(kinds, func(alike []int) bool { return d.clockKey(alike[0]) == d.clockKey(clock) })
		if i < 0 {
			i, kinds = len(kinds), append(kinds, nil)
		}
		kinds[i] = append(kinds[i], clock)
	}
	ranked := map[*domainBox]bool{}
	for _, clock := range slices.Concat(d.rankKinds(kinds)...) {
		d.order = append(d.order, clock)
		d.rankClock(clock, ranked)
	}
}

// aCall is what a call that gives registers their values costs, as bytes that it copies.
const aCall = 32

// rankKinds moves kinds of clocks, one at a time, to where less is set aside for later clocks, in bytes a second. It
// ends when no such move is left. Rates are rounded to whole Hz: then sums do not depend on the order of adding, and
// equals stay in place.
func (d *domains) rankKinds(kinds [][]int) [][]int {
	place, bytes := make([]int, len(d.rates)), make([]int, len(d.rates)) // of each clock
	cost := func(order [][]int) (sum int) {
		for i, kind := range order {
			for _, clock := range kind {
				place[clock], bytes[clock] = i, 0
			}
		}
		for _, b := range d.boxes {
			if !b.delay {
				bytes[b.clock] += b.late(func(r *domainBox) bool { return place[r.clock] > place[b.clock] }, nil)
			}
		}
		for clock, n := range bytes {
			if n > 0 {
				sum += (aCall + n) * int(math.Ceil(d.rates[clock]))
			}
		}
		return sum
	}
	least, better := cost(kinds), true
	for better {
		better = false
		for i := range kinds {
			for to := range kinds {
				moved := slices.Insert(slices.Delete(slices.Clone(kinds), i, i+1), to, kinds[i])
				if c := cost(moved); c < least {
					kinds, least, better = moved, c, true
				}
			}
		}
	}
	return kinds
}

// clocks returns the clocks in the order of their first modules.
func (d *domains) clocks() (clocks []int) {
	for _, b := range d.boxes {
		if !slices.Contains(clocks, b.clock) {
			clocks = append(clocks, b.clock)
		}
	}
	return clocks
}

// Clocks with the same clockKey are alike: types of modules, how many ports they have, and where they stand in their
// scope.
func (d *domains) clockKey(clock int) (key string) {
	of := slices.DeleteFunc(slices.Clone(d.boxes), func(b *domainBox) bool { return b.clock != clock })
	paths := (&group{path: scopeOf(of), members: of}).within()
	for i, b := range of {
		key += fmt.Sprintln(b.typ, b.lengths, paths[i])
	}
	return key
}

// rankClock orders the ticks of a clock.
func (d *domains) rankClock(clock int, ranked map[*domainBox]bool) {
	var left []*domainBox
	for _, b := range slices.Backward(d.boxes) { // data mostly goes in the order of adding
		if b.clock == clock && !b.delay {
			left = append(left, b)
		}
	}
	last := ""
	for len(left) > 0 {
		best := slices.MinFunc(left, func(a, b *domainBox) int {
			waits := func(x *domainBox) int {
				return x.late(func(r *domainBox) bool { return r != x && r.clock == clock && !ranked[r] }, nil)
			}
			elsewhere := func(x *domainBox) int { // modules of one scope stand together where it costs nothing: see group
				if scopeOf([]*domainBox{x}) == last {
					return 0
				}
				return 1
			}
			return cmp.Or(cmp.Compare(waits(a), waits(b)), cmp.Compare(elsewhere(a), elsewhere(b)))
		})
		last = scopeOf([]*domainBox{best})
		best.late(func(r *domainBox) bool { return !ranked[r] }, best.aside)
		for _, port := range best.order {
			if best.ports[port] == "Out" && (best.code.refuse != nil || best.code.rereads(port)) {
				best.aside[port] = true
			}
		}
		ranked[best] = true
		d.ranks = append(d.ranks, best)
		left = slices.DeleteFunc(left, func(b *domainBox) bool { return b == best })
	}
}

// late returns the bytes of the registers that some reader has still to read, and notes them.
func (b *domainBox) late(waits func(reader *domainBox) bool, note map[string]bool) (bytes int) {
	for _, port := range b.order {
		if b.ports[port] == "Out" && slices.ContainsFunc(b.readers[port], waits) {
			bytes += b.sizes[port]
			if note != nil {
				note[port] = true
			}
		}
	}
	return bytes
}

// checkImports refuses modules whose code would name two packages by one name.
func (d *domains) checkImports(g *graph, home string, names packageNames) {
	for _, b := range d.boxes {
		g.nameTypes(names, home, b.box, b.named)
		if b.delay {
			continue
		}
		for _, port := range b.order {
			if b.placed(port) || b.ports[port] == "Out" {
				g.nameTypes(names, home, b.box, b.signalType(port))
			}
		}
		if b.code.refuse != nil {
			continue
		}
		for _, f := range b.code.fields {
			g.nameTypes(names, home, b.box, f.typ)
		}
		for _, x := range b.code.bodies {
			g.nameImports(names, b.box, x)
		}
	}
}

// settles tells whether nobody but modules of its own clock reads the registers that a module sets aside: they can have
// their values as soon as these have ticked.
func (b *domainBox) settles() bool {
	for port := range b.aside {
		if slices.ContainsFunc(b.readers[port], func(r *domainBox) bool { return r.clock != b.clock }) {
			return false
		}
	}
	return true
}

// settledLate are the modules of a clock whose registers that were set aside have their values once all clocks have
// ticked.
func (d *domains) settledLate(clock int) (late []*domainBox) {
	for _, g := range d.groups[clock] {
		for _, b := range g.members {
			if len(b.aside) > 0 && !(g.name != "" && g.settles(d, b)) && !(len(d.order) > 1 && b.settles()) {
				late = append(late, b)
			}
		}
	}
	return late
}

// apart returns the other clocks for whose modules alone a clock's registers are set aside until all have ticked; none
// if there are other reasons: modules of its own clock, delays, a module that reads its own register once more or runs
// as it is.
func (d *domains) apart(clock int) (readers []int) {
	if len(d.delays(func(b *domainBox) bool { return b.clock == clock })) > 0 {
		return nil
	}
	for _, b := range d.settledLate(clock) {
		for port := range b.aside {
			if b.code.refuse != nil || b.code.rereads(port) {
				return nil
			}
			for _, r := range b.readers[port] {
				switch {
				case slices.Index(d.ranks, r) < slices.Index(d.ranks, b): // it has read by then
				case r.clock == clock:
					return nil
				default:
					readers = append(readers, r.clock)
				}
			}
		}
	}
	slices.Sort(readers)
	return slices.Compact(readers)
}

// placed tells whether the code knows where a port's value lies.
func (b *domainBox) placed(port string) bool {
	return b.aside[port] || b.code.refuse == nil && b.code.used[port]
}
