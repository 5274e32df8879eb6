package edm

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/rtl"
)

// Merge takes the first copy of a block that comes through mirrored switches, and drops the other (§3.3). Latency 1
// cycle.
//
// Messages carry no sequence number; they do not need one, since the messages of a pair and ID come through each switch
// in one order. So copies are known by counting: the k-th grant, or request, of an ID is new if fewer than k were
// taken. Data is counted by chunk, and within the chunk by byte: a switch that dies in the middle of a chunk loses
// nothing, the other's copy goes on at the very byte.
//
// A path that lost a message in the middle of its life, and lives on, counts one too few from there on: its later
// messages look like copies. EDM disables a link on which corruption is seen; an unseen message costs the mirror for
// that ID.
//
// Both switches must decide alike, and they do only if the same messages come to them at the same edges, up to one
// delay for all: equal wires, closely enough that no block moves to another edge, one source of all clocks, the same
// other traffic on both links. If not, their matchings differ: the host sends for whichever grant comes first, and the
// data finds no circuit in the other switch, which drops it. What no switch carried in whole is lost. The paper needs
// no consensus between the switches because nothing is reordered on a single hop; but the order between messages of
// different hosts is not the same at both then.
type Merge struct {
	Event   []rtl.In[Event] // by switch
	Arrived []rtl.In[bool]
	Word    []rtl.In[Word]
	Written []rtl.In[bool]
	Place   rtl.In[Placement]
	Placed  rtl.In[bool]

	FirstEvent   rtl.Out[Event]
	FirstArrived rtl.Out[bool]
	FirstWord    rtl.Out[Word]
	FirstWritten rtl.Out[bool]

	Nodes  int
	Active int

	paths  []mergePath
	events []uint32   // taken, by class, peer and ID
	words  []position // up to which data was taken
	places []uint64   // of responses: a path's own may be another message's by then
	event  *blocks.FIFO[Event]
	word   *blocks.FIFO[Word]
	lost   int // for which there was no room
}

// mergePath has the blocks that came through one switch.
type mergePath struct {
	events []uint32
	words  []position
	open   int // the slot whose chunk is coming, -1 between chunks
}

// position is how far the data of an ID has come: how many chunks have begun, and the bytes of the last one.
type position struct{ chunk, at uint32 }

// mergeDepth is how many entries may wait: a path brings one a cycle and one a cycle is taken, but copies are half of
// them.
const mergeDepth = 64

// Classes that are counted apart.
const (
	grantsToWrite = iota
	grantsToRespond
	requestsToServe
	eventClasses
)

const (
	wordsRead = iota
	wordsWritten
	wordClasses
)

// Reset has taken nothing.
func (m *Merge) Reset() {
	n := m.Nodes * m.Active
	m.paths = make([]mergePath, len(m.Event))
	for i := range m.paths {
		m.paths[i] = mergePath{make([]uint32, eventClasses*n), make([]position, wordClasses*n), -1}
	}
	m.events, m.words, m.places = make([]uint32, eventClasses*n), make([]position, wordClasses*n), make([]uint64, n)
	m.event, m.word, m.lost = blocks.NewFIFO[Event](mergeDepth), blocks.NewFIFO[Word](mergeDepth), 0
	m.FirstEvent.Set(Event{})
	m.FirstArrived.Set(false)
	m.FirstWord.Set(Word{})
	m.FirstWritten.Set(false)
}

// Tick looks at each path.
func (m *Merge) Tick() {
	if p := m.Place.Get(); m.Placed.Get() {
		m.places[int(p.Peer)*m.Active+int(p.ID)] = p.Address
	}
	for i := range m.paths {
		if e := m.Event[i].Get(); m.Arrived[i].Get() && m.newEvent(&m.paths[i], e) && !m.event.Push(e) {
			m.lost++
		}
		if w := m.Word[i].Get(); m.Written[i].Get() {
			m.take(&m.paths[i], w)
		}
	}
	e, arrived := m.event.Pop()
	m.FirstEvent.Set(e)
	m.FirstArrived.Set(arrived)
	w, written := m.word.Pop()
	m.FirstWord.Set(w)
	m.FirstWritten.Set(written)
}

// Lost returns how many events and words found no room.
func (m *Merge) Lost() int { return m.lost }

// slot returns the place of an ID of a peer in a class, -1 if there is no such ID: after an error.
func (m *Merge) slot(class int, peer uint16, id uint8) int {
	if int(peer) >= m.Nodes || int(id) >= m.Active {
		return -1
	}
	return (class*m.Nodes+int(peer))*m.Active + int(id)
}

// newEvent counts an event and tells whether it is the first copy.
func (m *Merge) newEvent(path *mergePath, e Event) bool {
	class, peer := grantsToWrite, e.Header.Dest
	switch {
	case e.Request:
		class, peer = requestsToServe, e.Header.Source
	case e.Header.Kind == RRES:
		class = grantsToRespond
	}
	s := m.slot(class, peer, e.Header.ID)
	if s < 0 {
		return false
	}
	if path.events[s]++; path.events[s] <= m.events[s] {
		return false
	}
	m.events[s] = path.events[s]
	return true
}

// take counts a word and keeps it if it is the first copy. The start of a chunk, which has no bytes, is only counted.
func (m *Merge) take(path *mergePath, w Word) {
	class := wordsRead
	if w.Kind == WREQ {
		class = wordsWritten
	}
	s := m.slot(class, w.Source, w.ID)
	if s < 0 {
		return
	}
	p := &path.words[s]
	if w.Bytes == 0 || path.open != s { // an /MST/ is a chunk of its own
		*p = position{p.chunk + 1, 0}
		path.open = s
	}
	at := p.at
	p.at += uint32(w.Bytes)
	if w.Last {
		path.open = -1
	}
	first := &m.words[s]
	if w.Bytes == 0 || p.chunk < first.chunk || p.chunk == first.chunk && at < first.at {
		return
	}
	*first = *p
	if class == wordsRead {
		a := &m.places[int(w.Source)*m.Active+int(w.ID)]
		w.Address = *a
		*a += uint64(w.Bytes)
	}
	if !m.word.Push(w) {
		m.lost++
	}
}

// either is the OR of two signals: both transmit multiplexers must be ready.
type either struct {
	In  [2]rtl.In[bool]
	Out rtl.Wire[bool]
}

// Comb joins.
func (e *either) Comb() { e.Out.Set(e.In[0].Get() || e.In[1].Get()) }

// Tick does nothing.
func (*either) Tick() {}
