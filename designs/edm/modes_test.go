//go:build !race

package edm

import "github.com/goldwire/goldwire/rtl"

// modes must give the same bits.
var modes = []rtl.Config{{}, {Mode: rtl.Strict, Seed: 1}, {Mode: rtl.Strict, Seed: 2}, {Mode: rtl.Parallel, Workers: 2}}

// portion is what the race detector sees of n messages or cycles; without it, all.
func portion(n int) int { return n }
