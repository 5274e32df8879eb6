package vectors

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/internal/output"
	"github.com/goldwire/goldwire/rtl"
)

// Write exports a set to a directory: manifest.json, stimulus.hex, expected.hex, vectors.csv, the testbench
// MODULE_tb.sv, the module's declaration MODULE_ports.svh and README.txt, and the files of the formats. The directory
// appears, or replaces an earlier export, whole: it is written beside its place and renamed. A directory with files
// that no export wrote is left alone.
func Write(dir string, s *Set, formats ...Format) error {
	if err := s.check(); err != nil {
		return fmt.Errorf("export of unit %s: %w", s.Unit, err)
	}
	return s.writeAs(dir, len(s.Rows), formats, func(x *export) error {
		for _, row := range s.Rows {
			x.row(row)
		}
		return x.failed()
	})
}

// writeAs exports a set with the given number of cycles. Fill hands the rows to the export one by one, and may set the
// set's coverage.
func (s *Set) writeAs(dir string, cycles int, formats []Format, fill func(x *export) error) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	exists, err := replaceable(dir)
	if err != nil {
		return err
	}
	parent := filepath.Dir(dir)
	made, err := makeParents(parent)
	defer func() {
		for _, path := range made { // directories still empty after a failed export
			_ = os.Remove(path)
		}
	}()
	if err != nil {
		return err
	}
	temp, end, err := output.MakeBeside(filepath.Join(parent, filepath.Base(dir)))
	if err != nil {
		return err
	}
	defer end() // files that it cannot remove stay
	fresh := filepath.Join(temp, "new")
	if err := os.Mkdir(fresh, 0o755); err != nil {
		return err
	}
	x := &export{set: s, cycles: cycles, temp: fresh, dir: dir, bench: s.benchText(cycles)}
	defer x.close()
	if err := x.start(formats); err != nil {
		return err
	}
	if err := fill(x); err != nil {
		return err
	}
	if err := x.end(); err != nil {
		return err
	}
	if !exists {
		return os.Rename(fresh, dir)
	}
	old := filepath.Join(temp, "old")
	if err := os.Rename(dir, old); err != nil {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	return nil
}

// makeParents makes a directory and those above it, and returns the new ones, the deepest first.
func makeParents(dir string) (made []string, err error) {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		made = append(made, d)
	}
	return made, os.MkdirAll(dir, 0o755)
}

// replaceable tells whether the directory exists, and fails if it holds what no export wrote.
func replaceable(dir string) (exists bool, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s: want a directory: %w", dir, err)
	}
	if len(entries) == 0 {
		return true, nil
	}
	data, err := input.Read(filepath.Join(dir, manifestName), maxManifest)
	if err != nil {
		return false, fmt.Errorf("%s: holds %s and no %s of ours, want an empty directory or an earlier export",
			dir, entries[0].Name(), manifestName)
	}
	m, _, err := parseManifest(data)
	if err != nil {
		return false, fmt.Errorf("%s: want an empty directory or an earlier export: %w",
			filepath.Join(dir, manifestName), err)
	}
	for _, e := range entries {
		ours := e.Name() == manifestName ||
			slices.ContainsFunc(m.Files, func(f manifestFile) bool { return f.Name == e.Name() })
		if !ours || !e.Type().IsRegular() {
			return false, fmt.Errorf("%s: holds %s, which no export wrote: move it away", dir, e.Name())
		}
	}
	return true, nil
}

// fileBuffer is how much of a file is read or written at once.
const fileBuffer = 64 << 10

// rowWriter writes one or more files of a set, row by row. An error on the way is returned by end, or by the file.
type rowWriter interface {
	row(row []uint64)
	end() error
}

// export is a set on its way to a directory. It holds no rows.
type export struct {
	set       *Set
	cycles    int
	temp, dir string // where the files are written, and where they will be
	bench     benchText
	files     []*exportFile
	writers   []rowWriter
	rows      int // so far
}

// exportFile is a file of an export and the checksum of its bytes so far.
type exportFile struct {
	name, path string
	file       *os.File
	sum        hash.Hash
	err        error // the first
}

func (f *exportFile) Write(b []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.file.Write(b)
	if err != nil {
		f.err = fmt.Errorf("%s: %w", f.path, bare(err))
		return n, f.err
	}
	f.sum.Write(b)
	return n, nil
}

// bare is an error without the path of the temporary file.
func bare(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}

// create starts a file.
func (x *export) create(name string) (*exportFile, error) {
	file, err := os.OpenFile(filepath.Join(x.temp, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(x.dir, name), bare(err))
	}
	f := &exportFile{name: name, path: filepath.Join(x.dir, name), file: file, sum: sha256.New()}
	x.files = append(x.files, f)
	return f, nil
}

// rowFile starts a file that grows by the rows.
func (x *export) rowFile(name string, open func(w io.Writer) (rowWriter, error)) ([]*exportFile, error) {
	f, err := x.create(name)
	if err != nil {
		return nil, err
	}
	w, err := open(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	x.writers = append(x.writers, w)
	return []*exportFile{f}, nil
}

// template writes a file that says nothing of the rows.
func (x *export) template(name, from string) ([]*exportFile, error) {
	f, err := x.create(name)
	if err != nil {
		return nil, err
	}
	b := bufio.NewWriter(f)
	if err := errors.Join(templates.ExecuteTemplate(b, from, x.bench), b.Flush()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return []*exportFile{f}, nil
}

// start starts all files but the manifest.
func (x *export) start(formats []Format) error {
	for i, f := range formats {
		if slices.Contains(formats[:i], f) { // named twice
			continue
		}
		more, err := f.start(x)
		if err != nil {
			return err
		}
		x.bench.More = append(x.bench.More, f.describe(x.bench, more)...)
	}
	s := x.set
	lane := func(name string, dir rtl.Direction) error {
		_, err := x.rowFile(name, func(w io.Writer) (rowWriter,
			error) {
			return newHexWriter(w, s.Unit, laneOf(s.Fields, dir)), nil
		})
		return err
	}
	if laneOf(s.Fields, rtl.Input).bits > 0 {
		if err := lane(stimulusName, rtl.Input); err != nil {
			return err
		}
	}
	if err := lane(expectedName, rtl.Output); err != nil {
		return err
	}
	if _, err := x.rowFile(csvName, func(w io.Writer) (rowWriter,
		error) {
		return newCSVWriter(w, s.Fields), nil
	}); err != nil {
		return err
	}
	if s.Readme != "" {
		f, err := x.create(readmeName)
		if err == nil {
			_, err = io.WriteString(f, s.Readme)
		}
		return err
	}
	for _, t := range [][2]string{{s.module() + "_tb.sv", "testbench.sv.tmpl"},
		{s.module() + "_ports.svh", "ports.svh.tmpl"}, {readmeName, "README.txt.tmpl"}} {
		if _, err := x.template(t[0], t[1]); err != nil {
			return err
		}
	}
	return nil
}

// row writes the next row.
func (x *export) row(row []uint64) {
	for _, w := range x.writers {
		w.row(row)
	}
	x.rows++
}

// failed returns what a file could not take.
func (x *export) failed() error {
	for _, f := range x.files {
		if f.err != nil {
			return f.err
		}
	}
	return nil
}

// end ends all files and writes the manifest.
func (x *export) end() error {
	if x.rows != x.cycles {
		return fmt.Errorf("export of unit %s: %d rows, want %d", x.set.Unit, x.rows, x.cycles)
	}
	for _, w := range x.writers {
		if err := w.end(); err != nil {
			return err
		}
	}
	slices.SortFunc(x.files, func(a, b *exportFile) int { return strings.Compare(a.name, b.name) })
	m := x.set.manifest()
	m.Cycles, m.Again = x.cycles, x.bench.Again
	for _, f := range x.files {
		m.Files = append(m.Files, manifestFile{f.name, hex.EncodeToString(f.sum.Sum(nil))})
	}
	data, err := m.encode()
	if err != nil {
		return err
	}
	f, err := x.create(manifestName)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	return x.close()
}

// close closes the files that are open.
func (x *export) close() error {
	var first error
	for _, f := range x.files {
		if f.file == nil {
			continue
		}
		if err := f.file.Close(); err != nil && first == nil {
			first = fmt.Errorf("%s: %w", f.path, bare(err))
		}
		f.file = nil
	}
	return first
}
