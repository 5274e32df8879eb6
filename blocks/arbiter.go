package blocks

import (
	"fmt"
	"math/bits"
)

// Arbiter is a round-robin arbiter of n requesters. Grant picks the first request at or after the pointer, wrapping
// around after n-1; it is combinational and moves nothing. Accept moves the pointer just past the granted one, and is
// called only in a cycle in which the grant is used. So a requester that holds its request is served after at most n-1
// accepted grants to others, and a grant that is not accepted is given again, unless a request nearer to the pointer
// appears. It has no weights and no locking; for fixed priority use LowestSet, for a matching of inputs and
// outputs a matcher.
type Arbiter struct {
	n    int
	next int // the requester with the highest priority
}

// NewArbiter returns an arbiter of n requesters with the pointer at 0. It panics if n is less than 1.
func NewArbiter(n int) *Arbiter {
	if n < 1 {
		panic(fmt.Sprintf("blocks: arbiter of %d requesters, want at least 1", n))
	}
	return &Arbiter{n: n}
}

// Grant returns the index of the granted requester, or -1 if none requests. Requester i is bit i%64 of req[i/64]. Bits
// of n and above are ignored, words that are missing are 0.
func (a *Arbiter) Grant(req []uint64) int {
	if g := NextSetWide(req, a.next); g >= 0 && g < a.n {
		return g
	}
	if g := LowestSetWide(req); g < a.next {
		return g // it wrapped around, or is -1
	}
	return -1
}

// Grant64 is Grant for at most 64 requesters: requester i is bit i of req. Requesters of 64 and above do not request.
func (a *Arbiter) Grant64(req uint64) int {
	req &= mask64(min(a.n, 64))
	if ahead := req >> a.next << a.next; ahead != 0 {
		return bits.TrailingZeros64(ahead)
	}
	return LowestSet(req)
}

// Accept moves the pointer past requester g, which becomes the last in line. It panics unless 0 <= g < n.
func (a *Arbiter) Accept(g int) {
	if uint(g) >= uint(a.n) {
		panic(fmt.Sprintf("blocks: grant to %d accepted, of %d requesters", g, a.n))
	}
	if a.next = g + 1; a.next == a.n {
		a.next = 0
	}
}

// Next returns the pointer: the requester that wins if it requests.
func (a *Arbiter) Next() int { return a.next }

// Len returns the number of requesters.
func (a *Arbiter) Len() int { return a.n }

// Reset moves the pointer to 0.
func (a *Arbiter) Reset() { a.next = 0 }
