package ethernet

import (
	"math/bits"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Parsed is a beat of a frame, and the fields that the parser found in its header.
type Parsed struct {
	Beat  pcs.Beat
	First bool
	Dest  uint64 `bits:"48"` // destination address, with First
}

// Parser finds the destination address: 87 ns (EDM Table 1). There is one for each port.
type Parser struct {
	In  rtl.Async[pcs.Beat]
	Out rtl.Out[Parsed]

	line    *blocks.DelayLine[Parsed]
	inFrame bool
}

// Tick takes a beat.
func (p *Parser) Tick() {
	b := p.In.Get()
	x := Parsed{Beat: b}
	if b.Valid {
		if !p.inFrame {
			x.First, x.Dest = true, bits.ReverseBytes64(b.Data)>>16
		}
		p.inFrame = !b.Last
	}
	p.Out.Set(p.line.Shift(x))
}

// Matched is a beat of a frame with the ports that it goes to.
type Matched struct {
	Beat  pcs.Beat
	First bool
	Ports uint64 // with First
}

// MatchAction looks the destination up in a single exact-match table: 202 ns (EDM Table 1). A frame whose destination
// is not in the table is dropped, as the default action of a match-action table does, or flooded to all other ports.
// No frame goes back to where it came from.
type MatchAction struct {
	In  rtl.Async[Parsed]
	Out rtl.Out[Matched]

	line  *blocks.DelayLine[Matched]
	table *ExactMatch // the same for all ports, written before the simulation runs
	miss  uint64      // ports of a frame that misses
	own   uint64
}

// Tick takes a beat.
func (m *MatchAction) Tick() {
	p := m.In.Get()
	x := Matched{Beat: p.Beat, First: p.First}
	if p.First {
		x.Ports = m.miss
		if port, ok := m.table.Lookup(p.Dest); ok {
			x.Ports = 1 << port
		}
		x.Ports &^= m.own
	}
	m.Out.Set(m.line.Shift(x))
}
