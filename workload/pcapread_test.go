package workload

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// The captures here are put together by hand from the two format drafts, not with the library that reads them.

type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// words appends 32-bit words.
func words(order byteOrder, b []byte, values ...uint32) []byte {
	for _, v := range values {
		b = order.AppendUint32(b, v)
	}
	return b
}

// classicHeader is the file header of draft-ietf-opsawg-pcap, section 4: magic, version 2.4, two reserved words, snap
// length, link type.
func classicHeader(order byteOrder, magic, snapLength, link uint32) []byte {
	b := words(order, nil, magic)
	b = order.AppendUint16(b, 2)
	b = order.AppendUint16(b, 4)
	return words(order, b, 0, 0, snapLength, link)
}

// classicRecord is the record of section 5: seconds, fraction, captured length, original length, data.
func classicRecord(order byteOrder, seconds, fraction uint32, original int, data []byte) []byte {
	return append(words(order, nil, seconds, fraction, uint32(len(data)), uint32(original)), data...)
}

// block is the general block of draft-ietf-opsawg-pcapng, section 3.1: type, total length, body padded to 32 bits,
// total length again.
func block(order byteOrder, kind uint32, body []byte) []byte {
	body = append(slices.Clone(body), make([]byte, -len(body)&3)...)
	total := uint32(len(body) + 12)
	return words(order, append(words(order, nil, kind, total), body...), total)
}

// section is the section header block (4.1): byte-order magic, version 1.0, unknown section length.
func section(order byteOrder) []byte {
	b := words(order, nil, 0x1a2b3c4d)
	b = order.AppendUint16(b, 1)
	b = order.AppendUint16(b, 0)
	return block(order, 0x0a0d0d0a, words(order, b, 0xffffffff, 0xffffffff))
}

// iface is the interface description block (4.2) with option if_tsresol (9).
func iface(order byteOrder, link uint16, resolution byte) []byte {
	b := order.AppendUint16(nil, link)
	b = order.AppendUint16(b, 0)
	b = words(order, b, 0) // snap length: none
	b = order.AppendUint16(b, 9)
	b = order.AppendUint16(b, 1)
	b = append(b, resolution, 0, 0, 0)
	return block(order, 1, words(order, b, 0)) // opt_endofopt
}

// ifaceFCS is an interface of Ethernet with options if_tsresol of 9 and if_fcslen (13).
func ifaceFCS(order byteOrder, length byte) []byte {
	b := words(order, order.AppendUint16(order.AppendUint16(nil, 1), 0), 0)
	b = append(order.AppendUint16(order.AppendUint16(b, 9), 1), 9, 0, 0, 0)
	b = append(order.AppendUint16(order.AppendUint16(b, 13), 1), length, 0, 0, 0)
	return block(order, 1, words(order, b, 0))
}

// packetFlags is an enhanced packet block of interface 0 with option epb_flags (2).
func packetFlags(order byteOrder, flags uint32, data []byte) []byte {
	b := words(order, nil, 0, 0, 0, uint32(len(data)), uint32(len(data)))
	b = append(append(b, data...), make([]byte, -len(data)&3)...)
	b = words(order, order.AppendUint16(order.AppendUint16(b, 2), 4), flags, 0)
	return block(order, 6, b)
}

// packet is the enhanced packet block (4.3): interface, time in two halves, captured and original length, data.
func packet(order byteOrder, number uint32, time uint64, original int, data []byte) []byte {
	b := words(order, nil, number, uint32(time>>32), uint32(time), uint32(len(data)), uint32(original))
	return block(order, 6, append(b, data...))
}

// testFrame is n bytes that are all different from their neighbours.
func testFrame(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + n)
	}
	return b
}

func TestReadPcapFormats(t *testing.T) {
	a, b, c := testFrame(60), testFrame(15), testFrame(9014)
	// Three frames: one second less one microsecond after the first, and one that is older than the first.
	const s = 1_700_000_000
	classic := func(order byteOrder, magic, fraction uint32) []byte {
		return slices.Concat(
			classicHeader(order, magic, 65535, 1),
			classicRecord(order, s, 2*fraction, len(a), a),
			classicRecord(order, s+1, fraction, len(b), b),
			classicRecord(order, s, 0, len(c), c))
	}
	ng := func(order byteOrder, resolution byte, second uint64) []byte {
		return slices.Concat(
			section(order), iface(order, 1, resolution),
			packet(order, 0, s*second+2*second/1e6, len(a), a),
			block(order, 0xbad, []byte("a block of an unknown type")),
			packet(order, 0, (s+1)*second+second/1e6, len(b), b),
			packet(order, 0, s*second, len(c), c),
			block(order, 5, words(order, nil, 0, 0, 0))) // interface statistics
	}
	want := []Frame{{a, 0}, {b, 1e9 - 1000}, {c, -2000}}

	for name, capture := range map[string][]byte{
		"pcap little-endian microseconds":   classic(binary.LittleEndian, 0xa1b2c3d4, 1),
		"pcap big-endian microseconds":      classic(binary.BigEndian, 0xa1b2c3d4, 1),
		"pcap little-endian nanoseconds":    classic(binary.LittleEndian, 0xa1b23c4d, 1000),
		"pcap big-endian nanoseconds":       classic(binary.BigEndian, 0xa1b23c4d, 1000),
		"pcapng little-endian microseconds": ng(binary.LittleEndian, 6, 1e6),
		"pcapng big-endian nanoseconds":     ng(binary.BigEndian, 9, 1e9),
		"pcapng with an unused interface of Wi-Fi": slices.Concat(ng(binary.LittleEndian, 9, 1e9),
			iface(binary.LittleEndian, 105, 6)),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ReadPcap(bytes.NewReader(capture), "x", RemoveFCS)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(want, got))
		})
	}
}

// Where a capture says that frames carry their FCS, it is taken off, and nothing else is.
func TestReadPcapTakesTheFCSOff(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	bare, padded := testFrame(61), append(testFrame(61), 0xde, 0xad, 0xbe, 0xef)
	// longer than any buffer: the next section is not seen yet
	many := bytes.Repeat(packet(le, 1, 0, len(padded), padded), 200)
	for name, c := range map[string]struct {
		capture []byte
		frames  int
	}{
		"pcap little-endian": {slices.Concat(classicHeader(le, 0xa1b23c4d, 65535, 0x24000001),
			classicRecord(le, 0, 0, len(padded), padded)), 1},
		"pcap big-endian": {slices.Concat(classicHeader(be, 0xa1b2c3d4, 65535, 0x24000001),
			classicRecord(be, 0, 0, len(padded), padded)), 1},
		"pcap, length of 0": {slices.Concat(classicHeader(le, 0xa1b23c4d, 65535, 0x04000001),
			classicRecord(le, 0, 0, len(bare), bare)), 1},
		"if_fcslen":         {slices.Concat(section(le), ifaceFCS(le, 4), packet(le, 0, 0, len(padded), padded)), 1},
		"if_fcslen in bits": {slices.Concat(section(be), ifaceFCS(be, 32), packet(be, 0, 0, len(padded), padded)), 1},
		"if_fcslen of 0":    {slices.Concat(section(le), ifaceFCS(le, 0), packet(le, 0, 0, len(bare), bare)), 1},
		"one interface of two": {slices.Concat(section(le), iface(le, 1, 9), ifaceFCS(le, 4),
			packet(le, 1, 0, len(padded), padded),
			packet(le, 0, 0, len(bare), bare)), 2},
		"one section of two": {slices.Concat(section(le), iface(le, 1, 9), ifaceFCS(le, 4), many, section(be),
			iface(be, 1, 9), iface(be, 1, 9),
			packet(be, 1, 0, len(bare), bare)), 201},
		"sections within one buffer": {slices.Concat(section(le), ifaceFCS(le, 4), packet(le, 0, 0, len(padded), padded),
			section(be), iface(be, 1, 9),
			packet(be, 0, 0, len(bare), bare)), 2},
		"epb_flags": {slices.Concat(section(le), iface(le, 1, 9), packetFlags(le, 4<<5|1, padded),
			packetFlags(le, 1, bare)), 2},
		"epb_flags big-endian": {slices.Concat(section(be), iface(be, 1, 9), packetFlags(be, 4<<5|1, padded),
			packetFlags(be, 1, bare)), 2},
		"epb_flags says nothing": {slices.Concat(section(le), ifaceFCS(le, 4), packetFlags(le, 1, padded)), 1},
		"an unknown block between": {slices.Concat(section(le), block(le, 0xbad, testFrame(9000)), ifaceFCS(le, 4),
			packet(le, 0, 0, len(padded), padded)), 1},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ReadPcap(bytes.NewReader(c.capture), "x", RemoveFCS)
			require.NoError(t, err)
			require.Len(t, got, c.frames)
			for _, f := range got {
				require.Equal(t, bare, f.Bytes)
			}
		})
	}
}

func TestReadPcapErrors(t *testing.T) {
	le := binary.LittleEndian
	header := classicHeader(le, 0xa1b2c3d4, 262144, 1)
	whole := slices.Concat(header, classicRecord(le, 0, 0, 60, testFrame(60))) // 24 + 16 + 60 bytes
	ngHeader := slices.Concat(section(le), iface(le, 1, 9))                    // 28 + 32 bytes
	ngWhole := slices.Concat(ngHeader, packet(le, 0, 0, 60, testFrame(60)))    // and 92
	then := func(head []byte, tail ...[]byte) []byte { return slices.Concat(head, slices.Concat(tail...)) }

	for _, test := range []struct {
		name    string
		capture []byte
		want    string
	}{
		{"no byte", nil, "x: truncated in the file's header: the capture ends at byte 0, want 4 bytes of pcap or pcapng"},
		{"text", []byte("hello, world"), "x: byte 0: magic number 68 65 6c 6c, want a pcap or pcapng file"},
		{"file header", header[:23],
			"x: truncated in the file's header: the capture ends at byte 23, want 24 bytes of pcap or pcapng"},
		{"version", slices.Replace(slices.Clone(header), 4, 5, 3),
			"x: byte 0: want a pcap file header: Unknown major version 3"},
		{"link type", classicHeader(binary.BigEndian, 0xa1b23c4d, 65535, 113),
			"x: byte 20: link type 113 (Linux SLL), want 1 (Ethernet)"},
		{"FCS of 2 bytes", classicHeader(le, 0xa1b23c4d, 65535, 0x14000001),
			"x: byte 20: link type word 0x14000001, want one that tells of no FCS or of 4 bytes"},
		{"FCS without its flag", classicHeader(le, 0xa1b23c4d, 65535, 0x20000001),
			"x: byte 20: link type word 0x20000001, want one that tells of no FCS or of 4 bytes"},
		{"FCS and no header", then(classicHeader(le, 0xa1b23c4d, 65535, 0x24000001),
			classicRecord(le, 0, 0, 17, testFrame(17))),
			"x: record 1 at byte 24: 13 bytes of frame, want at least the 14 of an Ethernet header"},
		{"pcapng FCS of 2 bytes", then(section(le), ifaceFCS(le, 2), packet(le, 0, 0, 60, testFrame(60))),
			"x: record 1 at byte 28: if_fcslen of the interface tells of an FCS of 2 bytes, want none or 4"},
		{"empty", header, "x: byte 24: the capture ends, want at least one frame"},
		{"record header", then(whole, make([]byte, 15)),
			"x: record 2 at byte 100: truncated in the record's header: the capture ends at byte 115"},
		{"record data", whole[:99],
			"x: record 1 at byte 24: truncated in the record's data: the capture ends at byte 99, want 60 bytes of frame"},
		{"no record data", whole[:40],
			"x: record 1 at byte 24: truncated in the record's data: the capture ends at byte 40, want 60 bytes of frame"},
		{"cut short", then(whole, classicRecord(le, 0, 0, 1514, testFrame(64))),
			"x: record 2 at byte 100: cut short to 64 of 1514 bytes, want a capture of whole frames (a larger snap length)"},
		{"longer than itself", then(whole, classicRecord(le, 0, 0, 63, testFrame(64))),
			"x: record 2 at byte 100: 64 bytes captured of a frame of 63, want no more than the frame has"},
		{"no header of a frame", then(whole, classicRecord(le, 0, 0, 13, testFrame(13))),
			"x: record 2 at byte 100: 13 bytes of frame, want at least the 14 of an Ethernet header"},
		{"no frame at all", then(whole, classicRecord(le, 0, 0, 0, nil)),
			"x: record 2 at byte 100: 0 bytes of frame, want at least the 14 of an Ethernet header"},
		{"absurd length", then(whole, words(le, nil, 0, 0, 262145, 262145)),
			"x: record 2 at byte 100: 262145 bytes of frame, want at most 262144"},

		{"pcapng section", section(le)[:27], "x: byte 0: want a pcapng section header: unexpected EOF"},
		{"pcapng empty", ngHeader, "x: byte 60: the capture ends, want at least one frame"},
		{"pcapng block header", ngWhole[:67],
			"x: record 1 at byte 28: truncated in the record's header: the capture ends at byte 67"},
		{"pcapng packet header", ngWhole[:80],
			"x: record 1 at byte 28: truncated in the record's header: the capture ends at byte 80"},
		{"pcapng data", ngWhole[:120],
			"x: record 1 at byte 28: truncated in the record's data: the capture ends at byte 120, want 60 bytes of frame"},
		{"pcapng trailer", ngWhole[:151],
			"x: record 1 at byte 28: truncated in the record's data: the capture ends at byte 151, want 60 bytes of frame"},
		{"pcapng interface", then(ngWhole, packet(le, 1, 0, 60, testFrame(60))),
			"x: record 2 at byte 152: Interface id 1 not present in section (have only 1 interfaces)"},
		{"pcapng link type", then(ngWhole, iface(le, 105, 9), packet(le, 1, 0, 60, testFrame(60))),
			"x: record 2 at byte 152: link type 105 (802.11), want 1 (Ethernet)"},
		{"pcapng cut short", then(ngWhole, packet(le, 0, 0, 99, testFrame(60))),
			"x: record 2 at byte 152: cut short to 60 of 99 bytes, want a capture of whole frames (a larger snap length)"},
		{"pcapng binary time", then(section(le), iface(le, 1, 0x80|29), packet(le, 0, 0, 60, testFrame(60))),
			"x: record 1 at byte 28: timestamps count 2^-29 s, want 10^-9 s or a coarser power of ten"},
		{"pcapng picoseconds", then(section(le), iface(le, 1, 12), packet(le, 0, 0, 60, testFrame(60))),
			"x: record 1 at byte 28: timestamps count 10^-12 s, want 10^-9 s or a coarser power of ten"},
		{"pcapng ages apart", then(section(le), iface(le, 1, 6), packet(le, 0, 0, 60, testFrame(60)),
			packet(le, 0, 1e16, 60, testFrame(60))),
			"x: record 2 at byte 152: timestamp 2286-11-20 17:46:40 +0000 UTC, want one within 292 years of the first"},
	} {
		t.Run(test.name, func(t *testing.T) {
			frames, err := ReadPcap(bytes.NewReader(test.capture), "x", RemoveFCS)
			require.EqualError(t, err, test.want)
			require.Nil(t, frames)
		})
	}
}

// A simple packet block has no time: its frame comes with the one before it, the first one at 0.
func TestReadPcapngWithoutTimes(t *testing.T) {
	le := binary.LittleEndian
	simple := block(le, 3, append(words(le, nil, 60), testFrame(60)...))
	frames, err := ReadPcap(bytes.NewReader(slices.Concat(section(le), iface(le, 1, 6), simple,
		packet(le, 0, 5_000_000, 60, testFrame(60)), simple, packet(le, 0, 5_000_007, 60, testFrame(60)), simple)),
		"x", RemoveFCS)
	require.NoError(t, err)
	var times []int64
	for _, f := range frames {
		require.Equal(t, testFrame(60), f.Bytes)
		times = append(times, f.Time)
	}
	require.Equal(t, []int64{0, 0, 0, 7000, 7000}, times)
}

// A capture packed by gzip is read as if it were not. One that is cut short is an error.
func TestReadPcapOfGzip(t *testing.T) {
	le := binary.LittleEndian
	plain := slices.Concat(
		section(le), iface(le, 1, 6), packet(le, 0, 0, 60, testFrame(60)), packet(le, 0, 9, 60, testFrame(60)),
	)
	want, err := ReadPcap(bytes.NewReader(plain), "x", RemoveFCS)
	require.NoError(t, err)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err = w.Write(plain)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	got, err := ReadPcap(bytes.NewReader(packed.Bytes()), "x", RemoveFCS)
	require.NoError(t, err)
	require.Equal(t, want, got)
	_, err = ReadPcap(bytes.NewReader(packed.Bytes()[:5]), "x.gz", RemoveFCS)
	require.EqualError(t, err, "x.gz: gzip: unexpected EOF")
	_, err = ReadPcap(bytes.NewReader(packed.Bytes()[:packed.Len()-20]), "x.gz", RemoveFCS)
	require.ErrorContains(t, err, "x.gz: record ")
	require.ErrorContains(t, err, "unexpected EOF")
}

// A length field costs no memory beyond what the capture holds.
func TestReadPcapAbsurdLengthAllocation(t *testing.T) {
	le := binary.LittleEndian
	lying := words(le, nil, 0, 0, 0xfffffff0, 0xfffffff0)
	for name, capture := range map[string][]byte{
		"pcap": slices.Concat(classicHeader(le, 0xa1b2c3d4, 0xffffffff, 1), lying, testFrame(100)),
		"pcapng": slices.Concat(section(le), iface(le, 1, 9),
			block(le, 6, slices.Concat(words(le, nil, 0), lying, testFrame(100)))),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := ReadPcap(bytes.NewReader(capture), "x", RemoveFCS)
			runtime.ReadMemStats(&after)
			require.ErrorContains(t, err, "4294967280 bytes of frame, want at most 262144")
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4<<20))
		})
	}
}

func TestReadPcapFile(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.pcap")
	_, err := ReadPcapFile(missing, RemoveFCS)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, missing)

	folder := t.TempDir()
	_, err = ReadPcapFile(folder, RemoveFCS)
	require.ErrorContains(t, err, folder+": read ")
}

func FuzzReadPcap(f *testing.F) {
	for _, order := range []byteOrder{binary.LittleEndian, binary.BigEndian} {
		f.Add(slices.Concat(
			classicHeader(order, 0xa1b23c4d, 65535, 1),
			classicRecord(order, 1, 2, 60, testFrame(60)),
			classicRecord(order, 1, 3, 15, testFrame(15))))
		f.Add(slices.Concat(
			section(order), iface(order, 1, 6), packet(order, 0, 5, 60, testFrame(60)),
			block(order, 4, words(order, nil, 0)), // name resolution
			iface(order, 105, 9), packet(order, 0, 6, 15, testFrame(15)),
			section(order), iface(order, 1, 9), packet(order, 0, 7, 14, testFrame(14))))
	}
	f.Fuzz(func(t *testing.T, capture []byte) {
		frames, err := ReadPcap(bytes.NewReader(capture), "fuzzed", RemoveFCS)
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "fuzzed: "), err)
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.NotEmpty(t, frames)
		require.Zero(t, frames[0].Time)
		held := 0
		for _, frame := range frames {
			held += len(frame.Bytes)
		}
		require.Less(t, held, len(capture))

		var rewritten bytes.Buffer
		if err := WritePcap(&rewritten, frames); err != nil { // for its times: the lengths were read
			require.ErrorContains(t, err, "want from 0 to less than 2^32 s")
			return
		}
		again, err := ReadPcap(&rewritten, "rewritten", RemoveFCS)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(frames, again))
	})
}

// A wrong FCS and a missing one are refused where they are to be checked, by the record and its place, and taken off
// and kept out of sight elsewhere. The right one is the CRC of the standard, its least significant byte first.
func TestReadPcapChecksTheFCS(t *testing.T) {
	le := binary.LittleEndian
	frame := testFrame(61)
	right := le.AppendUint32(slices.Clone(frame), crc32.ChecksumIEEE(frame))
	wrong := slices.Clone(right)
	wrong[3] ^= 1
	header := classicHeader(le, 0xa1b23c4d, 65535, 0x24000001)
	record := func(b []byte) []byte { return classicRecord(le, 0, 0, len(b), b) }

	got, err := ReadPcap(bytes.NewReader(slices.Concat(header, record(right), record(right))), "x", CheckFCS)
	require.NoError(t, err)
	require.Equal(t, [][]byte{frame, frame}, [][]byte{got[0].Bytes, got[1].Bytes})

	bad := slices.Concat(header, record(right), record(wrong))
	_, err = ReadPcap(bytes.NewReader(bad), "x", CheckFCS)
	require.ErrorContains(t, err, fmt.Sprintf("x: record 2 at byte %d: FCS %#08x, want %#08x", 24+16+len(right),
		le.Uint32(right[61:]), crc32.ChecksumIEEE(wrong[:61])))
	got, err = ReadPcap(bytes.NewReader(bad), "x", RemoveFCS)
	require.NoError(t, err)
	require.Len(t, got, 2)

	none := slices.Concat(classicHeader(le, 0xa1b23c4d, 65535, 1), record(frame))
	_, err = ReadPcap(bytes.NewReader(none), "x", CheckFCS)
	require.ErrorContains(t, err, "x: record 1 at byte 24: the capture says of no FCS here, want one to check")
}
