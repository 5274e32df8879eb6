package edm

import (
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// TxMux stands between encoder and scrambler (Figure 3, §3.2.3) and takes the line's blocks from three streams: control
// (/N/, /G/ and requests), data (chunks of RRES and WREQ), and the frames of the MAC, whose idle blocks give way to
// anything else. Latency 1 cycle for a block that finds the line free.
//
// A frame may be interrupted after any of its blocks. A memory message is not interrupted by frames, since an /MD/
// looks like any data block; a control message may stand between two blocks of a data message, and is itself in one
// piece. Where a message waits for its next block, the line carries idle.
//
// Fair counts what memory sends while a frame waits, up to 64 blocks, and gives as many to frames as soon as no message
// is open.
//
// Hold asks the source of a stream to stop: up to Reserve more blocks are taken. FrameEnable stops the MAC, block by
// block: the enabled block comes 3 cycles later, through framer and encoder, and counts from the start as if it were in
// the buffer.
//
// Its inputs are no streams of valid and ready ([rtl.ConnectStream]): a block that is in the pipeline before them
// cannot wait for an answer.
type TxMux struct {
	Control rtl.In[pcs.Block]
	Data    rtl.In[pcs.Block]
	Frame   rtl.In[pcs.Block]

	Out         rtl.Out[pcs.Block]
	HoldControl rtl.Out[bool]
	HoldData    rtl.Out[bool]
	FrameEnable rtl.Out[bool] // clock enable of the MAC and the encoder

	Types     BlockTypes
	Sharing   Sharing
	DataFirst bool // of the memory blocks; if not, control goes first
	Depth     int  // blocks that each of control and data may have waiting
	Reserve   int  // blocks that may still come after Hold, up to Depth

	control, data, frames backlog[pcs.Block]
	inControl             bool  `bits:"1"` // a message is open
	inData                bool  `bits:"1"`
	owed                  uint8 `bits:"7"` // blocks that memory had while a frame waited
	enabled               bool  `bits:"1"` // FrameEnable as it was a cycle ago
	lost                  int   // blocks for which there was no room

	sent LineUse
}

const (
	// frameDepth is the buffer for frames, as in §3.2.3.
	frameDepth = 4
	// owedMost bounds the cycles that frames may catch up on.
	owedMost = 64
)

// Reset starts with an idle line.
func (m *TxMux) Reset() {
	m.control, m.data, m.frames = newBacklog[pcs.Block](m.Depth), newBacklog[pcs.Block](m.Depth),
		newBacklog[pcs.Block](frameDepth)
	m.inControl, m.inData, m.owed, m.enabled, m.lost = false, false, 0, false, 0
	m.sent = LineUse{}
	m.Out.Set(pcs.IdleBlock())
	m.HoldControl.Set(false)
	m.HoldData.Set(false)
	m.FrameEnable.Set(true)
}

// Tick sends one block.
func (m *TxMux) Tick() {
	if b := m.Frame.Get(); b.Valid && !IsIdle(b) {
		m.take(&m.frames, b)
	}
	if m.control.Len()+m.data.Len()+m.frames.Len() == 0 && !m.Control.Get().Valid && !m.inControl {
		m.Out.Set(m.alone(m.Data.Get()))
	} else {
		m.take(&m.control, m.Control.Get())
		m.take(&m.data, m.Data.Get())
		m.Out.Set(m.choose())
	}
	m.HoldControl.Set(m.control.Len()+m.Reserve >= m.Depth)
	m.HoldData.Set(m.data.Len()+m.Reserve >= m.Depth)
	coming := 0 // in the framer, in the encoder
	if m.enabled {
		coming++
	}
	if m.enabled = m.FrameEnable.Get(); m.enabled {
		coming++
	}
	m.FrameEnable.Set(m.frames.Len()+coming < frameDepth)
}

// Sent returns how many blocks have gone over the line.
func (m *TxMux) Sent() LineUse { return m.sent }

// WaitingData returns how many blocks of data wait for the line.
func (m *TxMux) WaitingData() int { return m.data.Len() }

// WaitingControl returns how many control blocks wait for the line.
func (m *TxMux) WaitingControl() int { return m.control.Len() }

// MostFrames returns the greatest number of blocks of frames that have waited.
func (m *TxMux) MostFrames() int { return m.frames.HighWater() }

// Lost returns how many blocks found no room.
func (m *TxMux) Lost() int { return m.lost }

func (m *TxMux) take(q *backlog[pcs.Block], b pcs.Block) {
	if b.Valid && !q.Push(b) {
		m.lost++
	}
}

// alone returns the next block where nothing waits and the data stream has one or none, which is mostly so. The block
// then needs no place in its queue.
func (m *TxMux) alone(data pcs.Block) pcs.Block {
	if !data.Valid {
		return pcs.IdleBlock()
	}
	return m.sendData(data)
}

// choose takes the next waiting block, if there is one.
func (m *TxMux) choose() pcs.Block {
	control, data := !m.control.Empty(), !m.data.Empty()
	if m.inControl { // in one piece
		if control {
			return m.sendControl()
		}
		return pcs.IdleBlock()
	}
	frame := !m.frames.Empty() && !m.inData
	switch {
	case frame && m.Sharing == Fair && m.owed > 0:
		m.owed--
		return m.sendFrame()
	case data && (m.DataFirst || !control):
		b, _ := m.data.Pop()
		return m.sendData(b)
	case control:
		return m.sendControl()
	case frame:
		return m.sendFrame()
	}
	return pcs.IdleBlock()
}

func (m *TxMux) sendFrame() pcs.Block {
	m.sent.Frame++
	b, _ := m.frames.Pop()
	return b
}

func (m *TxMux) sendControl() pcs.Block {
	m.sent.Control++
	b, _ := m.control.Pop()
	switch m.Types.Classify(b) {
	case MS:
		m.inControl = true
	case MT:
		m.inControl = false
	}
	m.owe()
	return b
}

func (m *TxMux) sendData(b pcs.Block) pcs.Block {
	m.sent.Data++
	switch m.Types.Classify(b) {
	case MS:
		m.inData = true
	case MT:
		m.inData = false
	case Bad: // the message is broken off
		m.inData = false
		return pcs.IdleBlock()
	}
	m.owe()
	return b
}

// owe counts a memory block in favour of a frame that waits. If none does, as between two frames, the right to a block
// goes.
func (m *TxMux) owe() {
	switch {
	case m.frames.Empty() && m.owed > 0:
		m.owed--
	case !m.frames.Empty() && m.owed < owedMost:
		m.owed++
	}
}

// LineUse counts the blocks that went over links, by their contents; the others were idle.
type LineUse struct {
	Control uint64 // /N/, /G/, requests
	Data    uint64 // RRES and WREQ with their framing
	Frame   uint64 // of other traffic
}

// add adds the blocks of another link.
func (l *LineUse) add(m LineUse) {
	l.Control += m.Control
	l.Data += m.Data
	l.Frame += m.Frame
}
