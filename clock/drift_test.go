//go:build !soak

package clock

const driftCycles = 100_000_000
