//go:build !soak

package house_test

// rows is how many cycles the RTL is compared for.
const rows = 4000

// lockstepCycles is how many cycles model and RTL run side by side.
const lockstepCycles = 1_000_000
