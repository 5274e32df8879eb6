package edm

import "encoding/binary"

// memoryOracle is what the monitor believes a memory to hold. It shares no code with the memory.
type memoryOracle struct {
	bytes   []byte // xor what was there at the start, as a checkpoint has only what was written then
	local   []byte // of the node's own requests
	results []uint64
}

// inside tells whether a word is in the memory: after a bit error it may not be.
func (o *memoryOracle) inside(address uint64) bool {
	return address%8 == 0 && address < uint64(len(o.bytes))
}

// word returns a word that is inside.
func (o *memoryOracle) word(address uint64) (x uint64) {
	x = binary.LittleEndian.Uint64(o.bytes[address:])
	if address >= 64 { // there were locks before
		x ^= Pattern(^address)
	}
	return x
}

// write sets some bytes of a word that is inside.
func (o *memoryOracle) write(address, x uint64, bytes int) {
	changed := (x ^ o.word(address)) & (1<<(8*bytes) - 1)
	at := o.bytes[address : address+8]
	binary.LittleEndian.PutUint64(at, binary.LittleEndian.Uint64(at)^changed)
}

// holds tells whether it is what a memory holds.
func (o *memoryOracle) holds(content []byte) bool {
	for a := uint64(0); a < uint64(len(content)); a += 8 {
		if o.word(a) != binary.LittleEndian.Uint64(content[a:]) {
			return false
		}
	}
	return len(content) == len(o.bytes)
}

// oracleOperation says bit by bit, from the highest, what an atomic operation makes of a word and what it returns (§3.2.1).
func oracleOperation(op Operation, word, first, second uint64) (next, result uint64) {
	bit := func(x uint64, i int) bool { return x&(1<<i) != 0 }
	differ := -1 // the highest bit in which word and first operand differ
	for i := range 64 {
		if bit(word, i) != bit(first, i) {
			differ = i
		}
	}
	if op == CompareSwap {
		if differ < 0 {
			return second, 1
		}
		return word, 0
	}
	carry := false
	for i := range 64 {
		a, b := bit(word, i), bit(first, i)
		var set bool
		switch op {
		case FetchAdd:
			set = (a != b) != carry
			carry = a && b || carry && (a || b)
		case Exchange:
			set = b
		case FetchAnd:
			set = a && b
		case FetchOr:
			set = a || b
		case FetchXor:
			set = a != b
		case FetchMin:
			set = a
			if differ >= 0 && bit(word, differ) {
				set = b
			}
		case FetchMax:
			set = a
			if differ >= 0 && bit(first, differ) {
				set = b
			}
		default:
			set = a
		}
		if set {
			next |= 1 << i
		}
	}
	return next, word
}
