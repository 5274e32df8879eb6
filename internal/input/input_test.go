package input_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/input"
)

// A file of as many bytes as may be read is read whole, one of a byte more is an error that says so, in whatever
// pieces it is read.
func TestBound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, size := range []int{0, 1, 99, 100, 101, 5000} {
		require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("x", size)), 0o600))
		data, err := input.Read(path, 100)
		if size <= 100 {
			require.NoError(t, err)
			require.Len(t, data, size)
		} else {
			require.EqualError(t, err, path+": more than 100 bytes, want no more of such a file")
		}
		f, err := input.Open(path, 100)
		require.NoError(t, err)
		got, one := 0, make([]byte, 1)
		for err == nil {
			var n int
			n, err = f.Read(one)
			got += n
		}
		require.Equal(t, min(size, 100), got)
		require.Equal(t, size > 100, !errors.Is(err, io.EOF), "%d bytes: %v", size, err)
		_, again := f.Read(one)
		require.Equal(t, err, again)
		require.NoError(t, f.Close())
	}
}

// A file without end comes to its bound, and a directory is an error that names it.
func TestWithoutEnd(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("there is no /dev/zero")
	}
	_, err := input.Read("/dev/zero", 1<<20)
	require.EqualError(t, err, "/dev/zero: more than 1048576 bytes, want no more of such a file")
	dir := t.TempDir()
	_, err = input.Read(dir, 100)
	require.ErrorContains(t, err, dir)
}

// The context ends the wait for an open function that has not returned.
func TestAwaitEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	entered, leave := make(chan bool), make(chan bool)
	go func() { <-entered; cancel() }()
	_, err := input.Await(ctx, func() (io.ReadCloser, error) { entered <- true; <-leave; return nil, os.ErrClosed })
	require.ErrorIs(t, err, context.Canceled)
	close(leave)
}

// A byte order mark at the start is left out, one elsewhere and a part of one are not.
func TestByteOrderMark(t *testing.T) {
	const mark = "\xef\xbb\xbf"
	for text, want := range map[string]string{
		"": "", "a": "a", "ab,c\n": "ab,c\n", mark: "", mark + "a,b\n": "a,b\n", mark + mark: mark, "a" + mark: "a" + mark,
		mark[:1]: mark[:1], mark[:2]: mark[:2], mark[:2] + "a": mark[:2] + "a",
	} {
		path := filepath.Join(t.TempDir(), "f")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		got, err := input.Read(path, 100)
		require.NoError(t, err)
		require.Equal(t, want, string(got), "%q", text)
		f, err := input.Open(path, 100)
		require.NoError(t, err)
		require.NoError(t, iotest.TestReader(f, []byte(want)), "%q", text)
		require.NoError(t, f.Close())
	}
}

// Bytes beyond a bound are an error, however the reader gives them.
func TestBoundOfAReader(t *testing.T) {
	for most, good := range map[int64]bool{4: false, 5: true, 6: true} {
		for _, r := range []io.Reader{strings.NewReader("12345"), iotest.OneByteReader(strings.NewReader("12345"))} {
			got, err := io.ReadAll(input.Bound(r, most))
			if good {
				require.NoError(t, err)
				require.Equal(t, "12345", string(got))
			} else {
				require.EqualError(t, err, "more than 4 bytes, want no more of such a file")
				require.Equal(t, "1234", string(got))
			}
		}
	}
}
