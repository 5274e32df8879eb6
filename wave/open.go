package wave

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/exp/mmap"
)

// Open opens a waveform for reading; the caller closes it. It takes a VCD, a VCD packed by gzip, or an FST, which
// GTKWave's converter fst2vcd turns into a VCD on the way if it is installed. For any other file the error says how to
// make a VCD of it. A regular file is mapped into memory, as dumps have many gigabytes; a FIFO or another file that
// cannot be mapped is read as a stream.
func Open(path string) (io.ReadCloser, error) {
	f, err := openRaw(path)
	if err != nil {
		return nil, err
	}
	head := bufio.NewReaderSize(f, headBytes) // a longer read goes past it
	start, err := head.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	switch kind := formatOf(start); kind {
	case vcdFormat:
		return stream{head, f.Close}, nil
	case gzipFormat:
		return unpack(head, f, path)
	case fstFormat:
		f.Close()
		return convert(path)
	default:
		f.Close()
		return nil, fmt.Errorf("%s: %s, want a VCD, one packed by gzip, or an FST", path, kind)
	}
}

// headBytes of a file tell its format.
const headBytes = 512

// format is one that waveforms come in; one that is not read says so.
type format string

const (
	vcdFormat  format = "a VCD"
	gzipFormat format = "gzip"
	fstFormat  format = "an FST"
)

// formats that begin with something of their own. GTKWave's documentation has FST (a header block of type 0 and 329
// bytes) and LXT.
var formats = []struct {
	magic string
	is    format
}{
	{"\x1f\x8b", gzipFormat},
	{"\x00\x00\x00\x00\x00\x00\x00\x01\x49", fstFormat},
	{"GHDLwave", "a GHW file (let GHDL write a VCD: --vcd=FILE)"},
	{"BZh", "a file packed by bzip2 (bunzip2 it)"},
	{"\xfd7zXZ", "a file packed by xz (unxz it)"},
	{"\x28\xb5\x2f\xfd", "a file packed by zstd (unzstd it)"},
	{"PK\x03\x04", "a zip file (unzip it)"},
	{"\x01\x38", "an LXT file"},
	{"\x13\x80", "an LXT2 file"},
	{"VZ", "a VZT file"},
	{"\xff\xfe", "text in UTF-16"},
	{"\xfe\xff", "text in UTF-16"},
	{"\xfe", fstFormat}, // packed as a whole
}

func formatOf(start []byte) format {
	for _, f := range formats {
		if bytes.HasPrefix(start, []byte(f.magic)) {
			return f.is
		}
	}
	for _, c := range start {
		if c < '\t' {
			return "a binary file"
		}
	}
	return vcdFormat
}

func openRaw(path string) (io.ReadCloser, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() {
		if m, err := mmap.Open(path); err == nil { // it fails for more than an address space holds
			return stream{io.NewSectionReader(m, 0, int64(m.Len())), m.Close}, nil
		}
	}
	return os.Open(path)
}

// stream is a reader and the function that closes it.
type stream struct {
	io.Reader
	close func() error
}

func (s stream) Close() error { return s.close() }

// unpack reads a VCD that gzip has packed.
func unpack(packed io.Reader, f io.Closer, path string) (io.ReadCloser, error) {
	z, err := gzip.NewReader(packed)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: gzip: %w", path, err)
	}
	inner := bufio.NewReaderSize(z, headBytes)
	start, err := inner.Peek(headBytes)
	if err == nil || errors.Is(err, io.EOF) {
		if kind := formatOf(start); kind != vcdFormat {
			err = fmt.Errorf("%s inside gzip, want a VCD", kind)
		} else {
			return stream{inner, f.Close}, nil
		}
	}
	f.Close()
	return nil, fmt.Errorf("%s: %w", path, err)
}

// convert reads an FST as a VCD.
func convert(path string) (io.ReadCloser, error) {
	const tool = "fst2vcd"
	if _, err := exec.LookPath(tool); err != nil {
		return nil, fmt.Errorf("%s: an FST, and %s of GTKWave, which makes a VCD of it, is not installed", path, tool)
	}
	cmd := exec.Command(tool, "-f", path)
	c := &converter{cmd: cmd, path: path}
	cmd.Stderr = &c.said
	var err error
	if c.out, err = cmd.StdoutPipe(); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", path, tool, err)
	}
	return c, nil
}

// converter is a running converter.
type converter struct {
	cmd  *exec.Cmd
	path string
	out  io.Reader
	said firstLine
	done bool
	err  error // at the end
}

func (c *converter) Read(p []byte) (int, error) {
	n, err := c.out.Read(p)
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	if !c.done {
		c.done = true
		c.err = io.EOF
		if err := c.cmd.Wait(); err != nil {
			c.err = fmt.Errorf("%s ends with %w: %s", c.cmd.Args[0], err, orNothing(strings.TrimSpace(string(c.said))))
		}
	}
	return n, c.err
}

// Close ends the converter, if it still runs.
func (c *converter) Close() error {
	if !c.done {
		c.done = true
		_ = c.cmd.Process.Kill()
		_ = c.cmd.Wait() // it was killed
	}
	return nil
}

// firstLine keeps the first line that is written to it.
type firstLine []byte

func (l *firstLine) Write(p []byte) (int, error) {
	const most = 200
	if !bytes.ContainsRune(*l, '\n') {
		*l = append(*l, p[:min(len(p), most-min(len(*l), most))]...)
		if i := bytes.IndexByte(*l, '\n'); i >= 0 {
			*l = (*l)[:i+1]
		}
	}
	return len(p), nil
}

func orNothing(s string) string {
	if s == "" {
		return "it says nothing"
	}
	return printable(s)
}
