package p4

import "math/big"

// Number is a number of any size; nil is 0. It is not changed once it is made.
type Number = *big.Int

// Ones returns a mask of the lowest n bits; of 64 or more it is all ones.
func Ones(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// wideOnes returns a mask of the lowest n bits.
func wideOnes(n int) Number {
	v := new(big.Int).Lsh(one, uint(n))
	return v.Sub(v, one)
}

var one = big.NewInt(1)

// bitsAt returns n bits of data, at most 64, from bit at, the first bit being the uppermost of the first byte.
func bitsAt(data []byte, at, n int) uint64 {
	v := uint64(0)
	for n > 0 {
		b, have := data[at/8], 8-at%8
		take := min(n, have)
		v = v<<take | uint64(b>>(have-take))&(1<<take-1)
		at += take
		n -= take
	}
	return v
}

// wideAt returns n bits of data from bit at.
func wideAt(data []byte, at, n int) Number {
	v := new(big.Int)
	for n > 0 {
		take := min(n, 32)
		v.Or(v.Lsh(v, uint(take)), new(big.Int).SetUint64(bitsAt(data, at, take)))
		at += take
		n -= take
	}
	return v
}

// bitWriter appends values bit by bit.
type bitWriter struct {
	out  []byte
	have int
	last byte
}

// put appends the lowest n bits of v, at most 64.
func (b *bitWriter) put(v uint64, n int) {
	for n > 0 {
		take := min(n, 8-b.have)
		b.last = b.last<<take | byte(v>>(n-take)&(1<<take-1))
		n -= take
		if b.have += take; b.have == 8 {
			b.out, b.have, b.last = append(b.out, b.last), 0, 0
		}
	}
}

// putWide appends the lowest n bits of v, which is not below 0.
func (b *bitWriter) putWide(v Number, n int) {
	word := new(big.Int)
	for n > 0 {
		take := (n-1)%32 + 1
		n -= take
		b.put(word.Rsh(v, uint(n)).Uint64(), take)
	}
}

// pad fills the last byte with zeros.
func (b *bitWriter) pad() []byte {
	if b.have > 0 {
		b.put(0, 8-b.have)
	}
	return b.out
}
