package state

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// fuzzed has a field of each kind that a model's state is made of.
type fuzzed struct {
	count  int
	small  uint8
	on     bool
	rate   float64
	name   string
	ring   [4]uint16
	list   []uint32
	rows   [][]byte
	inner  *fuzzedPart
	parts  []fuzzedPart
	lookup map[uint16]int
}

type fuzzedPart struct {
	at   int64
	data []byte
}

func newFuzzed() *fuzzed {
	return &fuzzed{
		count: -3, small: 200, on: true, rate: 0.5, name: "state", ring: [4]uint16{1, 2, 3, 4}, list: make([]uint32, 2, 8),
		rows: [][]byte{{1}, {2, 3}}, inner: &fuzzedPart{7, []byte("inner")}, parts: []fuzzedPart{{1, nil}, {2, []byte{9}}},
		lookup: map[uint16]int{1: 2, 3: 4},
	}
}

// A checkpoint that somebody forged, with the right head and checksum, is refused or read: it never panics, and a model
// that was read can be saved again.
func FuzzRestore(f *testing.F) {
	whole, err := Save(newFuzzed())
	require.NoError(f, err)
	parts, err := headOf([]any{&fuzzed{}}).Open(bytes.NewReader(whole))
	require.NoError(f, err)
	f.Add(parts[0])
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{0xff}, 64))
	for cut := range parts[0] {
		f.Add(parts[0][:cut])
	}
	f.Fuzz(func(t *testing.T, part []byte) {
		m := newFuzzed()
		forged := headOf([]any{m}).Seal(part)
		if Restore(bytes.NewReader(forged), m) != nil {
			return
		}
		_, err := Save(m)
		require.NoError(t, err)
	})
}

// Each byte of a true checkpoint turned, one at a time and with its checksum made right, is refused or read.
func TestForgedCheckpoints(t *testing.T) {
	whole, err := Save(newFuzzed())
	require.NoError(t, err)
	parts, err := headOf([]any{&fuzzed{}}).Open(bytes.NewReader(whole))
	require.NoError(t, err)
	refused := 0
	for i := range parts[0] {
		for _, turn := range []byte{1, 0x7f, 0x80, 0xff} {
			part := bytes.Clone(parts[0])
			part[i] ^= turn
			m := newFuzzed()
			if Restore(bytes.NewReader(headOf([]any{m}).Seal(part)), m) != nil {
				refused++
				continue
			}
			_, err := Save(m)
			require.NoError(t, err, "byte %d turned by %#x", i, turn)
		}
	}
	require.Positive(t, refused)
	require.NoError(t, Restore(bytes.NewReader(whole), newFuzzed()))
}
