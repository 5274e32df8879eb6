package rtl

import (
	"fmt"
	"unsafe"

	"github.com/goldwire/goldwire/internal/engine"
)

// Feed is an Out whose type is known only at run time: the type of the input that it feeds. Replaying recorded values
// into any module takes one Feed an input. It starts at zero unless its module's Reset drives it.
type Feed struct {
	input     *PortInfo
	next, cur unsafe.Pointer
	set       bool // driven since strict mode last looked
}

// Replace makes an input read this Feed and nothing that it was connected to before. Like Connect it comes before
// elaboration; it panics if the port is an output.
func (f *Feed) Replace(input *PortInfo) {
	in, ok := input.port.(sink)
	if !ok {
		panic(fmt.Sprintf("rtl: Feed.Replace: port %s is an output", input.Name))
	}
	f.input = input
	in.reconnect(f)
}

// SetLeaf gives a leaf of the register its value after this edge, cut to the leaf's width.
func (f *Feed) SetLeaf(leaf int, x uint64) {
	f.input.Leaves[leaf].Store(f.next, x)
	f.set = true
}

// Poke gives a leaf its value at once, cut to the leaf's width, as a wire from outside of the simulation would. It is
// for between runs of an elaborated simulation, never for a tick.
func (f *Feed) Poke(leaf int, x uint64) {
	f.input.Leaves[leaf].Store(f.cur, x)
	f.input.Leaves[leaf].Store(f.next, x)
}

func (f *Feed) isSource() {}
func (f *Feed) pin() engine.Pin {
	return engine.Pin{Kind: f.input.port.pin().Kind, Cur: &f.cur, Next: &f.next, Used: &f.set}
}
