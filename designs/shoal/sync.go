package shoal

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Sync describes how the nodes of a bit-level rack come to a common time.
type Sync struct {
	Guard    int  // cycles between slots
	Lead     int  // cycles from the start of a switch's slot to the cell, at most Guard + 1: the MAC's gap may be cut
	Max      bool // DTP's rule; else all follow a time master
	Alpha    int  // cycles that are taken off the sum of both ways before it is halved, DTP's α
	Interval int  // epochs from one correction to the next; up to 4: counters are corrected all the time
}

func (s *Sync) check(cfg *PrototypeConfig) error {
	n := cfg.Schedule.Nodes()
	if s.Guard < 0 || s.Guard > 64 || s.Lead < 0 || s.Lead > s.Guard+1 || s.Alpha < 0 || s.Alpha > 16 {
		return fmt.Errorf(
			"a guard band of %d cycles, %d before the cell, and α of %d, want 0 to 64, 0 to one more than that, and 0 to 16",
			s.Guard, s.Lead, s.Alpha,
		)
	}
	if n < 3 {
		return fmt.Errorf("%d nodes, want at least 3: the length of one wire does not show between two", n)
	}
	at, hops := 0, 0
	for hops == 0 || at != 0 {
		if at = cfg.Schedule.To(0, at); at == Idle || hops == n {
			break
		}
		hops++
	}
	if hops != n || at != 0 {
		return fmt.Errorf("slot 1 of the schedule connects the nodes in several rings, want one: the time goes round it")
	}
	return nil
}

// rateSlack is how much later a word may leave a rate FIFO than a 4-cycle FIFO.
const rateSlack = 4

// longest is an upper bound of the cycles from MAC to MAC.
func (b *prototypeBuilder) longest(cfg *PrototypeConfig) int {
	wire := b.edges
	for _, w := range cfg.Wires {
		k := w.In(XGMIIClock.Period())
		f, _ := k.Float64()
		wire = max(wire, int(f)+1)
	}
	return b.p.macToMAC + 2*(wire-b.edges) + 4*rateSlack + 2
}

// sumEpochs is how many epochs the sum's part has. The master begins to tell its sum after the first ones, and has told
// all nodes an epoch later.
func (b *prototypeBuilder) sumEpochs(cfg *PrototypeConfig) int {
	epoch := cfg.Schedule.Epoch() * b.p.Slot
	return max(sumEpochs, sumAfter+1+(b.longest(cfg)+epoch-1)/epoch)
}

// syncedFlight is the flight of a synchronised rack in slots. A cell of slot t counts before the decision of slot t +
// flight + 1; it is decided nicTxCycles - 1 cycles before its slot, and its FCS passes a cell and two words after its
// start.
func (b *prototypeBuilder) syncedFlight(cfg *PrototypeConfig) int {
	need := nicTxCycles + b.longest(cfg) + cfg.CellBytes/8 + 2 + 2
	return (need+b.p.Slot-1)/b.p.Slot - 1
}

// timePort adds a node's synchronisation.
func (b *prototypeBuilder) timePort(s *rtl.Scope, node, words int, cfg *PrototypeConfig, nic *NIC, tx *MacTx) {
	p := b.p
	hops := uint64(0)
	for at := 0; at != node; at = cfg.Schedule.To(0, at) {
		hops++
	}
	port := &TimePort{
		cfg: timeConfig{
			id: uint8(node), schedule: cfg.Schedule, max: b.sync.Max, interval: b.sync.Interval, slot: p.Slot,
			sum: b.sumEpochs(cfg), words: words, lead: b.sync.Lead, hops: hops,
			beacon: uint64(cfg.Schedule.Nodes() * (b.longest(cfg) + 16)),
		},
	}
	count := &TimeCounter{nodes: timeNodes}
	s.Add("time_port", port)
	s.Add("time_counter", count)
	rtl.Connect(&port.Heard, &count.Heard)
	rtl.Connect(&port.Mode, &count.Mode)
	rtl.Connect(&port.Set, &count.Set)
	rtl.Tie(uint8(b.sync.Alpha), &count.Alpha)
	rtl.Connect(&count.Count, &port.Count)
	rtl.Connect(&count.Seen, &port.Seen)
	rtl.Connect(&count.Total, &port.Total)
	rtl.Connect(&count.Known, &port.Known)
	rtl.Connect(&port.Message, &tx.Message)
	rtl.Connect(&port.Slots, &nic.Slots)
	rtl.Connect(&nic.Unreachable, &port.Unreachable)
	rtl.Connect(&port.Notice, &nic.Notice)
	p.Ports, p.counters = append(p.Ports, port), append(p.counters, count)
}

// Synchronise runs a rack with Sync until the first cells are decided. Start is then the cycle of the distributed
// clock.
func (p *Prototype) Synchronise(ctx context.Context) error {
	// the ring's five messages are four intervals, two more pass until the switches start, and one is for clocks that are
	// off
	limit := uint64(ringStart) + (ringBeacons+4)*p.Ports[0].cfg.beacon + uint64(
		p.Ports[0].total(),
	) + uint64(p.Ports[0].epochs(8))
	for p.Clock.Cycle() < limit {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.Clock.Run(1); err != nil {
			return err
		}
		started := 0
		for _, nic := range p.synced {
			if nic.next > 0 {
				started++
			}
		}
		if started == len(p.NICs) {
			p.Start = p.Clock.Cycle()
			return nil
		}
	}
	for i, port := range p.Ports {
		if !port.ready || !port.based {
			return fmt.Errorf(
				"node %d has not come to the common time in %d cycles: wires may differ by about a third of a slot of %d cycles, "+
					"and clocks by about 450 ppm",
				i, limit, p.Slot,
			)
		}
	}
	return fmt.Errorf("the nodes have not started in %d cycles", limit)
}

// Alignment is where cells meet the slots of the switches that they pass, at leaves on the way up, at spines, and at
// leaves on the way down.
type Alignment struct {
	Early, Late int // most cycles before and after the place that Lead gives them
	Cells       uint64
}

// Look notes the preambles that are about to enter crossbars.
func (a *Alignment) Look(p *Prototype) {
	lead := p.Ports[0].cfg.lead
	for _, x := range p.switches {
		for port := range x.In {
			if w := x.In[port].Get(); w.Data != startData || w.Ctrl != startControl || !x.Filled[port].Get() {
				continue
			}
			slot := &x.up
			if x.low > 0 && port >= x.low {
				slot = &x.down
			}
			off := (int(slot.cycle)-lead+p.Slot+p.Slot/2)%p.Slot - p.Slot/2
			a.Early, a.Late = max(a.Early, -off), max(a.Late, off)
			a.Cells++
		}
	}
}

// Wanted is the least guard band in which cells pass that are Early and Late cycles off, if half of it lies before the
// cell. A late cell may lose the gap after its FCS, which carries nothing, so there is a cycle more than the guard
// band.
func (a *Alignment) Wanted() (guard int) {
	for LeadOf(guard) < a.Early || guard+1-LeadOf(guard) < a.Late {
		guard++
	}
	return guard
}

// LeadOf is how much of a guard band lies before the cell.
func LeadOf(guard int) int { return (guard + 1) / 2 }

// SyncAccount says where the cells of a rack are, dummies apart.
type SyncAccount struct {
	Copies    uint64 // cells that were taken from hosts, taken back to go another way, or sent again
	Delivered uint64
	Duplicate uint64
	Lost      uint64 // discarded by a node whose way on has failed
	Waiting   uint64 // in queues
	OnLines   uint64 // sent and not taken in intact: cut, damaged, or gone to a node that had stopped
}

// Account runs a synchronised rack until nothing is under way and no more cells go out, and counts the end of every
// cell. It is an error if the cells that nodes have put out and in do not make up for the missing ones.
func (p *Prototype) Account() (SyncAccount, error) {
	for _, n := range p.synced {
		n.draining = true
	}
	if err := p.Run(uint64(p.NICs[0].Node.Times.flight + 3)); err != nil {
		return SyncAccount{}, err
	}
	var a SyncAccount
	out, in := uint64(0), uint64(0)
	for _, nic := range p.NICs {
		n := nic.Node
		a.Copies += n.Counts.Sent + n.Counts.Returned + n.Counts.Again
		a.Delivered += n.Counts.Delivered
		a.Duplicate += n.Counts.Duplicate
		a.Lost += n.Counts.Lost
		for lane := range n.Times.lanes {
			a.Waiting += uint64(n.Link(lane).Level.Length)
		}
		for i := range n.flows {
			a.Waiting += uint64(len(n.flows[i].again))
		}
		out, in = out+nic.cellsOut, in+nic.cellsIn
	}
	a.OnLines = out - in
	if a.Copies != a.Delivered+a.Duplicate+a.Lost+a.Waiting+a.OnLines {
		return a, fmt.Errorf(
			"%d cells, but %d delivered, %d delivered twice, %d discarded, %d waiting and %d lost on lines", a.Copies,
			a.Delivered, a.Duplicate, a.Lost, a.Waiting, a.OnLines,
		)
	}
	return a, nil
}

// Stop makes a node fall silent, as one whose power has failed.
func (p *Prototype) Stop(node int) {
	if p.synced != nil {
		p.synced[node].stopped, p.Ports[node].stopped = true, true
	}
}

// Spread is how far the counters of the nodes that run are apart now, in cycles of 6.4 ns: first as whole numbers, then
// with the share of a cycle since each clock's last edge.
func (p *Prototype) Spread(exact bool) (whole int64, fine float64) {
	var least, most int64
	var low, high float64
	first := true
	now := p.Clock.Time()
	for i, c := range p.counters {
		if p.Ports[i].stopped {
			continue
		}
		v := int64(c.Count.Get())
		f := float64(v - int64(p.counters[0].Count.Get()))
		if exact {
			f += cyclesOf(now.Sub(p.nodeClocks[i].Time()))
		}
		if first {
			least, most, low, high, first = v, v, f, f, false
		}
		least, most, low, high = min(least, v), max(most, v), min(low, f), max(high, f)
	}
	return most - least, high - low
}

func cyclesOf(t clock.Time) float64 {
	f, _ := t.In(XGMIIClock.Period()).Float64()
	return f
}
