package blocks

import "math/bits"

// Bits128 is a value of up to 128 bits: bits 63:0 in Lo, bits 127:64 in Hi. It carries the words that do not fit a
// uint64, a 66-bit block above all. It is not an integer: it has no arithmetic.
type Bits128 struct{ Lo, Hi uint64 }

// Xor returns b with the bits of o flipped.
func (b Bits128) Xor(o Bits128) Bits128 { return Bits128{b.Lo ^ o.Lo, b.Hi ^ o.Hi} }

// Bit returns bit i, 0 or 1. It is 0 for i of 128 and above; a negative i panics.
func (b Bits128) Bit(i int) uint64 {
	if i < 64 {
		return b.Lo >> i & 1
	}
	return b.Hi >> (i - 64) & 1
}

// OnesCount returns the number of bits that are 1.
func (b Bits128) OnesCount() int { return bits.OnesCount64(b.Lo) + bits.OnesCount64(b.Hi) }

// and returns the bits that are 1 in both.
func (b Bits128) and(o Bits128) Bits128 { return Bits128{b.Lo & o.Lo, b.Hi & o.Hi} }

// mask64 has the low n bits set, 0 <= n <= 64.
func mask64(n int) uint64 { return 1<<n - 1 }

// mask128 has the low n bits set, 0 <= n <= 128.
func mask128(n int) Bits128 {
	if n <= 64 {
		return Bits128{Lo: mask64(n)}
	}
	return Bits128{Lo: ^uint64(0), Hi: mask64(n - 64)}
}
