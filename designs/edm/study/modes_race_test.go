//go:build race

package study

import "github.com/goldwire/goldwire/rtl"

// modes are the modes that the race detector, which slows them tenfold, can judge: strict mode is one goroutine, and
// what the fast mode gives is compared without the detector.
var modes = []rtl.Config{{Mode: rtl.Parallel, Workers: 2}}
