package hdl

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// maxKept is how many bytes of compiled programs are kept: some 500 testbenches.
const maxKept = 512 << 20

// kept is a folder of compiled programs by the checksum of their sources and options. It is there to save time:
// whatever goes wrong with it, the program is compiled.
type kept struct{ dir string }

// keptPrograms is the folder in the user's cache; without one nothing is kept.
func keptPrograms(r *runtimeSources) kept {
	if !r.cached {
		return kept{}
	}
	dir := filepath.Join(filepath.Dir(r.dir), "programs")
	if os.MkdirAll(dir, 0o755) != nil {
		return kept{}
	}
	return kept{dir}
}

// take copies a kept program to where it is wanted, and tells whether there was one.
func (k kept) take(key, program string) bool {
	if k.dir == "" {
		return false
	}
	file := filepath.Join(k.dir, key)
	if copyProgram(file, program) != nil {
		return false
	}
	now := time.Now()
	_ = os.Chtimes(file, now, now) // the one used last is the last to go
	return true
}

// add keeps a program, and removes those used longest ago if there are too many. Processes may do both at the same
// time.
func (k kept) add(key, program string) {
	if k.dir == "" {
		return
	}
	temp, err := os.CreateTemp(k.dir, "new-")
	if err != nil {
		return
	}
	temp.Close()
	if copyProgram(program, temp.Name()) != nil || os.Rename(temp.Name(), filepath.Join(k.dir, key)) != nil {
		os.Remove(temp.Name())
		return
	}
	k.prune(maxKept)
}

// prune removes the programs used longest ago until the others have at most the given bytes.
func (k kept) prune(limit int64) {
	entries, err := os.ReadDir(k.dir)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, f := range files {
		if limit -= f.Size(); limit < 0 {
			os.Remove(filepath.Join(k.dir, f.Name()))
		}
	}
}

// copyProgram copies an executable. No process is started meanwhile: one that is between its fork and its exec has our
// files open, and the system starts no program that somebody has open for writing.
func copyProgram(from, to string) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(to, 0o755) // CreateTemp's files are not executable
	}
	return err
}
