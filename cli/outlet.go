package cli

import (
	"context"
	"io"
	"os"
	"sync"
)

// outlet is the standard output. When it takes nothing more, be it full or a pipe that nobody reads, the command ends
// as if it were interrupted: the processes that it started end with it.
type outlet struct {
	w    io.Writer
	stop context.CancelFunc

	mu  sync.Mutex
	err error
}

func (o *outlet) Write(b []byte) (int, error) {
	n, err := o.w.Write(b)
	if err != nil {
		o.fail(err)
	}
	return n, err
}

// fail notes the first error and ends the command.
func (o *outlet) fail(err error) {
	o.mu.Lock()
	if o.err == nil {
		o.err = err
	}
	o.mu.Unlock()
	o.stop()
}

func (o *outlet) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// fileOf returns the file that a writer writes to.
func fileOf(w io.Writer) (*os.File, bool) {
	if o, ok := w.(*outlet); ok {
		w = o.w
	}
	f, ok := w.(*os.File)
	return f, ok
}
