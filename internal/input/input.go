// Package input opens the files that a user names to be read. All readers of such files go through it: none reads
// without bound.
package input

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"os"
)

// The most bytes that are read of one file, by its kind.
const (
	MostCapture = 1 << 30   // packets: pcap, pcapng
	MostTrace   = 256 << 20 // rows: messages, flows, beats, finished runs
	MostText    = 64 << 20  // programs, tables' contents, schedules, plans, documents, manifests, sources
)

// File is a file that is read up to a bound. A byte order mark of UTF-8, which editors and spreadsheets write before
// text, is left out.
type File struct {
	file  *os.File
	bound *bound
	text  unmarked        // of the bound
	ctx   context.Context // ends reads of devices and FIFOs
	stop  func() bool
}

// Bound returns a reader that reads at most the first most bytes of another. Any byte beyond them is an error.
func Bound(r io.Reader, most int64) io.Reader { return &bound{r: r, most: most} }

// bound is a reader with a bound.
type bound struct {
	r          io.Reader
	most, read int64
}

func (r *bound) Read(b []byte) (int, error) {
	if r.read > r.most {
		return 0, r.over()
	}
	if left := r.most - r.read; int64(len(b)) > left+1 {
		b = b[:left+1] // one more tells whether there is more
	}
	n, err := r.r.Read(b)
	r.read += int64(n)
	if r.read > r.most {
		return n - 1, r.over()
	}
	return n, err
}

func (r *bound) over() error {
	return fmt.Errorf("more than %d bytes, want no more of such a file", r.most)
}

// mark is the byte order mark of UTF-8.
const mark = "\xef\xbb\xbf"

// unmarked leaves out a mark at the start.
type unmarked struct {
	r     io.Reader
	begun bool
	head  []byte // read to look for the mark, and not given yet
	err   error  // after head
}

func (u *unmarked) Read(b []byte) (int, error) {
	if !u.begun {
		u.begun = true
		head := make([]byte, len(mark))
		n := 0
		for n < len(head) && u.err == nil && string(head[:n]) == mark[:n] {
			var k int
			k, u.err = u.r.Read(head[n:])
			n += k
		}
		if string(head[:n]) != mark {
			u.head = head[:n]
		}
	}
	if len(u.head) > 0 {
		n := copy(b, u.head)
		u.head = u.head[n:]
		return n, nil
	}
	if u.err != nil {
		return 0, u.err
	}
	return u.r.Read(b)
}

// Open opens a file for reading. A read past the first most bytes returns an error.
func Open(path string, most int64) (*File, error) {
	return OpenContext(context.Background(), path, most)
}

// OpenContext is [Open] that the context ends, while it waits for a FIFO's writer and while it reads. The error is
// then the context's.
func OpenContext(ctx context.Context, path string, most int64) (*File, error) {
	f, err := await(ctx, func() (*os.File, error) { return os.Open(path) })
	if err != nil {
		return nil, err
	}
	return bounded(ctx, f, most), nil
}

// Await is [OpenContext] with an open function of the caller's. It sets no bound: the reader must keep little of the
// data.
func Await(ctx context.Context, open func() (io.ReadCloser, error)) (io.ReadCloser, error) {
	f, err := await(ctx, open)
	if file, ok := f.(*os.File); ok && err == nil {
		return bounded(ctx, file, math.MaxInt64-1), nil
	}
	return f, err
}

// await returns what a function opens, unless the context ends first.
func await[F io.Closer](ctx context.Context, open func() (F, error)) (F, error) {
	type opened struct {
		file F
		err  error
	}
	c := make(chan opened, 1)
	go func() {
		f, err := open()
		c <- opened{f, err}
	}()
	select {
	case o := <-c:
		return o.file, o.err
	case <-ctx.Done():
		go func() { // should a writer come yet
			if o := <-c; o.err == nil {
				o.file.Close()
			}
		}()
		var none F
		return none, ctx.Err()
	}
}

func bounded(ctx context.Context, file *os.File, most int64) *File {
	b := &bound{r: file, most: most}
	f := &File{file: file, bound: b, text: unmarked{r: b}, ctx: ctx, stop: func() bool { return true }}
	if info, err := file.Stat(); err == nil && !info.Mode().IsRegular() {
		f.stop = context.AfterFunc(ctx, func() { file.Close() })
	}
	return f
}

// Read implements [io.Reader]. It gives no byte beyond the bound.
func (f *File) Read(b []byte) (int, error) {
	n, err := f.text.Read(b)
	if err != nil && err != io.EOF && f.ctx.Err() != nil {
		err = f.ctx.Err()
	}
	return n, err
}

// Close closes the file.
func (f *File) Close() error {
	f.stop()
	return f.file.Close()
}

// Read reads a whole file. The error names it.
func Read(path string, most int64) ([]byte, error) {
	return ReadContext(context.Background(), path, most)
}

// ReadContext is [Read] that the context ends, as [OpenContext] has it.
func ReadContext(ctx context.Context, path string, most int64) ([]byte, error) {
	f, err := OpenContext(ctx, path, most)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, named(path, f, err)
	}
	return data, nil
}

// named adds the path to an error that lacks it; errors of the system have it.
func named(path string, f *File, err error) error {
	if f.bound.read < f.bound.most {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Checksum returns the SHA-256 of contents, in hexadecimal digits. It names an input in the keys of results and
// checkpoints: a path does not tell what a file has.
func Checksum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// ChecksumFile is [Checksum] of a regular file's contents. Another, a FIFO say, could not be read a second time.
func ChecksumFile(path string, most int64) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s: want a regular file: its checksum and then its contents are read", path)
	}
	f, err := Open(path, most)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", named(path, f, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
