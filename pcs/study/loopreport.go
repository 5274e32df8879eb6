package study

import (
	"bytes"
	"math"
	"slices"

	"github.com/goldwire/goldwire/rtl"

	"github.com/goldwire/goldwire/pcs"
)

// loopMonitor watches a loop, instant by instant, and can tell what became of every frame and every bit error. It
// counts words on both sides, so a frame that arrives is known by where it started, not by its contents.
type loopMonitor struct {
	loop *pcs.Loop

	sent     []extent          // where each frame from base on stands on the line, in blocks
	base     int               // frames that were forgotten
	byStart  map[uint64]int    // sent frame by its first block
	received map[int]reception // by sent frame
	touched  map[int]touch     // by sent frame
	judged   int               // frames that the report has, from the first on
	flips    int               // how many of the loop's bit errors are joined to frames; Settle takes these from the loop
	report   LoopReport

	txWords, rxBlocks, rxWords uint64
	slips                      uint64
	lastWord                   uint64   // word that the deframer took at the latest edge
	starts                     []uint64 // words with a /S/ that the deframer may still be busy with
	taken                      int      // frames of the sink looked at
	damaged                    bool     // a frame arrived with a fault
	errorBlocks                map[uint64]blockFault

	locked, highBER         bool
	lockLosses, highBERs    int
	invalidHeaders, badRead int
}

// extent is a frame's first and last block on the line: those with /S/ and /T/. Until its end is sent, last is unsent.
type extent struct{ first, last uint64 }

const unsent = 1 << 63

// touch is what bit errors do to a frame: their positions on the line, and the first disturbed block, counted from the
// frame's first.
type touch struct {
	flips []uint64
	first uint64
}

type reception struct {
	fault  pcs.FrameFault
	intact bool
}

// blockFault is what the receiver's PCS found wrong with a block.
type blockFault struct{ header, code bool }

// newLoopMonitor watches a loop from now on; no frame may have been sent yet.
func newLoopMonitor(l *pcs.Loop) *loopMonitor {
	m := &loopMonitor{loop: l, byStart: map[uint64]int{}, received: map[int]reception{}, touched: map[int]touch{},
		errorBlocks: map[uint64]blockFault{},
		report:      LoopReport{Hit: []hitFrame{}, Survived: []int{}, Unexplained: []int{}}}
	l.Sim.Observe(m)
	return m
}

// Observe looks at the loop's outputs after an instant.
func (m *loopMonitor) Observe(rtl.Edges) {
	l := m.loop
	m.watchFrames()
	if x := l.Framer.Out.Get(); x.Valid {
		m.watchSent(x)
		m.txWords++
	}
	if b := l.Rx.Gearbox.Out.Get(); b.Valid {
		if !b.HeaderOK() && m.locked {
			m.invalidHeaders++
			m.mark(m.rxBlocks, func(f *blockFault) { f.header = true })
		}
		m.rxBlocks++
	}
	if x := l.Rx.Decoder.Out.Get(); x.Valid {
		m.watchReceived(x)
		m.rxWords++
	}
	if l.Rx.BlockSync.Slip.Get() {
		m.slips++
	}
	if lock := l.Rx.BlockSync.Lock.Get(); lock != m.locked {
		if m.locked = lock; !lock {
			m.lockLosses++
		}
	}
	if high := l.Rx.BERMonitor.HiBER.Get(); high != m.highBER {
		if m.highBER = high; high {
			m.highBERs++
		}
	}
}

// watchSent notes where frames start and end. A word is a block is 66 bits of the line.
func (m *loopMonitor) watchSent(x pcs.XGMII) {
	for i := range 8 {
		switch c, ctrl := x.Lane(i); {
		case ctrl && c == pcs.CharStart:
			m.byStart[m.txWords] = m.base + len(m.sent)
			m.sent = append(m.sent, extent{m.txWords, unsent})
		case ctrl && c == pcs.CharTerm:
			m.sent[len(m.sent)-1].last = m.txWords
		}
	}
}

// sentBlock is the number, on the sender's side, of block n of the receive gearbox: it has dropped Skew bits and one
// for each slip.
func (m *loopMonitor) sentBlock(n uint64) uint64 {
	return n + (uint64(m.loop.Config.Skew)+m.slips)/pcs.BlockBits
}

// watchReceived looks at a word of the decoder. Word n is block n-1: the first word comes before the first block.
func (m *loopMonitor) watchReceived(x pcs.XGMII) {
	if x == pcs.ErrorWord() {
		m.badRead++
		m.mark(m.rxWords-1, func(f *blockFault) { f.code = true })
	}
	if x.Ctrl&0x01 == 1 && byte(x.Data) == pcs.CharStart || x.Ctrl&0x10 != 0 && byte(x.Data>>32) == pcs.CharStart {
		m.starts = append(m.starts, m.rxWords)
	}
	m.lastWord = m.rxWords
}

func (m *loopMonitor) mark(rxBlock uint64, set func(*blockFault)) {
	b := m.sentBlock(rxBlock)
	f := m.errorBlocks[b]
	set(&f)
	m.errorBlocks[b] = f
}

// watchFrames joins frames that have reached the sink to those sent. A frame's last beat reaches the sink at an edge at
// which its /S/ is at least three words old, and the next frame's is not.
func (m *loopMonitor) watchFrames() {
	frames := m.loop.Sink.Frames()
	for ; m.taken < len(frames); m.taken++ {
		f := frames[m.taken]
		m.damaged = m.damaged || f.Fault != pcs.FrameOK
		own := -1
		for i, s := range m.starts {
			if s+2 <= m.lastWord {
				own = i
			}
		}
		if own < 0 {
			m.report.Stray++
			continue
		}
		start := m.sentBlock(m.starts[own] - 1)
		m.starts = m.starts[own+1:]
		i, ok := m.byStart[start]
		if !ok {
			m.report.Stray++
			continue
		}
		m.received[i] = reception{f.Fault, f.Fault == pcs.FrameOK && samePadded(f.Bytes, m.loop.Source.FrameAt(i))}
	}
}

// samePadded tells whether a received frame is the one sent, padded to the least length.
func samePadded(got, sent []byte) bool {
	pad := max(pcs.MinFrameBytes-pcs.FCSBytes-len(sent), 0)
	return len(got) == len(sent)+pad && bytes.Equal(got[:len(sent)], sent) &&
		!slices.ContainsFunc(got[len(sent):], func(b byte) bool { return b != 0 })
}

// Damaged tells whether a frame has arrived with a fault.
func (m *loopMonitor) Damaged() bool { return m.damaged }

// LoopReport says what became of frames and bit errors. Its lists end after 10,000 entries; the counts go on.
type LoopReport struct {
	Sent      int        `json:"sent"`
	Intact    int        `json:"intact"`
	Padded    int        `json:"padded"` // intact frames that were sent below 64 bytes and arrive padded
	HitFrames int        `json:"hit_frames"`
	Hit       []hitFrame `json:"hit"`
	Stray     int        `json:"stray"` // frames received that were never sent
	BitErrors int        `json:"bit_errors"`
	InGaps    int        `json:"bit_errors_in_gaps"` // that disturb no frame

	InvalidHeaders int `json:"invalid_headers"` // received while locked
	ErrorWords     int `json:"error_words"`     // words the decoder replaced by /E/
	LockLosses     int `json:"lock_losses"`
	HighBERs       int `json:"hi_ber"`

	// Survived has the frames that a bit error touches without harm: in the padding of the block with their /T/.
	Survived       []int `json:"survived"`
	SurvivedFrames int   `json:"survived_frames"`
	// Unexplained has the frames that were hit though no bit error touches them. It is empty while blocks stay locked.
	Unexplained       []int `json:"unexplained"`
	UnexplainedFrames int   `json:"unexplained_frames"`
}

// mostListed is how long the lists of a report grow.
const mostListed = 10_000

func list[T any](l *[]T, v T) {
	if len(*l) < mostListed {
		*l = append(*l, v)
	}
}

// hitFrame is a frame that did not arrive intact.
type hitFrame struct {
	Frame   int      `json:"frame"` // counted from 0
	Bytes   int      `json:"bytes"`
	Flips   []uint64 `json:"flips"`   // bit errors that disturb it, as positions on the line
	Block   uint64   `json:"block"`   // the first disturbed block, counted from the frame's first
	PCS     string   `json:"pcs"`     // how the PCS saw it
	Outcome string   `json:"outcome"` // what the MAC received
}

// Report sums up the run. A frame that has not arrived by now counts as lost: no frame may be sent after the call.
func (m *loopMonitor) Report() LoopReport {
	m.settle(math.MaxUint64)
	r := m.report
	r.InvalidHeaders, r.ErrorWords, r.LockLosses, r.HighBERs = m.invalidHeaders, m.badRead, m.lockLosses, m.highBERs
	return r
}

// Settle judges the frames and bit errors that nothing can change any more, and forgets them, in the loop too: a loop
// that is settled now and then runs for ever in the same memory.
func (m *loopMonitor) Settle() {
	// A frame whose last block left the receiver's gearbox this many blocks ago has long passed decoder, deframer and
	// sink: some 8 cycles.
	const passed = 64
	limit := m.sentBlock(m.rxBlocks)
	limit -= min(limit, passed)
	m.settle(limit)
	m.loop.Flips = slices.Delete(m.loop.Flips, 0, m.flips)
	m.loop.Sink.Forget(m.taken)
	m.flips, m.taken = 0, 0
	for i := m.base; i < m.judged; i++ {
		delete(m.byStart, m.sent[i-m.base].first)
		delete(m.received, i)
		delete(m.touched, i)
	}
	m.sent = slices.Delete(m.sent, 0, m.judged-m.base)
	m.base = m.judged
	oldest := limit
	if len(m.sent) > 0 {
		oldest = min(oldest, m.sent[0].first)
	}
	for b := range m.errorBlocks {
		if b+passed < oldest {
			delete(m.errorBlocks, b)
		}
	}
}

// near is how many blocks lie at most between a bit error's own block and one of a frame that it can touch: 58 bits of
// descrambler, and the block beside the frame.
const near = 3

// settle judges errors and frames below a block of the line: bit errors first, since a frame's verdict depends on the
// bit errors near it.
func (m *loopMonitor) settle(limit uint64) {
	for ; m.flips < len(m.loop.Flips) && m.loop.Flips[m.flips]/pcs.BlockBits+near < limit; m.flips++ {
		m.join(m.loop.Flips[m.flips])
	}
	for ; m.judged < m.base+len(m.sent) && (m.sent[m.judged-m.base].last+2*near < limit ||
		limit == math.MaxUint64); m.judged++ {
		m.judge(m.judged)
	}
}

// judge adds a frame's end to the report.
func (m *loopMonitor) judge(i int) {
	r := &m.report
	r.Sent++
	got, arrived := m.received[i]
	t, touched := m.touched[i]
	bytes := len(m.loop.Source.FrameAt(i))
	switch {
	case got.intact:
		r.Intact++
		if bytes < pcs.MinFrameBytes-pcs.FCSBytes {
			r.Padded++
		}
		if touched {
			r.SurvivedFrames++
			list(&r.Survived, i)
		}
	default:
		h := hitFrame{Frame: i, Bytes: bytes, Flips: t.flips, Block: t.first, PCS: m.seen(m.sent[i-m.base]), Outcome: "lost"}
		if arrived {
			h.Outcome = got.fault.String()
		}
		if !touched {
			h.Flips = []uint64{}
			r.UnexplainedFrames++
			list(&r.Unexplained, i)
		}
		r.HitFrames++
		list(&r.Hit, h)
	}
}

// join adds a bit error, at position p of the line, to the frames that it disturbs.
//
// A flipped header bit spoils its block. A flipped payload bit comes out of the descrambler three times, 39 and 58
// bits apart. A block before a /S/ or after a /T/ that the decoder refuses hits the frame, too: the receive state
// machine wants good ones there.
func (m *loopMonitor) join(p uint64) {
	m.report.BitErrors++
	var disturbed []uint64
	if block, bit := p/pcs.BlockBits, p%pcs.BlockBits; bit < 2 {
		disturbed = []uint64{block}
	} else {
		n := block*64 + bit - 2
		disturbed = slices.Compact([]uint64{n / 64, (n + 39) / 64, (n + 58) / 64})
	}
	hit := false
	for _, b := range disturbed {
		for _, i := range m.framesAt(b) {
			e := m.sent[i-m.base]
			if inside := e.first <= b && b <= e.last; !inside && m.errorBlocks[b] == (blockFault{}) {
				continue
			}
			hit = true
			t := m.touched[i]
			if len(t.flips) == 0 {
				t.first = b - min(b, e.first)
			} else if t.flips[len(t.flips)-1] == p {
				continue
			}
			t.flips = append(t.flips, p)
			m.touched[i] = t
		}
	}
	if !hit {
		m.report.InGaps++
	}
}

// framesAt returns the frames that have a block, or have it as a neighbour: at most two.
func (m *loopMonitor) framesAt(block uint64) []int {
	i, _ := slices.BinarySearchFunc(m.sent, block, func(e extent, b uint64) int {
		if e.last+1 < b {
			return -1
		}
		return 1
	})
	var hit []int
	for ; i < len(m.sent) && m.sent[i].first <= block+1; i++ {
		hit = append(hit, m.base+i)
	}
	return hit
}

// seen says what the receiver's PCS noticed between the block before the frame and the one after it.
func (m *loopMonitor) seen(e extent) string {
	var header, code bool
	for b := e.first - min(e.first, 1); b <= min(e.last, m.txWords)+1; b++ {
		f := m.errorBlocks[b]
		header, code = header || f.header, code || f.code
	}
	switch {
	case header:
		return "invalid sync header"
	case code:
		return "invalid block"
	default:
		return "nothing: data bits only"
	}
}
