//go:build !soak

package tb

// firstTrials is how many bits are flipped at first to see whether a unit's latency is what it declares.
const firstTrials = 256
