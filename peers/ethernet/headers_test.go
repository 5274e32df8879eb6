package ethernet

import (
	"encoding/binary"
	stdcrc "hash/crc32"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Lengths from destination address to the end, without FCS, from the public headers: Ethernet 14, IPv4 20, UDP 8, BTH
// 12, RETH 16, AETH 4, ICRC 4, TCP 20, and the application's own 8.
func TestFrameLengths(t *testing.T) {
	for _, c := range []struct {
		kind  Kind
		bytes uint32
		want  [3]int // raw, RoCEv2, TCP/IP
	}{
		{ReadRequest, 64, [3]int{22, 74, 62}},
		{ReadResponse, 64, [3]int{86, 126, 126}},
		{WriteRequest, 64, [3]int{86, 138, 126}},
		{Acknowledge, 0, [3]int{22, 62, 62}},
		{ReadResponse, 1024, [3]int{1046, 1086, 1086}},
		{WriteRequest, 100, [3]int{122, 174, 162}},
		{WriteRequest, 1, [3]int{23, 78, 63}}, // RoCEv2 pads data to 4 bytes
	} {
		for s, want := range c.want {
			require.Len(t, Stack(s).appendFrame(nil, 0, Packet{Valid: true, Kind: c.kind, Peer: 1, First: true, Last: true,
				Bytes: c.bytes}), want, "%v %v", Stack(s), c)
		}
	}
}

func drawPacket(t *rapid.T, s Stack) Packet {
	p := Packet{
		Valid: true, Kind: Kind(rapid.IntRange(0, 3).Draw(t, "kind")), Peer: uint8(rapid.IntRange(0, 7).Draw(t, "peer")),
		First: true, Last: true,
		Address: rapid.Uint64Range(0, 1<<40-1).Draw(t, "address"), Bytes: rapid.Uint32Range(0, 1400).Draw(t, "bytes"),
	}
	if p.hasData() {
		p.First, p.Last = rapid.Bool().Draw(t, "first"), rapid.Bool().Draw(t, "last")
	}
	if p.Kind == Acknowledge {
		p.Address, p.Bytes = 0, 0
	}
	if s != RawEthernet {
		p.Seq = rapid.Uint32().Draw(t, "seq") & s.seqMask()
	}
	if s == TCPIP {
		p.Ack = rapid.Uint32().Draw(t, "ack")
	}
	return p
}

func TestParseInvertsAppend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Stack(rapid.IntRange(0, 2).Draw(t, "stack"))
		p := drawPacket(t, s)
		host := rapid.IntRange(0, 7).Draw(t, "host")
		f := s.appendFrame(nil, host, p)
		for len(f) < minBody {
			f = append(f, 0)
		}
		got, ok := s.parse(f, int(p.Peer), 8)
		require.True(t, ok)
		want := p
		want.Peer = uint8(host)
		if p.hasData() {
			want.Digest = stdcrc.ChecksumIEEE(appendData(nil, p.Address, int(p.Bytes)))
			require.Equal(t, digest(p.Address, int(p.Bytes)), want.Digest)
		}
		if _, extra := p.opcode(); s == RoCEv2 && extra != rethLen {
			want.Address = 0 // only the RETH has one
		}
		require.Empty(t, cmp.Diff(want, got))

		_, ok = s.parse(f, int(p.Peer)+1, 8)
		require.False(t, ok, "for another host")
	})
}

// Any single wrong byte after the Ethernet header is found, except in padding and in the fields that ICRC leaves out.
func TestDamageIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Stack(rapid.IntRange(1, 2).Draw(t, "stack"))
		p := drawPacket(t, s)
		f := s.appendFrame(nil, 1, p)
		at := rapid.IntRange(14, len(f)-1).Draw(t, "at")
		f[at] ^= byte(rapid.IntRange(1, 255).Draw(t, "flip"))
		masked := at == 40 || at == 41 || at == 46 // UDP checksum, reserved byte of the BTH
		_, ok := s.parse(f, int(p.Peer), 8)
		require.Equal(t, s == RoCEv2 && masked, ok, "byte %d", at)
	})
}

func TestParseOfNoise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SliceOfN(rapid.Byte(), 0, 120).Draw(t, "frame")
		s := Stack(rapid.IntRange(0, 2).Draw(t, "stack"))
		if len(f) >= 14 && rapid.Bool().Draw(t, "addressed") {
			putMAC(f, MAC(0))
			putMAC(f[6:], MAC(1))
			binary.BigEndian.PutUint16(f[12:], typeIPv4)
		}
		_, ok := s.parse(f, 0, 2)
		require.False(t, ok)
	})
}

// An independent decoder finds the same headers and agrees with the checksums.
func TestHeadersAsOthersReadThem(t *testing.T) {
	p := Packet{Valid: true, Kind: WriteRequest, Peer: 1, First: true, Last: true, Seq: 0x123456, Ack: 77,
		Address: 0x1234567890, Bytes: 101}
	f := TCPIP.appendFrame(nil, 0, p)
	packet := gopacket.NewPacket(f, layers.LayerTypeEthernet, gopacket.Default)
	require.Nil(t, packet.ErrorLayer())
	v4, tcp := packet.Layer(layers.LayerTypeIPv4).(*layers.IPv4), packet.Layer(layers.LayerTypeTCP).(*layers.TCP)
	require.Equal(t, "10.0.0.1", v4.SrcIP.String())
	require.Equal(t, "10.0.0.2", v4.DstIP.String())
	require.Equal(t, uint32(0x123456), tcp.Seq)
	require.Equal(t, uint32(77), tcp.Ack)
	require.True(t, tcp.PSH && tcp.ACK)
	require.Len(t, tcp.Payload, memoryHeader+101)
	again := func(ls ...gopacket.SerializableLayer) []byte {
		b := gopacket.NewSerializeBuffer()
		require.NoError(t, gopacket.SerializeLayers(b,
			gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}, ls...))
		return b.Bytes()
	}
	require.NoError(t, tcp.SetNetworkLayerForChecksum(v4))
	eth := packet.Layer(layers.LayerTypeEthernet).(*layers.Ethernet)
	require.Equal(t, f, again(eth, v4, tcp, gopacket.Payload(tcp.Payload)), "with lengths and checksums computed anew")

	f = RoCEv2.appendFrame(nil, 0, p)
	packet = gopacket.NewPacket(f, layers.LayerTypeEthernet, gopacket.Default)
	require.Nil(t, packet.ErrorLayer())
	v4, udp := packet.Layer(layers.LayerTypeIPv4).(*layers.IPv4), packet.Layer(layers.LayerTypeUDP).(*layers.UDP)
	require.Equal(t, int(v4.Length), len(f)-14)
	require.Equal(t, layers.UDPPort(4791), udp.DstPort)
	require.Equal(t, int(udp.Length), len(f)-34)
	bth := udp.Payload
	require.Equal(t, []byte{0x0a, 3 << 4, 0xff, 0xff, 0, 0, 0, 2, 0x80, 0x12, 0x34, 0x56}, bth[:12],
		"RDMA WRITE Only, 3 bytes of padding")
	require.Equal(t, []byte{0, 0, 0, 0x12, 0x34, 0x56, 0x78, 0x90, 0, 0, 0, 1, 0, 0, 0, 101}, bth[12:28])

	// ICRC by its definition: masked bytes are ones, the local route header of InfiniBand too
	masked := append([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, f[14:len(f)-4]...)
	for _, at := range []int{1, 8, 10, 11, 26, 27, 32} {
		masked[8+at] = 0xff
	}
	require.Equal(t, stdcrc.ChecksumIEEE(masked), binary.LittleEndian.Uint32(f[len(f)-4:]))
}
