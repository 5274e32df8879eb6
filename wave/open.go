package wave

import (
	"io"
	"os"

	"golang.org/x/exp/mmap"
)

// Open opens a waveform to be read, which its caller closes. A regular file is mapped into memory, as dumps have many
// gigabytes; what cannot be mapped, such as a FIFO, is read as it comes.
func Open(path string) (io.ReadCloser, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() {
		if m, err := mmap.Open(path); err == nil { // it fails for more than an address space holds
			return mapped{io.NewSectionReader(m, 0, int64(m.Len())), m}, nil
		}
	}
	return os.Open(path)
}

// mapped reads a file from memory.
type mapped struct {
	io.Reader
	io.Closer
}
