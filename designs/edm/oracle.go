package edm

// memoryOracle is what the monitor believes a memory to hold. It shares no code with the memory.
type memoryOracle struct {
	served  oracleBytes    // xor the contents at the start, as a checkpoint has only written words then
	local   oracleBytes    // of the node's own requests
	results map[int]uint64 // of atomic operations, by requester and ID
}

// oracleBytes are bytes as words, the first byte in the lowest bits, in rows of 16; rows without a word that was
// written are nil.
type oracleBytes struct {
	size uint64
	rows []*[oracleRow]uint64
	more [][oracleRow]uint64 `state:"none"` // for the next ones, which so lie beside each other in memory
}

const (
	oracleRow = 16
	moreRows  = 16
)

func newOracleBytes(bytes int) oracleBytes {
	return oracleBytes{size: uint64(bytes), rows: make([]*[oracleRow]uint64, (bytes/8+oracleRow-1)/oracleRow)}
}

// word returns the word that has the byte at an address.
func (o *oracleBytes) word(address uint64) uint64 {
	if row := o.rows[address/8/oracleRow]; row != nil {
		return row[address/8%oracleRow]
	}
	return 0
}

// flip changes bits of the word that has the byte at an address.
func (o *oracleBytes) flip(address, bits uint64) {
	row := &o.rows[address/8/oracleRow]
	if *row == nil {
		if len(o.more) == 0 {
			o.more = make([][oracleRow]uint64, moreRows)
		}
		*row, o.more = &o.more[0], o.more[1:]
	}
	(*row)[address/8%oracleRow] ^= bits
}

// inside tells whether a word is in the memory: after a bit error it may not be.
func (o *memoryOracle) inside(address uint64) bool {
	return address%8 == 0 && address < o.served.size
}

// word returns a word that is inside.
func (o *memoryOracle) word(address uint64) uint64 {
	x := o.served.word(address)
	if address >= 64 { // there were locks before
		x ^= Pattern(^address)
	}
	return x
}

// write sets some bytes of a word that is inside.
func (o *memoryOracle) write(address, x uint64, bytes int) {
	o.served.flip(address, (x^o.word(address))&(1<<(8*bytes)-1))
}

// receive sets some bytes of a word of the local memory, if it is inside.
func (o *memoryOracle) receive(address, x uint64, bytes int) {
	if address < o.local.size {
		o.local.flip(address, (x^o.local.word(address))&(1<<(8*bytes)-1))
	}
}

// holds tells whether it is what a memory serves.
func (o *memoryOracle) holds(m *Memory) bool {
	same := o.served.size == uint64(m.Bytes)
	for a := uint64(0); same && a < o.served.size; a += 8 {
		same = o.word(a) == m.At(a)
	}
	return same
}

// holdsLocal tells whether it is what a host's local memory has.
func (o *memoryOracle) holdsLocal(m *Memory) bool {
	same := o.local.size == uint64(m.Local)
	for a := uint64(0); same && a < o.local.size; a += 8 {
		same = o.local.word(a) == m.LocalAt(a)
	}
	return same
}

// oracleOperation says bit by bit, from the highest, the word that an atomic operation leaves and the value that it
// returns (§3.2.1).
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
