package vectors

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/goldwire/goldwire/rtl"
)

// Write exports a set to a directory: manifest.json, stimulus.hex, expected.hex, vectors.csv, the testbench
// MODULE_tb.sv, the module's declaration MODULE_ports.svh and README.txt, and the files of the formats. The directory appears, or replaces an earlier
// export, whole: it is written beside its place and renamed. A directory with files that no export wrote is left alone.
func Write(dir string, s *Set, formats ...Format) error {
	if err := s.check(); err != nil {
		return fmt.Errorf("export of unit %s: %w", s.Unit, err)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	exists, err := replaceable(dir)
	if err != nil {
		return err
	}
	files, err := s.render(formats)
	if err != nil {
		return err
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(parent, "."+filepath.Base(dir)+"-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	fresh := filepath.Join(temp, "new")
	if err := os.Mkdir(fresh, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(fresh, f.name), f.data, 0o644); err != nil {
			return err
		}
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
	data, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return false, fmt.Errorf("%s: holds %s and no %s of ours, want an empty directory or an earlier export",
			dir, entries[0].Name(), manifestName)
	}
	m, _, err := parseManifest(data)
	if err != nil {
		return false, fmt.Errorf("%s: want an empty directory or an earlier export: %w", filepath.Join(dir, manifestName), err)
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

type file struct {
	name string
	data []byte
}

// render makes the files in memory, the manifest last.
func (s *Set) render(formats []Format) ([]file, error) {
	var files []file
	add := func(name string, write func(b *bytes.Buffer) error) error {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		files = append(files, file{name, b.Bytes()})
		return nil
	}
	inputs, outputs := laneOf(s.Fields, rtl.Input), laneOf(s.Fields, rtl.Output)
	bench := s.benchText()
	for i, f := range formats {
		if slices.Contains(formats[:i], f) { // named twice
			continue
		}
		more, err := f.render(s)
		if err != nil {
			return nil, err
		}
		bench.More = append(bench.More, f.describe(bench, more)...)
		files = append(files, more...)
	}
	err := errors.Join(
		add(expectedName, func(b *bytes.Buffer) error { return outputs.writeHex(b, s.Unit, s.Rows) }),
		add(csvName, func(b *bytes.Buffer) error { return s.writeCSV(b) }),
		add(s.module()+"_tb.sv", func(b *bytes.Buffer) error { return templates.ExecuteTemplate(b, "testbench.sv.tmpl", bench) }),
		add(s.module()+"_ports.svh", func(b *bytes.Buffer) error { return templates.ExecuteTemplate(b, "ports.svh.tmpl", bench) }),
		add(readmeName, func(b *bytes.Buffer) error { return templates.ExecuteTemplate(b, "README.txt.tmpl", bench) }),
	)
	if inputs.bits > 0 {
		err = errors.Join(err, add(stimulusName, func(b *bytes.Buffer) error { return inputs.writeHex(b, s.Unit, s.Rows) }))
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b file) int { return bytes.Compare([]byte(a.name), []byte(b.name)) })
	m := s.manifest()
	for _, f := range files {
		m.Files = append(m.Files, manifestFile{f.name, checksum(f.data)})
	}
	data, err := m.encode()
	return append(files, file{manifestName, data}), err
}

func checksum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Bounds of what a set may make a reader do.
const (
	maxManifest = 4 << 20 // bytes
	smallFile   = 4 << 20 // bytes of a file beside what its rows take
)

// mostBytes returns how long a file of the set can be: a row takes so many digits, or in a waveform or table so many lines.
func (m *manifest) mostBytes(name string) int64 {
	bits := 0
	for _, f := range m.Fields {
		bits += f.Width
	}
	row := int64(64 + 2*bits + 32*len(m.Fields))
	if name == stimulusName || name == expectedName {
		row = int64(bits/4 + len(m.Fields) + 4)
	}
	const most = 1 << 50 // no file system has more, and the product stays a number
	return smallFile + min(int64(m.Cycles), most/row)*row
}

// readRegular reads a file of at most so many bytes that is no device, pipe or link to one.
func readRegular(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: is no regular file", path)
	}
	if info.Size() > most {
		return nil, fmt.Errorf("%s: has %d bytes, want at most %d for the cycles of its manifest", path, info.Size(), most)
	}
	return os.ReadFile(path)
}

// Read reads an exported set and verifies the checksum of every file of it. An error is one line that names the file and,
// within it, the place and what was expected.
func Read(dir string) (*Set, error) {
	path := filepath.Join(dir, manifestName)
	data, err := readRegular(path, maxManifest)
	if err != nil {
		return nil, err
	}
	m, s, err := parseManifest(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	content := map[string][]byte{}
	for _, f := range m.Files {
		path := filepath.Join(dir, f.Name)
		data, err := readRegular(path, m.mostBytes(f.Name))
		if err != nil {
			return nil, err
		}
		if sum := checksum(data); sum != f.SHA256 {
			return nil, fmt.Errorf("%s: sha256 is %s, want %s as in %s", path, sum, f.SHA256, manifestName)
		}
		content[f.Name] = data
	}
	for _, name := range s.hexNames() {
		l := laneOf(s.Fields, rtl.Output)
		if name == stimulusName {
			l = laneOf(s.Fields, rtl.Input)
		}
		if s.Rows, err = l.readHex(filepath.Join(dir, name), content[name], s.Rows, len(s.Fields), m.Cycles); err != nil {
			return nil, err
		}
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}
