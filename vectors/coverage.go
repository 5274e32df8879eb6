package vectors

import (
	"context"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/rtl"
)

// Machine is a state machine of a unit's module, for its coverage.
type Machine struct {
	Probe  string   // the private field that holds the state: "state"
	States []string // by value
	Arcs   [][2]int // the transitions that are possible, from and to; a state may also stay
}

// Coverage says which bits of a module a run moves, and which states and transitions it takes. A bit is covered in two
// ways: it rises and it falls.
type Coverage struct {
	Resets   int               `json:"resets,omitempty"`   // that come again, after the last row
	Toggles  Count             `json:"toggles"`            // rises and falls of the bits of ports and probes
	Missing  []string          `json:"missing"`            // "out_header[1] never falls", "register state[0] never moves"
	Excluded map[string]string `json:"excluded,omitempty"` // bits that cannot move, and why: not counted
	Wrong    []string          `json:"wrong,omitempty"`    // entries of Excluded whose bits rise and fall all the same
	Machines []MachineCoverage `json:"machines,omitempty"`
}

// Count is a share of a whole.
type Count struct {
	Covered int `json:"covered"`
	Of      int `json:"of"`
}

// MachineCoverage is the coverage of a state machine.
type MachineCoverage struct {
	Probe      string   `json:"probe"`
	States     Count    `json:"states"`
	Arcs       Count    `json:"transitions"`
	Missing    []string `json:"missing"`              // "TX_INIT", "TX_C → TX_D"
	Undeclared []string `json:"undeclared,omitempty"` // transitions that the unit does not declare
}

// Complete tells whether nothing is missing.
func (c *Coverage) Complete() bool {
	return len(c.Missing) == 0 && !slices.ContainsFunc(c.Machines,
		func(m MachineCoverage) bool { return len(m.Missing) > 0 })
}

// coverer collects the coverage of an instance.
type coverer struct {
	unit     Unit
	points   []coverPoint
	machines []machineCover
	left     int // rises and falls that count and are not yet seen
}

type coverPoint struct {
	name       string
	kind       string // "register " for a probe
	width      int
	read       func() uint64
	last       uint64
	rose, fell uint64 // bits
	excluded   uint64
}

type machineCover struct {
	Machine
	declared [][2]int // all arcs; only the arcs of Machine count
	read     func() uint64
	last     uint64
	state    []bool
	arcs     map[[2]int]bool // seen
	left     int
}

// newCoverer reads the ports and probes of the unit's module in cycle 0.
func newCoverer(u Unit, in *Instance) (*coverer, error) {
	c := &coverer{unit: u}
	used := map[string]bool{}
	add := func(kind, name string, width int, read func() uint64) {
		p := coverPoint{name: name, kind: kind, width: width, read: read, last: read()}
		for key := range u.Unmoved {
			if bits := unmovedBits(key, name, width); bits != 0 {
				p.excluded |= bits
				used[key] = true
			}
		}
		c.points = append(c.points, p)
		c.left += 2 * bits.OnesCount64(^p.excluded&(^uint64(0)>>(64-width)))
	}
	clocks := len(in.Fields) - len(in.taps) // they are none of the module's doing
	for i, f := range in.Fields[clocks:] {
		add("", f.Name, f.Width, in.taps[i].Value)
	}
	probes := map[string]func() uint64{}
	for _, s := range in.Sim.Signals() {
		if s.Kind != rtl.Probe || s.Module != "bench.dut" {
			continue
		}
		for l, leaf := range s.Leaves {
			name := s.Name
			if leaf.Name != "" {
				name += "_" + leaf.Name
			}
			read := func() uint64 { return s.Value(l) }
			probes[name] = read
			add("register ", name, leaf.Width, read)
		}
	}
	for _, m := range u.Machines {
		read, ok := probes[m.Probe]
		if !ok {
			return nil, fmt.Errorf("unit %s: state machine %s: the module has no such probe", u.Name, m.Probe)
		}
		declared := m.Arcs
		m.Arcs = slices.DeleteFunc(slices.Clone(m.Arcs), func(a [2]int) bool {
			key := m.States[a[0]] + " → " + m.States[a[1]]
			_, ok := u.Unmoved[key]
			used[key] = used[key] || ok
			return ok
		})
		mc := machineCover{Machine: m, declared: declared, read: read, last: read(), state: make([]bool, len(m.States)),
			arcs: map[[2]int]bool{}}
		mc.left = len(m.States) + len(m.Arcs)
		mc.enter(mc.last)
		c.machines = append(c.machines, mc)
	}
	for key := range u.Unmoved {
		if !used[key] {
			return nil, fmt.Errorf("unit %s: unmoved[%q]: the module has no such bit or transition", u.Name, key)
		}
	}
	return c, nil
}

// NotAbove is what [Unit.Unmoved] says of ports and probes whose bits from the given one on a narrow setting leaves
// out. The values are their widths.
func NotAbove(bit int, why string, widths map[string]int) map[string]string {
	unmoved := map[string]string{}
	for name, width := range widths {
		if bit < width {
			unmoved[fmt.Sprintf("%s[%d:%d]", name, width-1, bit)] = why
		}
	}
	return unmoved
}

// unmovedBits returns which bits of a port or probe a key of Unmoved names: "lock", "out_hi[1]", "timer[31:7]".
func unmovedBits(key, name string, width int) uint64 {
	rest, ok := strings.CutPrefix(key, name)
	if !ok {
		return 0
	}
	hi, lo := width-1, 0
	if rest != "" {
		if n, err := fmt.Sscanf(rest, "[%d:%d]", &hi, &lo); n == 1 {
			lo = hi
		} else if err != nil {
			return 0
		}
	}
	if lo < 0 || hi >= width || lo > hi {
		return 0
	}
	return ^uint64(0) >> (63 - hi) &^ (1<<lo - 1)
}

func (m *machineCover) enter(s uint64) {
	if s < uint64(len(m.state)) && !m.state[s] {
		m.state[s] = true
		m.left--
	}
}

// step looks at the values of the next cycle.
func (c *coverer) step() {
	for i := range c.points {
		p := &c.points[i]
		now := p.read()
		if moved := now ^ p.last; moved != 0 {
			rose, fell := moved&now&^p.rose, moved&p.last&^p.fell
			if fresh := bits.OnesCount64(rose&^p.excluded) + bits.OnesCount64(fell&^p.excluded); fresh > 0 {
				c.left -= fresh
			}
			p.rose |= rose
			p.fell |= fell
			p.last = now
		}
	}
	for i := range c.machines {
		m := &c.machines[i]
		now := m.read()
		arc := [2]int{int(m.last), int(now)}
		if !m.arcs[arc] {
			m.arcs[arc] = true
			if slices.Contains(m.Arcs, arc) {
				m.left--
			}
			m.enter(now)
		}
		m.last = now
	}
}

// complete tells whether everything that counts is covered.
func (c *coverer) complete() bool {
	for i := range c.machines {
		if c.machines[i].left > 0 {
			return false
		}
	}
	return c.left == 0
}

// coverage returns the account.
func (c *coverer) coverage() *Coverage {
	r := &Coverage{Missing: []string{}, Excluded: maps.Clone(c.unit.Unmoved)}
	for i := range c.points {
		p := &c.points[i]
		for b := range p.width {
			name := p.kind + p.name
			if p.width > 1 {
				name = fmt.Sprintf("%s%s[%d]", p.kind, p.name, b)
			}
			if p.excluded>>b&1 == 1 {
				if p.rose&p.fell>>b&1 == 1 {
					r.Wrong = append(r.Wrong, name)
				}
				continue
			}
			r.Toggles.Of += 2
			switch rose, fell := p.rose>>b&1, p.fell>>b&1; {
			case rose+fell == 2:
				r.Toggles.Covered += 2
			case rose == 1:
				r.Toggles.Covered++
				r.Missing = append(r.Missing, name+" never falls")
			case fell == 1:
				r.Toggles.Covered++
				r.Missing = append(r.Missing, name+" never rises")
			default:
				r.Missing = append(r.Missing, name+" never moves")
			}
		}
	}
	for i := range c.machines {
		r.Machines = append(r.Machines, c.machines[i].coverage())
	}
	return r
}

func (m *machineCover) coverage() MachineCoverage {
	r := MachineCoverage{Probe: m.Probe, Missing: []string{}, States: Count{Of: len(m.States)},
		Arcs: Count{Of: len(m.Arcs)}}
	name := func(s int) string {
		if s < len(m.States) {
			return m.States[s]
		}
		return strconv.Itoa(s)
	}
	for s, seen := range m.state {
		if seen {
			r.States.Covered++
		} else {
			r.Missing = append(r.Missing, name(s))
		}
	}
	for _, a := range m.Arcs {
		if m.arcs[a] {
			r.Arcs.Covered++
		} else {
			r.Missing = append(r.Missing, name(a[0])+" → "+name(a[1]))
		}
	}
	for a := range m.arcs {
		if a[0] != a[1] && !slices.Contains(m.declared, a) {
			r.Undeclared = append(r.Undeclared, name(a[0])+" → "+name(a[1]))
		}
	}
	slices.Sort(r.Undeclared)
	return r
}

// CyclesToCover returns the number of cycles of the unit's stimulus, at most the limit, that cover everything that
// counts; covered is false if the limit came first.
func CyclesToCover(ctx context.Context, u Unit, seed uint64, limit int) (cycles int, covered bool, err error) {
	if limit < 1 {
		return 0, false, fmt.Errorf("unit %s: limit of %d cycles, want at least 1", u.Name, limit)
	}
	in, err := u.Simulate(rtl.Config{}, seed)
	if err != nil {
		return 0, false, err
	}
	c, err := newCoverer(u, in)
	if err != nil {
		return 0, false, err
	}
	for cycles = 1; cycles < limit && !c.complete(); cycles++ {
		if cycles%between == 0 && ctx.Err() != nil {
			return 0, false, ctx.Err()
		}
		if err := in.Run(1); err != nil {
			return 0, false, err
		}
		c.step()
	}
	return cycles, c.complete(), nil
}
