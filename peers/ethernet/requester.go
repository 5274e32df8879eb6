package ethernet

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/rtl"
)

// request is a message of a requester.
type request struct {
	peer    uint8
	write   bool
	address uint64
	bytes   uint32
	start   uint64 // cycle before which it is not sent

	issued, done uint64 // cycles; 0 if not yet
}

// Requester is the application of a compute node. It sends its messages in order, at most a window of them
// outstanding. A read is done with its last response, a write with its acknowledgement. Each peer is a connection:
// replies come in order.
type Requester struct {
	Arrived rtl.Async[Packet]
	Ready   rtl.In[bool]
	Out     rtl.Out[Packet]

	stack       Stack
	window, mtu int
	requests    []request // a testbench may append between runs

	now         uint64
	next        int    // the request being sent
	sent        uint32 // bytes of it
	outstanding int
	finished    int
	peers       []requestPeer
	faults      int // replies that fit no request
}

// requestPeer is the requester's end of a connection.
type requestPeer struct {
	seq, ack uint32
	waiting  *blocks.FIFO[outstanding]
	got      uint32 // bytes of the oldest read
}

type outstanding struct {
	request int
	seq     uint32 // of its first packet, of its last if it is a write
}

// Output is the stream of requests.
func (r *Requester) Output() rtl.Producer[Packet] {
	return rtl.Producer[Packet]{Beat: &r.Out, Ready: &r.Ready}
}

// Tick takes a reply and sends a packet.
func (r *Requester) Tick() {
	r.now++
	if p := r.Arrived.Get(); p.Valid && (p.Kind == ReadResponse || p.Kind == Acknowledge) {
		r.reply(p)
	}
	if r.Out.Get().Valid && !r.Ready.Get() {
		return
	}
	if r.next == len(r.requests) || r.requests[r.next].start > r.now || r.sent == 0 && r.outstanding == r.window {
		r.Out.Set(Packet{})
		return
	}
	q := &r.requests[r.next]
	peer := &r.peers[q.peer]
	p := Packet{Valid: true, Kind: ReadRequest, Peer: q.peer, First: true, Last: true, Seq: peer.seq, Ack: peer.ack,
		Address: q.address, Bytes: q.bytes}
	if q.write {
		p.Kind, p.First = WriteRequest, r.sent == 0
		p.Address += uint64(r.sent)
		p.Bytes = min(q.bytes-r.sent, uint32(r.mtu))
		p.Last = r.sent+p.Bytes == q.bytes
	}
	if r.sent == 0 {
		q.issued = r.now
		r.outstanding++
	}
	r.sent += p.Bytes
	if p.Last {
		peer.waiting.Push(outstanding{r.next, peer.seq})
		r.next, r.sent = r.next+1, 0
	}
	peer.seq = (peer.seq + r.stack.advance(p, r.mtu)) & r.stack.seqMask()
	r.Out.Set(p)
}

// reply matches a reply with the oldest request of its connection.
func (r *Requester) reply(p Packet) {
	peer := &r.peers[p.Peer]
	o, ok := peer.waiting.Peek()
	if !ok {
		r.faults++
		return
	}
	q := &r.requests[o.request]
	expected := uint32(0) // raw Ethernet
	switch r.stack {
	case TCPIP:
		expected = peer.ack
		peer.ack += r.stack.advance(p, r.mtu)
	case RoCEv2:
		expected = (o.seq + peer.got/uint32(r.mtu)) & r.stack.seqMask()
	}
	good := p.Seq == expected && q.write == (p.Kind == Acknowledge) && p.First == (peer.got == 0)
	if p.Kind == ReadResponse {
		good = good && p.Digest == digest(q.address+uint64(peer.got), int(p.Bytes))
		peer.got += p.Bytes
		good = good && p.Last == (peer.got == q.bytes)
	}
	if !good {
		r.faults++
	}
	if p.Last {
		peer.waiting.Pop()
		peer.got, q.done = 0, r.now
		r.outstanding--
		r.finished++
	}
}

// Responder is a memory node of no latency. It stores nothing: the word at an address is a function of the address,
// and a write's data is compared with it. It acknowledges each write when its last packet has come.
type Responder struct {
	Arrived rtl.Async[Packet]
	Ready   rtl.In[bool]
	Out     rtl.Out[Packet]

	stack  Stack
	mtu    int
	jobs   *blocks.FIFO[Packet] // replies, as long as their messages
	job    Packet               // the one being sent
	sent   uint32               // bytes of it
	peers  []replyPeer
	faults int
}

// replyPeer is the responder's end of a connection.
type replyPeer struct {
	seq, ack uint32
	address  uint64 // where a write of several packets goes on
}

// Output is the stream of replies.
func (r *Responder) Output() rtl.Producer[Packet] {
	return rtl.Producer[Packet]{Beat: &r.Out, Ready: &r.Ready}
}

// Tick takes a request and sends a packet.
func (r *Responder) Tick() {
	if p := r.Arrived.Get(); p.Valid && (p.Kind == ReadRequest || p.Kind == WriteRequest) {
		r.request(p)
	}
	if r.Out.Get().Valid && !r.Ready.Get() {
		return
	}
	if !r.job.Valid {
		r.job, _ = r.jobs.Pop()
		r.sent = 0
	}
	p := r.job
	if p.Valid {
		peer := &r.peers[p.Peer]
		p.First, p.Last = r.sent == 0, true
		if p.Kind == ReadResponse {
			p.Address += uint64(r.sent)
			p.Bytes = min(p.Bytes-r.sent, uint32(r.mtu))
			p.Last = r.sent+p.Bytes == r.job.Bytes
		}
		switch r.stack {
		case TCPIP:
			p.Seq, p.Ack = peer.seq, peer.ack
			peer.seq += r.stack.advance(p, r.mtu)
		case RoCEv2:
			p.Seq = (p.Seq + r.sent/uint32(r.mtu)) & r.stack.seqMask()
		}
		r.sent += p.Bytes
		if p.Last {
			r.job = Packet{}
		}
	}
	r.Out.Set(p)
}

// request turns a request into a reply.
func (r *Responder) request(p Packet) {
	peer := &r.peers[p.Peer]
	good := p.Seq == peer.ack
	peer.ack = (peer.ack + r.stack.advance(p, r.mtu)) & r.stack.seqMask()
	reply := Packet{Valid: true, Kind: ReadResponse, Peer: p.Peer, Seq: p.Seq, Address: p.Address, Bytes: p.Bytes}
	if p.Kind == WriteRequest {
		if p.First {
			peer.address = p.Address
		}
		good = good && p.Digest == digest(peer.address, int(p.Bytes))
		peer.address += uint64(p.Bytes)
		reply = Packet{Valid: p.Last, Kind: Acknowledge, Peer: p.Peer, Seq: p.Seq}
	}
	if reply.Valid && !r.jobs.Push(reply) {
		good = false
	}
	if !good {
		r.faults++
	}
}
