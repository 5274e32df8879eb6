package shoal

import (
	"fmt"
	"math/rand/v2"
)

// noise decides which cells arrive corrupt.
type noise struct {
	rng   *rand.Rand
	limit uint64
}

func newNoise(p float64, seed uint64) (*noise, error) {
	if !(p >= 0 && p < 1) {
		return nil, fmt.Errorf("a share of %v of the cells corrupt, want 0 to less than 1", p)
	}
	if p == 0 {
		return nil, nil
	}
	return &noise{rand.New(rand.NewPCG(seed, 0x5a0a1)), uint64(p * (1 << 63) * 2)}, nil
}

func (n *noise) hit() bool { return n.rng.Uint64() < n.limit }
