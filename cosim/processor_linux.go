package cosim

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// processor is the number of the processor that this goroutine runs on, plus one; 0 if it is not known.
func processor() uint32 {
	var n uint32
	if _, _, err := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&n)), 0, 0); err != 0 {
		return 0
	}
	return n + 1
}
