package p4

import "math/big"

// maxStates bounds a packet's way through the parser: one that goes round without an end is an error.
const maxStates = 1 << 16

// noError is what parsing returns if all goes well: no number of an error is so great.
const noError = ^uint64(0)

// parse extracts headers and returns how many bytes they are, and the number of the error that ended it.
func (in *Interpreter) parse(data []byte) (parsed int, code uint64) {
	p := in.program
	n := 0
	for s := p.Start; s != Accept; n++ {
		if n == maxStates {
			return parsed, p.Errors.Timeout
		}
		state := &p.States[s]
		for i := range state.Ops {
			taken, code := in.parserOp(&state.Ops[i], data[parsed:])
			if code != noError {
				return parsed, code
			}
			parsed += taken
		}
		if state.Parts == nil {
			s = in.next(state)
			continue
		}
		next, code := in.nextOfParts(state, data[parsed:])
		if code != noError {
			return parsed, code
		}
		s = next
	}
	return parsed, p.Errors.None
}

// next selects the next state by fields.
func (in *Interpreter) next(state *State) int {
	key := uint64(0)
	for _, f := range state.Key {
		key = key<<in.program.Fields[f].Bits | in.vector.values[f]
	}
	for i := range state.Transitions {
		t := &state.Transitions[i]
		if t.Set > 0 {
			if in.inSet(t.Set-1, new(big.Int).SetUint64(key), new(big.Int).SetUint64(t.Mask)) {
				return t.Next
			}
		} else if key&t.Mask == t.Value {
			return t.Next
		}
	}
	return Accept
}

// inSet says whether a key is in a value set, both under a mask.
func (in *Interpreter) inSet(set int, key, mask Number) bool {
	for v := range in.valueSets[set] {
		n, _ := new(big.Int).SetString(v, 16)
		if n.And(n, mask).Cmp(new(big.Int).And(key, mask)) == 0 {
			return true
		}
	}
	return false
}

// nextOfParts selects the next state where the key is more than fields.
func (in *Interpreter) nextOfParts(state *State, rest []byte) (next int, code uint64) {
	p := in.program
	for i := range state.Parts {
		if k := &state.Parts[i]; k.Field < 0 && k.Stack < 0 && k.UnionStack < 0 && tooShort(rest, k.Ahead, k.Bits) {
			return 0, p.Errors.PacketTooShort
		}
	}
	key := new(big.Int)
	for i := range state.Parts {
		k := &state.Parts[i]
		v := new(big.Int)
		switch h := in.partHeader(k); {
		case k.Field >= 0:
			in.raw(v, k.Field)
		case h >= 0:
			in.raw(v, p.Headers[h].member(k.Offset))
		case k.Stack < 0 && k.UnionStack < 0:
			v = wideAt(rest, k.Ahead, k.Bits)
		}
		key.Or(key.Lsh(key, uint(k.Bits)), v)
	}
	masked := new(big.Int)
	for i := range state.Transitions {
		t := &state.Transitions[i]
		if t.Set > 0 {
			if in.inSet(t.Set-1, key, t.WideMask) {
				return t.Next, noError
			}
		} else if masked.And(key, t.WideMask).Cmp(t.WideValue) == 0 {
			return t.Next, noError
		}
	}
	return Accept, noError
}

// tooShort says that a lookahead has not the bytes before its first one and as many as its bits fill, or that it ends
// beyond the packet, where simple_switch reads other memory.
func tooShort(rest []byte, offset, bits int) bool {
	return offset/8+(bits+7)/8 > len(rest) || offset+bits > 8*len(rest)
}

// partHeader finds the header of a part of a key, -1 if the part has none or the stack is empty.
func (in *Interpreter) partHeader(k *KeyPart) int {
	p := in.program
	switch {
	case k.Stack >= 0 && in.vector.next[k.Stack] > 0:
		return p.Stacks[k.Stack].Headers[in.vector.next[k.Stack]-1]
	case k.UnionStack >= 0 && in.vector.nextUnion[k.UnionStack] > 0:
		return p.Unions[p.UnionStacks[k.UnionStack].Unions[in.vector.nextUnion[k.UnionStack]-1]].Headers[k.Member]
	}
	return -1
}

// raw sets v to a field's bits.
func (in *Interpreter) raw(v Number, field int) {
	if w := in.vector.wide[field]; w != nil {
		v.Set(w)
		return
	}
	v.SetUint64(in.vector.values[field])
}

// parserOp does one operation and returns the bytes that it takes.
func (in *Interpreter) parserOp(op *ParserOp, rest []byte) (taken int, code uint64) {
	p := in.program
	switch op.Kind {
	case Basic:
		if op.Header >= 0 {
			return in.extract(op.Header, op.Value, rest)
		}
		in.assign(op.Field, op.Value, nil)
	case ExtractNext:
		headers := p.Stacks[op.Object].Headers
		n := in.vector.next[op.Object]
		if n == len(headers) {
			return 0, p.Errors.StackOutOfBounds
		}
		if taken, code = in.extract(headers[n], op.Value, rest); code == noError {
			in.vector.next[op.Object]++
		}
		return taken, code
	case ExtractUnion:
		unions := p.UnionStacks[op.Object].Unions
		n := in.vector.nextUnion[op.Object]
		if n == len(unions) {
			return 0, p.Errors.StackOutOfBounds
		}
		if taken, code = in.extract(p.Unions[unions[n]].Headers[op.Header], op.Value, rest); code == noError {
			in.vector.nextUnion[op.Object]++
		}
		return taken, code
	case Lookahead:
		if tooShort(rest, op.Ahead, op.Bits) {
			return 0, p.Errors.PacketTooShort
		}
		in.setNumber(op.Field, wideAt(rest, op.Ahead, op.Bits))
	case Verify:
		if !in.isTrue(op.Value, nil) {
			return 0, in.unsigned(op.Error, nil)
		}
	case Advance:
		bits := in.unsigned(op.Value, nil)
		switch {
		case bits%8 != 0:
			return 0, p.Errors.InvalidArgument
		case bits/8 > uint64(len(rest)):
			return 0, p.Errors.PacketTooShort
		}
		return int(bits / 8), noError
	case Call:
		in.primitive(op.Call, nil)
	}
	return 0, noError
}

// extract takes a header from the packet. length computes the bits of its field of variable length.
func (in *Interpreter) extract(h int, length *Expr, rest []byte) (taken int, code uint64) {
	p := in.program
	x := &p.Headers[h]
	bits, variable := x.Bits, 0
	if x.Variable > 0 && length != nil {
		v := in.unsigned(length, nil)
		switch {
		case v%8 != 0:
			return 0, p.Errors.InvalidArgument
		case v > maxBits || bits+int(v) > 8*len(rest):
			return 0, p.Errors.PacketTooShort
		case x.MaxBytes > 0 && (bits+int(v))/8 > x.MaxBytes:
			return 0, p.Errors.HeaderTooShort
		}
		variable = int(v)
	}
	if bits+variable > 8*len(rest) {
		return 0, p.Errors.PacketTooShort
	}
	at := 0
	for i, f := range x.Fields {
		n := p.Fields[f].Bits
		if x.Variable == i+1 {
			if x.Length != nil && length == nil { // of fields that were just extracted
				if v := in.unsigned(x.Length, nil); v%8 == 0 && v <= maxBits && bits+int(v) <= 8*len(rest) {
					variable = int(v)
				} else {
					return 0, p.Errors.PacketTooShort
				}
			}
			n = min(variable, p.Fields[f].Bits)
			in.vector.bits[h] = variable
		}
		if w := in.vector.wide[f]; w != nil {
			w.Set(wideAt(rest, at, n))
		} else {
			in.vector.values[f] = bitsAt(rest, at, n)
		}
		at += n
	}
	in.setValid(h, true)
	return at / 8, noError
}

// headerInto writes a header as it is on the wire.
func (in *Interpreter) headerInto(b *bitWriter, h int) {
	x := &in.program.Headers[h]
	for i, f := range x.Fields {
		in.fieldInto(b, f, in.fieldBits(h, i))
	}
}

func (in *Interpreter) fieldInto(b *bitWriter, f, bits int) {
	if w := in.vector.wide[f]; w != nil {
		b.putWide(w, bits)
		return
	}
	b.put(in.vector.values[f], bits)
}

// deparse puts the valid headers before the payload.
func (in *Interpreter) deparse(into, payload []byte) []byte {
	b := bitWriter{out: into}
	for _, h := range in.program.Deparse {
		if in.isValid(h) {
			in.headerInto(&b, h)
		}
	}
	return append(b.out, payload...)
}
