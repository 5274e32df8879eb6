//go:build unix && !darwin

package bench

// peakBytes is ru_maxrss, which Linux and the BSDs count in units of 1,024 bytes.
func peakBytes(maxrss int64) int64 { return maxrss * 1024 }
