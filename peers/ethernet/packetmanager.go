package ethernet

import (
	"math/bits"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Directed is a beat on its way to an output.
type Directed struct {
	Beat pcs.Beat
	Port uint8 `bits:"6"`
}

// PacketManager buffers frames and decides when they cross: 93 ns (EDM Table 1) from a frame's last beat to the first
// that leaves, if the output is free; from the first beat with [CutThrough].
//
// Each input has a buffer of slots, one a frame, and a queue for each output, so that no frame waits for one to
// another output. An input sends one frame at a time, an output takes one at a time, at the rate of the line; a free
// output takes inputs in turn. Frames go out in order for each pair of input and output. A frame that finds no slot is
// dropped, and one that is damaged or too long for a slot too, which a switch that cuts through cannot do: it passes
// it on.
type PacketManager struct {
	In      []rtl.Async[Matched]
	Out     []rtl.Out[Directed] // by input
	Dropped rtl.Out[uint32]     // frames

	forwarding Forwarding
	slots      int
	slotBeats  int

	inputs  []managerInput
	outputs []managerOutput
	dropped uint32
}

// managerInput is the buffer and the queues of an input.
type managerInput struct {
	line   *blocks.DelayLine[Matched]
	memory []pcs.Beat // by slot
	length []int      // of each slot, in beats
	copies []int      // of each slot, outputs that have yet to send it
	free   []uint16
	queues []*blocks.FIFO[uint16] // by output

	writing int // slot, -1 if the frame is not kept
	ports   uint64
	sending int // slot, -1 if none
	sent    int // beats of it
	to      int // output
}

type managerOutput struct {
	pacer   pacer
	busy    bool
	waiting int // frames queued for it
	turn    int // the input to be asked first
}

// newPacketManager returns a manager of some ports, with a delay of some edges.
func newPacketManager(ports, edges, slots, slotBeats int, f Forwarding) *PacketManager {
	m := &PacketManager{In: make([]rtl.Async[Matched], ports), Out: make([]rtl.Out[Directed], ports), forwarding: f,
		slots: slots, slotBeats: slotBeats, inputs: make([]managerInput, ports), outputs: make([]managerOutput, ports)}
	for i := range m.inputs {
		in := &m.inputs[i]
		*in = managerInput{line: blocks.NewDelayLine(edges-1, Matched{}), memory: make([]pcs.Beat, slots*slotBeats),
			length: make([]int, slots),
			copies: make([]int, slots), queues: make([]*blocks.FIFO[uint16], ports), writing: -1, sending: -1}
		for s := slots - 1; s >= 0; s-- {
			in.free = append(in.free, uint16(s))
		}
		for p := range in.queues {
			in.queues[p] = blocks.NewFIFO[uint16](slots)
		}
	}
	return m
}

// Tick writes a beat of each input, pairs inputs and outputs, and reads a beat of each input.
func (m *PacketManager) Tick() {
	for i := range m.inputs {
		if x := m.inputs[i].line.Shift(m.In[i].Get()); x.Beat.Valid {
			m.write(&m.inputs[i], x)
		}
	}
	for p := range m.outputs {
		o := &m.outputs[p]
		o.pacer.tick()
		if o.waiting > 0 && !o.busy && o.pacer.ready() {
			m.start(p)
		}
	}
	for i := range m.inputs {
		x := Directed{}
		if in := &m.inputs[i]; in.sending >= 0 && in.sent < in.length[in.sending] {
			x = m.read(in)
		}
		m.Out[i].Set(x)
	}
	m.Dropped.Set(m.dropped)
}

// write keeps a beat.
func (m *PacketManager) write(in *managerInput, x Matched) {
	b := x.Beat
	if x.First {
		in.writing, in.ports = -1, x.Ports
		if n := len(in.free); x.Ports != 0 && n > 0 {
			in.writing = int(in.free[n-1])
			in.free = in.free[:n-1]
			in.length[in.writing] = 0
		} else {
			m.dropped++
		}
	}
	if in.writing < 0 {
		return
	}
	s := in.writing
	if in.length[s] == m.slotBeats-1 && !b.Last {
		b.Last, b.Fault = true, pcs.CodeError // too long: the rest finds no slot
	}
	in.memory[s*m.slotBeats+in.length[s]] = b
	in.length[s]++
	if m.forwarding == CutThrough && x.First {
		m.enqueue(in)
	}
	if !b.Last {
		return
	}
	if m.forwarding == StoreAndForward {
		if b.Fault == pcs.FrameOK {
			m.enqueue(in)
		} else {
			m.dropped++
			in.free = append(in.free, uint16(s))
		}
	}
	in.writing = -1
}

// enqueue puts the frame that is being written into the queues of its outputs.
func (m *PacketManager) enqueue(in *managerInput) {
	in.copies[in.writing] = bits.OnesCount64(in.ports)
	for rest := in.ports; rest != 0; rest &= rest - 1 {
		p := bits.TrailingZeros64(rest)
		in.queues[p].Push(uint16(in.writing))
		m.outputs[p].waiting++
	}
}

// start gives a free output the next frame of an input that is free too.
func (m *PacketManager) start(p int) {
	o := &m.outputs[p]
	for k := range m.inputs {
		i := (o.turn + k) % len(m.inputs)
		in := &m.inputs[i]
		if in.sending >= 0 || in.queues[p].Empty() {
			continue
		}
		s, _ := in.queues[p].Pop()
		in.sending, in.sent, in.to = int(s), 0, p
		o.busy, o.turn = true, (i+1)%len(m.inputs)
		o.waiting--
		return
	}
}

// read sends a beat.
func (m *PacketManager) read(in *managerInput) Directed {
	b := in.memory[in.sending*m.slotBeats+in.sent]
	in.sent++
	o := &m.outputs[in.to]
	o.pacer.sent(bits.OnesCount8(b.Keep), b.Last)
	if b.Last {
		o.busy = false
		if in.copies[in.sending]--; in.copies[in.sending] == 0 {
			in.free = append(in.free, uint16(in.sending))
		}
		in.sending = -1
	}
	return Directed{b, uint8(in.to)}
}
