//go:build !linux

package cosim

// processor is not known.
func processor() uint32 { return 0 }
