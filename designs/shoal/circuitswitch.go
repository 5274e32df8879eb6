package shoal

import (
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// bootstrapWord is the signal that starts the schedules of the switches (§3.4): the word after it is the first of slot 1. The paper
// does not say what it looks like. Here it is a sequence ordered set, /Q/ 53 48 01 twice, which the PCS carries and a MAC ignores.
const (
	bootstrapData    = 0x0148539c_0148539c
	bootstrapControl = 0x11
)

func bootstrapWord() pcs.XGMII {
	return pcs.XGMII{Data: bootstrapData, Ctrl: bootstrapControl, Valid: true}
}

func isBootstrap(x pcs.XGMII) bool {
	return x.Valid && x.Ctrl == bootstrapControl && x.Data == bootstrapData
}

// noCircuit is a select register without a circuit: its port sends idle.
const noCircuit = 0xff

// CircuitSwitch is the crossbar of a layer-1 circuit switch (§4.1): for each egress port a multiplexer over all ingress ports, and a
// register that selects. Latency 1 cycle. It stands between the synchronisation FIFOs and the transmit PHYs, in the distributed
// clock. It looks at no cell and holds none.
//
// Until the bootstrap signal comes, at any port, the registers have the first slot's circuits. From the word after it on they
// change together every slot, at the edge that takes the slot's last word, so that a word in the last cycle still goes by the old
// circuit and the next one by the new: reconfiguration takes one cycle. What is under way then is cut.
type CircuitSwitch struct {
	In     []rtl.In[pcs.XGMII]
	Filled []rtl.In[bool] // the port's FIFO had a word
	Out    []rtl.Out[pcs.XGMII]

	image   [][]uint8 // by slot and egress: the ingress
	cycles  uint16    // a slot
	running bool      `bits:"1"`
	cycle   uint16    `bits:"12"`
	slot    uint16    `bits:"12"`
	selects []uint8
}

// NewCircuitSwitch returns a switch that runs through the schedule of one of a fabric's switches, leaves first, for a channel.
func NewCircuitSwitch(c *Clos, sw, channel, slotCycles int) *CircuitSwitch {
	x := &CircuitSwitch{In: make([]rtl.In[pcs.XGMII], c.Ports), Filled: make([]rtl.In[bool], c.Ports), Out: make([]rtl.Out[pcs.XGMII], c.Ports),
		cycles: uint16(slotCycles)}
	for r := channel; r < c.Schedule.Rows(); r += c.Schedule.Channels() {
		slot := make([]uint8, c.Ports)
		for e := range slot {
			if in := c.selects(r, sw, e); in != Idle {
				slot[e] = uint8(in)
			} else {
				slot[e] = noCircuit
			}
		}
		x.image = append(x.image, slot)
	}
	return x
}

// Reset has the circuits of the first slot.
func (x *CircuitSwitch) Reset() {
	x.running, x.cycle, x.slot = false, 0, 0
	x.selects = append(x.selects[:0], x.image[0]...)
	for e := range x.Out {
		x.Out[e].Set(pcs.IdleWord())
	}
}

// Tick passes a word of every port.
func (x *CircuitSwitch) Tick() {
	started := false
	for e := range x.Out {
		w := pcs.IdleWord()
		if in := x.selects[e]; in != noCircuit && x.Filled[in].Get() {
			w = x.In[in].Get()
		}
		x.Out[e].Set(w)
		started = started || x.Filled[e].Get() && isBootstrap(x.In[e].Get())
	}
	switch {
	case !x.running:
		x.running = started
	case x.cycle+1 < x.cycles:
		x.cycle++
	default:
		x.cycle = 0
		if x.slot++; int(x.slot) == len(x.image) {
			x.slot = 0
		}
		copy(x.selects, x.image[x.slot])
	}
}
