package p4_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

func interpreter(t *testing.T, program, commands string) *p4.Interpreter {
	t.Helper()
	p, err := p4.Load(program)
	require.NoError(t, err)
	entries, defaults, err := p4.ReadEntries("entries", strings.NewReader(commands), p)
	require.NoError(t, err)
	in, err := p4.NewInterpreter(p, entries, defaults)
	require.NoError(t, err)
	return in
}

func frame(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	require.NoError(t, err)
	return b
}

const routes = `
table_add my_mac to_router 02:00:00:00:00:01 =>
table_add ipv4_lpm set_nexthop 10.0.0.0/8 => 7   # the shorter prefix
table_add ipv4_lpm set_nexthop 10.1.0.0/16 => 8
table_add nexthop route 8 => 3 02:aa:aa:aa:aa:aa
table_add nexthop route 7 => 4 02:bb:bb:bb:bb:bb
table_add smac_rewrite rewrite 3 => 02:00:00:00:00:03
table_add dmac forward 02:cc:cc:cc:cc:cc => 5
`

// The header's checksums b861 and b961 are from the well-known example of an IPv4 header, worked out by hand: with a
// TTL one lower and another destination they change as RFC 1624 says.
func TestRouterRoutes(t *testing.T) {
	in := interpreter(t, "l2l3", routes)
	//                     destination  source       type version, ..., TTL 64, UDP, checksum, 192.168.0.1, 10.1.0.199
	packet := frame(t, "020000000001 021111111111 0800 4500 0073 0000 4000 4011 0000 c0a80001 0a0100c7 68656c6c6f")
	out := in.Run(1, packet)
	require.False(t, out.Dropped)
	require.Equal(t, 3, out.Port)
	want := frame(t, "02aaaaaaaaaa 020000000003 0800 4500 0073 0000 4000 3f11 0000 c0a80001 0a0100c7 68656c6c6f")
	copy(want[24:26], headerSum(want[14:34]))
	require.Equal(t, hex.EncodeToString(want), hex.EncodeToString(out.Packet))

	packet[31] = 2 // 10.2.0.199: the shorter prefix
	require.Equal(t, 4, in.Run(1, packet).Port)
	packet[30] = 11 // no route
	require.True(t, in.Run(1, packet).Dropped)
	packet[30], packet[22] = 10, 1 // TTL 1
	require.True(t, in.Run(1, packet).Dropped)

	switched := frame(t, "02cccccccccc 021111111111 86dd 6000")
	out = in.Run(9, switched)
	require.Equal(t, 5, out.Port)
	require.Equal(t, switched, out.Packet)
	out = in.Run(9, frame(t, "020000000001 021111111111 0800 4500"))
	require.True(t, out.Dropped, "the header is not valid, and the program drops what has none")
	p, err := p4.Load("l2l3")
	require.NoError(t, err)
	require.Equal(t, p.Errors.PacketTooShort, out.ParserError)
}

// headerSum is RFC 1071 by subtraction from all ones, not as the interpreter adds.
func headerSum(h []byte) []byte {
	sum := 0
	for i := 0; i < len(h); i += 2 {
		if i != 10 {
			sum += int(binary.BigEndian.Uint16(h[i:]))
			if sum > 0xffff {
				sum -= 0xffff
			}
		}
	}
	return binary.BigEndian.AppendUint16(nil, uint16(0xffff-sum))
}

func TestTunnelBeginsAndEnds(t *testing.T) {
	in := interpreter(t, "acl_tunnel", `
table_add port_tenant set_tenant 1 => 77
table_add tenant_route to_tunnel 77 10.0.0.0/8 => 2 5
table_add tunnel_begin begin_tunnel 5 => 192.0.2.1 192.0.2.2 4711
table_add underlay to_underlay 2 => 02:00:00:00:00:02 02:00:00:00:00:01
table_add tunnel_end end_tunnel 192.0.2.2 4711 => 77
table_add acl deny 77&&&0xffffff 0&&&0 10.9.0.0&&&0xffff0000 6&&&0xff 0&&&0 23&&&0xffff => 1
`)
	inner := frame(t, "02bbbbbbbbbb 02aaaaaaaaaa 0800 45000028 0000 4000 4006 0000 0a000001 0a000002 1234 0050 00000000")
	out := in.Run(1, inner)
	require.False(t, out.Dropped)
	require.Equal(t, 2, out.Port)
	require.Equal(t, "020000000002"+"020000000001"+"0800"+"4500005a", hex.EncodeToString(out.Packet[:18])) // 40 + 50 bytes
	require.Equal(t, "123412b500460000"+"0800000000126700", hex.EncodeToString(out.Packet[34:50]))
	require.Equal(t, headerSum(out.Packet[14:34]), out.Packet[24:26])
	require.Equal(t, inner, out.Packet[50:])

	outer := bytes.Clone(out.Packet)
	out = in.Run(9, outer)
	require.False(t, out.Dropped)
	require.Equal(t, inner, out.Packet[50:], "ended, and begun again, as the route says")

	inner[33-2], inner[37] = 9, 23 // 10.9.0.2, port 23
	require.True(t, in.Run(1, inner).Dropped)
}

func TestRandomPacketsNeverPanic(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range p4.ProgramNames() {
		in := interpreter(t, name, "")
		for range 2000 {
			packet := make([]byte, rng.IntN(120))
			for i := range packet {
				packet[i] = byte(rng.Uint32())
			}
			if len(packet) > 14 {
				copy(packet[12:], [][]byte{{8, 0}, {0x88, 0xb5}, {0, 0}}[rng.IntN(3)])
			}
			in.Run(rng.IntN(512), packet)
		}
	}
}
