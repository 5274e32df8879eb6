//go:build !unix

package hdl

import (
	"os/exec"
	"time"
)

// ownGroup gives a command's children a second to end with it.
func ownGroup(cmd *exec.Cmd) { cmd.WaitDelay = time.Second }
