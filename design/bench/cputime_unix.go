//go:build unix

package bench

import (
	"syscall"
	"time"
)

// cpuTime is the processor time that the process has used so far.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// PeakMemory is the most memory in bytes that the process has held so far, 0 where the system does not tell.
func PeakMemory() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return peakBytes(int64(u.Maxrss))
}
