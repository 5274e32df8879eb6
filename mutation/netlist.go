package mutation

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// netlist is a module as gates and registers. Net 0 is the constant 0, net 1 the constant 1.
type netlist struct {
	nets  int
	gates []gate // in an order in which each comes after those that it reads
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

var gateKinds = map[string]gateKind{"$_BUF_": gateBuf, "$_NOT_": gateNot, "$_AND_": gateAnd, "$_OR_": gateOr, "$_XOR_": gateXor, "$_MUX_": gateMux}

// readNetlist reads what Yosys' write_json says of a module of simple gates. The clocks are names of ports, and so are the steady inputs.
func readNetlist(r io.Reader, top string, clocks, steady []string) (*netlist, error) {
	var file struct {
		Modules map[string]struct {
			Ports map[string]struct{ Bits []any }
			Cells map[string]struct {
				Type    string
				Connect map[string][]any `json:"connections"`
			}
			Names map[string]struct{ Bits []any } `json:"netnames"`
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
	numbers := map[float64]int32{} // Yosys' own, made dense
	net := func(bit any) (int32, error) {
		switch b := bit.(type) {
		case float64:
			if _, ok := numbers[b]; !ok {
				numbers[b] = int32(n.nets)
				n.nets++
			}
			return numbers[b], nil
		case string:
			if b == "0" || b == "1" {
				return int32(b[0] - '0'), nil
			}
		}
		return 0, fmt.Errorf("yosys' netlist of %s: a bit is %v, want 0, 1 or a net", top, bit)
	}
	for _, name := range slices.Sorted(maps.Keys(m.Ports)) {
		for _, bit := range m.Ports[name].Bits {
			x, err := net(bit)
			if err != nil {
				return nil, err
			}
			n.ports[name] = append(n.ports[name], x)
		}
	}
	clockOf := map[int32]int{}
	for i, name := range clocks {
		if len(n.ports[name]) != 1 {
			return nil, fmt.Errorf("%s: want a clock of one bit, %s", top, name)
		}
		clockOf[n.ports[name][0]] = i
	}
	for _, name := range slices.Sorted(maps.Keys(m.Cells)) {
		c := m.Cells[name]
		at := func(port string) (x int32, err error) {
			if len(c.Connect[port]) != 1 {
				return 0, fmt.Errorf("%s: cell %s of type %s has %d bits at %s, want 1", top, name, c.Type, len(c.Connect[port]), port)
			}
			return net(c.Connect[port][0])
		}
		if c.Type == "$anyseq" {
			for _, bit := range c.Connect["Y"] {
				x, err := net(bit)
				if err != nil {
					return nil, err
				}
				n.open = append(n.open, x)
			}
			continue
		}
		var pins [4]int32
		kind, isGate := gateKinds[c.Type]
		names := []string{"A", "Y"}
		switch {
		case c.Type == "$_DFF_P_":
			names = []string{"D", "Q", "C"}
		case c.Type == "$assume" || c.Type == "$assert":
			names = []string{"A", "EN"}
		case !isGate:
			return nil, fmt.Errorf("%s: cell %s is of type %s, want gates and registers at a rising edge", top, name, c.Type)
		case kind == gateMux:
			names = []string{"A", "Y", "B", "S"}
		case kind > gateNot:
			names = []string{"A", "Y", "B"}
		}
		for i, pin := range names {
			var err error
			if pins[i], err = at(pin); err != nil {
				return nil, err
			}
		}
		switch {
		case isGate:
			n.gates = append(n.gates, gate{kind: kind, a: pins[0], y: pins[1], b: pins[2], s: pins[3]})
			continue
		case c.Type == "$assert":
			n.asserts = append(n.asserts, assume{pins[0], pins[1]})
			continue
		case c.Type == "$assume":
			n.assumes = append(n.assumes, assume{pins[0], pins[1]})
			continue
		}
		clock, ok := clockOf[pins[2]]
		if !ok {
			return nil, fmt.Errorf("%s: the clock of register %s is none of %v", top, name, clocks)
		}
		n.regs = append(n.regs, register{d: pins[0], q: pins[1], clock: clock})
	}
	for wire, name := range m.Names {
		of, ok := strings.CutPrefix(wire, countsPrefix)
		if !ok {
			continue
		}
		register := m.Names[of].Bits
		if len(register) != len(name.Bits) {
			return nil, fmt.Errorf("%s: the Invariant has %s of %d bits, register %s has %d", top, wire, len(name.Bits), of, len(register))
		}
		for bit := range register {
			counts, err := net(name.Bits[bit])
			if err != nil {
				return nil, err
			}
			is, err := net(register[bit])
			if err != nil {
				return nil, err
			}
			n.counts = append(n.counts, count{is, counts})
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
