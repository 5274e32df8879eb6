//go:build soak

package experiments_test

const packets = 1_000_000

// switchClaims are all of the authors' graphs.
var switchClaims = []string{"drmt"}
