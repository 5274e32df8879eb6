package workers

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// Spread ties the calling goroutine to a processor of its own, the worker-th that is allowed, until the returned
// function is called. Threads that spin at a barrier must not share one, and the kernel's scheduler may take a tenth
// of a second to notice.
func Spread(worker int) (release func()) {
	runtime.LockOSThread()
	var allowed, one unix.CPUSet
	if unix.SchedGetaffinity(0, &allowed) != nil || allowed.Count() == 0 {
		return runtime.UnlockOSThread
	}
	nth := worker % allowed.Count()
	for cpu := 0; ; cpu++ {
		if allowed.IsSet(cpu) {
			if nth == 0 {
				one.Set(cpu)
				break
			}
			nth--
		}
	}
	if unix.SchedSetaffinity(0, &one) != nil {
		return runtime.UnlockOSThread
	}
	return func() {
		_ = unix.SchedSetaffinity(0, &allowed) // it was allowed before
		runtime.UnlockOSThread()
	}
}
