//go:build soak

package experiments_test

const packets = 1_000_000
