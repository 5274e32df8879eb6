package shoal

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// macWords are the cycles of a slot that the MAC takes for itself, 24 bytes (§6.1): preamble, FCS, gap.
const macWords = 3

// CellWord is eight bytes of a cell between NIC and MAC, the first in bits 7:0.
type CellWord struct {
	Data  uint64
	First bool
	Last  bool
	Valid bool
}

var ethernetFCS = blocks.MustCRC(blocks.CRC32Ethernet)

// Words of the XGMII around a cell.
const (
	startData    = 0xd5555555555555fb // /S/, preamble, SFD
	startControl = 0x01
	endData      = 0x070707fd << 32 // /T/ after four bytes of FCS, idle
	endControl   = 0xf0
)

// MacTx puts a cell into a frame: preamble before it, FCS and gap after it. The words of a cell come without pauses.
// Latency 1 cycle to the preamble, 2 to the first word of the cell.
type MacTx struct {
	In        rtl.In[CellWord]
	Bootstrap rtl.In[bool]      // sends the bootstrap word
	Message   rtl.In[pcs.XGMII] // a word that takes the place of an idle one
	Out       rtl.Out[pcs.XGMII]

	held CellWord
	fcs  uint64 `bits:"32"`
	end  bool   `bits:"1"`
}

// Reset sends idle.
func (m *MacTx) Reset() {
	m.held, m.fcs, m.end = CellWord{}, 0, false
	m.Out.Set(pcs.IdleWord())
}

// Tick sends a word.
func (m *MacTx) Tick() {
	in := m.In.Get()
	out := pcs.IdleWord()
	switch {
	case m.held.Valid:
		if m.held.First {
			m.fcs = ethernetFCS.Init()
		}
		m.fcs = ethernetFCS.Update64(m.fcs, m.held.Data)
		m.end = m.held.Last
		out = pcs.XGMII{Data: m.held.Data, Valid: true}
	case m.end:
		m.end = false
		out = pcs.XGMII{Data: ethernetFCS.Final(m.fcs) | endData, Ctrl: endControl, Valid: true}
	case in.Valid && in.First:
		out = pcs.XGMII{Data: startData, Ctrl: startControl, Valid: true}
	case m.Bootstrap.Get():
		out = BootstrapWord()
	default:
		if x := m.Message.Get(); x.Valid {
			out = x
		}
	}
	m.held = in
	m.Out.Set(out)
}

// FrameCheck is the MAC's verdict on a frame, the cycle after its last word.
type FrameCheck struct {
	Good  bool
	Valid bool
}

// MacRx takes a cell out of its frame, a word a cycle, before it knows whether the FCS is right. A frame that is cut or
// has another length is not good. Latency 1 cycle.
type MacRx struct {
	In        rtl.In[pcs.XGMII]
	Filled    rtl.In[bool]
	Out       rtl.Out[CellWord]
	Check     rtl.Out[FrameCheck]
	Bootstrap rtl.Out[bool]

	words  uint16 // of a cell
	inside bool   `bits:"1"`
	count  uint16 `bits:"12"`
	fcs    uint64 `bits:"32"`
}

// Reset waits for a frame.
func (m *MacRx) Reset() {
	m.inside, m.count, m.fcs = false, 0, 0
	m.Out.Set(CellWord{})
	m.Check.Set(FrameCheck{})
	m.Bootstrap.Set(false)
}

// Tick takes a word.
func (m *MacRx) Tick() {
	x := m.In.Get()
	if !m.Filled.Get() || !x.Valid {
		x = pcs.IdleWord()
	}
	out, check := CellWord{}, FrameCheck{}
	switch {
	case x.Ctrl == startControl && x.Data == startData:
		check.Valid = m.inside // the one before has no end
		m.inside, m.count, m.fcs = true, 0, ethernetFCS.Init()
	case !m.inside:
	case x.Ctrl == 0 && m.count < m.words:
		m.fcs = ethernetFCS.Update64(m.fcs, x.Data)
		m.count++
		out = CellWord{Data: x.Data, First: m.count == 1, Last: m.count == m.words, Valid: true}
	default:
		m.inside = false
		good := m.count == m.words && x.Ctrl == endControl && x.Data == ethernetFCS.Final(m.fcs)|endData
		check = FrameCheck{Good: good, Valid: true}
	}
	m.Out.Set(out)
	m.Check.Set(check)
	m.Bootstrap.Set(isBootstrap(x))
}
