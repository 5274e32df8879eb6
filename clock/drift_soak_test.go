//go:build soak

package clock

const driftCycles = 1_000_000_000
