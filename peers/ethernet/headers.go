package ethernet

import (
	"encoding/binary"
	"math/bits"

	"github.com/goldwire/goldwire/blocks"
)

// Lengths of headers in bytes.
const (
	ethernetHeader = 14
	ipHeader       = 20 // IPv4 without options
	udpHeader      = 8
	tcpHeader      = 20
	bthLen         = 12 // base transport header
	rethLen        = 16 // RDMA extended transport header
	aethLen        = 4  // ACK extended transport header
	icrcLen        = 4
	memoryHeader   = 8 // kind 2, first 1, last 1, bytes 20, address 40: the request of 8 B

	minBody = 60 // a frame of the least length, without FCS
)

const (
	typeIPv4   = 0x0800
	typeMemory = 0x88b5 // Local Experimental EtherType 1 of IEEE Std 802, 9.2.3

	protocolTCP = 6
	protocolUDP = 17
	portRoCE    = 4791
	portMemory  = 49152 // where memory nodes listen with TCP; requesters' ports stand above
)

// Opcodes of the reliable connection (InfiniBand Architecture Specification 1.4, table 38).
const (
	opWriteFirst    = 0x06
	opWriteMiddle   = 0x07
	opWriteLast     = 0x08
	opWriteOnly     = 0x0a
	opReadRequest   = 0x0c
	opReadRespFirst = 0x0d
	opReadRespMid   = 0x0e
	opReadRespLast  = 0x0f
	opReadRespOnly  = 0x10
	opAcknowledge   = 0x11
)

var crc32 = blocks.MustCRC(blocks.CRC32Ethernet)

// MAC is the address of a host: locally administered, individual.
func MAC(host int) uint64 { return 0x02_00_00_00_00_01 + uint64(host) }

// ip is the address of a host: 10.0.0.1 and up.
func ip(host int) uint32 { return 0x0a_00_00_01 + uint32(host) }

// dataWord is the memory's word at an address, and the word that a write to it carries: splitmix64's finaliser.
func dataWord(address uint64) uint64 {
	z := (address + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func appendData(f []byte, address uint64, n int) []byte {
	for ; n >= 8; n -= 8 {
		f = binary.LittleEndian.AppendUint64(f, dataWord(address))
		address += 8
	}
	for w := dataWord(address); n > 0; n-- {
		f = append(f, byte(w))
		w >>= 8
	}
	return f
}

// digest is the CRC-32 of the data at an address.
func digest(address uint64, n int) uint32 {
	c := crc32.Init()
	for ; n >= 8; n -= 8 {
		c = crc32.Update64(c, dataWord(address))
		address += 8
	}
	return uint32(crc32.Final(crc32.UpdateBytes(c, dataWord(address), n)))
}

// hasData tells whether a packet carries data; a read request names it only.
func (p Packet) hasData() bool { return p.Kind == ReadResponse || p.Kind == WriteRequest }

// appendFrame lays out a packet from a host, from the destination address to the end, without padding and FCS.
func (s Stack) appendFrame(f []byte, host int, p Packet) []byte {
	f = append(f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	putMAC(f[0:], MAC(int(p.Peer)))
	putMAC(f[6:], MAC(host))
	data := 0
	if p.hasData() {
		data = int(p.Bytes)
	}
	switch s {
	case RawEthernet:
		f = binary.BigEndian.AppendUint16(f, typeMemory)
		f = binary.BigEndian.AppendUint64(f, p.memoryWord())
		f = appendData(f, p.Address, data)
	case TCPIP:
		f = appendIP(f, protocolTCP, host, int(p.Peer), tcpHeader+memoryHeader+data)
		tcp := len(f)
		source, dest := uint16(portMemory+1+host), uint16(portMemory)
		if p.Kind == ReadResponse || p.Kind == Acknowledge {
			source, dest = portMemory, uint16(portMemory+1+int(p.Peer))
		}
		f = binary.BigEndian.AppendUint16(f, source)
		f = binary.BigEndian.AppendUint16(f, dest)
		f = binary.BigEndian.AppendUint32(f, p.Seq)
		f = binary.BigEndian.AppendUint32(f, p.Ack)
		f = append(f, 0x50, 0x18, 0xff, 0xff, 0, 0, 0, 0) // 5 words; PSH, ACK; window; checksum; urgent pointer
		f = binary.BigEndian.AppendUint64(f, p.memoryWord())
		f = appendData(f, p.Address, data)
		binary.BigEndian.PutUint16(f[tcp+16:], ^fold(tcpSum(f)))
	case RoCEv2:
		f = appendRoCE(f, host, p, data)
	}
	return f
}

func appendRoCE(f []byte, host int, p Packet, data int) []byte {
	op, extra := p.opcode()
	pad := -data & 3
	f = appendIP(f, protocolUDP, host, int(p.Peer), udpHeader+bthLen+extra+data+pad+icrcLen)
	f = binary.BigEndian.AppendUint16(f, 0xc000+uint16(host)) // the source port spreads flows
	f = binary.BigEndian.AppendUint16(f, portRoCE)
	f = binary.BigEndian.AppendUint16(f, uint16(udpHeader+bthLen+extra+data+pad+icrcLen))
	f = append(f, 0, 0) // no UDP checksum
	f = append(f, op, byte(pad)<<4, 0xff, 0xff, 0)
	f = append(f, 0, 0, p.Peer+1) // the queue pair of the peer's end
	ackRequest := byte(0)
	if p.Last {
		ackRequest = 0x80
	}
	f = append(f, ackRequest, byte(p.Seq>>16), byte(p.Seq>>8), byte(p.Seq))
	switch extra {
	case rethLen:
		f = binary.BigEndian.AppendUint64(f, p.Address)
		f = append(f, 0, 0, 0, 1) // remote key
		f = binary.BigEndian.AppendUint32(f, p.Bytes)
	case aethLen:
		f = append(f, 0x1f, 0, 0, 0) // ACK without credit limit
	}
	f = appendData(f, p.Address, data)
	for range pad {
		f = append(f, 0)
	}
	return binary.LittleEndian.AppendUint32(f, icrc(f))
}

// opcode returns the operation of a packet and the length of its extended header.
func (p Packet) opcode() (op byte, extra int) {
	place := 0
	if p.First {
		place |= 1
	}
	if p.Last {
		place |= 2
	}
	switch p.Kind {
	case ReadRequest:
		return opReadRequest, rethLen
	case ReadResponse:
		return [...]byte{opReadRespMid, opReadRespFirst, opReadRespLast, opReadRespOnly}[place],
			[...]int{0, aethLen, aethLen, aethLen}[place]
	case WriteRequest:
		return [...]byte{opWriteMiddle, opWriteFirst, opWriteLast, opWriteOnly}[place],
			[...]int{0, rethLen, 0, rethLen}[place]
	}
	return opAcknowledge, aethLen
}

// memoryWord is the application's header in raw frames and TCP segments.
func (p Packet) memoryWord() uint64 {
	w := uint64(p.Kind&3)<<62 | uint64(p.Bytes&(1<<20-1))<<40 | p.Address&(1<<40-1)
	if p.First {
		w |= 1 << 61
	}
	if p.Last {
		w |= 1 << 60
	}
	return w
}

func (p *Packet) setMemoryWord(w uint64) {
	p.Kind, p.First, p.Last = Kind(w>>62), w>>61&1 == 1, w>>60&1 == 1
	p.Bytes, p.Address = uint32(w>>40)&(1<<20-1), w&(1<<40-1)
}

func putMAC(f []byte, a uint64) {
	binary.BigEndian.PutUint16(f, uint16(a>>32))
	binary.BigEndian.PutUint32(f[2:], uint32(a))
}

func getMAC(f []byte) uint64 {
	return uint64(binary.BigEndian.Uint16(f))<<32 | uint64(binary.BigEndian.Uint32(f[2:]))
}

func appendIP(f []byte, protocol byte, from, to, payload int) []byte {
	f = binary.BigEndian.AppendUint16(f, typeIPv4)
	start := len(f)
	f = append(f, 0x45, 0)
	f = binary.BigEndian.AppendUint16(f, uint16(ipHeader+payload))
	f = append(f, 0, 0, 0x40, 0, 64, protocol, 0, 0) // identification, don't fragment, time to live, protocol, checksum
	f = binary.BigEndian.AppendUint32(f, ip(from))
	f = binary.BigEndian.AppendUint32(f, ip(to))
	binary.BigEndian.PutUint16(f[start+10:], ^fold(sum(f[start:])))
	return f
}

// sum adds the 16-bit words of b (RFC 1071); fold brings the carries back in.
func sum(b []byte) (s uint32) {
	for ; len(b) >= 2; b = b[2:] {
		s += uint32(b[0])<<8 | uint32(b[1])
	}
	if len(b) == 1 {
		s += uint32(b[0]) << 8
	}
	return s
}

func fold(s uint32) uint16 {
	s = s>>16 + s&0xffff
	return uint16(s>>16 + s)
}

// tcpSum adds segment and pseudo-header of a frame that ends with its segment (RFC 9293 3.1).
func tcpSum(f []byte) uint32 {
	segment := f[ethernetHeader+ipHeader:]
	return sum(f[ethernetHeader+12:ethernetHeader+ipHeader]) + protocolTCP + uint32(len(segment)) + sum(segment)
}

// icrc is the invariant CRC of a RoCEv2 frame up to the ICRC itself: FCS's CRC over the packet, with ones in place of
// the fields that routers change and of InfiniBand's local header (RoCEv2 annex A17, 17.3.3).
func icrc(f []byte) uint32 {
	var head [8 + ipHeader + udpHeader + bthLen]byte
	copy(head[8:], f[ethernetHeader:])
	binary.LittleEndian.PutUint64(head[:], ^uint64(0))
	// TOS, TTL, checksums, reserved
	for _, masked := range [...]int{1, 8, 10, 11, ipHeader + 6, ipHeader + 7, ipHeader + udpHeader + 4} {
		head[8+masked] = 0xff
	}
	c := crc32.Update(crc32.Init(), head[:])
	return uint32(crc32.Final(crc32.Update(c, f[ethernetHeader+ipHeader+udpHeader+bthLen:])))
}

// parse reads a frame for a host, padding included. It returns false if anything in it is not as appendFrame makes it.
func (s Stack) parse(f []byte, host, hosts int) (p Packet, ok bool) {
	if len(f) < ethernetHeader+memoryHeader || getMAC(f) != MAC(host) {
		return p, false
	}
	from := getMAC(f[6:]) - MAC(0)
	if from >= uint64(hosts) {
		return p, false
	}
	p.Valid, p.Peer = true, uint8(from)
	kind := binary.BigEndian.Uint16(f[12:])
	if s == RawEthernet {
		return s.parseMemory(p, f[ethernetHeader:], kind == typeMemory, false)
	}
	if kind != typeIPv4 || len(f) < ethernetHeader+ipHeader || f[14] != 0x45 || fold(sum(f[14:14+ipHeader])) != 0xffff {
		return p, false
	}
	total := int(binary.BigEndian.Uint16(f[16:]))
	if ethernetHeader+total > len(f) || binary.BigEndian.Uint32(f[26:]) != ip(int(from)) ||
		binary.BigEndian.Uint32(f[30:]) != ip(host) {
		return p, false
	}
	f = f[:ethernetHeader+total]
	if s == TCPIP {
		if f[23] != protocolTCP || total < ipHeader+tcpHeader+memoryHeader || fold(tcpSum(f)) != 0xffff {
			return p, false
		}
		tcp := f[ethernetHeader+ipHeader:]
		p.Seq, p.Ack = binary.BigEndian.Uint32(tcp[4:]), binary.BigEndian.Uint32(tcp[8:])
		return s.parseMemory(p, tcp[tcpHeader:], true, true)
	}
	return parseRoCE(p, f)
}

// parseMemory reads the application's header and data; exact if nothing may follow.
func (s Stack) parseMemory(p Packet, b []byte, ok, exact bool) (Packet, bool) {
	p.setMemoryWord(binary.BigEndian.Uint64(b))
	b = b[memoryHeader:]
	if p.hasData() {
		if int(p.Bytes) > len(b) {
			return p, false
		}
		p.Digest = uint32(crc32.Checksum(b[:p.Bytes]))
		b = b[p.Bytes:]
	}
	return p, ok && (!exact || len(b) == 0)
}

func parseRoCE(p Packet, f []byte) (Packet, bool) {
	const bth = ethernetHeader + ipHeader + udpHeader
	if f[23] != protocolUDP || len(f) < bth+bthLen+icrcLen || binary.BigEndian.Uint16(f[36:]) != portRoCE {
		return p, false
	}
	body := f[:len(f)-icrcLen]
	if binary.LittleEndian.Uint32(f[len(body):]) != icrc(body) {
		return p, false
	}
	switch op := body[bth]; op {
	case opReadRequest:
		p.Kind, p.First, p.Last = ReadRequest, true, true
	case opReadRespFirst, opReadRespMid, opReadRespLast, opReadRespOnly:
		p.Kind = ReadResponse
		p.First, p.Last = op == opReadRespFirst || op == opReadRespOnly, op == opReadRespLast || op == opReadRespOnly
	case opWriteFirst, opWriteMiddle, opWriteLast, opWriteOnly:
		p.Kind = WriteRequest
		p.First, p.Last = op == opWriteFirst || op == opWriteOnly, op == opWriteLast || op == opWriteOnly
	case opAcknowledge:
		p.Kind, p.First, p.Last = Acknowledge, true, true
	default:
		return p, false
	}
	pad := int(body[bth+1] >> 4 & 3)
	p.Seq = binary.BigEndian.Uint32(body[bth+8:]) & (1<<24 - 1)
	_, extra := p.opcode()
	data := body[bth+bthLen:]
	if len(data) < extra+pad {
		return p, false
	}
	if extra == rethLen {
		p.Address, p.Bytes = binary.BigEndian.Uint64(data), binary.BigEndian.Uint32(data[12:])
	}
	data = data[extra : len(data)-pad]
	if p.hasData() {
		p.Bytes, p.Digest = uint32(len(data)), uint32(crc32.Checksum(data))
	}
	return p, bits.Len64(p.Address) <= 40 && bits.Len32(p.Bytes) <= 20
}
