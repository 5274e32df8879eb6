package shoal

import (
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// The signal that starts the schedules of the switches (§3.4): the word after it is the first of slot 1. The paper does
// not describe it. Here it is a sequence ordered set, /Q/ 53 48 01 twice, which the PCS carries and a MAC ignores.
const (
	bootstrapData    = 0x0148539c_0148539c
	bootstrapControl = 0x11
	realignData      = 0x0248539c_0248539c
)

// BootstrapWord is the word that starts the schedules of the switches (§3.4).
func BootstrapWord() pcs.XGMII {
	return pcs.XGMII{Data: bootstrapData, Ctrl: bootstrapControl, Valid: true}
}

func isBootstrap(x pcs.XGMII) bool {
	return x.Valid && x.Ctrl == bootstrapControl && x.Data == bootstrapData
}

// realignWord makes a switch begin slot 1 anew, whether it runs or not. The nodes can measure the way to each other
// only while the circuits move, so the switches start with slots that are roughly in place, and once the nodes know
// their wires they begin again in the right cycle. The paper has equal wires and no such signal.
func realignWord() pcs.XGMII {
	return pcs.XGMII{Data: realignData, Ctrl: bootstrapControl, Valid: true}
}

// noCircuit is a select register without a circuit: its port sends idle.
const noCircuit = 0xff

// CircuitSwitch is the crossbar of a layer-1 circuit switch (§4.1): for each egress port a multiplexer over all ingress
// ports, and a register that selects. Latency 1 cycle. It stands between the synchronisation FIFOs and the transmit
// PHYs, in the distributed clock. It looks at no cell and holds none.
//
// Until the bootstrap signal comes the registers have the first slot's circuits. From the word after it on they change
// together every slot, at the edge that takes the slot's last word, so that a word in the last cycle still goes by the
// old circuit and the next one by the new: reconfiguration takes one cycle. Cells under way then are cut.
//
// A leaf of a folded Clos passes every cell twice, on its way up and, two hops later, on its way down; the paper does
// not say what that means for its slots. Here the two directions have a slot counter each, and each starts with the
// bootstrap signal that comes its way. A spine has one direction. A realign word starts the direction that it comes by
// anew.
type CircuitSwitch struct {
	In     []rtl.In[pcs.XGMII]
	Filled []rtl.In[bool] // the port's FIFO had a word
	Out    []rtl.Out[pcs.XGMII]

	image   [][]uint8 // by slot and egress: the ingress
	cycles  uint16    // a slot
	low     int       // ports to nodes, 0 in a spine
	up      slotCounter
	down    slotCounter // to the nodes
	selects []uint8
}

// slotCounter counts the slots of one direction of the switch.
type slotCounter struct {
	running bool
	cycle   uint16
	slot    uint16
}

// step counts a word, and tells whether the next one is the first of a slot.
func (c *slotCounter) step(started, realigned bool, cycles uint16, slots int) bool {
	switch {
	case realigned:
		*c = slotCounter{running: true}
		return true
	case !c.running:
		c.running = started
		return false
	case c.cycle+1 < cycles:
		c.cycle++
		return false
	}
	c.cycle = 0
	if c.slot++; int(c.slot) == slots {
		c.slot = 0
	}
	return true
}

// NewCircuitSwitch returns a switch that runs through the schedule of one of a fabric's switches, leaves first, for a
// channel.
func NewCircuitSwitch(c *Clos, sw, channel, slotCycles int) *CircuitSwitch {
	x := &CircuitSwitch{
		In: make([]rtl.In[pcs.XGMII], c.Ports), Filled: make([]rtl.In[bool], c.Ports),
		Out: make([]rtl.Out[pcs.XGMII], c.Ports), cycles: uint16(slotCycles),
	}
	if sw < c.Leaves {
		x.low = c.Spines
	}
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

// Reset sets the circuits of the first slot.
func (x *CircuitSwitch) Reset() {
	x.up, x.down = slotCounter{}, slotCounter{}
	x.selects = append(x.selects[:0], x.image[0]...)
	for e := range x.Out {
		x.Out[e].Set(pcs.IdleWord())
	}
}

// Tick passes one word through every port.
func (x *CircuitSwitch) Tick() {
	var up, down, upAgain, downAgain bool
	for e := range x.Out {
		w := pcs.IdleWord()
		if in := x.selects[e]; in != noCircuit && x.Filled[in].Get() {
			w = x.In[in].Get()
		}
		x.Out[e].Set(w)
		if in := x.In[e].Get(); x.Filled[e].Get() && in.Valid && in.Ctrl == bootstrapControl {
			started, again := in.Data == bootstrapData, in.Data == realignData
			if e < x.low || x.low == 0 {
				up, upAgain = up || started, upAgain || again
			} else {
				down, downAgain = down || started, downAgain || again
			}
		}
	}
	if x.up.step(up, upAgain, x.cycles, len(x.image)) {
		copy(x.selects[x.low:], x.image[x.up.slot][x.low:])
	}
	if x.down.step(down, downAgain, x.cycles, len(x.image)) {
		copy(x.selects[:x.low], x.image[x.down.slot][:x.low])
	}
}
