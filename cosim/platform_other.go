//go:build !unix

package cosim

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// ownGroup gives a command's children a second to end with it.
func ownGroup(cmd *exec.Cmd) { cmd.WaitDelay = time.Second }

// mapShared fails: the lockstep under Verilator hands rows over in memory that two processes map and in descriptors that one
// inherits from the other, which is written for Unix systems.
func mapShared(*os.File, int) ([]byte, error) {
	return nil, fmt.Errorf("the lockstep under Verilator is not there for %s: use --sim icarus, or exported vectors", runtime.GOOS)
}

func unmapShared([]byte) error { return nil }
