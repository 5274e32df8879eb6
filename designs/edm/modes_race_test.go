//go:build race

package edm

import "github.com/goldwire/goldwire/rtl"

// modes are those that must give the same bits. Under the race detector, which slows them tenfold, only those that it can say something
// about: strict mode is one goroutine.
var modes = []rtl.Config{{}, {Mode: rtl.Parallel, Workers: 2}}
