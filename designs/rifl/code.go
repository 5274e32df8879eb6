package rifl

import "github.com/goldwire/goldwire/blocks"

// crc12 is the checksum of a frame: x^12+x^5+x^3+x^2+x+1, most significant bit first, over all of the frame as it stands on
// the line, the code taken as 0. Its Hamming distance is 4 up to 1024 bits a frame and 2 at 2048.
var crc12 = blocks.MustCRC(blocks.CRC12RIFL)

// checksumOf returns the CRC of a frame whatever stands in the place of its code.
func checksumOf(frame []uint64) uint16 {
	var state uint64
	last := len(frame) - 1
	for _, w := range frame[:last] {
		state = crc12.UpdateBits(state, w, 64)
	}
	return uint16(crc12.UpdateBits(state, frame[last]&^codeMask, 64))
}

// seal puts the verification code into a frame: its checksum xor its ID (§3.B).
func seal(frame []uint64, id uint16) {
	last := len(frame) - 1
	frame[last] = frame[last]&^codeMask | uint64(checksumOf(frame)^id)
}

// residueOf returns the checksum of a frame xor its verification code: the ID, if there was no error.
func residueOf(frame []uint64) uint16 {
	return checksumOf(frame) ^ uint16(frame[len(frame)-1]&codeMask)
}
