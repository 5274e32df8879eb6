package ethernet

import (
	"encoding/binary"
	"math/bits"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Encapsulator lays packets out as frames and sends them as beats at the rate of the line, requests and replies in
// turn. The first beat stands at its output 1 cycle after the packet at its input, if the line is free: Table 1's
// protocol stack is counted from there.
type Encapsulator struct {
	Request      rtl.In[Packet]
	Reply        rtl.In[Packet]
	RequestReady rtl.Out[bool]
	ReplyReady   rtl.Out[bool]
	Out          rtl.Out[pcs.Beat]

	stack Stack
	host  int

	queues [2]*blocks.FIFO[Packet] // requests, replies
	turn   int
	pacer  pacer
	frame  []byte // the rest of the frame
	memory []byte
}

// Requests is the stream from the node's requester.
func (e *Encapsulator) Requests() rtl.Consumer[Packet] {
	return rtl.Consumer[Packet]{Beat: &e.Request, Ready: &e.RequestReady}
}

// Replies is the stream from the node's responder.
func (e *Encapsulator) Replies() rtl.Consumer[Packet] {
	return rtl.Consumer[Packet]{Beat: &e.Reply, Ready: &e.ReplyReady}
}

// Reset starts empty.
func (e *Encapsulator) Reset() {
	for q := range e.queues {
		e.queues[q] = blocks.NewFIFO[Packet](2)
	}
	e.RequestReady.Set(true)
	e.ReplyReady.Set(true)
	e.Out.Set(pcs.Beat{})
}

// Tick sends a beat.
func (e *Encapsulator) Tick() {
	if p := e.Request.Get(); p.Valid && e.RequestReady.Get() {
		e.queues[0].Push(p)
	}
	if p := e.Reply.Get(); p.Valid && e.ReplyReady.Get() {
		e.queues[1].Push(p)
	}
	e.pacer.tick()
	if len(e.frame) == 0 && e.pacer.ready() {
		if e.queues[e.turn].Empty() {
			e.turn ^= 1
		}
		if p, ok := e.queues[e.turn].Pop(); ok {
			e.turn ^= 1
			e.memory = e.stack.appendFrame(e.memory[:0], e.host, p)
			e.frame = e.memory
		}
	}
	b := pcs.Beat{}
	if n := len(e.frame); n > 0 {
		b, e.frame = nextBeat(e.frame)
		e.pacer.sent(bits.OnesCount8(b.Keep), b.Last)
	}
	e.Out.Set(b)
	e.RequestReady.Set(!e.queues[0].Full())
	e.ReplyReady.Set(!e.queues[1].Full())
}

// nextBeat cuts the next beat from a frame.
func nextBeat(f []byte) (pcs.Beat, []byte) {
	if len(f) > 8 {
		return pcs.Beat{Data: binary.LittleEndian.Uint64(f), Keep: 0xff, Valid: true}, f[8:]
	}
	b := pcs.Beat{Keep: uint8(1<<len(f) - 1), Last: true, Valid: true}
	for i, c := range f {
		b.Data |= uint64(c) << (8 * i)
	}
	return b, nil
}

// Decapsulator reads frames for its host back into packets. A packet stands at its output 1 cycle after the last beat.
type Decapsulator struct {
	In  rtl.In[pcs.Beat]
	Out rtl.Out[Packet]

	stack Stack
	host  int
	hosts int
	frame []byte // so far
	bad   int    // frames for others, damaged, or not understood
}

// Tick takes a beat.
func (d *Decapsulator) Tick() {
	b := d.In.Get()
	if !b.Valid {
		d.Out.Set(Packet{})
		return
	}
	if n := bits.OnesCount8(b.Keep); len(d.frame)+n <= cap(d.frame) {
		at := len(d.frame)
		d.frame = d.frame[:at+n]
		for i := range n {
			d.frame[at+i] = byte(b.Data >> (8 * i))
		}
	}
	p := Packet{}
	if b.Last {
		var ok bool
		if p, ok = d.stack.parse(d.frame, d.host, d.hosts); !ok || b.Fault != pcs.FrameOK {
			p = Packet{}
			d.bad++
		}
		d.frame = d.frame[:0]
	}
	d.Out.Set(p)
}
