//go:build unix

package cosim

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// mapShared maps a file into memory that another process can map too.
func mapShared(file *os.File, size int) ([]byte, error) {
	memory, err := unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("shared memory of %d bytes: %w", size, err)
	}
	return memory, nil
}

func unmapShared(memory []byte) error { return unix.Munmap(memory) }

// pipeToSleepOn makes a pipe whose reader sleeps in the system. Go's own poller would wake for each message, and so
// would its monitor, which then looks around every 20 µs for some milliseconds: on virtual machines that takes half of
// a processor.
func pipeToSleepOn() (r, w *os.File, err error) {
	syscall.ForkLock.RLock() // no program that starts now gets them
	defer syscall.ForkLock.RUnlock()
	var fds [2]int
	if err := unix.Pipe(fds[:]); err != nil {
		return nil, nil, err
	}
	for _, fd := range fds {
		unix.CloseOnExec(fd)
	}
	return os.NewFile(uintptr(fds[0]), "|0"), os.NewFile(uintptr(fds[1]), "|1"), nil
}

// ready waits until there is something to read, or no writer is left, no longer than some time, and tells whether it is
// so.
func ready(f *os.File, wait time.Duration) (bool, error) {
	for end := time.Now().Add(wait); ; {
		left := max(0, time.Until(end)+time.Millisecond-1)
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}}, int(left.Milliseconds()))
		if !errors.Is(err, unix.EINTR) {
			return n > 0, err
		}
	}
}
