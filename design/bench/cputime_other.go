//go:build !unix

package bench

import "time"

func cpuTime() time.Duration { return 0 }

// PeakMemory is the most memory in bytes that the process has held so far, 0 where the system does not tell.
func PeakMemory() int64 { return 0 }
