package edm

import (
	"embed"
	"math/rand/v2"

	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Verilog has the project's own RTL of this package's modules: verilog/edm_tx_mux.v and so on.
//
//go:embed verilog/*.v
var Verilog embed.FS

// Units returns the modules of this package with stimuli that reach their rare cases: crowds in which all streams wait,
// requests inside chunks, sources that stop late, frames that are too long, blocks out of turn, bad headers and types.
func Units() vectors.Catalogue {
	return vectors.Catalogue{schedulerUnit(), txMuxUnit(), rxDemuxUnit()}.WithRTL(Verilog)
}

// buildMux returns a multiplexer with sources for its streams.
func buildMux(b *vectors.Bench, prefix string, m *TxMux) *TxMux {
	m.Types = DefaultTypes
	control := &messageSource{messages: messages{rng: b.Rand()}, slack: m.Reserve}
	chunks := &messageSource{messages: messages{rng: b.Rand(), chunks: true}, slack: m.Reserve}
	frames := &frameSource{rng: b.Rand()}
	b.Add(prefix+"control", control)
	b.Add(prefix+"data", chunks)
	b.Add(prefix+"frames", frames)
	rtl.Connect(&control.Out, &m.Control)
	rtl.Connect(&m.HoldControl, &control.Hold)
	rtl.Connect(&chunks.Out, &m.Data)
	rtl.Connect(&m.HoldData, &chunks.Hold)
	rtl.Connect(&frames.Out, &m.Frame)
	rtl.Connect(&m.FrameEnable, &frames.Enable)
	return m
}

// messages makes legal messages: chunks of RRES and WREQ, or else /N/, /G/ and requests.
type messages struct {
	rng    *rand.Rand
	chunks bool
	left   int // blocks of the open message
}

// next returns the next block.
func (m *messages) next() pcs.Block {
	if m.left > 0 {
		if m.left--; m.left == 0 {
			return DefaultTypes.tail(m.rng.Uint64())
		}
		return data(m.rng.Uint64())
	}
	h := Header{
		Kind: RREQ, ID: uint8(m.rng.Uint32()), Source: uint16(m.rng.IntN(MaxNodes)), Dest: uint16(m.rng.IntN(MaxNodes)),
		Bytes: uint16(m.rng.Uint32()), High: uint8(m.rng.Uint32()),
	}
	kind := m.rng.IntN(8)
	if m.chunks {
		h.Kind = RRES
		switch {
		case kind == 0:
			return h.block(DefaultTypes.MST)
		case kind < 4:
			h.Kind = WREQ
		}
		m.left = 1 + m.rng.IntN(1<<m.rng.IntN(7))
		return h.block(DefaultTypes.MS)
	}
	switch kind {
	case 0:
		return h.block(DefaultTypes.MST)
	case 1, 2:
		h.Kind = WREQ
		return h.block(DefaultTypes.N)
	case 3, 4:
		h.Kind = Kind(m.rng.IntN(2)) + RRES
		return h.block(DefaultTypes.G)
	case 5:
		h.Kind = RMWREQ
	}
	m.left = MessageBlocks(h.Kind, 0) - 1
	return h.block(DefaultTypes.MS)
}

// messageSource sends messages in crowds and lulls. Behind Hold it sends on for a while, as long as it may.
type messageSource struct {
	Hold rtl.In[bool]
	Out  rtl.Out[pcs.Block]

	messages
	slack int
	late  int // blocks that still come
	phase int // cycles left of a crowd or lull
	rest  int // one cycle in rest sends
}

// Reset has nothing to send; fields beside Valid do not count.
func (s *messageSource) Reset() {
	s.left, s.late, s.phase = 0, 0, 0
	s.Out.Set(pcs.Block{})
}

// Tick sends a block or not.
func (s *messageSource) Tick() {
	if s.phase--; s.phase < 0 {
		s.phase, s.rest = s.rng.IntN(200), 1<<s.rng.IntN(6)
	}
	if s.Hold.Get() {
		s.late--
	} else {
		s.late = s.rng.IntN(s.slack) // one block more is on its way
	}
	if s.late < 0 || s.rng.IntN(s.rest) > 0 {
		s.Out.Set(pcs.Block{Payload: s.rng.Uint64(), Header: uint8(s.rng.IntN(4))})
		return
	}
	s.Out.Set(s.next())
}

// frameSource gives a block two cycles after each Enable, as framer and encoder do: frames, gaps between them, ordered
// sets.
type frameSource struct {
	Enable rtl.In[bool]
	Out    rtl.Out[pcs.Block]

	rng       *rand.Rand
	framing   bool
	inFrame   bool
	left, gap int
}

// Reset has no frame.
func (s *frameSource) Reset() {
	s.framing, s.inFrame, s.left, s.gap = false, false, 0, 2
	s.Out.Set(pcs.Block{})
}

// Tick sends a block if the MAC was enabled.
func (s *frameSource) Tick() {
	b := pcs.Block{Payload: s.rng.Uint64(), Header: uint8(s.rng.IntN(4))}
	if s.framing {
		b = s.next()
	}
	s.framing = s.Enable.Get()
	s.Out.Set(b)
}

// next returns the next block.
func (s *frameSource) next() pcs.Block {
	x := s.rng.Uint64()
	switch {
	case !s.inFrame && s.gap > 0:
		s.gap--
		if s.rng.IntN(50) == 0 {
			return pcs.LocalFaultBlock()
		}
		return pcs.IdleBlock()
	case !s.inFrame:
		s.inFrame, s.left = true, s.rng.IntN(1<<s.rng.IntN(6))
		return unitBlock(unitStarts[s.rng.IntN(len(unitStarts))], x)
	case s.left > 0:
		s.left--
		return data(x)
	}
	s.inFrame, s.gap = false, s.rng.IntN(1<<s.rng.IntN(7))
	if s.rng.IntN(50) == 0 {
		return pcs.ErrorBlock() // a MAC that ran dry: no /T/
	}
	return unitBlock(unitEnds[s.rng.IntN(len(unitEnds))], x)
}

// unitForm is a control block: its type, and where its data stands; all control codes are 0.
type unitForm struct {
	typ  byte
	data uint64
}

var (
	unitStarts = []unitForm{
		{pcs.TypeS0, 0xffffffffffffff00}, {pcs.TypeC4S4, 0xffffff0000000000}, {pcs.TypeO0S4, 0xffffff00ffffff00},
	}
	unitEnds = []unitForm{
		{pcs.TypeT0, 0}, {pcs.TypeT1, 0xff00}, {pcs.TypeT2, 0xffff00}, {pcs.TypeT3, 0xffffff00}, {pcs.TypeT4, 0xffffffff00},
		{pcs.TypeT5, 0xffffffffff00}, {pcs.TypeT6, 0xffffffffffff00}, {pcs.TypeT7, 0xffffffffffffff00},
	}
)

func unitBlock(f unitForm, x uint64) pcs.Block {
	return pcs.Block{Payload: uint64(f.typ) | x&f.data, Header: pcs.HeaderControl, Valid: true}
}

// blockDamage changes a block now and then: header, type, any bit; or puts another one in its place. In place of idle
// there may be no block.
type blockDamage struct {
	In  rtl.In[pcs.Block]
	Out rtl.Out[pcs.Block]

	rng *rand.Rand
}

// Reset is an idle line.
func (d *blockDamage) Reset() { d.Out.Set(pcs.IdleBlock()) }

// Tick passes one block on.
func (d *blockDamage) Tick() {
	b := d.In.Get()
	x := d.rng.Uint64()
	if IsIdle(b) && d.rng.IntN(4) == 0 {
		b = pcs.Block{Payload: x, Header: uint8(d.rng.IntN(4))}
	}
	types := DefaultTypes
	switch d.rng.IntN(600) {
	case 0:
		b.Header = uint8(3 * d.rng.IntN(2))
	case 1:
		b.Header ^= 3
	case 2:
		b.Payload ^= 1 << d.rng.IntN(64)
	case 3:
		b = pcs.Block{Payload: x, Header: pcs.HeaderControl, Valid: true} // of any type
	case 4:
		b.Payload = b.Payload&^0xff | uint64([]byte{types.MS, types.MT, types.MST, types.N, types.G}[d.rng.IntN(5)])
	case 5:
		b = unitBlock(unitStarts[d.rng.IntN(len(unitStarts))], x)
	case 6:
		b = unitBlock(unitEnds[d.rng.IntN(len(unitEnds))], x)
	case 7:
		b = data(x)
	case 8:
		b = pcs.IdleBlock() // a block is lost
	case 9, 10, 11:
		b = d.codes()
	}
	d.Out.Set(b)
}

// codes returns a control block of the standard whose control and O codes may be wrong.
func (d *blockDamage) codes() pcs.Block {
	p := uint64(unitTypes[d.rng.IntN(len(unitTypes))])
	for lane := range 8 {
		code := unitCodes[d.rng.IntN(len(unitCodes))]
		if d.rng.IntN(40) == 0 {
			code ^= 1 << d.rng.IntN(7)
		}
		p |= code << (8 + 7*lane)
	}
	if d.rng.IntN(2) == 0 {
		p = p&^(0xff<<32) | [...]uint64{0x00, 0x0f, 0xf0, 0xff, 0x01, 0x10, 0xfe, 0xef}[d.rng.IntN(8)]<<32
	}
	return pcs.Block{Payload: p, Header: pcs.HeaderControl, Valid: true}
}

var (
	unitTypes = []byte{
		pcs.TypeC8, pcs.TypeC4O4, pcs.TypeC4S4, pcs.TypeO0S4, pcs.TypeO0O4, pcs.TypeS0, pcs.TypeO0C4,
		pcs.TypeT0, pcs.TypeT1, pcs.TypeT2, pcs.TypeT3, pcs.TypeT4, pcs.TypeT5, pcs.TypeT6, pcs.TypeT7,
	}
	unitCodes = []uint64{0x00, 0x06, 0x1e, 0x2d, 0x33, 0x4b, 0x55, 0x66, 0x78} // Table 49-1
)
