//go:build soak

package house_test

// rows is how many cycles the RTL is compared for.
const rows = 200_000

// lockstepCycles is how many cycles model and RTL run side by side.
const lockstepCycles = 20_000_000
