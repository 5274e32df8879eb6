//go:build soak

package tb

// firstTrials is the number of bits flipped first to compare a unit's latency with its declaration.
const firstTrials = 4096
