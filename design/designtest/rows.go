//go:build !soak

package designtest

// testbenchRows is how many cycles the exported testbenches run for.
const testbenchRows = 4000

// lockstepCycles is how many cycles model and RTL run side by side.
const lockstepCycles = 200_000
