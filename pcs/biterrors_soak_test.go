//go:build soak

package pcs

// bitErrorStep is the distance of the bits that are flipped in turn.
const bitErrorStep = 1
