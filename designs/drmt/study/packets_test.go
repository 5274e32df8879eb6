package study

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/gopacket/gopacket/pcapgo"
	"github.com/stretchr/testify/require"
)

// Packets come with their ports and leave as lines that can be read again, or as a capture whose interfaces are the
// ports.
func TestPacketsInAndOut(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "in.txt")
	require.NoError(t, os.WriteFile(file, []byte("in 0 5 00ff\nout 3 aa\n\nin 1 511\n"), 0o600))
	came, err := readPackets(file)
	require.NoError(t, err)
	require.Equal(t, []packet{{number: 0, port: 5, data: []byte{0, 255}}, {number: 1, port: 511}}, came)
	left := []packet{
		{number: 0, port: 3, time: 40, data: []byte{0xaa, 1}}, {number: 0, port: 0, time: 41, data: []byte{0xbb}},
	}
	var text bytes.Buffer
	require.NoError(t, writePackets(&text, "x.txt", came, left))
	require.Equal(t, "in 0 5 00ff\nout 3 aa01\nout 0 bb\nin 1 511 \n", text.String())
	var capture bytes.Buffer
	require.NoError(t, writePackets(&capture, "x.pcapng", came, left))
	r, err := pcapgo.NewNgReader(&capture, pcapgo.DefaultNgReaderOptions)
	require.NoError(t, err)
	for _, want := range left {
		data, info, err := r.ReadPacketData()
		require.NoError(t, err)
		require.Equal(t, want.data, data)
		require.Equal(t, int(want.port), info.InterfaceIndex)
		require.Equal(t, want.time, info.Timestamp.UnixNano())
	}
	for text, fault := range map[string]string{
		"in 0 512 00\n": `:1: port "512", expected 0 to 511`,
		"in 0 1 0g\n":   `:1: bytes 0g, expected hexadecimal digits`,
		"\nin 0\n":      `:2: 2 words, expected in INDEX PORT BYTES`,
		"out 1 00\n":    `: no line in INDEX PORT BYTES`,
	} {
		bad := filepath.Join(dir, "bad.txt")
		require.NoError(t, os.WriteFile(bad, []byte(text), 0o600))
		_, err := readPackets(bad)
		require.EqualError(t, err, bad+fault)
	}
}
