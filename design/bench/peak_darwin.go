package bench

// peakBytes is ru_maxrss, which macOS counts in bytes.
func peakBytes(maxrss int64) int64 { return maxrss }
