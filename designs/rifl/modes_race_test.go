//go:build race

package rifl

import "github.com/goldwire/goldwire/rtl"

// modes are the ones worth running under the race detector, which slows them tenfold: strict mode is one goroutine,
// and the fast mode's results are compared without the detector.
var modes = []rtl.Config{{Mode: rtl.Parallel, Workers: 2}}

// portion is the part of n messages or cycles after which each module has met each other one.
func portion(n int) int { return n / 3 }
