package study

import (
	"math"
	"math/bits"

	"github.com/goldwire/goldwire/designs/rifl"
)

// The paper's equations, for the claims to compare with the running link.

// frameErrorRatio is Eq. 9: the share of frames with an error.
func frameErrorRatio(ber float64, frameBits int) float64 {
	return -math.Expm1(float64(frameBits) * math.Log1p(-ber))
}

// efficiencyUnder is Eq. 8: payload bits delivered of line bits, when every frame error costs stall frames.
func efficiencyUnder(c rifl.Config, stall, ber float64) float64 {
	return (1 - float64(rifl.CodeBits+4)/float64(c.FrameBits)) * (1 - stall*frameErrorRatio(ber, c.FrameBits))
}

// frameFailureRatio is Eq. 15: the share of frames whose errors an m-bit code of Hamming distance n+1 does not see, if
// one of 2^m patterns above n errors escapes it.
func frameFailureRatio(m, n, frameBits int, ber float64) float64 {
	// 1 - sum of P(i) to n, summed from above so that nothing cancels (Eq. 16)
	p, sum := math.Pow(1-ber, float64(frameBits)), 0.0
	for i := 0; i < frameBits && i < n+40; i++ {
		if i > n {
			sum += p
		}
		p *= float64(frameBits-i) / float64(i+1) * ber / (1 - ber)
	}
	return math.Ldexp(sum, -m)
}

const secondsPerYear = 365.25 * 86400

// timeToOnePercent is Eq. 14 in years: the time after which an undetected error has come with a chance of 1 %.
func timeToOnePercent(ffr, bitsPerSecond float64, frameBits int) float64 {
	return math.Log(0.99) / math.Log1p(-ffr) * float64(frameBits) / bitsPerSecond / secondsPerYear
}

// meanTime is the mean time in years to an undetected error.
func meanTime(ffr, bitsPerSecond float64, frameBits int) float64 {
	return float64(frameBits) / (bitsPerSecond * ffr) / secondsPerYear
}

// leastID is Eq. 13: the least S whose IDs cover a round trip.
func leastID(bitsPerSecond, rttSeconds float64, frameBits int) int {
	return int(math.Ceil(math.Log2(bitsPerSecond * rttSeconds / float64(frameBits))))
}

// leastChecksum returns the width of the narrowest CRC that sees three errors in payloadBits bits and whose MTBF at
// 10^-7 is over 100 years (§3.B). A generator (x+1)p(x) with p primitive sees them in words up to the order of x, check
// bits included.
func leastChecksum(payloadBits, frameBits int, bitsPerSecond float64) int {
	for m := 4; m <= 16; m++ {
		if reach(m) >= payloadBits+m &&
			timeToOnePercent(frameFailureRatio(m, 3, frameBits, 1e-7), bitsPerSecond, frameBits) >= 100 {
			return m
		}
	}
	return 0
}

// reach returns the longest code word, check bits included, over which an m-bit CRC can have Hamming distance 4: the
// greatest order of x modulo a generator that x+1 divides.
func reach(m int) (longest int) {
	top := 1 << m
	for g := 1; g < top; g += 2 {
		if odd(g) {
			continue // with its term x^m it has an odd number of terms: x+1 does not divide it
		}
		order, x := 1, 2%top
		for x != 1 && order <= top {
			if x <<= 1; x >= top {
				x ^= top | g
			}
			order++
		}
		if order < top {
			longest = max(longest, order)
		}
	}
	return longest
}

func odd(g int) bool { return bits.OnesCount(uint(g))%2 == 0 }
