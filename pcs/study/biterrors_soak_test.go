//go:build soak

package study

// bitErrorStep is the distance of the bits that are flipped in turn.
const bitErrorStep = 1
