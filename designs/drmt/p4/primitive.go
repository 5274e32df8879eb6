package p4

import (
	"fmt"
	"math/big"
)

// assign writes an expression to a field.
func (in *Interpreter) assign(field int, e *Expr, a *arguments) {
	f := &in.program.Fields[field]
	v, ok := in.word(e, a)
	switch {
	case !ok:
		in.setNumber(field, in.exact(e, a))
	case f.Saturating || in.vector.wide[field] != nil:
		in.setNumber(field, big.NewInt(v))
	default:
		in.vector.values[field] = uint64(v) & Ones(f.Bits)
	}
}

// run does an action's primitives. One that jumps back for ever ends the packet.
func (in *Interpreter) run(action int, a *arguments) {
	ops := in.program.Actions[action].Ops
	for n, steps := 0, 0; n < len(ops) && n >= 0; n, steps = n+1, steps+1 {
		o := &ops[n]
		switch o.Op {
		case Jump:
			n = int(int32(in.unsigned(o.Args[0], a))) - 1
		case JumpIfZero:
			if !in.isTrue(o.Args[0], a) {
				n = int(int32(in.unsigned(o.Args[1], a))) - 1
			}
		default:
			in.primitive(o, a)
		}
		if steps > maxStates {
			in.failed = fmt.Errorf("action %s jumps without an end", in.program.Actions[action].Name)
			return
		}
	}
}

// target finds the header that a primitive changes, -1 if there is none.
func (in *Interpreter) target(o *Primitive, a *arguments) int {
	if o.Dest != nil {
		return in.headerIndex(o.Dest, a)
	}
	return o.Header
}

// write writes a number to a primitive's target: a field, an element's field, or a register.
func (in *Interpreter) write(o *Primitive, v Number, a *arguments) {
	switch {
	case o.Dest == nil:
		in.setNumber(o.Field, v)
	case o.Dest.Kind == RegisterValue:
		if i, ok := in.index(o.Dest.Right, a, in.program.Registers[o.Dest.Field].Size); ok {
			in.storeRegister(o.Dest.Field, i, v)
		}
	default:
		if h := in.headerIndex(o.Dest.Left, a); h >= 0 {
			in.setNumber(in.program.Headers[h].member(o.Dest.Param), v)
		}
	}
}

func (in *Interpreter) storeRegister(array, i int, v Number) {
	bits := in.program.Registers[array].Bits
	if in.wide[array] != nil {
		in.wide[array][i] = new(big.Int).And(v, wideOnes(bits))
		return
	}
	in.registers[array][i] = low64(v) & Ones(bits)
}

func (in *Interpreter) primitive(o *Primitive, a *arguments) {
	switch o.Op {
	case Assign:
		if o.Dest == nil {
			in.assign(o.Field, o.Value, a)
			return
		}
		in.write(o, in.exact(o.Value, a), a)
	case AssignVariable:
		from, to := in.program.Fields[o.Object].Header, in.program.Fields[o.Field].Header
		copyField(in.vector, in.vector, o.Field, o.Object)
		in.vector.bits[to] = in.vector.bits[from]
	case Drop:
		in.set(o.Field, DropPort)
		in.set(in.standard.ownGroup, 0)
		in.set(in.standard.group, 0)
	case Exit:
		in.packet.exit = true
	case NoOp, Jump, JumpIfZero:
	case Assert:
		if !in.isTrue(o.Args[0], a) {
			in.failed = fmt.Errorf("an assertion of the program fails")
		}
	case Digest:
	case CloneIngress, CloneEgress:
		in.packet.clone, in.packet.session = true, int(in.unsigned(o.Args[0], a)&0x7fff)
		in.packet.cloneList = int(in.unsigned(o.Args[1], a) & 0xffff)
	case Resubmit:
		in.packet.resubmit = int(in.unsigned(o.Args[0], a) & 0xffff)
	case Recirculate:
		in.packet.recirculate = int(in.unsigned(o.Args[0], a) & 0xffff)
	case Truncate:
		if n := in.unsigned(o.Args[0], a); n < uint64(in.packet.limit) {
			in.packet.limit = int(n)
		}
	case Count, ExecuteMeter, ReadRegister, WriteRegister, Hash, Random:
		in.stateful(o, a)
	default:
		in.headers(o, a)
	}
}

// stateful does the primitives that read or write state, or compute a hash. Beyond an array's end nothing is done.
func (in *Interpreter) stateful(o *Primitive, a *arguments) {
	p := in.program
	switch o.Op {
	case Count:
		if i, ok := in.index(o.Args[0], a, len(in.counters[o.Object])); ok {
			in.counters[o.Object][i].count(in.packet.ingressLength)
		}
	case ExecuteMeter:
		if i, ok := in.index(o.Args[0], a, len(in.meters[o.Object])); ok {
			color := in.meters[o.Object][i].execute(in.units(o.Object), in.now)
			in.write(o, new(big.Int).SetUint64(color), a)
		}
	case ReadRegister:
		if i, ok := in.index(o.Args[0], a, p.Registers[o.Object].Size); ok {
			if w := in.wide[o.Object]; w != nil {
				in.write(o, w[i], a)
			} else if o.Dest == nil && !p.Fields[o.Field].Saturating {
				in.set(o.Field, in.registers[o.Object][i])
			} else {
				in.write(o, new(big.Int).SetUint64(in.registers[o.Object][i]), a)
			}
		}
	case WriteRegister:
		if i, ok := in.index(o.Args[0], a, p.Registers[o.Object].Size); ok {
			if v, fits := in.word(o.Args[1], a); fits && in.wide[o.Object] == nil {
				in.registers[o.Object][i] = uint64(v) & Ones(p.Registers[o.Object].Bits)
			} else {
				in.storeRegister(o.Object, i, in.exact(o.Args[1], a))
			}
		}
	case Hash:
		size := max(in.unsigned(o.Args[1], a), 1)
		v := in.calculate(o.Object, in.packet.payload())%size + in.unsigned(o.Args[0], a)
		in.write(o, new(big.Int).SetUint64(v), a)
	case Random:
		low, high := in.unsigned(o.Args[0], a), in.unsigned(o.Args[1], a)
		v := Draw(in.seed, in.turns-1, o.Object, low, high)
		in.write(o, new(big.Int).SetUint64(v), a)
	}
}

// units is what a packet takes of a meter.
func (in *Interpreter) units(array int) uint64 {
	if in.program.Meters[array].Bytes {
		return uint64(in.packet.ingressLength)
	}
	return 1
}

func (c *CounterValue) count(bytes int) {
	c.Packets++
	c.Bytes += uint64(bytes)
}

// headers does the primitives that change headers and their validity.
func (in *Interpreter) headers(o *Primitive, a *arguments) {
	p := in.program
	switch o.Op {
	case AddHeader:
		if h := in.target(o, a); h >= 0 && !in.isValid(h) {
			in.zero(in.vector, &p.Headers[h])
			in.setValid(h, true)
			in.packet.length += in.headerBytes(h)
		}
	case RemoveHeader:
		if h := in.target(o, a); h >= 0 && in.isValid(h) {
			in.packet.length -= in.headerBytes(h)
			in.setValid(h, false)
		}
	case MarkValid:
		if h := in.target(o, a); h >= 0 {
			in.setValid(h, true)
		}
	case AssignHeader:
		if to, from := in.target(o, a), in.headerIndex(o.Source, a); to >= 0 && from >= 0 {
			in.copyHeader(to, from)
		}
	case AssignUnion:
		in.copyUnion(o.Object, o.From)
	case AssignStack:
		in.vector.next[o.Object] = in.vector.next[o.From]
		for i, h := range p.Stacks[o.From].Headers {
			in.copyHeader(p.Stacks[o.Object].Headers[i], h)
		}
	case AssignUnionStack:
		in.vector.nextUnion[o.Object] = in.vector.nextUnion[o.From]
		for i, u := range p.UnionStacks[o.From].Unions {
			in.copyUnion(p.UnionStacks[o.Object].Unions[i], u)
		}
	case Push, Pop, PushUnions, PopUnions:
		in.move(o, int(min(in.unsigned(o.Args[0], a), 1<<16)))
	}
}

// copyHeader copies validity and, of a valid header, the fields. The packet's length, as egress sees it, does not
// change.
func (in *Interpreter) copyHeader(to, from int) {
	p := in.program
	if !in.isValid(from) {
		in.setValid(to, false)
		return
	}
	in.setValid(to, true)
	for i, f := range p.Headers[to].Fields {
		copyField(in.vector, in.vector, f, p.Headers[from].Fields[i])
	}
	in.vector.bits[to] = in.vector.bits[from]
}

// copyUnion copies a union member by member: the valid one is copied last, so that it stays so.
func (in *Interpreter) copyUnion(to, from int) {
	p := in.program
	valid := in.validMember(from)
	for i, h := range p.Unions[from].Headers {
		if h != valid {
			in.copyHeader(p.Unions[to].Headers[i], h)
		}
	}
	for i, h := range p.Unions[from].Headers {
		if h == valid {
			in.copyHeader(p.Unions[to].Headers[i], h)
		}
	}
}

// move moves the elements of a stack, of headers or of unions, by some places: away from the first one, or towards it.
// A freed header is not valid. A freed union is as it was: simple_switch exchanges unions, and does not clear the freed
// ones (header_unions.h: mark_invalid does nothing), so that a stack of unions turns round.
func (in *Interpreter) move(o *Primitive, by int) {
	p := in.program
	var elements [][]int // the headers of each element
	next := in.vector.next
	if o.Op == PushUnions || o.Op == PopUnions {
		next = in.vector.nextUnion
		for _, u := range p.UnionStacks[o.Object].Unions {
			elements = append(elements, p.Unions[u].Headers)
		}
	} else {
		for _, h := range p.Stacks[o.Object].Headers {
			elements = append(elements, []int{h})
		}
	}
	size := len(elements)
	if by == 0 {
		return
	}
	if o.Op == Push || o.Op == PushUnions {
		next[o.Object] = min(size, next[o.Object]+by)
		for i := size - 1; i >= by; i-- {
			in.swap(elements[i], elements[i-by])
		}
		elements = elements[:min(by, size)]
	} else {
		next[o.Object] -= min(next[o.Object], by)
		for i := 0; i+by < size; i++ {
			in.swap(elements[i], elements[i+by])
		}
		elements = elements[max(size-by, 0):]
	}
	if o.Op == PushUnions || o.Op == PopUnions {
		return
	}
	for _, e := range elements {
		for _, h := range e {
			in.setValid(h, false)
		}
	}
}

// swap exchanges headers with their whole contents.
func (in *Interpreter) swap(a, b []int) {
	v := in.vector
	for i := range a {
		x, y := &in.program.Headers[a[i]], &in.program.Headers[b[i]]
		for k := range x.Fields {
			f, g := x.Fields[k], y.Fields[k]
			v.values[f], v.values[g] = v.values[g], v.values[f]
			v.wide[f], v.wide[g] = v.wide[g], v.wide[f]
		}
		v.values[x.Valid], v.values[y.Valid] = v.values[y.Valid], v.values[x.Valid]
		v.bits[a[i]], v.bits[b[i]] = v.bits[b[i]], v.bits[a[i]]
	}
}
