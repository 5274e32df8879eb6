package emit

import (
	"slices"

	"github.com/goldwire/goldwire/internal/netlist"
	"github.com/goldwire/goldwire/internal/symbolic"
)

// settled takes cells for constants again that no Tick moves away from their value after the reset, whatever the
// registers hold. The rounds before could not tell.
func (b *builder) settled(reset, after symbolic.State) (some bool) {
	for _, c := range b.cells {
		n, is := reset.Get(c).(*netlist.Node)
		if is && b.reg[c] && !b.once[c] && n.Op == netlist.Const && after.Get(c) == n {
			b.reg[c], b.once[c], some = false, true, true
			delete(b.most, c)
		}
	}
	return some
}

// A register's range grows from limit to limit, after fewSteps by half at least, and after manySteps to the widest.
const (
	fewSteps  = 16
	manySteps = 40
)

// widen lets a register's range grow if a Tick makes a greater value: to the next constant in a comparison.
func (b *builder) widen(after symbolic.State) (grown bool) {
	var limits []uint64
	for _, c := range b.cells {
		most, bounded := b.most[c]
		n, is := after.Get(c).(*netlist.Node)
		if !bounded || !is || !b.reg[c] {
			continue
		}
		_, hi := n.Range()
		if hi <= most {
			continue
		}
		grown = true
		switch b.steps[c]++; {
		case b.steps[c] > manySteps:
			delete(b.most, c)
			continue
		case b.steps[c] > fewSteps && hi < 1<<62:
			hi += hi / 2
		}
		if limits == nil {
			limits = b.x.G.Thresholds()
		}
		i, _ := slices.BinarySearch(limits, hi)
		if b.most[c] = netlist.Mask(c.W); i < len(limits) {
			b.most[c] = min(limits[i], netlist.Mask(c.W))
		}
	}
	return grown
}
