package shoal

import "math/bits"

// syncedCells is how many cells a synchronised NIC can hold from their arrival to the decision before which they count.
// A cell waits for the difference between the longest way and its own.
const syncedCells = 8

// syncedCell is a cell that has come and waits.
type syncedCell struct {
	incoming
	payload []uint64
}

// syncedNIC is the NIC of a rack with Sync. Its slots follow the node's counter. A cell that has come is given to
// congestion control before the decision of a slot that all nodes agree on, the flight of the rack after its own; wires
// and FIFOs of different lengths do not show there. A cell that has not come by then will not come.
type syncedNIC struct {
	NIC
	came     [syncedCells]syncedCell
	stopped  bool // the node has failed
	draining bool // nothing goes out any more
}

// Tick is one cycle of both directions.
func (n *syncedNIC) Tick() {
	n.work()
	n.cycle++
}

func (n *syncedNIC) work() {
	t := n.Slots.Get()
	n.countDown()
	if t.Valid && !n.stopped && t.Now+nicTxCycles-1 >= t.Start+n.next*uint64(n.slot) {
		if flight := uint64(n.Node.Times.flight); n.next > flight {
			n.handOver(n.next - 1 - flight)
		}
		if !n.draining {
			n.decide()
		}
		n.next++
		n.epoch = int32(n.next / uint64(n.Node.Times.Epoch))
	}
	n.BootstrapOut.Set(false) // the TimePort has it sent
	n.emit()
	n.gather()
	if x := n.Notice.Get(); x.Valid && int(x.From) < n.Node.Times.Schedule.nodes && int(x.From) != n.Node.ID {
		for k := range n.Node.Times.Schedule.nodes {
			if x.Nodes>>k&1 != 0 {
				n.Node.cutOff(n.Node.RowTo(int(x.From)), k)
			}
		}
	}
	gone := uint16(0)
	for _, k := range n.Node.events[:n.Node.failed] {
		gone |= 1 << k
	}
	n.Unreachable.Set(gone)
	check := n.Check.Get()
	if !check.Valid || !t.Valid {
		return
	}
	// preamble, cell and FCS have passed the MAC; a cell belongs to the slot whose start is nearest
	first := int64(t.Now) - int64(t.Start) - int64(t.Base) - int64(n.words) - 2
	slot := first + int64(n.slot)/2
	if slot < 0 {
		return
	}
	slot /= int64(n.slot)
	c := &n.came[slot%syncedCells]
	c.incoming = incoming{Cell(bits.ReverseBytes64(n.got[0])), check.Good, true, uint64(slot)}
	c.payload = append(c.payload[:0], n.got[1:]...)
}

// handOver gives congestion control the cell that came in a slot.
func (n *syncedNIC) handOver(slot uint64) {
	c := &n.came[slot%syncedCells]
	if !c.valid || c.slot != slot {
		if n.draining { // nobody sends any more, which is no failure
			return
		}
		c.incoming = incoming{header: silence, slot: slot}
	}
	if c.good && c.header != silence && c.header.Intact() && !c.header.Dummy() {
		n.cellsIn++
	}
	n.take(c.incoming, c.payload)
	c.valid = false
}
