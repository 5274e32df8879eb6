package shoal

import "math/bits"

// startedNIC is the NIC of a rack whose nodes are all started together (§3.4). It decides slot 0 in a given cycle and a
// slot every n.slot cycles from then on. Cells that come belong to slots counted from the bootstrap signal that came
// before the first one.
type startedNIC struct {
	NIC
	start  uint64 // cycle in which slot 0 is decided
	begins bool   // the next slot is decided in this cycle

	verdicts [nicRxCycles - 1]incoming
	running  bool   // the bootstrap signal has come
	received uint64 // cycle of the first word of slot 0
	checked  uint64 // slots in which something came, plus one; 0: none
}

func newStartedNIC(nic NIC, start uint64) *startedNIC {
	return &startedNIC{NIC: nic, start: start, begins: start == 0}
}

// Tick is one cycle of both directions.
func (n *startedNIC) Tick() {
	n.transmit()
	n.receive()
	n.cycle++
	if n.begins = n.cycle >= n.start && (n.cycle-n.start)%uint64(n.slot) == 0; n.begins {
		n.epoch = int32(n.next / uint64(n.Node.Times.Epoch))
	}
}

func (n *startedNIC) transmit() {
	n.countDown()
	if n.begins {
		n.decide()
		n.next++
	}
	n.BootstrapOut.Set(n.cycle+2 == n.start+nicTxCycles) // the MAC sends it just before the first preamble
	n.emit()
}

// receive hands each slot's cell to congestion control, or silence if the slot is over and nothing has come.
func (n *startedNIC) receive() {
	done := n.verdicts[nicRxCycles-2]
	copy(n.verdicts[1:], n.verdicts[:nicRxCycles-2])
	n.verdicts[0] = incoming{}
	if n.BootstrapIn.Get() && !n.running {
		n.running, n.received = true, n.cycle+1
	}
	n.gather()
	if n.running && n.cycle >= n.received {
		slot := (n.cycle - n.received) / uint64(n.slot)
		if check := n.Check.Get(); check.Valid && n.checked <= slot {
			n.verdicts[0] = incoming{Cell(bits.ReverseBytes64(n.got[0])), check.Good, true, slot}
			n.checked = slot + 1
		} else if (n.cycle-n.received)%uint64(n.slot) == uint64(n.slot-1) && n.checked <= slot {
			n.verdicts[0] = incoming{header: silence, valid: true, slot: slot} // the slot is over and nothing has come
			n.checked = slot + 1
		}
	}
	if done.valid {
		n.take(done, n.got[1:])
	}
}
