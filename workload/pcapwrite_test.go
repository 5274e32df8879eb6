package workload

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// latest is the last nanosecond that the 32 bits of seconds in a record hold.
const latest = 1<<32*1_000_000_000 - 1

func TestWritePcapBytes(t *testing.T) {
	le := binary.LittleEndian
	want := slices.Concat(
		classicHeader(le, 0xa1b23c4d, 262144, 1),
		classicRecord(le, 0, 0, 60, testFrame(60)),
		classicRecord(le, 2, 7, 14, testFrame(14)),
		classicRecord(le, 1<<32-1, 999_999_999, 15, testFrame(15)))
	var got bytes.Buffer
	require.NoError(t, WritePcap(&got, []Frame{{testFrame(60), 0}, {testFrame(14), 2e9 + 7}, {testFrame(15), latest}}))
	require.Equal(t, want, got.Bytes())
}

func TestWritePcapThenRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		frame := rapid.Custom(func(t *rapid.T) Frame {
			return Frame{
				Bytes: rapid.SliceOfN(rapid.Byte(), HeaderLen, 80).Draw(t, "bytes"),
				Time:  rapid.Int64Range(0, latest).Draw(t, "time"),
			}
		})
		frames := rapid.SliceOfN(frame, 1, 20).Draw(t, "frames")
		frames[0].Time = 0
		var capture bytes.Buffer
		require.NoError(t, WritePcap(&capture, frames))
		got, err := ReadPcap(&capture, "x", RemoveFCS)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(frames, got))
	})
}

func TestWritePcapErrors(t *testing.T) {
	good := Frame{Bytes: testFrame(60)}
	for _, test := range []struct {
		name   string
		frames []Frame
		want   string
	}{
		{"none", nil, "no frame to write, want at least one"},
		{"short", []Frame{good, {Bytes: testFrame(13)}},
			"record 2: 13 bytes of frame, want at least the 14 of an Ethernet header"},
		{"long", []Frame{{Bytes: testFrame(262145)}}, "record 1: 262145 bytes of frame, want at most 262144"},
		{"early", []Frame{good, {testFrame(60), -1}}, "record 2: time -1 ns, want from 0 to less than 2^32 s"},
		{"late", []Frame{good, {testFrame(60), latest + 1}},
			"record 2: time 4294967296000000000 ns, want from 0 to less than 2^32 s"},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.EqualError(t, WritePcap(&bytes.Buffer{}, test.frames), test.want)
		})
	}
}

func TestWritePcapFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "x.pcap")
	want := []Frame{{testFrame(60), 0}, {testFrame(9014), 1}}
	require.NoError(t, WritePcapFile(path, want))
	got, err := ReadPcapFile(path, RemoveFCS)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(want, got))

	// A failed write leaves the old file, and nothing beside it.
	require.EqualError(t, WritePcapFile(path, append(want, Frame{})),
		path+": record 3: 0 bytes of frame, want at least the 14 of an Ethernet header")
	kept, err := ReadPcapFile(path, RemoveFCS)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(want, kept))
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, entries, 1)

	nowhere := filepath.Join(folder, "missing", "x.pcap")
	require.ErrorContains(t, WritePcapFile(nowhere, want), nowhere+": ")
}
