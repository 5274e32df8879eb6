package engine_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/engine"
)

// comber is a module without anything.
type comber struct{}

func (comber) Tick() {}
func (comber) Comb() {}

// design has nodes a, b and so on. A wire is named by its node and its number, an input by the wire that it reads.
type design struct {
	nodes []*engine.Node
	wires map[string]*engine.Output
}

func newDesign(names string) *design {
	d := &design{wires: map[string]*engine.Output{}}
	for i, name := range names {
		d.nodes = append(d.nodes, &engine.Node{Index: i, Path: string(name), Comber: comber{}})
	}
	return d
}

// wire adds a wire to a node, with a comb tag.
func (d *design) wire(node int, name string, comb ...string) {
	n := d.nodes[node]
	d.wires[name] = &engine.Output{Node: n, Name: name, IsWire: true}
	if tag := strings.Join(comb, ","); tag != "" {
		d.wires[name].Comb = &tag
	}
	n.Wires = append(n.Wires, d.wires[name])
}

// read adds an input that reads a wire.
func (d *design) read(node int, name string) {
	n := d.nodes[node]
	n.Ins = append(n.Ins, &engine.Input{Node: n, Name: name, From: d.wires[name]})
}

// order returns the nodes in the order of the calls, the circles, and unknown names.
func (d *design) order() (calls, circles, unknown string) {
	for _, n := range engine.OrderCombs(d.nodes, func(circle []*engine.Output) {
		for _, w := range circle {
			circles += w.Path() + " "
		}
	}, func(w *engine.Output, name string) { unknown += w.Path() + ":" + name + " " }) {
		calls += n.Path
	}
	return calls, circles, unknown
}

// A valid goes from a to b, a ready goes back. If ready depends on nothing, b is called first. Without a tag the two
// wires depend on each other.
func TestOrderOfCombs(t *testing.T) {
	for _, tagged := range []bool{false, true} {
		d := newDesign("abc")
		d.wire(0, "valid")
		var none []string
		if tagged {
			none = []string{"none"}
		}
		d.wire(1, "ready", none...)
		d.read(0, "ready")
		d.read(1, "valid")
		calls, circles, unknown := d.order()
		require.Empty(t, unknown)
		if tagged {
			require.Empty(t, circles)
			require.Equal(t, "cba", calls) // c has no wires: its Comb is watched, first
		} else {
			require.Equal(t, "a.valid b.ready ", circles)
		}
	}
}

// The wires of a lie on both sides of b's wire, so a is called before and after b.
func TestCombCalledTwice(t *testing.T) {
	d := newDesign("ab")
	d.wire(0, "first", "none")
	d.wire(1, "middle")
	d.wire(0, "last", "Middle", "Nothing")
	d.read(1, "first")
	d.read(0, "middle")
	calls, circles, unknown := d.order()
	require.Equal(t, "aba", calls)
	require.Empty(t, circles)
	require.Equal(t, "a.last:Nothing ", unknown)
}
