//go:build race

package study

import "github.com/goldwire/goldwire/rtl"

// modes are those that the race detector can say something about, which slows them tenfold: strict mode is one
// goroutine, and what the fast mode gives is compared without the detector.
var modes = []rtl.Config{{Mode: rtl.Parallel, Workers: 2}}
