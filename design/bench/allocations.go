package bench

import (
	"runtime"
	"runtime/debug"
)

// Allocations returns how many objects f allocates, each of them, however rare. The runtime's own do not count:
// reading the statistics stops all threads, and where there are several processors and work for them, starting them
// again may take a new thread; and the garbage collector starts workers. So meanwhile there is one processor and no
// collection. Nothing else of the process may run.
func Allocations(f func() error) (uint64, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := f()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs, err
}
