package shoal

import (
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Parts of the synchronisation, in epochs after the switches have started. Half of the time that the probes take passes
// before delays are learned, so that what each node saw of the other is there.
const (
	probeEpochs = 16 // probes of the two-way delay; the second half counts
	sumEpochs   = 8  // the master tells its sum of delays; more where a message takes longer, see [timeConfig.sum]
	alignEpochs = 8  // probes from aligned slots: each node sees where in its own time the slots of the others begin

	sumAfter = 2 // epochs of the sum's part before the master tells it: all delays have been learned
	// epochs that a way may take: a node hears a probe and answers, each within an epoch, in the 16 of the probes
	probeWay = 7
)

// followEpochs is how long a node follows probes once it does. They move its counter by one cycle an epoch.
const followEpochs = 4

// Cycles of the ring part.
const (
	ringStart   = 400 // the PCS has to be in lock, and the FIFOs filled
	ringBeacons = 3
)

// SlotTime is what a synchronised NIC's slots follow.
type SlotTime struct {
	Now   uint64 // of the counter, with the node's advance
	Start uint64 // when the first word of slot 0 goes to the MAC
	Base  uint16 // cycles from a slot's start to the first word of the cell that comes in it
	Valid bool   // all is known
}

// TimePort synchronises a node: it sends and takes time messages, and has the bootstrap signal go out. TimeCounter does
// the counting.
//
// At bootstrap the circuits stand in slot 1, so that the nodes form a ring in one direction (§3.4); two-way exchanges,
// as DTP has them, are not possible. The master, node 0, measures the way round, takes each of its hops for equally
// long, as the paper's equal wires are, and has each node set its counter. Then the switches start to move, and in
// every slot two nodes are connected that are connected the other way round some slots later: probes measure each way's
// delay. From the sums of their delays the nodes know how much longer their own wire is than the master's, and begin
// their slots earlier by that. Then the switches' slots are set anew, and cells go.
type TimePort struct {
	Line    rtl.In[pcs.XGMII]
	Filled  rtl.In[bool]
	Count   rtl.In[uint64]
	Seen    rtl.In[TimeSeen]
	Total   rtl.In[uint32]
	Known   rtl.In[uint16]
	Heard   rtl.Out[TimeHeard]
	Mode    rtl.Out[TimeMode]
	Set     rtl.Out[TimeSet]
	Message rtl.Out[pcs.XGMII] // to the MAC, which sends it where it has nothing to send
	Slots   rtl.Out[SlotTime]

	Unreachable rtl.In[uint16]      // by node: the NIC cannot reach it any more
	Notice      rtl.Out[TimeNotice] // what another node cannot reach

	cfg timeConfig
	timeState

	// Takeovers are the changes of the time master that this node has made.
	Takeovers []Takeover
}

// timeConfig is what a node knows of its rack.
type timeConfig struct {
	id       uint8
	schedule *Schedule
	max      bool   // DTP's rule
	slot     int    // cycles
	sum      int    // epochs of the part in which the master tells its sum: the node that it tells last has it at the end
	words    int    // of a cell
	interval int    // epochs from one correction to the next
	lead     int    // cycles from the start of a switch's slot to a cell's first word
	hops     uint64 // of the ring, from node 0
	beacon   uint64 // cycles between the master's messages in the ring, more than the way round
}

// timeState is what a TimePort has learned.
type timeState struct {
	Master  uint8
	step    int    // of the ring, at the master
	round   uint64 // cycles of the way round the ring
	due     uint64 // counter of the next step
	start   uint64 // counter when the switches start, 0 before it is known
	seen    [timeNodes]uint16
	heardAt [timeNodes]uint64 // counter when a probe of a node came last
	sum     uint16            // the master's
	summed  bool
	advance int64 // cycles that this node's slots begin earlier than by its counter
	signals uint8 // to the switches that have gone out
	judged  bool  // the data for the advance have been looked at
	ready   bool  // the advance is known
	base    int64
	based   bool
	stopped bool
}

// TimeNotice tells which nodes another one cannot reach any more (§3.5).
type TimeNotice struct {
	From  uint8 `bits:"4"`
	Nodes uint16
	Valid bool
}

// Takeover is a change of the time master at a node.
type Takeover struct {
	From, To int
	Count    uint64 // of the node's counter
}

// Reset knows nothing.
func (t *TimePort) Reset() {
	t.timeState, t.Takeovers = timeState{due: ringStart}, nil
	for i := range t.seen {
		t.seen[i] = timeNone
	}
	t.Heard.Set(TimeHeard{})
	t.Mode.Set(TimeMode{})
	t.Set.Set(TimeSet{})
	t.Message.Set(pcs.XGMII{})
	t.Slots.Set(SlotTime{})
	t.Notice.Set(TimeNotice{})
}

// Tick takes a word from the line, and sends a message when it is time to.
func (t *TimePort) Tick() {
	now := t.Count.Get()
	if s := t.Seen.Get(); s.Valid {
		t.seen[s.From] = s.Value
	}
	var m, out TimeMessage
	if t.Filled.Get() {
		m = parseTimeMessage(t.Line.Get())
	}
	set := TimeSet{}
	if m.Kind > 0 && m.Kind <= timeStart || t.start == 0 {
		out, set = t.ring(now, m)
	}
	t.Set.Set(set)
	t.take(now, m)
	word := pcs.XGMII{}
	if t.start != 0 {
		out, word = t.send(now, out)
	}
	if out.Kind != 0 {
		word = out.word()
	}
	if t.stopped {
		word = pcs.XGMII{}
	}
	t.Message.Set(word)
}

// total is the length of the synchronisation in cycles, from the start of the switches to the first cell.
func (t *TimePort) total() int64 { return t.epochs(probeEpochs + t.cfg.sum + alignEpochs) }

// epochs is a number of epochs in cycles.
func (t *TimePort) epochs(n int) int64 { return int64(n * t.cfg.schedule.Epoch() * t.cfg.slot) }

// ring is the part before the switches move.
func (t *TimePort) ring(now uint64, m TimeMessage) (out TimeMessage, set TimeSet) {
	id, nodes := t.cfg.id, uint64(t.cfg.schedule.Nodes())
	switch {
	case m.Kind == timeRound && m.From == id:
		t.round = now - uint64(m.Count)
	case m.Kind == timeRound:
		return m, set
	case m.Kind == timeBeacon && m.From != id:
		at := uint64(m.Count) + (uint64(m.Value)*t.cfg.hops+nodes/2)/nodes // the master's counter now
		return m, TimeSet{Count: at + 2, Valid: true}                      // set two edges later
	case m.Kind == timeStart && m.From != id:
		t.start = uint64(m.Count)
		return m, set
	}
	if id != t.Master || now < t.due || t.start != 0 || t.step > 0 && t.round == 0 {
		return out, set
	}
	out = TimeMessage{From: id, Count: uint32(now)}
	switch {
	case t.step == 0:
		out.Kind = timeRound
	case t.step <= ringBeacons:
		out.Kind, out.Value = timeBeacon, uint16(t.round)
	default:
		t.start = now + 2*t.cfg.beacon
		out.Kind, out.Count = timeStart, uint32(t.start)
	}
	t.step++
	t.due = now + t.cfg.beacon
	return out, set
}

// take hears a message of the part in which the switches move.
func (t *TimePort) take(now uint64, m TimeMessage) {
	heard, notice := TimeHeard{}, TimeNotice{}
	switch m.Kind {
	case timeNotice:
		notice = TimeNotice{From: m.From & (timeNodes - 1), Nodes: m.Value, Valid: true}
		t.heardAt[notice.From] = now
	case timeProbe:
		heard = TimeHeard{Count: m.Count, Value: m.Value, From: m.From & (timeNodes - 1), Valid: true}
		t.heardAt[heard.From] = now
		rel := int64(now - t.start)
		if rel < t.epochs(probeEpochs) && int(heard.From) < t.cfg.schedule.Nodes() &&
			t.cfg.schedule.To(int(t.slotOf(m.Count))%t.cfg.schedule.Rows(), int(heard.From)) != int(t.cfg.id) {
			heard.Value = timeNone // it came by the circuit of another slot, and its value is for another node
		}
		if aligning := t.epochs(probeEpochs + t.cfg.sum); rel >= aligning+t.epochs(alignEpochs)/2 && rel < t.total() {
			t.base, t.based = rel-t.slotOf(m.Count)*int64(t.cfg.slot)-t.cfg.probePlace(), true
		}
	case timeSum:
		t.sum, t.summed = m.Value, true
	}
	t.Heard.Set(heard)
	t.Notice.Set(notice)
}

// send is the part in which the switches move.
func (t *TimePort) send(now uint64, out TimeMessage) (TimeMessage, pcs.XGMII) {
	c := &t.cfg
	rel := int64(now) - int64(t.start)
	follow := rel >= t.epochs(probeEpochs+1)
	if rel >= t.total() && c.interval > followEpochs {
		follow = (rel-t.total())/t.epochs(1)%int64(c.interval) < followEpochs
	}
	t.Mode.Set(
		TimeMode{
			Learn: rel >= t.epochs(probeEpochs)/2 && rel < t.epochs(probeEpochs), Follow: follow, Max: c.max,
			Master: t.Master,
		},
	)
	if rel >= t.epochs(probeEpochs+t.cfg.sum) && !t.judged { // a correction may pass over a count
		t.judged = true
		all := (uint16(1)<<c.schedule.Nodes() - 1) &^ (1 << c.id)
		t.ready = t.Known.Get() == all && (t.summed || c.id == t.Master)
		if c.id != t.Master {
			t.advance = divideRound(int64(t.Total.Get())-int64(t.sum), int64(c.schedule.Nodes()-2))
		}
	}
	if rel > t.epochs(probeEpochs+t.cfg.sum) {
		rel += t.advance
	}
	t.Slots.Set(
		SlotTime{
			Now: uint64(int64(now) + 1 + t.advance), Start: t.start + uint64(t.total()), Base: uint16(t.base + t.advance),
			Valid: t.ready && t.based && rel >= t.total()-int64(c.slot),
		},
	)
	switch {
	case t.signals == 0 && rel >= int64(-1-c.lead):
		t.signals++
		return out, BootstrapWord()
	case t.signals == 1 && rel >= t.total()-1-int64(c.lead):
		t.signals++
		return out, realignWord()
	}
	if rel < 0 {
		return out, pcs.XGMII{}
	}
	slot, at := rel/int64(c.slot), int(rel%int64(c.slot))
	place := int(c.probePlace())
	if rel >= t.total() {
		place = c.words + 2 // preamble, cell, FCS
		if at == 0 {
			t.watch(now)
		}
	}
	to := c.schedule.To(int(slot)%c.schedule.Rows(), int(c.id))
	if at != place || to == Idle {
		return out, pcs.XGMII{}
	}
	out = TimeMessage{Kind: timeProbe, From: c.id, Value: t.seen[to], Count: uint32(now) & timeCountMask}
	if summing := rel - t.epochs(probeEpochs); c.id == t.Master && summing >= t.epochs(sumAfter) &&
		summing < t.epochs(sumEpochs-4) {
		out.Kind, out.Value = timeSum, uint16(t.Total.Get())
	}
	if gone := t.Unreachable.Get(); gone != 0 && rel >= t.total() && (rel-t.total())/t.epochs(1)%2 == 1 {
		out.Kind, out.Value = timeNotice, gone
	}
	return out, pcs.XGMII{}
}

// probePlace is the cycle of a slot without a cell in which a probe goes. The first signal that reaches a switch starts
// its slots, so that words come late for them rather than early: three quarters of a slot are for those, one is for the
// others.
func (c *timeConfig) probePlace() int64 { return int64(c.slot / 4) }

// slotOf is the slot of a probe from before the first cells. Its sender may have slots that begin up to half of one
// earlier or later than by its counter.
func (t *TimePort) slotOf(count uint32) int64 {
	return (int64(count) - int64(t.start) - t.cfg.probePlace() + int64(t.cfg.slot)/2) / int64(t.cfg.slot)
}

// watch looks whether the time master is still there. It tells the time once an epoch, with each cell; a master that
// has not been heard for longer has stopped. The node with the lowest number of those heard takes over, each node by
// its own judgement. Until then counters run on at their own rate.
func (t *TimePort) watch(now uint64) {
	patience := uint64(t.epochs(1)) + uint64(t.cfg.slot)/2
	alive := func(i uint8) bool { return i == t.cfg.id || now-t.heardAt[i] <= patience }
	if alive(t.Master) {
		return
	}
	for i := range uint8(t.cfg.schedule.Nodes()) {
		if alive(i) {
			t.Takeovers = append(t.Takeovers, Takeover{From: int(t.Master), To: int(i), Count: now})
			t.Master = i
			return
		}
	}
}

// divideRound divides by a positive number and rounds to the nearest.
func divideRound(a, b int64) int64 { return int64(floorDiv(int(2*a+b), int(2*b))) }
