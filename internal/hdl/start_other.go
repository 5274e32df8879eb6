//go:build !linux

package hdl

import "os/exec"

func start(cmd *exec.Cmd) error { return cmd.Start() }
