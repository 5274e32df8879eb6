package output

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// File is an output under way. It is an [io.Writer]; end it with Commit, and Discard by a defer for the ways that do
// not come so far.
type File struct {
	file  *os.File
	path  string // as the user named it
	place string // where Commit puts it; "" if it is written through
	done  bool
}

// Write writes to the output. The error names its path.
func (f *File) Write(b []byte) (int, error) {
	n, err := f.file.Write(b)
	return n, f.named(err)
}

// Through tells whether the output is a device, a FIFO or the like, which is written through.
func (f *File) Through() bool { return f.place == "" }

// named replaces the path of the temporary file in an error by the path that the user knows.
func (f *File) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", f.path, cause(err))
}

// cause takes off what the system calls were told.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// Create starts an output. The error names the path.
func Create(path string) (*File, error) {
	place, info, err := resolve(path)
	if err != nil {
		return nil, err
	}
	if info != nil && !info.Mode().IsRegular() || isOpenFile(place) {
		f, err := openThrough(path, info)
		if err != nil {
			return nil, err
		}
		return &File{file: f, path: path}, nil
	}
	mode := fs.FileMode(0o644) // less what the user's mask takes
	if info != nil {
		mode = info.Mode().Perm()
	}
	f, err := createBeside(place, mode)
	if err != nil {
		return nil, err
	}
	if info != nil {
		if err := f.Chmod(mode); err != nil && !errors.Is(err, errors.ErrUnsupported) {
			return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}
	return &File{file: f, path: path, place: place}, nil
}

// Commit ends the output: from now on it is in its place.
func (f *File) Commit() error {
	if f.done {
		return fs.ErrClosed
	}
	f.done = true
	if f.Through() {
		return f.named(f.file.Close())
	}
	err := f.file.Sync()
	if e := f.file.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.file.Name(), f.place)
	}
	if err != nil {
		os.Remove(f.file.Name())
	}
	return f.named(err)
}

// Discard gives the output up unless it was committed: the earlier file stays. Bytes written through a device or a
// FIFO cannot be taken back.
func (f *File) Discard() {
	if f.done {
		return
	}
	f.done = true
	_ = f.file.Close() // the output is unwanted
	if !f.Through() {
		os.Remove(f.file.Name())
	}
}

// Write writes a whole output through a buffer. The error names its path.
func Write(path string, write func(io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	w := bufio.NewWriter(f)
	err = write(w)
	if e := w.Flush(); e != nil {
		return e // it names the path, and write can have had no other
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Commit()
}

// WriteFile writes a whole output.
func WriteFile(path string, data []byte) error {
	return Write(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}

const maxLinks = 40 // as Linux has it

// resolve follows symbolic links, the last of which may point to nothing. It returns the final path, and its info, nil
// if no file is there.
func resolve(path string) (place string, info fs.FileInfo, err error) {
	if path == "" {
		return "", nil, errors.New("an output without a name")
	}
	place = path
	for range maxLinks {
		info, err := os.Lstat(place)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return place, nil, nil
		case err != nil:
			return "", nil, err
		case isOpenFile(place):
			info, err := os.Stat(place)
			return place, info, err
		case info.IsDir():
			return "", nil, fmt.Errorf("%s is a directory, want a file", path)
		case info.Mode()&fs.ModeSymlink == 0:
			return place, info, nil
		}
		target, err := os.Readlink(place)
		if err != nil {
			return "", nil, err
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(place), target)
		}
		place = target
	}
	return "", nil, fmt.Errorf("%s: more than %d symbolic links", path, maxLinks)
}

// isOpenFile tells whether a path stands for a file that a process has open: /dev/stdout leads to one. Other processes
// may write to it, so it must not be replaced, whatever it is.
func isOpenFile(path string) bool {
	return strings.HasPrefix(path, "/proc/") && strings.Contains(path, "/fd/") || strings.HasPrefix(path, "/dev/fd/")
}
