package vectors

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/goldwire/goldwire/rtl"
)

// Bounds that a set cannot make a reader exceed.
const (
	maxManifest = 4 << 20 // bytes
	smallFile   = 4 << 20 // bytes of a file beside its rows
)

// mostBytes returns how long a file of the set can be. It follows from the digits of a row, and for a waveform or
// table from its lines.
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

// openRegular opens a file that has at most the given bytes and is no device, pipe or link to one.
func openRegular(path string, most int64) (*os.File, error) {
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
	return os.Open(path)
}

// mostRows bounds a set that is read into memory.
const mostRows = 10_000_000

// Read reads an exported set of at most 10,000,000 cycles and verifies the checksum of every file of it; [CompareDir]
// has no such bound. An error is one line that names the file and the place in it, and says which text was expected.
func Read(dir string) (*Set, error) {
	m, s, err := readHead(context.Background(), dir)
	if err != nil {
		return nil, err
	}
	if m.Cycles > mostRows {
		return nil, fmt.Errorf("%s: cycles %d, want at most %d of a set that is held in memory",
			filepath.Join(dir, manifestName), m.Cycles, mostRows)
	}
	for _, name := range s.hexNames() {
		if err := s.readRows(dir, name, m); err != nil {
			return nil, err
		}
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, manifestName), err)
	}
	return s, nil
}

// ReadSettings returns the parameters that an exported set was made with, none if its unit had none. It reads the
// manifest alone.
func ReadSettings(dir string) (Settings, error) {
	_, s, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	return s.Settings, nil
}

func readManifest(dir string) (*manifest, *Set, error) {
	path := filepath.Join(dir, manifestName)
	f, err := openRegular(path, maxManifest)
	if err != nil {
		return nil, nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxManifest))
	_ = f.Close() // it was only read
	if err != nil {
		return nil, nil, err
	}
	m, s, err := parseManifest(data)
	if err == nil {
		err = s.checkHead()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, s, nil
}

// readHead reads the manifest and verifies the checksums. The set has no rows.
func readHead(ctx context.Context, dir string) (*manifest, *Set, error) {
	m, s, err := readManifest(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range m.Files {
		if err := m.verify(ctx, filepath.Join(dir, f.Name), f); err != nil {
			return nil, nil, err
		}
	}
	return m, s, nil
}

// verify compares a file with its checksum.
func (m *manifest) verify(ctx context.Context, path string, want manifestFile) error {
	f, err := openRegular(path, m.mostBytes(want.Name))
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	for b := make([]byte, fileBuffer); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := f.Read(b)
		h.Write(b[:n])
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != want.SHA256 {
		return fmt.Errorf("%s: sha256 is %s, want %s as in %s", path, sum, want.SHA256, manifestName)
	}
	return nil
}

// openRows opens one of the two files with rows.
func (s *Set) openRows(dir, name string, m *manifest) (*hexReader, io.Closer, error) {
	path := filepath.Join(dir, name)
	f, err := openRegular(path, m.mostBytes(name))
	if err != nil {
		return nil, nil, err
	}
	direction := rtl.Output
	if name == stimulusName {
		direction = rtl.Input
	}
	return newHexReader(path, f, laneOf(s.Fields, direction), m.Cycles), f, nil
}

// readRows reads one of the two files into the rows, which it makes if there are none.
func (s *Set) readRows(dir, name string, m *manifest) error {
	x, file, err := s.openRows(dir, name, m)
	if err != nil {
		return err
	}
	defer file.Close()
	for k := range m.Cycles {
		if k == len(s.Rows) {
			s.Rows = append(s.Rows, make([]uint64, len(s.Fields)))
		}
		if err := x.read(s.Rows[k]); err != nil {
			return err
		}
	}
	return x.end()
}
