package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"unicode/utf8"
)

// An output under way lies beside its place as ".NAME.PID-N.part", with the number of the process. A killed process
// leaves it there, and the next writer in the directory removes it.
const (
	partEnding = ".part"
	mostName   = 200 // bytes of NAME: a file system takes 255 in all
	attempts   = 10_000
)

var partName = regexp.MustCompile(`^\..+\.([1-9][0-9]{0,9})-[0-9]{1,5}\.part$`)

// createBeside creates a new file in the directory of another. It is locked until it is closed.
func createBeside(place string, mode fs.FileMode) (*os.File, error) {
	var f *os.File
	err := beside(place, func(name string) (err error) {
		f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		return err
	})
	if err == nil {
		lock(f)
	}
	return f, err
}

// MakeBeside makes a directory beside the place of another. A file written there can be renamed to its place; end then
// removes the rest.
func MakeBeside(place string) (dir string, end func() error, err error) {
	err = beside(place, func(name string) error {
		dir = name
		return os.Mkdir(name, 0o700)
	})
	if err != nil {
		return "", nil, err
	}
	f, err := os.Open(dir)
	if err != nil {
		return "", nil, errors.Join(err, os.Remove(dir))
	}
	lock(f)
	return dir, func() error { return errors.Join(os.RemoveAll(dir), f.Close()) }, nil
}

// beside calls create with names that may be free, until one is.
func beside(place string, create func(name string) error) error {
	in := filepath.Dir(place)
	removeLeft(in)
	var err error
	for n := range attempts {
		err = create(filepath.Join(in, fmt.Sprintf(".%s.%d-%d%s", cut(filepath.Base(place)), os.Getpid(), n, partEnding)))
		if err == nil {
			return nil
		}
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return fmt.Errorf("%s: %w", place, cause(err))
}

// cut shortens a name, between two characters.
func cut(name string) string {
	if len(name) <= mostName {
		return name
	}
	n := mostName
	for !utf8.RuneStart(name[n]) {
		n--
	}
	return name[:n]
}

// removeLeft removes the unfinished outputs of ended processes from a directory. A locked one belongs to a process of
// another machine.
func removeLeft(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return // the writer will say so
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	for _, name := range names {
		m := partName.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		if pid, err := strconv.Atoi(m[1]); err != nil || !gone(pid) {
			continue
		}
		path := filepath.Join(dir, name)
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() && !info.IsDir() {
			continue
		}
		if f, err := os.Open(path); err == nil {
			if lock(f) {
				_ = os.RemoveAll(path) // what cannot be removed stays
			}
			_ = f.Close()
		}
	}
}
