package output

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Path is a path that the user named, and what named it: "--vcd".
type Path struct{ What, Path string }

// Check looks at the paths of a run before the run: each output must be one that can be written, no two outputs may be
// the same file, and no output may be an input. Devices may be named as often as one likes. Paths that are empty do
// not count.
func Check(outputs, inputs []Path) error {
	var before []target
	for _, p := range inputs {
		if t, err := targetOf(p); p.Path != "" && err == nil { // what cannot be read is the reader's to say
			t.input = true
			before = append(before, t)
		}
	}
	for _, p := range outputs {
		if p.Path == "" {
			continue
		}
		t, err := targetOf(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.What, err)
		}
		for _, other := range before {
			if !t.same(other) {
				continue
			}
			if other.input {
				return fmt.Errorf("%s: %s is also read, by %s: want another file", p.What, p.Path, other.What)
			}
			return fmt.Errorf("%s: %s is also written by %s: want another file", p.What, p.Path, other.What)
		}
		before = append(before, t)
		if t.info != nil && !t.info.Mode().IsRegular() || isOpenFile(t.place) {
			continue
		}
		f, err := createBeside(t.place, 0o600)
		if err != nil {
			return fmt.Errorf("%s: %w", p.What, err)
		}
		_ = f.Close() // it is empty
		if err := os.Remove(f.Name()); err != nil {
			return fmt.Errorf("%s: %w", p.What, err)
		}
	}
	return nil
}

// target is what a path leads to.
type target struct {
	Path
	place string
	info  fs.FileInfo // nil if there is nothing
	input bool
}

func targetOf(p Path) (target, error) {
	place, info, err := resolve(p.Path)
	return target{Path: p, place: place, info: info}, err
}

// same tells whether two paths lead to one file. A device is nobody's own.
func (t target) same(u target) bool {
	if t.info != nil && u.info != nil {
		return t.info.Mode()&fs.ModeDevice == 0 && os.SameFile(t.info, u.info)
	}
	return t.info == nil && u.info == nil && canonical(t.place) == canonical(u.place)
}

// canonical returns one name for a file that does not exist yet.
func canonical(path string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, filepath.Base(path))
}
