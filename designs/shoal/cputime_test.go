//go:build unix

package shoal

import (
	"syscall"
	"time"
)

// cpuTime is what the process has used so far, whoever else is on the machine.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
