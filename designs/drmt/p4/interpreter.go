package p4

import (
	"errors"
	"fmt"
	"slices"
)

// Interpreter runs a program packet by packet, as BMv2's simple_switch does: parser, ingress, egress, checksums, deparser. It knows
// nothing of time, fields' places or machines. A packet is dropped if egress_spec is DropPort after ingress or after egress, or if
// the parser finds it too short or has no transition for it (simple_switch leaves that choice to the architecture). The port that
// ingress chose is egress_port in egress. It does not clone, resubmit, recirculate or multicast.
type Interpreter struct {
	program *Program             `state:"none"` // as built
	tables  map[*Table]*contents `state:"none"` // as built
	values  []uint64
	out     []byte
	trace   []Step
}

// Step is one thing that a packet came to.
type Step struct {
	// Node is the table or condition.
	Node string
	// Hit is whether a table was hit, or a condition true. Entry is the number of the entry, among its table's in the order of
	// installation, -1 for a miss and for conditions.
	Hit   bool
	Entry int
	// Action is the action that ran, -1 for a condition.
	Action int
}

// Output is what became of a packet.
type Output struct {
	// Port is where it leaves; Packet is what leaves, valid until the next Run. Both mean nothing if it was dropped.
	Port    int
	Packet  []byte
	Dropped bool
	// Why says why the parser dropped it, if it did.
	Why string
	// Trace is what it came to, in order, valid until the next Run.
	Trace []Step
}

// NewInterpreter prepares a program with the given entries in its tables, beside those that the program has. defaults, by table,
// replace what tables do on a miss; only their action and data count.
func NewInterpreter(p *Program, entries []Entry, defaults map[string]Entry) (*Interpreter, error) {
	for _, f := range p.Fields {
		if f.Bits > 64 {
			return nil, fmt.Errorf("%s: field %s has %d bits; programs run with at most 64", p.Name, f.Name, f.Bits)
		}
	}
	if err := p.wide(); err != nil {
		return nil, err
	}
	in := &Interpreter{program: p, tables: map[*Table]*contents{}, values: make([]uint64, len(p.Fields))}
	byName := map[string][]Entry{}
	for _, e := range entries {
		byName[e.Table] = append(byName[e.Table], e)
	}
	for _, pipe := range []*Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range pipe.Nodes {
			if n.Table == nil {
				continue
			}
			c, err := newContents(p, n.Table, byName[n.Name])
			if err != nil {
				return nil, err
			}
			if d, ok := defaults[n.Name]; ok {
				if err := p.checkCall(n.Table, d.Action, d.Data); err != nil {
					return nil, err
				}
				if n.Table.ConstantDefault {
					return nil, fmt.Errorf("%s: table %s: its default action is constant", p.Name, n.Name)
				}
				c.action, c.data = d.Action, d.Data
			}
			in.tables[n.Table] = c
			delete(byName, n.Name)
		}
	}
	for name := range byName {
		return nil, fmt.Errorf("%s: entries for table %s, which is not there", p.Name, name)
	}
	return in, nil
}

// wide finds constants and parameters of more than 64 bits.
func (p *Program) wide() error {
	for _, a := range p.Actions {
		for _, d := range a.Params {
			if d.Bits > 64 {
				return fmt.Errorf("%s: parameter %s of action %s has %d bits; programs run with at most 64", p.Name, d.Name, a.Name, d.Bits)
			}
		}
		for _, o := range a.Ops {
			if o.Value.isWide() {
				return fmt.Errorf("%s: action %s has a constant of more than 64 bits; programs run with at most 64", p.Name, a.Name)
			}
		}
	}
	for _, pipe := range []*Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range pipe.Nodes {
			if n.Condition != nil && n.Condition.If.isWide() {
				return fmt.Errorf("%s: condition %s has a constant of more than 64 bits; programs run with at most 64", p.Name, n.Name)
			}
		}
	}
	for _, s := range p.States {
		for _, o := range s.Ops {
			if o.Value.isWide() {
				return fmt.Errorf("%s: parser state %s has a constant of more than 64 bits; programs run with at most 64", p.Name, s.Name)
			}
		}
	}
	for _, c := range p.Checksums {
		for _, e := range append(slices.Clone(c.Input), c.If) {
			if e.isWide() {
				return fmt.Errorf("%s: checksum %s has a constant of more than 64 bits; programs run with at most 64", p.Name, c.Name)
			}
		}
	}
	return nil
}

func (e *Expr) isWide() bool {
	return e != nil && (e.Wide || e.Left.isWide() || e.Right.isWide() || e.Cond.isWide())
}

// Run sends a packet through the program.
func (in *Interpreter) Run(port int, packet []byte) Output {
	p := in.program
	clear(in.values)
	in.trace = in.trace[:0]
	in.set(p.Standard.IngressPort, uint64(port))
	in.set(p.Standard.PacketLength, uint64(len(packet)))
	payload, err := in.parse(packet)
	if err != nil {
		return Output{Dropped: true, Why: err.Error()}
	}
	in.pipeline(&p.Ingress)
	if in.values[p.Standard.EgressSpec] == DropPort {
		return Output{Dropped: true, Trace: in.trace}
	}
	in.set(p.Standard.EgressPort, in.values[p.Standard.EgressSpec])
	out := int(in.values[p.Standard.EgressSpec])
	in.pipeline(&p.Egress)
	if in.values[p.Standard.EgressSpec] == DropPort {
		return Output{Dropped: true, Trace: in.trace}
	}
	for i := range p.Checksums {
		in.checksum(&p.Checksums[i])
	}
	in.deparse(payload)
	return Output{Port: out, Packet: in.out, Trace: in.trace}
}

// Value returns a field's value after the last packet.
func (in *Interpreter) Value(field int) uint64 { return in.values[field] }

func (in *Interpreter) set(field int, v uint64) {
	if field >= 0 {
		in.values[field] = v & ones(in.program.Fields[field].Bits)
	}
}

var (
	errShort  = errors.New("the packet ends within a header")
	errNoNext = errors.New("the parser has no transition for the packet")
)

// parse extracts headers and returns what comes after them.
func (in *Interpreter) parse(packet []byte) ([]byte, error) {
	p := in.program
	for s := p.Start; s != Accept; {
		state := &p.States[s]
		for _, op := range state.Ops {
			if op.Header < 0 {
				in.set(op.Field, in.eval(op.Value, nil))
				continue
			}
			h := &p.Headers[op.Header]
			if len(packet)*8 < h.Bits {
				return nil, errShort
			}
			at := 0
			for _, f := range h.Fields {
				in.values[f] = bitsAt(packet, at, p.Fields[f].Bits)
				at += p.Fields[f].Bits
			}
			in.values[h.Valid] = 1
			packet = packet[h.Bits/8:]
		}
		key := uint64(0)
		for _, f := range state.Key {
			key = key<<p.Fields[f].Bits | in.values[f]
		}
		next, taken := 0, false
		for _, t := range state.Transitions {
			if key&t.Mask == t.Value {
				next, taken = t.Next, true
				break
			}
		}
		if !taken {
			return nil, errNoNext
		}
		s = next
	}
	return packet, nil
}

// bitsAt returns n bits of data from bit at, the first bit being the uppermost of the first byte.
func bitsAt(data []byte, at, n int) uint64 {
	v := uint64(0)
	for i := range n {
		bit := at + i
		v = v<<1 | uint64(data[bit/8]>>(7-bit%8)&1)
	}
	return v
}

func (in *Interpreter) deparse(payload []byte) {
	p := in.program
	in.out = in.out[:0]
	for _, h := range p.Deparse {
		header := &p.Headers[h]
		if in.values[header.Valid] == 0 {
			continue
		}
		var b bitWriter
		b.out = in.out
		for _, f := range header.Fields {
			b.put(in.values[f], p.Fields[f].Bits)
		}
		in.out = b.out
	}
	in.out = append(in.out, payload...)
}

// bitWriter appends values bit by bit.
type bitWriter struct {
	out  []byte
	have int
	last byte
}

func (b *bitWriter) put(v uint64, n int) {
	for i := n - 1; i >= 0; i-- {
		b.last = b.last<<1 | byte(v>>i&1)
		if b.have++; b.have == 8 {
			b.out, b.have, b.last = append(b.out, b.last), 0, 0
		}
	}
}

func (in *Interpreter) pipeline(pipe *Pipeline) {
	for n := pipe.First; n != Accept; {
		node := &pipe.Nodes[n]
		if c := node.Condition; c != nil {
			yes := in.eval(c.If, nil) != 0
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

func (in *Interpreter) table(node *Node) int {
	t := node.Table
	c := in.tables[t]
	entry := c.find(in.values)
	action, data := c.action, c.data
	if entry >= 0 {
		action, data = c.entries[entry].Action, c.entries[entry].Data
	}
	in.trace = append(in.trace, Step{Node: node.Name, Hit: entry >= 0, Entry: entry, Action: action})
	for i := range in.program.Actions[action].Ops {
		in.primitive(&in.program.Actions[action].Ops[i], data)
	}
	switch {
	case t.HitOrMiss && entry >= 0:
		return t.Hit
	case t.HitOrMiss:
		return t.Miss
	}
	for i, a := range t.Actions {
		if a == action {
			return t.Next[i]
		}
	}
	return Accept
}

func (in *Interpreter) primitive(o *Primitive, data []uint64) {
	switch o.Op {
	case Assign:
		in.set(o.Field, in.eval(o.Value, data))
	case Drop:
		in.set(o.Field, DropPort)
	case AddHeader:
		h := &in.program.Headers[o.Header]
		if in.values[h.Valid] == 0 {
			for _, f := range h.Fields {
				in.values[f] = 0
			}
		}
		in.values[h.Valid] = 1
	case RemoveHeader:
		in.values[in.program.Headers[o.Header].Valid] = 0
	}
}

func (in *Interpreter) eval(e *Expr, data []uint64) uint64 {
	switch e.Kind {
	case Constant:
		return e.Const
	case FieldValue:
		return in.values[e.Field]
	case ParamValue:
		return data[e.Param]
	case Choice:
		if in.eval(e.Cond, data) != 0 {
			return in.eval(e.Left, data)
		}
		return in.eval(e.Right, data)
	}
	r := in.eval(e.Right, data)
	switch e.Operator {
	case Not:
		return ^r
	case LogicalNot:
		return truth(r == 0)
	case Same:
		return truth(r != 0)
	}
	l := in.eval(e.Left, data)
	switch e.Operator {
	case Add:
		return l + r
	case Sub:
		return l - r
	case Mul:
		return l * r
	case ShiftLeft:
		return l << r
	case ShiftRight:
		return l >> r
	case And:
		return l & r
	case Or:
		return l | r
	case Xor:
		return l ^ r
	case Equal:
		return truth(l == r)
	case NotEqual:
		return truth(l != r)
	case Less:
		return truth(l < r)
	case LessEqual:
		return truth(l <= r)
	case Greater:
		return truth(l > r)
	case GreaterEqual:
		return truth(l >= r)
	case LogicalAnd:
		return truth(l != 0 && r != 0)
	case LogicalOr:
		return truth(l != 0 || r != 0)
	}
	panic("p4: an operator without a meaning")
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// checksum is RFC 1071's: the complement of the ones' complement sum of 16-bit words.
func (in *Interpreter) checksum(c *Checksum) {
	if !c.Update || c.If != nil && in.eval(c.If, nil) == 0 {
		return
	}
	var b bitWriter
	for i, e := range c.Input {
		b.put(in.eval(e, nil), c.Bits[i])
	}
	if len(b.out)%2 == 1 {
		b.out = append(b.out, 0)
	}
	sum := uint64(0)
	for i := 0; i < len(b.out); i += 2 {
		sum += uint64(b.out[i])<<8 | uint64(b.out[i+1])
	}
	for sum>>16 != 0 {
		sum = sum&0xffff + sum>>16
	}
	in.set(c.Target, ^sum)
}
