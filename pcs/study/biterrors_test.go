//go:build !soak

package study

// bitErrorStep is the distance of the bits that are flipped in turn. It shares no factor with a block's 66 bits.
const bitErrorStep = 5
