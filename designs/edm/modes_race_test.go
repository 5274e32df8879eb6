//go:build race

package edm

import "github.com/goldwire/goldwire/rtl"

// modes are the modes that the race detector, which slows them tenfold, can judge: strict mode is one goroutine, and
// what the fast mode gives is compared without the detector.
var modes = []rtl.Config{{Mode: rtl.Parallel, Workers: 2}}

// portion is the part of n messages or cycles after which each module has met each other one.
func portion(n int) int { return n / 5 }
