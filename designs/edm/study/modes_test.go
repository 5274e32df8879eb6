//go:build !race

package study

import "github.com/goldwire/goldwire/rtl"

// modes must give the same bits.
var modes = []rtl.Config{{}, {Mode: rtl.Strict, Seed: 1}, {Mode: rtl.Strict, Seed: 2}, {Mode: rtl.Parallel, Workers: 2}}
