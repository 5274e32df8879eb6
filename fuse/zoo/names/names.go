// Package names declares a name of Go's own. A module that uses Go's cannot be fused into it.
package names

func max(a, _ uint64) uint64 { return a }

var _ = max
