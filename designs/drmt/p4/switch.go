package p4

import (
	"fmt"
	"math"
)

// instance types that simple_switch gives to packets.
const (
	normal = iota
	ingressClone
	egressClone
	_ // coalesced
	recirculated
	replicated
	resubmitted
)

// maxTurns bounds how often a packet and its copies run, since a program may resubmit or recirculate one for ever.
const maxTurns = 1000

// packet is a packet on its way through the switch.
type packet struct {
	vector *vector
	// data is the packet as it came, parsed how many bytes of it the parser took; the rest is the payload.
	data   []byte
	parsed int
	// limit is how many bytes of the payload count, and how many leave: truncate lowers it. Copies of the packet are whole
	// again.
	limit int
	port  uint32 // of arrival, and then of departure
	// length is egress' packet_length: it changes with headers that are added and removed. ingressLength does not.
	length, ingressLength  int
	exit, clone            bool
	session, cloneList     int
	resubmit, recirculate  int
	parserError, enqueueAt uint64
}

// payload is the rest after the headers.
func (x *packet) payload() []byte { return clip(x.data[x.parsed:], x.limit) }

func clip(data []byte, n int) []byte { return data[:min(len(data), n)] }

// Run sends a packet through the switch, with everything that comes of it.
func (in *Interpreter) Run(port int, data []byte) Output {
	in.trace, in.out, in.bytes, in.failed = in.trace[:0], in.out[:0], in.bytes[:0], nil
	in.queue, in.again, in.served, in.restarted = in.queue[:0], in.again[:0], 0, 0
	in.free = append(in.free, in.vector) // it was kept so that Value could be asked
	v := in.take()
	in.vector = v
	in.resetMetadata(v)
	first := packet{
		vector: v, data: data, limit: math.MaxInt, port: uint32(port), length: len(data), ingressLength: len(data),
	}
	p := in.program
	in.set(p.Standard.IngressPort, uint64(port))
	in.set(p.Standard.PacketLength, uint64(len(data)))
	in.set(in.standard.instance, normal)
	in.set(in.standard.ingressTime, in.now)
	in.again = append(in.again, first)
	code, last := uint64(0), v
	for turn := 0; in.served+in.restarted < len(in.queue)+len(in.again) && in.failed == nil; turn++ {
		if turn == maxTurns {
			in.failed = fmt.Errorf("the packet comes again without an end")
			break
		}
		if in.served < len(in.queue) {
			in.packet = in.queue[in.served]
			in.served++
			in.vector = in.packet.vector
			in.egress()
		} else {
			in.packet = in.again[in.restarted]
			in.restarted++
			in.vector = in.packet.vector
			in.ingress()
			if turn == 0 {
				code = in.packet.parserError
			}
		}
		last = in.vector
	}
	for _, list := range [][]packet{in.queue[in.served:], in.again[in.restarted:]} {
		for _, x := range list {
			in.release(x.vector)
		}
	}
	in.keep(last)
	out := Output{Sent: in.out, Dropped: len(in.out) == 0, ParserError: code, Trace: in.trace, Err: in.failed}
	if !out.Dropped {
		out.Port, out.Packet = in.out[0].Port, in.out[0].Packet
	}
	return out
}

// keep takes a vector out of the free ones, so that its values can be asked for until the next packet.
func (in *Interpreter) keep(v *vector) {
	for i := len(in.free) - 1; i >= 0; i-- {
		if in.free[i] == v {
			in.free = append(in.free[:i], in.free[i+1:]...)
			break
		}
	}
	in.vector = v
}

// ingress parses the packet, runs the ingress pipeline, and carries out its requests.
func (in *Interpreter) ingress() {
	p, x := in.program, &in.packet
	in.turns++
	before := x.length
	parsed, code := in.parse(x.data)
	x.parsed, x.parserError = parsed, code
	right := in.verify(x.payload()) // a condition of a checksum finds no parser_error yet
	in.set(in.standard.parserError, code)
	in.set(in.standard.checksumError, truth(!right))
	in.pipeline(&p.Ingress)
	x.exit = false
	spec := in.vector.values[p.Standard.EgressSpec]
	group := uint64(0)
	if in.standard.group >= 0 {
		group = in.vector.values[in.standard.group]
	}
	if in.failed != nil {
		in.release(x.vector)
		return
	}
	if x.clone {
		x.clone = false
		in.cloneIngress(before)
	}
	switch {
	case x.resubmit > 0:
		y := packet{
			vector: in.take(), data: x.data, limit: math.MaxInt, port: x.port, length: before,
			ingressLength: x.ingressLength,
		}
		in.restart(&y, resubmitted, x.resubmit, before)
	case group != 0:
		in.set(in.standard.instance, replicated)
		in.multicast(x, int(group))
	case spec == DropPort:
	default:
		in.set(in.standard.instance, normal)
		y := *x
		y.port = uint32(spec)
		in.enqueue(y)
		return // the vector goes with it
	}
	in.release(x.vector)
}

// restart lets a copy come again, with metadata of 0 but for the fields of a list. Its port of arrival is no field that
// is kept.
func (in *Interpreter) restart(y *packet, kind uint64, list, length int) {
	in.resetMetadata(y.vector)
	in.keepFields(y.vector, list)
	from := in.vector
	in.vector = y.vector
	in.set(in.standard.instance, kind)
	in.set(in.program.Standard.PacketLength, uint64(length))
	in.vector = from
	in.again = append(in.again, *y)
}

// keepFields copies the fields of a field list; a list that is not there is empty.
func (in *Interpreter) keepFields(to *vector, list int) {
	for i := range in.program.FieldLists {
		if in.program.FieldLists[i].ID == list {
			for _, f := range in.program.FieldLists[i].Fields {
				copyField(to, in.vector, f, f)
			}
		}
	}
}

// cloneIngress makes a copy of the packet as it came to ingress, which goes on in egress.
func (in *Interpreter) cloneIngress(length int) {
	x := &in.packet
	session, ok := in.sessions[x.session]
	if !ok {
		return
	}
	original, from := in.packet, in.vector
	y := packet{
		vector: in.take(), data: x.data, limit: math.MaxInt, port: x.port, length: length, ingressLength: x.ingressLength,
	}
	in.packet, in.vector = y, y.vector
	in.set(in.program.Standard.IngressPort, uint64(original.port))
	parsed, _ := in.parse(y.data)
	in.packet.parsed = parsed
	y = in.packet
	in.packet, in.vector = original, from
	in.resetMetadata(y.vector)
	in.keepFields(y.vector, original.cloneList)
	in.send(y, session, ingressClone)
}

// send gives a clone to the port and to the group of its session.
func (in *Interpreter) send(y packet, session Session, kind uint64) {
	original, from := in.packet, in.vector
	in.packet, in.vector = y, y.vector
	in.set(in.standard.instance, kind)
	if session.Group >= 0 {
		in.multicast(&y, session.Group)
	}
	if session.Port >= 0 {
		y.port = uint32(session.Port)
		in.enqueue(y)
	} else {
		in.release(y.vector)
	}
	in.packet, in.vector = original, from
}

// multicast enqueues a copy of a packet for each replica of a group. The copies' vectors have what the packet's has.
func (in *Interpreter) multicast(x *packet, group int) {
	for _, r := range in.groups[group] {
		y := packet{
			vector: in.take(), data: x.data, parsed: x.parsed, limit: math.MaxInt, port: uint32(r.Port), length: x.length,
			ingressLength: x.ingressLength,
		}
		in.copyTo(y.vector, x.vector)
		from := in.vector
		in.vector = y.vector
		in.set(in.standard.replica, uint64(r.ID))
		in.vector = from
		in.enqueue(y)
	}
}

// enqueue puts a packet into the queue of a port. A priority that the port has no queue for is an error that drops it.
func (in *Interpreter) enqueue(y packet) {
	from := in.vector
	in.vector = y.vector
	defer func() { in.vector = from }()
	if f := in.standard.priority; f >= 0 && y.vector.values[f] > 0 {
		in.release(y.vector)
		return
	}
	y.enqueueAt = in.now
	in.set(in.standard.enqueued, in.now)
	in.set(in.standard.depth, 0)
	in.queue = append(in.queue, y)
}

// egress runs the egress pipeline and puts the packet together again.
func (in *Interpreter) egress() {
	p, x := in.program, &in.packet
	in.set(in.standard.egressTime, in.now)
	in.set(in.standard.waited, in.now-x.enqueueAt)
	in.set(in.standard.left, 0)
	in.set(in.standard.queue, 0)
	in.set(p.Standard.EgressPort, uint64(x.port))
	in.set(p.Standard.EgressSpec, DropPort+1)
	in.set(p.Standard.PacketLength, uint64(x.length))
	in.pipeline(&p.Egress)
	defer in.release(x.vector)
	if in.failed != nil {
		return
	}
	if x.clone {
		x.clone = false
		if session, ok := in.sessions[x.session]; ok {
			y := packet{vector: in.take(), data: x.data, parsed: x.parsed, limit: math.MaxInt, port: x.port, length: x.length,
				ingressLength: x.ingressLength}
			in.copyTo(y.vector, x.vector)
			in.resetMetadata(y.vector)
			in.keepFields(y.vector, x.cloneList)
			in.send(y, session, egressClone)
		}
	}
	if in.vector.values[p.Standard.EgressSpec] == DropPort {
		return
	}
	payload := x.payload()
	in.update(payload)
	start := len(in.bytes)
	in.bytes = in.deparse(in.bytes, x.data[x.parsed:])
	whole := in.bytes[start:len(in.bytes):len(in.bytes)]
	if x.recirculate == 0 {
		in.out = append(in.out, Sent{int(x.port), clip(whole, x.limit)})
		return
	}
	y := packet{
		vector: in.take(), data: whole, limit: math.MaxInt, port: x.port, length: len(whole), ingressLength: len(whole),
	}
	in.restart(&y, recirculated, x.recirculate, len(whole))
}

func (in *Interpreter) pipeline(pipe *Pipeline) {
	for n := pipe.First; n != Accept && !in.packet.exit && in.failed == nil; {
		node := &pipe.Nodes[n]
		if c := node.Condition; c != nil {
			yes := in.isTrue(c.If, nil)
			in.trace = append(in.trace, Step{Node: node.Name, Hit: yes, Entry: -1, Action: -1})
			n = c.False
			if yes {
				n = c.True
			}
			continue
		}
		n = in.table(node)
	}
}

// table looks the packet up and runs an action.
func (in *Interpreter) table(node *Node) int {
	t := node.Table
	c := in.tables[t]
	entry := c.find(in.vector)
	call := c.otherwise
	if entry >= 0 {
		call = &c.entries[entry]
	}
	if call != nil && call.Indirect { // the selector hashes before a meter writes its color
		call = in.member(t, call)
	}
	if entry >= 0 {
		if t.Counters {
			in.direct[c.number][entry].count(in.packet.ingressLength)
		}
		if t.Meter > 0 && entry < len(in.meters[t.Meter-1]) {
			m := t.Meter - 1
			in.set(in.program.Meters[m].Target, in.meters[m][entry].execute(in.units(m), in.now))
		}
	}
	step := Step{Node: node.Name, Hit: entry >= 0, Entry: entry, Action: -1}
	if call != nil {
		step.Action = call.Action
	}
	in.trace = append(in.trace, step)
	if call != nil {
		in.run(call.Action, &arguments{call.Data, call.Wide})
	}
	switch {
	case t.HitOrMiss && entry >= 0:
		return t.Hit
	case t.HitOrMiss || call == nil || t.Apart && entry < 0:
		return t.Miss
	}
	if next, ok := c.next[call.Action]; ok {
		return next
	}
	return Accept
}

// member finds the member of an action profile that an entry names, or that the selector chooses of a group; nil of an
// empty group.
func (in *Interpreter) member(t *Table, e *Entry) *Entry {
	x := &in.members[t.Profile-1]
	if !e.Group {
		return &x.members[e.Member]
	}
	group := x.groups[e.Member]
	if len(group) == 0 {
		return nil
	}
	n := uint64(0)
	if s := in.program.Profiles[t.Profile-1].Selector; s >= 0 {
		n = in.calculate(s, in.packet.payload()) % uint64(len(group))
	}
	return &x.members[group[n]]
}
