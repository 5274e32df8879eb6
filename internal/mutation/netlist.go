package mutation

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// netlist is a module as gates and registers. Net 0 is the constant 0, net 1 the constant 1.
type netlist struct {
	nets  int
	gates []gate // in topological order: each after the gates that it reads
	// The gates before index steady depend on nothing but constants and the steady inputs.
	steady  int
	regs    []register
	assumes []assume
	asserts []assume           // of the unit's Invariant
	counts  []count            // of the same
	open    []int32            // nets that the RTL gives no value, an x
	ports   map[string][]int32 // nets of a port, the least significant first
}

type gate struct {
	kind       gateKind
	a, b, s, y int32
}

type register struct {
	d, q  int32
	clock int // index among those given
}

// assume is what the inputs keep to, or what an Invariant asserts: a wherever en.
type assume struct{ a, en int32 }

// count says that what a register holds, which net is has, counts wherever another net is 1.
type count struct{ is, where int32 }

type gateKind uint8

const (
	gateBuf gateKind = iota
	gateNot
	gateAnd
	gateOr
	gateXor
	gateMux // b if s, else a
)

// netBits are the nets of a port, a pin or a wire, by Yosys' own numbers.
type netBits []int32

// anX is an x or a z among bits. 0 and 1 are constants: Yosys numbers nets from 2 on.
const anX = -1

// UnmarshalJSON takes numbers of nets, and "0", "1", "x" and "z".
func (b *netBits) UnmarshalJSON(text []byte) error {
	*b = netBits{}
	for len(text) > 0 {
		switch text[0] {
		case '[', ']', ',', '"', ' ', '\n':
			text = text[1:]
			continue
		case 'x', 'z':
			*b, text = append(*b, anX), text[1:]
			continue
		}
		digits := 0
		for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
			digits++
		}
		net, err := strconv.ParseInt(string(text[:digits]), 10, 32)
		if err != nil {
			return fmt.Errorf("a bit is %.20q, want 0, 1, x or a net", text)
		}
		*b, text = append(*b, int32(net)), text[digits:]
	}
	return nil
}

// flag is a parameter that is 0 or 1, which Yosys writes in binary.
type flag bool

func (f *flag) UnmarshalJSON(text []byte) error {
	*f = flag(strings.HasSuffix(strings.Trim(string(text), `"`), "1"))
	return nil
}

// readNetlist reads the JSON that Yosys' write_json makes of a module without memories. clocks and steady are names of
// ports; steady ports are inputs that never change.
func readNetlist(r io.Reader, top string, clocks, steady []string) (*netlist, error) {
	var file struct {
		Modules map[string]struct {
			Ports map[string]struct{ Bits netBits }
			Cells map[string]*cell
			Names map[string]struct{ Bits netBits } `json:"netnames"`
		}
	}
	if err := json.NewDecoder(r).Decode(&file); err != nil {
		return nil, fmt.Errorf("yosys' netlist: %w", err)
	}
	m, ok := file.Modules[top]
	if !ok {
		return nil, fmt.Errorf("yosys' netlist has no module %s", top)
	}
	n := &netlist{nets: 2, ports: map[string][]int32{}}
	numbers := map[int32]int32{0: 0, 1: 1} // Yosys' own, made dense
	number := func(of netBits) error {
		for i, x := range of {
			if x == anX {
				return errors.New("a bit is x or z, want 0, 1 or a net")
			}
			if _, ok := numbers[x]; !ok {
				numbers[x] = n.net()
			}
			of[i] = numbers[x]
		}
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(m.Ports)) {
		if err := number(m.Ports[name].Bits); err != nil {
			return nil, fmt.Errorf("%s: port %s: %w", top, name, err)
		}
		n.ports[name] = m.Ports[name].Bits
	}
	clockOf := map[int32]int{}
	for i, name := range clocks {
		if len(n.ports[name]) != 1 {
			return nil, fmt.Errorf("%s: want a clock of one bit, %s", top, name)
		}
		clockOf[n.ports[name][0]] = i
	}
	w := &words{n: n, known: map[gate]int32{}}
	for _, name := range slices.Sorted(maps.Keys(m.Cells)) {
		c := m.Cells[name]
		err := c.check()
		for _, pin := range slices.Sorted(maps.Keys(c.Connections)) {
			if err == nil {
				err = number(c.Connections[pin])
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: cell %s of type %s: %w", top, name, c.Type, err)
		}
		switch c.Type {
		case "$anyseq":
			n.open = append(n.open, c.Connections["Y"]...)
		case "$assert":
			n.asserts = append(n.asserts, assume{c.Connections["A"][0], c.Connections["EN"][0]})
		case "$assume":
			n.assumes = append(n.assumes, assume{c.Connections["A"][0], c.Connections["EN"][0]})
		case "$dff":
			clock, ok := clockOf[c.Connections["CLK"][0]]
			if !ok || !bool(c.Parameters.CLK_POLARITY) {
				return nil, fmt.Errorf("%s: the clock of register %s is no rising edge of %v", top, name, clocks)
			}
			for i, q := range c.Connections["Q"] {
				n.regs = append(n.regs, register{d: c.Connections["D"][i], q: q, clock: clock})
			}
		default:
			y, ok := w.cell(c)
			if !ok {
				return nil, fmt.Errorf("%s: cell %s is of type %s, which is not known here", top, name, c.Type)
			}
			for i, net := range c.Connections["Y"] {
				n.gates = append(n.gates, gate{kind: gateBuf, a: y[i], y: net})
			}
		}
	}
	// A wire that is not read anywhere has nets without a number.
	for wire, name := range m.Names {
		of, ok := strings.CutPrefix(wire, countsPrefix)
		if !ok {
			continue
		}
		register := m.Names[of].Bits
		if len(register) != len(name.Bits) {
			return nil, fmt.Errorf("%s: the Invariant has %s of %d bits, register %s has %d", top, wire,
				len(name.Bits), of, len(register))
		}
		for bit := range register {
			pair := netBits{register[bit], name.Bits[bit]}
			if err := number(pair); err != nil {
				return nil, fmt.Errorf("%s: wire %s: %w", top, wire, err)
			}
			n.counts = append(n.counts, count{pair[0], pair[1]})
		}
	}
	if err := n.order(steady); err != nil {
		return nil, err
	}
	n.fold()
	return n, nil
}

// order sorts the gates.
func (n *netlist) order(steadyInputs []string) error {
	driver := make([]int32, n.nets) // gate + 1
	for i, g := range n.gates {
		driver[g.y] = int32(i + 1)
	}
	steady := make([]bool, n.nets)
	steady[0], steady[1] = true, true
	for _, name := range steadyInputs {
		for _, x := range n.ports[name] {
			steady[x] = true
		}
	}
	const (
		entered = 1
		placed  = 2
	)
	state := make([]uint8, len(n.gates))
	var first, later []gate
	stack := make([]int32, 0, 64)
	for root := range n.gates {
		stack = append(stack[:0], int32(root))
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			g := n.gates[i]
			if state[i] == placed {
				stack = stack[:len(stack)-1]
				continue
			}
			fresh := false
			for _, x := range [3]int32{g.a, g.b, g.s} {
				if d := driver[x] - 1; d >= 0 && state[d] != placed {
					if state[d] == entered {
						return errors.New("a combinational loop of gates")
					}
					stack = append(stack, d)
					fresh = true
				}
			}
			if state[i] = entered; fresh {
				continue
			}
			state[i] = placed
			if steady[g.a] && steady[g.b] && steady[g.s] {
				steady[g.y] = true
				first = append(first, g)
			} else {
				later = append(later, g)
			}
		}
	}
	n.steady = len(first)
	n.gates = append(first, later...)
	return nil
}
