//go:build unix

package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// A FIFO's reader may start a little later than its writer.
const (
	readerWait  = 10 * time.Second
	readerPause = 20 * time.Millisecond
)

// openThrough opens a device, FIFO or socket. A FIFO must have a reader soon: the wait for one could not be
// interrupted.
func openThrough(path string, info fs.FileInfo) (*os.File, error) {
	flags := os.O_WRONLY | os.O_APPEND
	if info == nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return os.OpenFile(path, flags, 0)
	}
	for waited := time.Duration(0); ; waited += readerPause {
		f, err := os.OpenFile(path, flags|syscall.O_NONBLOCK, 0)
		if !errors.Is(err, syscall.ENXIO) {
			return f, err
		}
		if waited >= readerWait {
			return nil, fmt.Errorf("%s is a FIFO, and nobody has opened it for reading in %v", path, readerWait)
		}
		time.Sleep(readerPause)
	}
}
