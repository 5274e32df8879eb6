package hdl

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// starter runs functions on a thread that lives as long as this process. Linux tells a child of its parent's death when
// the thread that started it ends, and other threads end before: with a goroutine that is tied to one, for example.
var starter = sync.OnceValue(func() chan<- func() {
	work := make(chan func())
	go func() {
		runtime.LockOSThread() // never unlocked
		for f := range work {
			f()
		}
	}()
	return work
})

// start starts the program on the processors that this goroutine may run on, as if it started it itself.
func start(cmd *exec.Cmd) error {
	var allowed unix.CPUSet
	known := unix.SchedGetaffinity(0, &allowed) == nil
	var attr syscall.SysProcAttr
	if cmd.SysProcAttr != nil {
		attr = *cmd.SysProcAttr
	}
	attr.Pdeathsig = syscall.SIGKILL
	cmd.SysProcAttr = &attr
	started := make(chan error)
	starter() <- func() {
		if known {
			_ = unix.SchedSetaffinity(0, &allowed) // else it runs where the first one was allowed to
		}
		started <- cmd.Start()
	}
	return <-started
}
