//go:build unix

package cosim

import (
	"fmt"
	"os"

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
