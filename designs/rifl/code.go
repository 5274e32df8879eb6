package rifl

import "github.com/goldwire/goldwire/blocks"

// crc12 is the checksum of a frame: x^12+x^5+x^3+x^2+x+1, most significant bit first, over all of the frame as it
// stands on the line, the code taken as 0. Its Hamming distance is 4 up to 1024 bits a frame and 2 at 2048.
var crc12 = blocks.MustCRC(blocks.CRC12RIFL)

// crcWords has the checksums of words with one byte that is not 0, by byte and value. They equal the tables of [crc12]
// in a quarter of the memory: a link reads them for each word that leaves and arrives, and the other data of the link
// needs the nearest cache too. Behind one pointer all eight tables share one base register.
var crcWords = func() *[8][256]uint16 {
	t := new([8][256]uint16)
	for k := range t {
		for b := range t[k] {
			t[k][b] = uint16(crc12.UpdateBits(0, uint64(b)<<(8*k), 64))
		}
	}
	return t
}()

// crcWord returns the checksum of a word. With anything before it, it is crcWord(after(state, w)): Go's compiler
// inlines it as it is, and would not with the state as a second parameter.
func crcWord(w uint64) uint16 {
	return crcWords[0][byte(w)] ^ crcWords[1][byte(w>>8)] ^ crcWords[2][byte(w>>16)] ^ crcWords[3][byte(w>>24)] ^
		crcWords[4][byte(w>>32)] ^ crcWords[5][byte(w>>40)] ^ crcWords[6][byte(w>>48)] ^ crcWords[7][w>>56]
}

// after folds the checksum of the words before w into w: the state is XORed into the word's first bits.
func after(state uint16, w uint64) uint64 { return w ^ uint64(state)<<(64-CodeBits) }

// ChecksumOf returns the CRC of a frame whatever stands in the place of its code.
func ChecksumOf(frame []uint64) uint16 {
	var state uint16
	last := len(frame) - 1
	for _, w := range frame[:last] {
		state = crcWord(after(state, w))
	}
	return crcWord(after(state, frame[last]&^codeMask))
}

// Seal puts the verification code into a frame: its checksum xor its ID (§3.B).
func Seal(frame []uint64, id uint16) {
	last := len(frame) - 1
	frame[last] = frame[last]&^codeMask | uint64(ChecksumOf(frame)^id)
}

// ResidueOf returns the checksum of a frame xor its verification code: the ID, if there was no error.
func ResidueOf(frame []uint64) uint16 {
	return ChecksumOf(frame) ^ uint16(frame[len(frame)-1]&codeMask)
}
