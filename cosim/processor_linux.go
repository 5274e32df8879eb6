package cosim

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// elsewhere keeps another process off the processor that this goroutine runs on. The system expects the writer of a
// pipe to sleep soon, and wakes the reader on the writer's processor: there the two would take turns, although they
// could run side by side.
type elsewhere struct {
	pid     int
	allowed unix.CPUSet // where the process was allowed to run at its start
	not     int         // the processor that was taken from it, plus one
}

// newElsewhere is about a process that has just been started.
func newElsewhere(pid int) *elsewhere {
	e := &elsewhere{pid: pid}
	_ = unix.SchedGetaffinity(pid, &e.allowed) // if it fails, no processor is allowed, and none is chosen
	return e
}

// choose looks where this goroutine runs now. It costs a system call, and one more if that is not where it ran before.
func (e *elsewhere) choose() {
	var here uint32
	if _, _, err := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&here)), 0, 0); err != 0 ||
		int(here)+1 == e.not {
		return
	}
	others := e.allowed
	others.Clear(int(here))
	if others.Count() > 0 && unix.SchedSetaffinity(e.pid, &others) == nil {
		e.not = int(here) + 1
	}
}
