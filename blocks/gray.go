package blocks

import "golang.org/x/exp/constraints"

// BinaryToGray returns the reflected binary Gray code of b: successive values differ in one bit. It is a function, not
// a register. A pointer that crosses to another clock is sent in this code so that a sample taken while it changes is
// either the old value or the new one; the counter's period must be a power of two, else its wrap changes more bits.
func BinaryToGray[W constraints.Unsigned](b W) W { return b ^ b>>1 }

// GrayToBinary is the inverse of BinaryToGray: bit i of the result is the parity of bit i of g and all above it. In
// hardware it is a chain of XORs as deep as the logarithm of the width.
func GrayToBinary[W constraints.Unsigned](g W) W {
	b := uint64(g)
	b ^= b >> 1
	b ^= b >> 2
	b ^= b >> 4
	b ^= b >> 8
	b ^= b >> 16
	b ^= b >> 32
	return W(b)
}
