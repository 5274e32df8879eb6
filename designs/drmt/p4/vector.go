package p4

import "math/big"

// vector is what BMv2 calls a PHV: the values of all fields of one packet.
type vector struct {
	values []uint64 // fields of up to 64 bits
	wide   []Number // the others, nil for values; the numbers are not shared
	// bits is how wide each header's field of variable length is now.
	bits []int
	// next is how many elements each stack, and each stack of unions, holds.
	next, nextUnion []int
}

// take returns a vector without valid headers. A field of a header that is not valid keeps what the packet before left
// there, as in BMv2, whose packets take turns with few vectors: a program that reads such a field reads what no rule
// defines.
func (in *Interpreter) take() *vector {
	if n := len(in.free); n > 0 {
		v := in.free[n-1]
		in.free = in.free[:n-1]
		if in.fresh {
			clear(v.values)
			for _, w := range v.wide {
				if w != nil {
					w.SetInt64(0)
				}
			}
		}
		return v
	}
	p := in.program
	v := &vector{
		values: make([]uint64, len(p.Fields)), wide: make([]Number, len(p.Fields)), bits: make([]int, len(p.Headers)),
		next: make([]int, len(p.Stacks)), nextUnion: make([]int, len(p.UnionStacks)),
	}
	for f := range p.Fields {
		if p.Fields[f].Bits > 64 {
			v.wide[f] = new(big.Int)
		}
	}
	return v
}

// release gives a vector back.
func (in *Interpreter) release(v *vector) {
	for h := range in.program.Headers {
		x := &in.program.Headers[h]
		if x.Valid >= 0 {
			v.values[x.Valid] = 0
		}
		if x.Variable > 0 {
			v.bits[h] = 0
		}
	}
	clear(v.next)
	clear(v.nextUnion)
	in.free = append(in.free, v)
}

// resetMetadata sets all metadata to 0.
func (in *Interpreter) resetMetadata(v *vector) {
	for h := range in.program.Headers {
		if x := &in.program.Headers[h]; x.Metadata {
			in.zero(v, x)
		}
	}
}

func (in *Interpreter) zero(v *vector, h *Header) {
	for _, f := range h.Fields {
		v.values[f] = 0
		if w := v.wide[f]; w != nil {
			w.SetInt64(0)
		}
	}
}

// copyTo copies valid headers and metadata.
func (in *Interpreter) copyTo(to, from *vector) {
	for h := range in.program.Headers {
		x := &in.program.Headers[h]
		if x.Valid >= 0 {
			to.values[x.Valid] = from.values[x.Valid]
			if from.values[x.Valid] == 0 {
				continue
			}
		}
		for _, f := range x.Fields {
			copyField(to, from, f, f)
		}
	}
	copy(to.bits, from.bits)
	copy(to.next, from.next)
	copy(to.nextUnion, from.nextUnion)
}

// copyField copies a value between fields of one width.
func copyField(to, from *vector, f, source int) {
	to.values[f] = from.values[source]
	if w := to.wide[f]; w != nil {
		w.Set(from.wide[source])
	}
}

// set writes a value of at most 64 bits, cut to the field's width.
func (in *Interpreter) set(field int, v uint64) {
	if field < 0 {
		return
	}
	if w := in.vector.wide[field]; w != nil {
		w.SetUint64(v)
		return
	}
	in.vector.values[field] = v & Ones(in.program.Fields[field].Bits)
}

// setNumber writes any number, cut to the field's width, or brought to the nearest that fits a saturating field.
func (in *Interpreter) setNumber(field int, v Number) {
	f := &in.program.Fields[field]
	if f.Saturating {
		v = saturate(v, f.Bits, f.Signed)
	}
	if w := in.vector.wide[field]; w != nil {
		w.And(v, wideOnes(f.Bits))
		return
	}
	in.vector.values[field] = low64(v) & Ones(f.Bits)
}

// low64 returns the lowest 64 bits of a number in two's complement.
func low64(v Number) uint64 {
	if v.IsUint64() {
		return v.Uint64()
	}
	return new(big.Int).And(v, wideOnes(64)).Uint64()
}

// saturate returns the number of some bits that is nearest to v.
func saturate(v Number, bits int, signed bool) Number {
	least, most := new(big.Int), wideOnes(bits)
	if signed {
		most = wideOnes(max(bits-1, 0))
		least = new(big.Int).Not(most)
	}
	switch {
	case v.Cmp(least) < 0:
		return least
	case v.Cmp(most) > 0:
		return most
	}
	return v
}

// number returns a field's value, below 0 if it is signed and its first bit is 1.
func (in *Interpreter) number(field int) Number {
	f := &in.program.Fields[field]
	v := new(big.Int)
	if w := in.vector.wide[field]; w != nil {
		v.Set(w)
	} else {
		v.SetUint64(in.vector.values[field])
	}
	if f.Signed && v.Bit(f.Bits-1) == 1 {
		v.Sub(v, new(big.Int).Lsh(one, uint(f.Bits)))
	}
	return v
}

// isValid says whether a header is valid; metadata always is.
func (in *Interpreter) isValid(h int) bool {
	v := in.program.Headers[h].Valid
	return v < 0 || in.vector.values[v] != 0
}

// setValid changes a header's validity. Of a union's headers one at most is valid.
func (in *Interpreter) setValid(h int, valid bool) {
	x := &in.program.Headers[h]
	if x.Valid < 0 {
		return
	}
	in.vector.values[x.Valid] = truth(valid)
	if valid && x.Union > 0 {
		for _, other := range in.program.Unions[x.Union-1].Headers {
			if other != h {
				in.vector.values[in.program.Headers[other].Valid] = 0
			}
		}
	}
}

// headerBytes is how long a header is on the wire.
func (in *Interpreter) headerBytes(h int) int {
	return (in.program.Headers[h].Bits + in.variableBits(h)) / 8
}

// variableBits is the width of a header's field of variable length. BMv2 counts it in bits, 0 unless the field was
// extracted.
func (in *Interpreter) variableBits(h int) int {
	if in.program.Headers[h].Variable == 0 {
		return 0
	}
	return in.vector.bits[h]
}

// fieldBits is the width of the field at a place of a header.
func (in *Interpreter) fieldBits(h, place int) int {
	x := &in.program.Headers[h]
	if x.Variable == place+1 {
		return in.vector.bits[h]
	}
	return in.program.Fields[x.Fields[place]].Bits
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
