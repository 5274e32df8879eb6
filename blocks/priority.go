package blocks

import "math/bits"

// The priority encoders: combinational functions from a vector of requests, bit i for requester i, to the index of one
// of them. They are not fair (use Arbiter) and do not know how many requesters exist: bits beyond the last must be 0.

// LowestSet returns the index of the lowest bit of req that is 1, or -1 if there is none.
func LowestSet(req uint64) int {
	if req == 0 {
		return -1
	}
	return bits.TrailingZeros64(req)
}

// HighestSet returns the index of the highest bit of req that is 1, or -1 if there is none.
func HighestSet(req uint64) int { return bits.Len64(req) - 1 }

// LowestSetWide is LowestSet for any number of requesters: bit i is bit i%64 of req[i/64].
func LowestSetWide(req []uint64) int {
	for k, w := range req {
		if w != 0 {
			return k<<6 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

// HighestSetWide is HighestSet for any number of requesters: bit i is bit i%64 of req[i/64].
func HighestSetWide(req []uint64) int {
	for k := len(req) - 1; k >= 0; k-- {
		if req[k] != 0 {
			return k<<6 + bits.Len64(req[k]) - 1
		}
	}
	return -1
}

// NextSetWide returns the index of the lowest bit at or above from that is 1, or -1 if there is none. It does not wrap
// around. It panics if from is negative.
func NextSetWide(req []uint64, from int) int {
	if from < 0 {
		panic("blocks: NextSetWide from a negative index")
	}
	k := from >> 6
	if k >= len(req) {
		return -1
	}
	if w := req[k] >> (from & 63); w != 0 {
		return from + bits.TrailingZeros64(w)
	}
	for k++; k < len(req); k++ {
		if req[k] != 0 {
			return k<<6 + bits.TrailingZeros64(req[k])
		}
	}
	return -1
}
