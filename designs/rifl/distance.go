package rifl

import "math/rand/v2"

// syndromes returns what a flip of each bit of a frame does to the residue, by the bits' numbers: F-1 is the first.
func syndromes(frameBits int) []uint16 {
	s := make([]uint16, frameBits)
	frame := make([]uint64, frameBits/64)
	for bit := range s {
		w := (frameBits - 1 - bit) / 64
		frame[w] = 1 << (bit % 64)
		s[bit] = Residue(frame)
		frame[w] = 0
	}
	return s
}

// UndetectedPairs returns the pairs of bits of a frame whose flips leave the residue as it is: no receiver can see them.
func UndetectedPairs(frameBits int) [][2]int {
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

// UndetectedTriple tells whether three flips can leave the residue as it is.
func UndetectedTriple(frameBits int) bool {
	s := syndromes(frameBits)
	var is [1 << codeBits]bool
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

// UndetectedQuad returns four bits of a frame whose flips leave the residue as it is, other ones for other random numbers;
// nil if it finds none.
func UndetectedQuad(frameBits int, rng *rand.Rand) []int {
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
