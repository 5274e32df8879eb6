//go:build !soak

package experiments_test

const packets = 5000
