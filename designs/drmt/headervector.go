package drmt

// The header vector of RMT and dRMT (§5.1): 224 fields, 4 kbit.
const (
	Fields8  = 64
	Fields16 = 96
	Fields32 = 64
	Fields   = Fields8 + Fields16 + Fields32

	vectorBytes = Fields8 + 2*Fields16 + 4*Fields32
	vectorWords = vectorBytes / 8
)

// Field is the number of a field of a header vector: 0 to 63 have 8 bits, 64 to 159 have 16, 160 to 223 have 32.
type Field uint8

// NoField stands where an instruction writes none.
const NoField Field = 0xff

// Bits returns a field's width.
func (f Field) Bits() int { return 8 * f.bytes() }

func (f Field) bytes() int {
	switch {
	case f < Fields8:
		return 1
	case f < Fields8+Fields16:
		return 2
	}
	return 4
}

// Byte returns the place of a field's least significant byte in the vector, which is how key generation addresses it.
func (f Field) Byte() int {
	switch {
	case f < Fields8:
		return int(f)
	case f < Fields8+Fields16:
		return Fields8 + 2*int(f-Fields8)
	}
	return Fields8 + 2*Fields16 + 4*int(f-Fields8-Fields16)
}

// HeaderVector is a packet's headers and metadata: 512 bytes, eight a word, the first in the least significant bits.
type HeaderVector struct {
	Words [vectorWords]uint64
}

// fieldPlace is where a field lies in the words. No field crosses a word.
type fieldPlace struct {
	word, shift uint8
	mask        uint32
}

var fieldPlaces = func() (p [256]fieldPlace) {
	for f := range Field(Fields) {
		b := f.Byte()
		p[f] = fieldPlace{uint8(b / 8), uint8(8 * (b % 8)), uint32(1<<f.Bits() - 1)}
	}
	return p
}()

// Get returns a field.
func (h *HeaderVector) Get(f Field) uint32 {
	p := &fieldPlaces[f]
	return uint32(h.Words[p.word%vectorWords]>>p.shift) & p.mask
}

// Set writes a field, cut to its width.
func (h *HeaderVector) Set(f Field, v uint32) {
	p := &fieldPlaces[f]
	w := &h.Words[p.word%vectorWords]
	*w = *w&^(uint64(p.mask)<<p.shift) | uint64(v&p.mask)<<p.shift
}

// Byte returns a byte of the vector; 0 beyond its end.
func (h *HeaderVector) Byte(i int) uint8 {
	if uint(i) >= vectorBytes {
		return 0
	}
	return uint8(h.Words[i/8] >> (8 * (i % 8)))
}
