package state

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/goldwire/goldwire/internal/source"
)

// formatNumber is the version of the file.
const formatNumber = 2

// A file is a line of text; a number of parts; the program, the design and each part, with its length before it; and a
// checksum of these. Numbers are varints, words of memory as the machine has them.
const (
	magic = "goldwire state "

	mostDigits = 9       // of the format's number
	mostParts  = 16      // of a file
	mostName   = 1 << 10 // bytes of the program's name
	mostPart   = 1 << 40
)

// Head tells whose state a file holds.
type Head struct {
	Program string            // what wrote it
	Design  [sha256.Size]byte // of the contents
}

// Seal returns a file.
func (h Head) Seal(parts ...[]byte) []byte {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	b := make([]byte, 0, n+256+len(h.Program))
	b = fmt.Appendf(b, "%s%d\n", magic, formatNumber)
	b = binary.AppendUvarint(b, uint64(len(parts)))
	for _, p := range append([][]byte{[]byte(h.Program), h.Design[:]}, parts...) {
		b = binary.AppendUvarint(b, uint64(len(p)))
		b = append(b, p...)
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

var errCut = errors.New("the file is truncated")

// Open reads a file and returns its parts, if it is whole and has this head. It reads no byte more.
func (h Head) Open(r io.Reader) ([][]byte, error) {
	f := opened{r: r}
	line := f.bytes(uint64(len(magic)))
	if f.err == nil && string(line) != magic {
		return nil, errors.New("the file is no state of goldwire")
	}
	format := uint64(0)
	for range mostDigits + 1 {
		c := f.byte()
		if c < '0' || c > '9' {
			break
		}
		format = 10*format + uint64(c-'0')
	}
	if f.err == nil && format != formatNumber {
		return nil, fmt.Errorf("the file is of format %d, want %d", format, formatNumber)
	}
	n := f.uint(mostParts)
	program := f.bytes(f.uint(mostName))
	design := f.bytes(f.uint(sha256.Size))
	var parts [][]byte
	for range n {
		parts = append(parts, f.bytes(f.uint(mostPart)))
	}
	want := sha256.Sum256(f.all.Bytes())
	sum := f.bytes(sha256.Size)
	switch {
	case f.err != nil:
		return nil, f.err
	case !bytes.Equal(sum, want[:]):
		return nil, errors.New("the file was changed: its checksum does not match")
	case string(program) != h.Program:
		return nil, fmt.Errorf("the file is of another program, %s; this is %s", program, h.Program)
	case !bytes.Equal(design, h.Design[:]):
		return nil, errors.New("the file is of another design, or of one built with other parameters")
	}
	return parts, nil
}

// opened keeps the bytes that were read, for the checksum.
type opened struct {
	r   io.Reader
	all bytes.Buffer
	err error
}

// bytes returns the next bytes. A length that lies costs no memory: missing bytes are not read.
func (f *opened) bytes(n uint64) []byte {
	if f.err != nil {
		return nil
	}
	from := f.all.Len()
	if n < 1<<20 {
		f.all.Grow(int(n))
	}
	got, err := io.CopyN(&f.all, f.r, int64(n))
	switch {
	case errors.Is(err, io.EOF) || err == nil && uint64(got) < n:
		f.err = errCut
	case err != nil:
		f.err = err
	}
	if f.err != nil {
		return nil
	}
	return f.all.Bytes()[from:]
}

func (f *opened) byte() byte {
	if b := f.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (f *opened) uint(most uint64) uint64 {
	var x uint64
	for shift := 0; shift < 64; shift += 7 {
		b := f.byte()
		x |= uint64(b&0x7f) << shift
		if b < 0x80 {
			break
		}
	}
	if f.err == nil && x > most {
		f.err = errors.New("the file was changed: it has an impossible length")
	}
	if f.err != nil {
		return 0
	}
	return x
}

// Program names the running program: its source and the compiler and machine that it was built for. Two that are named
// alike run the same code.
var Program = sync.OnceValue(func() string {
	name, err := source.Name()
	if err != nil { // its file is gone, say
		name = "unknown source"
	}
	return fmt.Sprintf("%s (%s %s/%s)", name, runtime.Version(), runtime.GOOS, runtime.GOARCH)
})
