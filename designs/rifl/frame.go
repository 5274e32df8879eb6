package rifl

import (
	"encoding/binary"
	"math/bits"
)

// A frame is F/64 words, the first word and the most significant bits first (Fig. 2 and 3):
//
//	F-1:F-2  F-3:F-4  F-5:12   11:0
//	SYN 01   meta     payload  verification code    data; the last payload byte may be the format code
//	SYN 10   key, 16 bits, then zeros  code         control
//
// On its way to the scrambler a frame has its SYN in place and 0 for the code.

// synOf is the line code of a frame, which also tells data from control. It is not scrambled.
const (
	SynData    = 0b01
	synControl = 0b10
)

// metaOf says what of the payload is valid (Table 1).
const (
	metaNone    = 0b00 // nothing; the format code says why
	metaAll     = 0b01 // all bytes, more of the packet to come
	MetaPartial = 0b10 // the end of a packet; the format code is the number of valid bytes
	metaEnd     = 0b11 // the end of a packet, all bytes
)

// Format codes with MetaNone. They are data frames, so that errors delay them and do not lose them (§4.D).
const (
	FormatInvalid = 0x00
	FormatPause   = 0x01 // flow control: the receiver's user has stalled
	FormatResume  = 0x02
)

// Keys of control frames, 16 bits after the SYN. The paper does not print them; these are the published core's.
const (
	KeyIdle    = 0x0001
	KeyPause   = 0x0010 // pause request: the link is out of sync
	KeyRetrans = 0x1000 // re-transmit request
)

const (
	synShift  = 62
	metaShift = 60
	keyShift  = 46 // in the first word
	CodeBits  = 12
	codeMask  = 1<<CodeBits - 1
)

// controlFrame fills a frame with a control frame of a key.
func controlFrame(frame []uint64, key uint16) {
	clear(frame)
	frame[0] = synControl<<synShift | uint64(key)<<keyShift
}

// SynOf returns the line code of a frame.
func SynOf(frame []uint64) uint8 { return uint8(frame[0] >> synShift) }

// keyOf returns the key of a control frame.
func keyOf(frame []uint64) uint16 { return uint16(frame[0] >> keyShift) }

// MetaOf returns the meta code of a data frame.
func MetaOf(frame []uint64) uint8 { return uint8(frame[0]>>metaShift) & 3 }

// formatOf returns the last byte of the payload.
func formatOf(frame []uint64) uint8 { return uint8(frame[len(frame)-1] >> CodeBits) }

// invalidFrame fills a frame with a data frame that carries nothing but a format code.
func invalidFrame(frame []uint64, format uint8) {
	clear(frame)
	frame[0] = SynData << synShift
	frame[len(frame)-1] |= uint64(format) << CodeBits
}

// dataHead returns how a data frame begins of whose payload n bytes are valid: SYN and meta, the most significant bits
// of the first word.
func dataHead(n, payload int, last bool) uint64 {
	meta := uint64(metaAll)
	switch {
	case last && n == payload:
		meta = metaEnd
	case last:
		meta = MetaPartial
	}
	return (SynData<<2 | meta) << metaShift
}

// Encode is the meta code encoding: it fills a frame with the first n bytes of data, 0 to the payload's size, and the
// rest of the payload with 0.
func Encode(frame []uint64, data []byte, last bool) {
	payload := 8*len(frame) - 2
	n := len(data)
	if n == 0 {
		invalidFrame(frame, FormatInvalid)
		return
	}
	carry := dataHead(n, payload, last)
	for i := range frame {
		w := uint64(0)
		switch from := 8 * i; {
		case from+8 <= n:
			w = binary.BigEndian.Uint64(data[from : from+8])
		case from < n:
			w = bits.ReverseBytes64(shortWord(data, from))
		}
		frame[i] = carry | w>>4
		carry = w << 60 // of the last word's seven bytes at most: nothing
	}
	if last && n < payload {
		frame[len(frame)-1] |= uint64(n) << CodeBits
	}
}

// littleEndian returns eight bytes from an offset on, the first in the least significant place, and 0 for bytes beyond
// the end.
func littleEndian(data []byte, from int) uint64 {
	if from+8 <= len(data) {
		return binary.LittleEndian.Uint64(data[from : from+8])
	}
	return shortWord(data, from)
}

// shortWord returns the fewer than eight bytes from an offset on, the first in the least significant place.
func shortWord(data []byte, from int) (w uint64) {
	if len(data) >= 8 { // the last eight, and away with those before the offset
		return binary.LittleEndian.Uint64(data[len(data)-8:]) >> (8 * uint(from+8-len(data)))
	}
	for i := from; i < min(len(data), 7); i++ {
		w |= uint64(data[i]) << (8 * (i - from))
	}
	return w
}

// validBytes returns how many bytes of a payload are valid, by a data frame's meta code and the last byte of the
// payload, and whether they end a packet. A count that no sender sends is cut to the payload's size.
func validBytes(meta, format uint8, payload int) (n int, last bool) {
	switch meta {
	case metaAll:
		return payload, false
	case metaEnd:
		return payload, true
	case MetaPartial:
		return min(int(format), payload-1), true
	}
	return 0, false
}

// Decode is the inverse of encode: it returns how many bytes of a data frame are valid and whether they end a packet,
// and writes them into data, which has room for all bytes of the frame.
func Decode(data []byte, frame []uint64) (n int, last bool) {
	word := frame[0]
	for i, next := range frame[1:] {
		binary.BigEndian.PutUint64(data[8*i:], word<<4|next>>60)
		word = next
	}
	binary.BigEndian.PutUint64(data[8*len(frame)-8:], word<<4)
	return validBytes(MetaOf(frame), formatOf(frame), 8*len(frame)-2)
}
