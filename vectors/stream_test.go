package vectors_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors"
)

// Export, which streams, and Write, from memory, write the same bytes.
func TestExportWritesWhatWriteWrites(t *testing.T) {
	for _, u := range []vectors.Unit{adderUnit(), counterUnit(), majorityUnit()} {
		for _, cycles := range []int{1, 2, 15, 1024, 1025, 3000} {
			held, gone := filepath.Join(t.TempDir(), "held"), filepath.Join(t.TempDir(), "gone")
			s, err := vectors.Capture(u, cycles, 5)
			require.NoError(t, err)
			require.NoError(t, vectors.Write(held, s, vectors.Formats()...))
			coverage, err := vectors.Export(t.Context(), gone, vectors.Run{Unit: u, Cycles: cycles, Seed: 5},
				vectors.Formats()...)
			require.NoError(t, err)
			require.Equal(t, s.Coverage, coverage)
			files, err := os.ReadDir(held)
			require.NoError(t, err)
			there, err := os.ReadDir(gone)
			require.NoError(t, err)
			require.Len(t, there, len(files))
			for _, f := range files {
				require.True(t, bytes.Equal([]byte(readFile(t, held, f.Name())), []byte(readFile(t, gone, f.Name()))),
					"%s, %d cycles: %s", u.Name, cycles, f.Name())
			}
			compared, err := vectors.CompareDir(t.Context(), u, gone)
			require.NoError(t, err)
			require.Equal(t, cycles, compared)
		}
	}
}

// watched is a context that looks at the live heap whenever it is asked.
type watched struct {
	context.Context
	most uint64
}

func (c *watched) Err() error {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	c.most = max(c.most, m.HeapAlloc)
	return nil
}

// The heap does not grow with the cycles: rows held in memory would take some hundred bytes each.
func TestExportHoldsNoRows(t *testing.T) {
	most := func(cycles int) uint64 {
		dir := filepath.Join(t.TempDir(), "set")
		ctx := &watched{Context: t.Context()}
		_, err := vectors.Export(ctx, dir, vectors.Run{Unit: adderUnit(), Cycles: cycles, Seed: 1}, vectors.Formats()...)
		require.NoError(t, err)
		_, err = vectors.CompareDir(ctx, adderUnit(), dir)
		require.NoError(t, err)
		return ctx.most
	}
	most(10)
	short, long := most(2_000), most(40_000)
	t.Logf("%d and %d bytes", short, long)
	require.Less(t, long, short+38_000*10, "bytes for 38,000 more cycles")
}

// cancelled is a context that ends when Err has been called left times.
type cancelled struct {
	context.Context
	left int
}

func (c *cancelled) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// An export that is interrupted leaves nothing, and what stood there before still stands.
func TestInterruptedExportLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	old, deep := filepath.Join(parent, "old"), filepath.Join(parent, "a", "b", "new")
	_, err := vectors.Export(t.Context(), old, vectors.Run{Unit: adderUnit(), Cycles: 20, Seed: 1})
	require.NoError(t, err)
	before := readFile(t, old, "manifest.json")
	for _, dir := range []string{old, deep} {
		_, err := vectors.Export(&cancelled{t.Context(), 3}, dir,
			vectors.Run{Unit: adderUnit(), Cycles: 1_000_000_000, Seed: 2}, vectors.Formats()...)
		require.ErrorIs(t, err, context.Canceled)
	}
	entries, err := os.ReadDir(parent)
	require.NoError(t, err)
	require.Len(t, entries, 1, "neither a temporary directory nor a parent")
	require.Equal(t, before, readFile(t, old, "manifest.json"))

	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(200*time.Millisecond, cancel)
	_, err = vectors.Export(ctx, deep, vectors.Run{Unit: adderUnit(), Cycles: 1_000_000_000, Seed: 2})
	require.ErrorIs(t, err, context.Canceled)

	_, err = vectors.CompareDir(&cancelled{t.Context(), 2}, adderUnit(), old)
	require.ErrorIs(t, err, context.Canceled)
}

// CompareDir finds the first different row; for a malformed file it names the place.
func TestCompareDirFindsWhatDiffers(t *testing.T) {
	dir, s := export(t, majorityUnit(), 4)
	_, err := vectors.CompareDir(t.Context(), counterUnit(), dir)
	require.EqualError(t, err, "unit test/counter: the set is one of unit test/majority")
	edit(t, dir, "expected.hex", "\n008\n", "\n009\n", true)
	_, err = vectors.CompareDir(t.Context(), majorityUnit(), dir)
	var m *vectors.Mismatch
	require.ErrorAs(t, err, &m)
	require.Equal(t, 2, m.Cycle)
	require.Equal(t, s.Rows[2][s.Column(m.Field.Name)], m.Got)

	for _, c := range []struct{ file, old, new, want string }{
		{"stimulus.hex", "\n4\n", "\nA\n", `stimulus.hex:3: "A" is no digit, want 0-9 or a-f`},
		{"expected.hex", "", "008\n", "expected.hex:6: row 4, want the file to end after 4 rows"},
		{"stimulus.hex", "", "", "stimulus.hex:4: the file ends after 3 rows, want 4"},
	} {
		dir, _ := export(t, majorityUnit(), 4)
		text := readFile(t, dir, c.file)
		switch {
		case c.old != "":
			edit(t, dir, c.file, c.old, c.new, true)
		case c.new != "":
			edit(t, dir, c.file, text, text+c.new, true)
		default: // the last row is lost
			edit(t, dir, c.file, text, text[:strings.LastIndexByte(text[:len(text)-1], '\n')+1], true)
		}
		_, err := vectors.CompareDir(t.Context(), majorityUnit(), dir)
		require.EqualError(t, err, filepath.Join(dir, c.want))
	}
}

// A set of more rows than memory should hold is refused before they are read.
func TestReadBoundsWhatItHolds(t *testing.T) {
	dir, _ := export(t, majorityUnit(), 4)
	edit(t, dir, "manifest.json", `"cycles": 4,`, `"cycles": 10000001,`, false)
	_, err := vectors.Read(dir)
	require.EqualError(t, err, filepath.Join(dir,
		"manifest.json")+": cycles 10000001, want at most 10000000 of a set that is held in memory")
}
