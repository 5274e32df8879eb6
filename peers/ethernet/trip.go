package ethernet

import (
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Point is a place on a frame's way from application to application.
type Point int

// The points, in order.
const (
	AtStack       Point = iota // out of the application
	AtMAC                      // into the sender's MAC
	AtPCS                      // into its PCS
	AtLine                     // onto the line
	SwitchLine                 // off the line at the switch
	SwitchPCS                  // out of its PCS
	SwitchMAC                  // out of its MAC
	SwitchParsed               // out of the parser
	SwitchMatched              // out of match-action
	SwitchManaged              // out of the packet manager
	SwitchCrossed              // out of the crossbar, into the MAC
	EgressPCS                  // into the PCS
	EgressLine                 // onto the line
	HostLine                   // off the line at the receiver
	HostPCS                    // out of its PCS
	HostMAC                    // out of its MAC
	Delivered                  // at the application
	points
)

// Trip is when a frame passed each point, in picoseconds: each an edge at which the value stood in the register there.
type Trip struct {
	First [points]int64 // its first beat, or the word or block with its /S/
	Last  [points]int64 // its last beat; 0 where there are no beats
}

// Between returns the time of the first block from one point to another.
func (t Trip) Between(from, to Point) int64 { return t.First[to] - t.First[from] }

// TripRecorder notes the trips of all frames from one host to another. It is for frames that have the way to
// themselves: others on the same links would be taken for them.
type TripRecorder struct {
	clocks *clocks
	taps   [points]tap
	trips  []Trip
	counts [points]int
}

// tap looks at a register.
type tap struct {
	clock *rtl.Clock
	beat  func() pcs.Beat  // one of these three
	word  func() pcs.XGMII //
	line  func() pcs.Line  //

	inFrame bool
	state   uint64 // of a descrambler
}

// NewTripRecorder watches a network from now on.
func NewTripRecorder(n *Network, from, to int) *TripRecorder {
	m := &TripRecorder{clocks: n.clocks}
	src, dst, sw := n.Hosts[from], n.Hosts[to], n.Switch
	in, out := sw.Ports[from], sw.Ports[to]
	tx, rx := n.Clock, n.clocks.at(hop, "")
	at := func(ps int64) *rtl.Clock { return n.clocks.at(ps, "") }
	m.taps[AtStack] = tap{clock: n.appTx, beat: src.Encapsulator.Out.Get}
	m.taps[AtMAC] = tap{clock: tx, beat: src.Encapsulator.Out.Get}
	m.taps[Delivered] = tap{clock: n.appRx, beat: dst.Port.Deframer.Out.Get}
	if src.TxStack != nil {
		m.taps[AtMAC].beat = src.TxStack.Out.Get
		m.taps[Delivered].beat = dst.RxStack.Out.Get
	}
	m.taps[AtPCS] = tap{clock: tx, word: src.Port.TxRegister.Out.Get}
	m.taps[AtLine] = tap{clock: tx, line: src.Port.Tx.Gearbox.Out.Get}
	m.taps[SwitchLine] = tap{clock: rx, line: n.Up[from].Out.Get}
	m.taps[SwitchPCS] = tap{clock: rx, word: in.Rx.Decoder.Out.Get}
	m.taps[SwitchMAC] = tap{clock: rx, beat: in.Deframer.Out.Get}
	m.taps[SwitchParsed] = tap{clock: at(hop + parsing), beat: func() pcs.Beat { return sw.Parsers[from].Out.Get().Beat }}
	m.taps[SwitchMatched] = tap{clock: at(hop + parsing + matchAction),
		beat: func() pcs.Beat { return sw.MatchAction[from].Out.Get().Beat }}
	m.taps[SwitchManaged] = tap{clock: at(hop + parsing + matchAction + managing),
		beat: func() pcs.Beat { return sw.Manager.Out[from].Get().Beat }}
	m.taps[SwitchCrossed] = tap{clock: tx, beat: sw.Crossbar.Out[to].Get}
	m.taps[EgressPCS] = tap{clock: tx, word: out.TxRegister.Out.Get}
	m.taps[EgressLine] = tap{clock: tx, line: out.Tx.Gearbox.Out.Get}
	m.taps[HostLine] = tap{clock: rx, line: n.Down[to].Out.Get}
	m.taps[HostPCS] = tap{clock: rx, word: dst.Port.Rx.Decoder.Out.Get}
	m.taps[HostMAC] = tap{clock: rx, beat: dst.Port.Deframer.Out.Get}
	n.Sim.Observe(m)
	return m
}

// Observe looks at the registers of the clocks that had an edge.
func (m *TripRecorder) Observe(edges rtl.Edges) {
	for p := range m.taps {
		t := &m.taps[p]
		if !edges.Has(t.clock) {
			continue
		}
		first, last := t.look()
		if first {
			if m.counts[p] == len(m.trips) {
				m.trips = append(m.trips, Trip{})
			}
			m.trips[m.counts[p]].First[p] = m.clocks.time(t.clock)
			m.counts[p]++
		}
		if last {
			m.trips[m.counts[p]-1].Last[p] = m.clocks.time(t.clock)
		}
	}
}

// Trips returns the trips that have come to their end.
func (m *TripRecorder) Trips() []Trip { return m.trips[:m.counts[Delivered]] }

// look tells whether a frame begins, and whether it ends.
func (t *tap) look() (first, last bool) {
	switch {
	case t.beat != nil:
		b := t.beat()
		if !b.Valid {
			return false, false
		}
		first = !t.inFrame
		t.inFrame = !b.Last
		return first, b.Last
	case t.word != nil:
		x := t.word()
		_, kind := pcs.Encode(x)
		return x.Valid && kind == pcs.KindS, false
	}
	w := t.line()
	if !w.Valid {
		return false, false
	}
	b := pcs.Block{Payload: w.Lo>>2 | uint64(w.Hi)<<62, Header: uint8(w.Lo & 3), Valid: true}
	b.Payload, t.state = pcs.Descramble(b.Payload, t.state)
	return pcs.Classify(b) == pcs.KindS, false
}
