package blocks

// BinaryToGray returns the reflected binary Gray code of b: successive values differ in one bit. It is a function, not a
// register. A pointer that crosses to another clock is sent in this code so that a sample taken while it changes is
// either the old value or the new one; the counter's period must be a power of two, else its wrap changes more bits.
func BinaryToGray(b uint64) uint64 { return b ^ b>>1 }

// GrayToBinary is the inverse of BinaryToGray: bit i of the result is the parity of bits 63:i of g. In hardware it is a
// chain of XORs as deep as the logarithm of the width.
func GrayToBinary(g uint64) uint64 {
	g ^= g >> 1
	g ^= g >> 2
	g ^= g >> 4
	g ^= g >> 8
	g ^= g >> 16
	g ^= g >> 32
	return g
}
