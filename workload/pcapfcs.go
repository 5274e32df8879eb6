package workload

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/bits"

	"github.com/gopacket/gopacket/pcapgo"
)

// What a capture says of the FCS at the end of its frames. The pcap header says it in its link type word:
//
//	31     28 27 26 25               16 15               0
//	+--------+--+--+-------------------+------------------+
//	| length | 0| F|         0         |    link type     |   length in words of 16 bits, if F is 1
//	+--------+--+--+-------------------+------------------+
//
// A pcapng says it in option if_fcslen of an interface, and in bits 5 to 8 of option epb_flags of a record, which
// counts more.
const (
	pcapFCSPresent   = 1 << 26
	pcapFCSReserved  = 0x0bff0000
	pcapFCSLengthAt  = 28
	bytesPerFCSWord  = 2
	blockSection     = magicPcapng
	blockInterface   = 1
	blockHeadLen     = 12 // bytes of type, length, and a section's byte order mark or the first word of another block
	sectionMark      = 0x1a2b3c4d
	optionEnd        = 0
	optionFCSLen     = 13
	maxInterfaceBody = 1 << 20 // bytes of a description that are looked at
	epbFCSAt         = 5
	epbFCSBits       = 0xf
)

// pcapFCS returns the length in bytes of the FCS that the link type word of a pcap header tells of.
func pcapFCS(link uint32) (int, error) {
	length := 0
	if link&pcapFCSPresent != 0 {
		length = int(link>>pcapFCSLengthAt) * bytesPerFCSWord
	}
	if link&pcapFCSReserved != 0 || link&pcapFCSPresent == 0 && link>>pcapFCSLengthAt != 0 ||
		length != 0 && length != FCSLen {
		return 0, fmt.Errorf("link type word %#08x, want one that tells of no FCS or of %d bytes", link, FCSLen)
	}
	return length, nil
}

// ngFCS follows the blocks of a pcapng as it is read, for the FCS of its interfaces: pcapgo drops it.
type ngFCS struct {
	sections []ngSection
	at       int64 // bytes seen
	head     []byte
	left     int64 // bytes of the block that are still to come
	body     []byte
	keep     bool // the block is an interface
	lost     bool // the blocks are malformed, which pcapgo says better
}

type ngSection struct {
	at    int64            // byte at which it starts
	order binary.ByteOrder // of its numbers
	fcs   []int            // of its interfaces, as their option says; -1 where it does not
}

// follow takes the bytes of the file that were read next.
func (n *ngFCS) follow(rest []byte) {
	for len(rest) > 0 && !n.lost {
		if n.left == 0 {
			k := min(blockHeadLen-len(n.head), len(rest))
			n.head, rest, n.at = append(n.head, rest[:k]...), rest[k:], n.at+int64(k)
			if len(n.head) == blockHeadLen {
				n.begin()
			}
		} else {
			k := int(min(n.left, int64(len(rest))))
			if n.keep && len(n.body) < maxInterfaceBody {
				n.body = append(n.body, rest[:k]...)
			}
			rest, n.at, n.left = rest[k:], n.at+int64(k), n.left-int64(k)
		}
		if n.left == 0 && n.keep {
			n.describe()
		}
	}
}

// begin takes a block's head.
func (n *ngFCS) begin() {
	kind := binary.LittleEndian.Uint32(n.head)
	if kind == blockSection {
		s := ngSection{at: n.at - blockHeadLen, order: binary.LittleEndian}
		if binary.BigEndian.Uint32(n.head[8:]) == sectionMark {
			s.order = binary.BigEndian
		}
		n.sections = append(n.sections, s)
	}
	if len(n.sections) == 0 {
		n.lost = true
		return
	}
	order := n.sections[len(n.sections)-1].order
	n.left = int64(order.Uint32(n.head[4:])) - blockHeadLen
	n.lost = n.left < 0
	n.keep = order.Uint32(n.head) == blockInterface
	n.head, n.body = n.head[:0], n.body[:0]
}

// describe takes an interface's description: snap length, options, the block's length again.
func (n *ngFCS) describe() {
	s := &n.sections[len(n.sections)-1]
	fcs := -1
	for b := n.body[min(4, len(n.body)):]; len(b) >= 8; {
		code, size := s.order.Uint16(b), int(s.order.Uint16(b[2:]))
		if code == optionEnd || 4+size > len(b) {
			break
		}
		if code == optionFCSLen && size > 0 {
			fcs = int(b[4])
		}
		b = b[min(4+(size+3)&^3, len(b)):]
	}
	s.fcs, n.keep = append(s.fcs, fcs), false
}

// of returns the bytes of FCS at the end of a record that ends at byte end.
func (n *ngFCS) of(index int, flags *pcapgo.NgEpbFlags, end int64) (int, error) {
	k := len(n.sections) - 1
	for k > 0 && n.sections[k].at >= end {
		k--
	}
	if k < 0 {
		return 0, nil
	}
	s := n.sections[k]
	if flags != nil {
		word := flags.ToUint32()
		if s.order == binary.BigEndian {
			word = bits.ReverseBytes32(word) // pcapgo takes it as little-endian
		}
		if length := int(word >> epbFCSAt & epbFCSBits); length != 0 {
			return checkFCS("epb_flags tells", length)
		}
	}
	if index < len(s.fcs) && s.fcs[index] > 0 {
		return checkFCS("if_fcslen of the interface tells", s.fcs[index])
	}
	return 0, nil
}

// compareFCS compares the FCS, the last length bytes of data, with the CRC-32 of the bytes before it (IEEE Std 802.3,
// 3.2.9). On the line, and so in a capture, the CRC's least significant byte is the first. A length of 0 is an error:
// the capture says that the frame has no FCS.
func compareFCS(data []byte, length int) error {
	if length != FCSLen {
		return errors.New("the capture says of no FCS here, want one to check")
	}
	frame, fcs := data[:len(data)-length], data[len(data)-length:]
	if got, want := binary.LittleEndian.Uint32(fcs), crc32.ChecksumIEEE(frame); got != want {
		return fmt.Errorf("FCS %#08x, want %#08x", got, want)
	}
	return nil
}

// checkFCS takes 4 bytes, which some writers give as 32 bits, since drafts of the format differ in the unit.
func checkFCS(what string, length int) (int, error) {
	if length != FCSLen && length != 8*FCSLen {
		return 0, fmt.Errorf("%s of an FCS of %d bytes, want none or %d", what, length, FCSLen)
	}
	return FCSLen, nil
}
