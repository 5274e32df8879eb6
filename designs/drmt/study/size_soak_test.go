//go:build soak

package study_test

const soak = true

const packets = 1_000_000

// switchClaims are all of the authors' graphs.
var switchClaims = []string{"drmt"}

// randomPrograms is how many random programs run, randomPackets how many packets each gets.
const (
	randomPrograms = 3000
	randomPackets  = 2000
)
