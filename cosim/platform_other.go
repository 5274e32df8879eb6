//go:build !unix

package cosim

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

// mapShared fails: the lockstep under Verilator hands rows over in memory that two processes map and in descriptors
// that one inherits from the other, which is written for Unix systems.
func mapShared(*os.File, int) ([]byte, error) {
	return nil, fmt.Errorf(
		"the lockstep under Verilator is not there for %s: use --sim icarus, or exported vectors", runtime.GOOS,
	)
}

func unmapShared([]byte) error { return nil }

// The rest is not reached: there is no shared memory.

func pipeToSleepOn() (r, w *os.File, err error) { return os.Pipe() }

func ready(*os.File, time.Duration) (bool, error) { return true, nil }
