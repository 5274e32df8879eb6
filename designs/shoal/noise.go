package shoal

import (
	"fmt"
	"math/rand/v2"
)

// noise decides which cells arrive corrupt. Each receiver draws for itself.
type noise struct {
	rngs  []*rand.Rand
	hits  []uint64 // cells, by receiver, dummies not counted
	limit uint64
}

func newNoise(p float64, seed uint64, nodes int) (*noise, error) {
	if !(p >= 0 && p < 1) {
		return nil, fmt.Errorf("a share of %v of the cells corrupt, want 0 to less than 1", p)
	}
	if p == 0 {
		return nil, nil
	}
	n := &noise{hits: make([]uint64, nodes), limit: uint64(p * (1 << 63) * 2)}
	for i := range nodes {
		n.rngs = append(n.rngs, rand.New(rand.NewPCG(seed, uint64(i))))
	}
	return n, nil
}

// hit returns the header as it arrives, and whether it is corrupt: one of its 64 bits is wrong then. The CRC, which has
// no place in a Cell, is eight of them.
func (n *noise) hit(receiver int, c Cell) (Cell, bool) {
	rng := n.rngs[receiver]
	if rng.Uint64() >= n.limit {
		return c, false
	}
	if !c.Dummy() {
		n.hits[receiver]++
	}
	return (c ^ 1<<rng.UintN(64)) &^ (1<<CRCBits - 1), true
}
