package clock

import (
	"cmp"
	"math/big"
	"math/bits"
)

// uint128 is a number of 128 bits.
type uint128 struct{ hi, lo uint64 }

func toUint128(x *big.Int) uint128 {
	return uint128{new(big.Int).Rsh(x, 64).Uint64(), new(big.Int).And(x, new(big.Int).SetUint64(1<<64-1)).Uint64()}
}

func (a uint128) add(b uint128) uint128 {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(a.hi, b.hi, carry)
	return uint128{hi, lo}
}

func (a uint128) sub(b uint128) uint128 {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	hi, _ := bits.Sub64(a.hi, b.hi, borrow)
	return uint128{hi, lo}
}

func (a uint128) less(b uint128) bool { return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo }

func (a uint128) cmp(b uint128) int { return cmp.Or(cmp.Compare(a.hi, b.hi), cmp.Compare(a.lo, b.lo)) }

// compareProducts compares a × x with b × y.
func compareProducts(a, x, b, y uint128) int {
	aHigh, aLow := a.times(x)
	bHigh, bLow := b.times(y)
	return cmp.Or(aHigh.cmp(bHigh), aLow.cmp(bLow))
}

// times returns the 256 bits of a × b.
func (a uint128) times(b uint128) (high, low uint128) {
	low.hi, low.lo = bits.Mul64(a.lo, b.lo)
	high.hi, high.lo = bits.Mul64(a.hi, b.hi)
	for _, cross := range [2][2]uint64{{a.hi, b.lo}, {a.lo, b.hi}} {
		hi, lo := bits.Mul64(cross[0], cross[1])
		var carry uint64
		low.hi, carry = bits.Add64(low.hi, lo, 0)
		high.lo, carry = bits.Add64(high.lo, hi, carry)
		high.hi += carry
	}
	return high, low
}
