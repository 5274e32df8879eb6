package study

import (
	"math/bits"
	"math/rand/v2"

	"github.com/goldwire/goldwire/designs/rifl"
)

// syndromes returns what a flip of each bit of a frame does to the residue, by the bits' numbers: F-1 is the first.
func syndromes(frameBits int) []uint16 {
	s := make([]uint16, frameBits)
	frame := make([]uint64, frameBits/64)
	for bit := range s {
		w := (frameBits - 1 - bit) / 64
		frame[w] = 1 << (bit % 64)
		s[bit] = rifl.ResidueOf(frame)
		frame[w] = 0
	}
	return s
}

// undetectedPairs returns the pairs of bits of a frame whose flips leave the residue as it is: no receiver can see
// them.
func undetectedPairs(frameBits int) [][2]int {
	var pairs [][2]int
	first := map[uint16][]int{}
	for bit, s := range syndromes(frameBits) {
		for _, b := range first[s] {
			pairs = append(pairs, [2]int{bit, b})
		}
		first[s] = append(first[s], bit)
	}
	return pairs
}

// undetectedTriple tells whether three flips can leave the residue as it is.
func undetectedTriple(frameBits int) bool {
	s := syndromes(frameBits)
	var is [1 << rifl.CodeBits]bool
	for _, x := range s {
		is[x] = true
	}
	for i, a := range s {
		for _, b := range s[:i] {
			// a third bit that is one of the two would need a syndrome of 0, which no bit has
			if is[a^b] {
				return true
			}
		}
	}
	return false
}

// undetectedQuad returns four bits of a frame whose flips leave the residue as it is, other ones for other random
// numbers; nil if it finds none.
func undetectedQuad(frameBits int, rng *rand.Rand) []int {
	s := syndromes(frameBits)
	type pair struct{ a, b int }
	seen := map[uint16]pair{}
	for range 1 << 20 {
		a, b := rng.IntN(frameBits), rng.IntN(frameBits)
		if a == b {
			continue
		}
		p, ok := seen[s[a]^s[b]]
		if ok && p.a != a && p.a != b && p.b != a && p.b != b {
			return []int{a, b, p.a, p.b}
		}
		seen[s[a]^s[b]] = pair{a, b}
	}
	return nil
}

// burst is an error in consecutive bits of the line: a frame's bits from a first one on, counted in the order in which
// they go, are xored with a pattern, its bit 0 first.
type burst struct {
	First   int
	Pattern uint64
}

// Length returns the bits from the first wrong one to the last.
func (b burst) Length() int { return bits.Len64(b.Pattern) }

// undetectedBursts returns the bursts of at most length bits, less than 64, that no receiver can see. A CRC sees all
// bursts no longer than itself, in its own order and if its bits follow the bits that they cover. Here neither holds:
// words go least significant bit first and are covered most significant bit first, so a burst across two words is two;
// and the code is computed with 12 zero bits in its place, so that its bits do not follow on those before.
func undetectedBursts(frameBits, length int) (list []burst) {
	frame := make([]uint64, frameBits/64)
	for first := range frameBits {
		word, bit := first/64, first%64
		for pattern := uint64(1); pattern < 1<<length; pattern += 2 { // its first bit is wrong
			low, high := pattern<<bit, pattern>>(64-bit)
			if high != 0 && word+1 == len(frame) {
				break // into the next frame
			}
			frame[word] = low
			if high != 0 {
				frame[word+1] = high
			}
			if rifl.ResidueOf(frame) == 0 {
				list = append(list, burst{first, pattern})
			}
			clear(frame)
		}
	}
	return list
}
