package packetnet

import "math/bits"

// classes is how many traffic classes there are (IEEE Std 802.1Q). The highest goes first.
const classes = 8

// port is a transmitter with a queue for each class.
type port struct {
	busy   bool
	filled uint8 // the classes that have packets, a bit each
	bytes  int64 // in all queues, without preamble and gap
	sent   int64 // bytes on the line
	mac    list  // pause frames: before all others, and never paused
	class  [classes]classQueue
}

// classQueue holds a port's packets of a class. Packets in urgent go first.
type classQueue struct {
	urgent, queue list
	bytes         int64
}

func (f *fabric) push(l *list, id int32) {
	f.packets[id].next = 0
	if l.head == 0 {
		l.head = id
	} else {
		f.packets[l.tail].next = id
	}
	l.tail = id
}

func (f *fabric) pop(l *list) int32 {
	id := l.head
	if id != 0 {
		l.head = f.packets[id].next
	}
	return id
}

// enqueue puts a packet into the queue of its class at a port, before all data if it is urgent.
func (f *fabric) enqueue(p int, id int32, urgent bool) {
	o, k := &f.ports[p], &f.packets[id]
	q, size := &o.class[k.class], f.size(k)
	if urgent {
		f.push(&q.urgent, id)
	} else {
		f.push(&q.queue, id)
	}
	o.filled |= 1 << k.class
	q.bytes += size
	f.queued(p, size)
}

// enqueueMAC puts a frame of the MAC itself before all others.
func (f *fabric) enqueueMAC(p int, id int32) {
	f.push(&f.ports[p].mac, id)
	f.queued(p, f.size(&f.packets[id]))
}

func (f *fabric) queued(p int, size int64) {
	o := &f.ports[p]
	o.bytes += size
	if p >= f.n {
		f.result.MaxQueue = max(f.result.MaxQueue, o.bytes)
	}
	f.wake(p)
}

// dequeue takes a port's next packet: of the highest class that is not in the mask paused, one bit a class. It returns
// 0 if there is none.
func (f *fabric) dequeue(p int, paused uint8) int32 {
	o := &f.ports[p]
	if id := f.pop(&o.mac); id != 0 {
		o.bytes -= f.size(&f.packets[id])
		return id
	}
	ready := o.filled &^ paused
	if ready == 0 {
		return 0
	}
	c := bits.Len8(ready) - 1
	q := &o.class[c]
	id := f.pop(&q.urgent)
	if id == 0 {
		id = f.pop(&q.queue)
	}
	if q.urgent.head == 0 && q.queue.head == 0 {
		o.filled &^= 1 << c
	}
	size := f.size(&f.packets[id])
	q.bytes -= size
	o.bytes -= size
	return id
}

// occupy keeps a port busy with a number of bytes until it is free.
func (f *fabric) occupy(p int, wire int32, free int64) {
	f.ports[p].busy = true
	f.At(free, portFree, int32(p), 0)
	f.result.Frames++
	f.result.LineBytes += uint64(wire)
	f.ports[p].sent += int64(wire)
}

// takes returns the byte times that bytes take on a port's link. Inside a node that is one, whatever they are.
func (f *fabric) takes(p int, bytes int32) int64 {
	return max(1, int64(bytes)*int64(f.slow[p]))
}

// carry returns when a port is free again that sends a packet of some bytes now, and when the packet has come to the
// link's far end.
func (f *fabric) carry(p int, wire int32) (free, there int64) {
	if f.cfg.Line == nil || f.slow[p] == 0 {
		return f.Now + f.takes(p, wire), f.Now + f.takes(p, wire-f.gap) + f.delay(p)
	}
	left, came := f.cfg.Line.Send(p, f.Now*f.tick, int(wire)-f.cfg.Preamble-f.cfg.Gap)
	return (left + f.tick - 1) / f.tick, (came + f.tick - 1) / f.tick
}

// transmit sends a packet down a port's link, to a node or a switch.
func (f *fabric) transmit(p int, id int32) {
	k := &f.packets[id]
	k.port = int32(p)
	free, there := f.carry(p, k.wire)
	f.occupy(p, k.wire, free)
	if f.cfg.Spoils != nil && f.slow[p] > 0 && f.cfg.Spoils(p, f.Now*f.tick, free*f.tick) {
		f.result.Spoilt++
		f.release(id)
		return
	}
	if p < f.n {
		k.path = f.topology.path(k)
		there += f.host
	}
	switch {
	case int(f.to[p]) < f.n:
		f.At(there+f.host, atNode, id, 0)
	case f.ingress:
		f.At(there, atIngress, id, 0)
	default:
		f.At(there+f.sw, atSwitch, id, 0)
	}
}

// delay returns the byte times that light and transceivers take on a port's link.
func (f *fabric) delay(p int) int64 {
	if f.slow[p] == 0 {
		return 0
	}
	return f.link
}
