package edm

import (
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Identify is a switch port's look at the control blocks that come in beside data (§3.2.2): an /N/ or the first block
// of a request becomes a notification, all blocks of a request go on to the request buffer. Latency 1 cycle.
//
// Its input crosses from the port's recovered clock without a synchroniser, as Table 1 counts it: right as long as both
// clocks have one source, so that their phase stays.
type Identify struct {
	In     rtl.Async[pcs.Block]
	Notify rtl.Out[Notification]
	Body   rtl.Out[pcs.Block] // of requests

	Types BlockTypes
	Port  int

	open bool
}

// Reset waits for a message.
func (i *Identify) Reset() {
	i.open = false
	i.Notify.Set(Notification{})
	i.Body.Set(pcs.Block{})
}

// Tick looks at one block.
func (i *Identify) Tick() {
	b := i.In.Get()
	n, body := Notification{}, pcs.Block{}
	if b.Valid {
		h := HeaderOf(b)
		switch i.Types.Classify(b) {
		case N:
			n = Notification{Valid: true, Source: uint16(i.Port), Dest: h.Dest, ID: h.ID, Bytes: h.Bytes, Long: h.Long}
		case MS: // the data will come the other way
			n = Notification{
				Valid: true, Source: h.Dest, Dest: uint16(i.Port), ID: h.ID, Read: true, Bytes: h.Bytes, Long: h.Long,
			}
			if h.Kind == RMWREQ { // by its opcode (§3.1.1)
				n.Bytes, n.Long = uint16(Operation(h.High).ResponseBytes()), false
			}
			i.open, body = true, b
		case MT:
			i.open, body = false, b
		case Data:
			if i.open {
				body = b
			}
		}
	}
	i.Notify.Set(n)
	i.Body.Set(body)
}
