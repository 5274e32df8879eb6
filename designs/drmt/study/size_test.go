//go:build !soak

package study_test

const soak = false

const packets = 2000

// switchClaims are claims about switch.p4 that take no more than a second or two.
var switchClaims = []string{
	"drmt/table2/egress/rmt", "drmt/table3/egress/ipc2", "drmt/figure7/ipc2", "drmt/figure10", "drmt/5.1/alus",
	"drmt/a.1/critical-path",
}

// randomPrograms is how many random programs run, randomPackets how many packets each gets.
const (
	randomPrograms = 40
	randomPackets  = 150
)
