//go:build unix

package output

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// gone tells whether there is no process with the number.
func gone(pid int) bool { return errors.Is(unix.Kill(pid, 0), unix.ESRCH) }

// lock locks a file that no process has locked, until it is closed. It returns false if it cannot.
func lock(f *os.File) bool { return tryLock(f) == nil }
