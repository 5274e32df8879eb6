package spfc

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
)

// PFC frames as IEEE 802.1Qbb and IEEE 802.3 Annex 31D have them.
const (
	// PFCFrameBytes is a frame's length from destination address to FCS, the least that Ethernet has.
	PFCFrameBytes = 64

	macControl = 0x8808 // EtherType (802.3 31.4.1.3)
	pfcOpcode  = 0x0101 // 802.3 31D.2

	// quantumBytes is a pause_quantum, 512 bit times (802.3 31B.2), in bytes of line time.
	quantumBytes = 64
)

// pfcAddress is the group address of MAC control frames (802.3 31B.1).
var pfcAddress = [6]byte{0x01, 0x80, 0xc2, 0x00, 0x00, 0x01}

// PFCFrame is what a PFC frame says: for each priority that bit n of Enable names, how many quanta of 512 bit times it
// pauses; 0 ends the pause.
type PFCFrame struct {
	Enable uint8
	Quanta [Priorities]uint16
}

// AppendBytes appends the frame from destination address to FCS:
//
//	bytes  0-5    6-11    12-13      14-15   16-17         18-33            34-59  60-63
//	       to     source  EtherType  opcode  class enable  8 x 16 bit time  0      FCS
//
// All fields are big-endian. Times of classes that are not enabled are sent as they stand; a receiver does not look at
// them.
func (f *PFCFrame) AppendBytes(dst []byte, source [6]byte) []byte {
	at := len(dst)
	dst = append(dst, pfcAddress[:]...)
	dst = append(dst, source[:]...)
	dst = binary.BigEndian.AppendUint16(dst, macControl)
	dst = binary.BigEndian.AppendUint16(dst, pfcOpcode)
	dst = append(dst, 0, f.Enable) // the more significant byte is reserved
	for _, q := range f.Quanta {
		dst = binary.BigEndian.AppendUint16(dst, q)
	}
	for len(dst) < at+PFCFrameBytes-4 {
		dst = append(dst, 0)
	}
	return append(dst[:at], appendFCS(dst[at:])...)
}

// appendFCS appends a frame's check sequence (802.3 3.2.9).
func appendFCS(frame []byte) []byte {
	return binary.LittleEndian.AppendUint32(frame, crc32.ChecksumIEEE(frame))
}

// pfcFrame returns a frame about a set of priorities: the paused ones get the quanta, the others 0.
func pfcFrame(enable, paused uint8, quanta uint16) PFCFrame {
	f := PFCFrame{Enable: enable}
	for prio := range f.Quanta {
		if paused>>prio&1 != 0 {
			f.Quanta[prio] = max(quanta, 1)
		}
	}
	return f
}

// pfcVerdict says what a received frame of 64 bytes is.
type pfcVerdict uint8

const (
	pfcGood pfcVerdict = iota
	pfcWrongFCS
	pfcOther // a whole frame, but not PFC's
)

// read takes a frame apart.
func (f *PFCFrame) read(b *[PFCFrameBytes]byte) pfcVerdict {
	if crc32.ChecksumIEEE(b[:60]) != binary.LittleEndian.Uint32(b[60:]) {
		return pfcWrongFCS
	}
	if [6]byte(b[:6]) != pfcAddress || binary.BigEndian.Uint16(b[12:]) != macControl ||
		binary.BigEndian.Uint16(b[14:]) != pfcOpcode {
		return pfcOther
	}
	f.Enable = b[17]
	for i := range f.Quanta {
		f.Quanta[i] = binary.BigEndian.Uint16(b[18+2*i:])
	}
	return pfcGood
}

// ParsePFC reads a frame from destination address to FCS. For another frame it returns an error that names the wrong
// field.
func ParsePFC(b []byte) (PFCFrame, error) {
	var f PFCFrame
	if len(b) != PFCFrameBytes {
		return f, fmt.Errorf("a frame of %d bytes, want %d", len(b), PFCFrameBytes)
	}
	switch f.read((*[PFCFrameBytes]byte)(b)) {
	case pfcWrongFCS:
		return f, fmt.Errorf("FCS %x, want %x", b[60:], appendFCS(slices.Clone(b[:60]))[60:])
	case pfcOther:
		return f, fmt.Errorf("to %x, EtherType and opcode %x: want %x, %04x%04x", b[:6], b[12:16], pfcAddress,
			macControl, pfcOpcode)
	}
	return f, nil
}
