package drmt

// operand is the action input selector: what an ALU gets from the header vector of its packet, from the data of its
// action's table entry, or from its instruction (§5.1). Data beyond the 96 bits is 0.
func operand(kind OperandKind, index uint8, constant uint32, h *HeaderVector, data *Result) uint32 {
	switch kind {
	case FromField:
		return h.Get(Field(index))
	case FromData8:
		return data.from(index) & 0xff
	case FromData16:
		return data.from(index) & 0xffff
	case FromData32:
		return data.from(index)
	}
	return constant
}

// from returns the data from a byte on.
func (r *Result) from(b uint8) uint32 {
	if b < 8 {
		return uint32(r.Lo>>(8*b) | uint64(r.Hi)<<(64-8*b)) // a shift by 64, for b = 0, gives 0
	}
	return r.Hi >> (8 * (b - 8))
}
