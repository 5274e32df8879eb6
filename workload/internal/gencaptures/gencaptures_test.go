package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/workload"
)

const captures = "../../../testdata/captures"

// terminates counts frames by size modulo 8, which decides at which of the eight positions of a block a 64b/66b line
// ends a frame.
func terminates(frames []workload.Frame) (count [8]int) {
	for _, frame := range frames {
		size := max(len(frame.Bytes)+workload.FCSLen, workload.MinFrameSize)
		count[size%8]++
	}
	return count
}

func TestGeneratedIsCommitted(t *testing.T) {
	const hint = "if the generator was meant to change, run: go generate ./workload"
	remade := filepath.Join(t.TempDir(), "generated.pcap")
	require.NoError(t, run([]string{"generated", remade}))
	want, err := os.ReadFile(filepath.Join(captures, "generated.pcap"))
	require.NoError(t, err)
	got, err := os.ReadFile(remade)
	require.NoError(t, err)
	require.True(t, bytes.Equal(want, got), hint)
}

func TestGeneratedCoversSizes(t *testing.T) {
	frames, err := workload.ReadPcapFile(filepath.Join(captures, "generated.pcap"), workload.RemoveFCS)
	require.NoError(t, err)
	seen := map[int]bool{}
	for _, frame := range frames {
		seen[len(frame.Bytes)+workload.FCSLen] = true
	}
	for size := 64; size <= 136; size++ {
		require.Contains(t, seen, size)
	}
	for _, size := range []int{594, 1518, 1522, 2048, 4096, 9000, workload.MaxFrameSize} {
		require.Contains(t, seen, size)
	}
	for position, n := range terminates(frames) {
		require.GreaterOrEqual(t, n, 15, "position %d", position)
	}
}

// The recording holds exactly the connection that traffic makes: both byte streams come back whole when its segments
// are put together by their sequence numbers, and the sums that the sender's kernel wrote agree.
func TestLoopbackHoldsTheTraffic(t *testing.T) {
	frames, err := workload.ReadPcapFile(filepath.Join(captures, "loopback-tcp.pcap"), workload.RemoveFCS)
	require.NoError(t, err)
	require.Zero(t, frames[0].Time)

	const client, server = 0, 1
	var stream [2][]byte // of each side's segments
	var initial [2]uint32
	var syn, fin [2]int
	for i, frame := range frames {
		b := frame.Bytes
		require.LessOrEqual(t, len(b)+workload.FCSLen, workload.MaxFrameSize, "frame %d", i)
		if i > 0 {
			require.GreaterOrEqual(t, frame.Time, frames[i-1].Time, "frame %d", i)
		}
		require.Equal(t, append(make([]byte, 12), 0x08, 0x00), b[:14], "frame %d: zero addresses, IPv4", i)

		ip := b[14:34]
		require.EqualValues(t, 0x45, ip[0], "version 4, no options")
		require.EqualValues(t, len(b)-14, binary.BigEndian.Uint16(ip[2:]))
		require.Equal(t, append([]byte{127, 0, 0, 1}, 127, 0, 0, 1), ip[12:20])
		require.EqualValues(t, 0xffff, onesSum(ip), "frame %d: checksum of the IPv4 header (RFC 791)", i)

		tcp := b[34:]
		// Linux leaves the rest of the sum to the interface, and loopback has none: the frame's field holds the sum of the
		// pseudo-header alone (RFC 9293, 3.1).
		pseudo := append(bytes.Clone(ip[12:20]), 0, ip[9])
		pseudo = binary.BigEndian.AppendUint16(pseudo, uint16(len(tcp)))
		require.Equal(t, onesSum(pseudo), binary.BigEndian.Uint16(tcp[16:]), "frame %d", i)

		side := client
		if binary.BigEndian.Uint16(tcp) == 9000 {
			side = server
		}
		const finFlag, synFlag = 1, 2
		sequence, flags, data := binary.BigEndian.Uint32(tcp[4:]), tcp[13], tcp[tcp[12]>>4*4:]
		if flags&synFlag != 0 {
			initial[side] = sequence + 1
			syn[side]++
		}
		if flags&finFlag != 0 {
			fin[side]++
		}
		if len(data) > 0 { // loopback neither loses nor reorders
			require.EqualValues(t, len(stream[side]), sequence-initial[side], "frame %d", i)
			stream[side] = append(stream[side], data...)
		}
	}
	up, down := payloads()
	require.True(t, bytes.Equal(up, stream[client]), "client's stream: got %d bytes, want %d",
		len(stream[client]), len(up))
	require.True(t, bytes.Equal(down, stream[server]), "server's stream: got %d bytes, want %d",
		len(stream[server]), len(down))
	require.Equal(t, [2]int{1, 1}, syn)
	require.Equal(t, [2]int{1, 1}, fin)
	for position, n := range terminates(frames) {
		require.GreaterOrEqual(t, n, 15, "position %d", position)
	}
}

// onesSum is the 16-bit one's complement sum of RFC 1071 over an even number of bytes.
func onesSum(b []byte) uint16 {
	var sum uint32
	for ; len(b) > 0; b = b[2:] {
		sum += uint32(binary.BigEndian.Uint16(b))
	}
	for sum > 0xffff {
		sum = sum&0xffff + sum>>16
	}
	return uint16(sum)
}

func TestTrafficRuns(t *testing.T) {
	require.NoError(t, traffic("127.0.0.1:0"))
}

func TestRebaseCountsFromFirstFrame(t *testing.T) {
	in, out := filepath.Join(t.TempDir(), "in.pcap"), filepath.Join(t.TempDir(), "out.pcap")
	frame := make([]byte, 60)
	require.NoError(t, workload.WritePcapFile(in,
		[]workload.Frame{{Bytes: frame, Time: 5e9 + 3}, {Bytes: frame, Time: 7e9 + 1}}))
	require.NoError(t, run([]string{"rebase", in, out}))
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	stamps := func(at int) [2]uint32 {
		return [2]uint32{binary.LittleEndian.Uint32(b[at:]), binary.LittleEndian.Uint32(b[at+4:])}
	}
	require.Equal(t, [2]uint32{0, 0}, stamps(24))
	require.Equal(t, [2]uint32{1, 999_999_998}, stamps(24+16+60))
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"generated"}, {"rebase", "x"}, {"other", "x"}} {
		require.EqualError(t, run(args), usage)
	}
}
