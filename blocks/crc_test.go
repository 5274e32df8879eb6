package blocks_test

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"hash/crc64"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/blocks"
)

// catalogue holds the exported CRCs, and others of the catalogue for the widths and reflections they lack. Check values
// and residues are the catalogue's, not ours.
var catalogue = []blocks.CRCParams{
	blocks.CRC4Interlaken, blocks.CRC5USB, blocks.CRC8ATM, blocks.CRC8SMBus, blocks.CRC8ROHC, blocks.CRC8Maxim,
	blocks.CRC8AUTOSAR, blocks.CRC10ATM, blocks.CRC12RIFL, blocks.CRC12UMTS, blocks.CRC16ARC, blocks.CRC16USB,
	blocks.CRC16CCITTFalse, blocks.CRC16XMODEM, blocks.CRC16Kermit, blocks.CRC16X25, blocks.CRC16GENIBUS,
	blocks.CRC24Interlaken, blocks.CRC24OpenPGP, blocks.CRC32Ethernet, blocks.CRC32C, blocks.CRC32BZIP2,
	blocks.CRC64ECMA, blocks.CRC64XZ,

	{Name: "CRC-3/GSM", Width: 3, Poly: 0x3, XorOut: 0x7, Check: 0x4, Residue: 0x2},
	{Name: "CRC-3/ROHC", Width: 3, Poly: 0x3, Init: 0x7, RefIn: true, RefOut: true, Check: 0x6},
	{Name: "CRC-4/G-704", Width: 4, Poly: 0x3, RefIn: true, RefOut: true, Check: 0x7},
	{Name: "CRC-7/MMC", Width: 7, Poly: 0x09, Check: 0x75},
	{Name: "CRC-11/FLEXRAY", Width: 11, Poly: 0x385, Init: 0x01a, Check: 0x5a3},
	{Name: "CRC-15/CAN", Width: 15, Poly: 0x4599, Check: 0x059e},
	{Name: "CRC-30/CDMA", Width: 30, Poly: 0x2030b9c7, Init: 0x3fffffff, XorOut: 0x3fffffff, Check: 0x04c34abf,
		Residue: 0x34efa55a},
	{Name: "CRC-32/MEF", Width: 32, Poly: 0x741b8cd7, Init: 0xffffffff, RefIn: true, RefOut: true, Check: 0xd2c22f51},
	{Name: "CRC-40/GSM", Width: 40, Poly: 0x0004820009, XorOut: 0xffffffffff, Check: 0xd4164fc646, Residue: 0xc4ff8071ff},
	{Name: "CRC-64/WE", Width: 64, Poly: 0x42f0e1eba9ea3693, Init: 0xffffffffffffffff, XorOut: 0xffffffffffffffff,
		Check: 0x62ec59e3f1a4f00a, Residue: 0xfcacbebd5931a992},
	{Name: "CRC-64/GO-ISO", Width: 64, Poly: 0x1b, Init: 0xffffffffffffffff, RefIn: true, RefOut: true,
		XorOut: 0xffffffffffffffff, Check: 0xb90956c775a41001, Residue: 0x5300000000000000},
}

// serial is the reference: the bytes of p through UpdateBit, one bit at a time.
func serial(c *blocks.CRC, state uint64, p []byte) uint64 {
	for _, b := range p {
		for i := range 8 {
			if !c.Params().RefIn {
				i = 7 - i
			}
			state = c.UpdateBit(state, uint64(b>>i&1))
		}
	}
	return state
}

func TestCRCKnownAnswers(t *testing.T) {
	message := []byte("123456789")
	for _, p := range catalogue {
		t.Run(p.Name, func(t *testing.T) {
			c, err := blocks.NewCRC(p)
			require.NoError(t, err)
			require.Equal(t, p, c.Params())
			require.NotZero(t, p.Check)
			require.Equal(t, p.Check, c.Final(serial(c, c.Init(), message)), "bit-serial")
			require.Equal(t, p.Check, c.Checksum(message), "words and bytes")

			// The codeword's tail is the CRC in the order in which the register sends it, x^(Width-1) first.
			tail := p.Check
			if p.RefIn != p.RefOut {
				tail = bits.Reverse64(tail) >> (64 - p.Width)
			}
			state := c.UpdateBits(c.Update(c.Init(), message), tail, p.Width)
			require.Equal(t, p.Residue, c.Residue(state), "residue")
		})
	}
}

func TestCRCAgainstStandardLibrary(t *testing.T) {
	ethernet, castagnoli, xz := blocks.MustCRC(blocks.CRC32Ethernet), blocks.MustCRC(blocks.CRC32C),
		blocks.MustCRC(blocks.CRC64XZ)
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(t, "p")
		require.Equal(t, uint64(crc32.ChecksumIEEE(p)), ethernet.Checksum(p))
		require.Equal(t, uint64(crc32.Checksum(p, crc32.MakeTable(crc32.Castagnoli))), castagnoli.Checksum(p))
		require.Equal(t, crc64.Checksum(p, crc64.MakeTable(crc64.ECMA)), xz.Checksum(p))
	})
}

// The definition itself is checked against another: the remainder of the polynomial division, done on a list of
// coefficients. CRC(M) is (Init*x^len + M)*x^Width mod G, so a message of Width+n bits is enough to see Init.
func TestCRCUpdateBitIsDivision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCRC(t)
		p := c.Params()
		message := rapid.SliceOfN(rapid.Uint64Range(0, 1), 0, 100).Draw(t, "bits")
		state := c.Init()
		for _, b := range message {
			state = c.UpdateBit(state, b)
		}
		dividend := make([]uint64, len(message)+p.Width) // the coefficient of the highest power first
		copy(dividend, message)
		for i := range p.Width {
			dividend[i] ^= p.Init >> (p.Width - 1 - i) & 1
		}
		for i := range message {
			if dividend[i] == 0 {
				continue
			}
			for j := range p.Width {
				dividend[i+1+j] ^= p.Poly >> (p.Width - 1 - j) & 1
			}
		}
		var remainder uint64
		for _, b := range dividend[len(message):] {
			remainder = remainder<<1 | b
		}
		if p.RefIn {
			remainder = bits.Reverse64(remainder) >> (64 - p.Width)
		}
		require.Equal(t, remainder, state)
	})
}

// drawCRC draws a CRC of any width, polynomial and reflection.
func drawCRC(t *rapid.T) *blocks.CRC {
	width := rapid.IntRange(1, 64).Draw(t, "width")
	value := rapid.Uint64Max(^uint64(0) >> (64 - width))
	return blocks.MustCRC(blocks.CRCParams{
		Width:  width,
		Poly:   value.Draw(t, "poly") | 1,
		Init:   value.Draw(t, "init"),
		RefIn:  rapid.Bool().Draw(t, "refin"),
		RefOut: rapid.Bool().Draw(t, "refout"),
		XorOut: value.Draw(t, "xorout"),
	})
}

func TestCRCFormsAgreeWithBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCRC(t)
		state := rapid.Uint64Max(^uint64(0)>>(64-c.Params().Width)).Draw(t, "state")
		word := rapid.Uint64().Draw(t, "word")
		bytes := binary.LittleEndian.AppendUint64(nil, word)

		require.Equal(t, serial(c, state, bytes), c.Update64(state, word))
		require.Equal(t, serial(c, state, bytes[:1]), c.UpdateByte(state, bytes[0]))
		for n := range 9 {
			require.Equal(t, serial(c, state, bytes[:n]), c.UpdateBytes(state, word, n), "%d bytes", n)
		}
		for n := range 65 {
			want := state
			for i := range n {
				if !c.Params().RefIn {
					i = n - 1 - i
				}
				want = c.UpdateBit(want, word>>i&1)
			}
			require.Equal(t, want, c.UpdateBits(state, word, n), "%d bits", n)
		}
		p := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "p")
		require.Equal(t, serial(c, state, p), c.Update(state, p))
	})
}

func TestCRCMatrixAgreesWithBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCRC(t)
		w := rapid.IntRange(1, 300).Draw(t, "w")
		m := c.Matrix(w)
		require.Equal(t, w, m.DataWidth)
		require.Equal(t, c.Params().Width, m.StateWidth)
		state := rapid.Uint64Max(^uint64(0)>>(64-m.StateWidth)).Draw(t, "state")
		data := rapid.SliceOfN(rapid.Uint64(), (w+63)/64, (w+63)/64).Draw(t, "data")
		want := state
		for i := range w {
			if !c.Params().RefIn {
				i = w - 1 - i
			}
			want = c.UpdateBit(want, data[i/64]>>(i%64)&1)
		}
		require.Equal(t, want, m.Next(state, data))
	})
}

// For G = x^3+x+1 and one bit the matrix is the shift register itself, read off its drawing: the bit that leaves, XOR
// the data, enters bits 0 and 1.
func TestCRCMatrixOfOneBit(t *testing.T) {
	m := blocks.MustCRC(blocks.CRCParams{Width: 3, Poly: 0b011}).Matrix(1)
	require.Equal(t, []blocks.CRCRow{
		{State: 0b100, Data: []uint64{1}},
		{State: 0b101, Data: []uint64{1}},
		{State: 0b010, Data: []uint64{0}},
	}, m.Rows)
	require.Equal(t, 3, m.Rows[1].Fanin())
}

func TestNewCRCErrors(t *testing.T) {
	for _, c := range []struct {
		p    blocks.CRCParams
		want string
	}{
		{blocks.CRCParams{Name: "A", Width: 0, Poly: 1}, `blocks: CRC "A": width 0, want 1 to 64`},
		{blocks.CRCParams{Name: "A", Width: 65, Poly: 1}, `blocks: CRC "A": width 65, want 1 to 64`},
		{blocks.CRCParams{Name: "A", Width: 8, Poly: 0x107}, `blocks: CRC "A": Poly 0x107, want at most 8 bits`},
		{blocks.CRCParams{Name: "A", Width: 8, Poly: 7, Init: 0x100}, `blocks: CRC "A": Init 0x100, want at most 8 bits`},
		{blocks.CRCParams{Name: "A", Width: 8, Poly: 7, XorOut: 0x100}, `blocks: CRC "A": XorOut 0x100, want at most 8 bits`},
		{blocks.CRCParams{Name: "A", Width: 32, Poly: 0xedb88320},
			`blocks: CRC "A": Poly 0xedb88320 has no +1 term, want it with x^31 in bit 31 and x^0 in bit 0`},
		{blocks.CRCParams{Name: "A", Width: 8, Poly: 7, Check: 0xf5}, `blocks: CRC "A": the check value is 0xf4, want 0xf5`},
	} {
		_, err := blocks.NewCRC(c.p)
		require.EqualError(t, err, c.want)
		require.PanicsWithError(t, c.want, func() { blocks.MustCRC(c.p) })
	}
}

func TestCRCPanicsAndAllocs(t *testing.T) {
	for _, p := range []blocks.CRCParams{blocks.CRC32Ethernet, blocks.CRC24Interlaken} {
		c := blocks.MustCRC(p)
		for _, n := range []int{-1, 65} {
			require.Panics(t, func() { c.UpdateBits(0, 0, n) }, "%d bits", n)
		}
		for _, n := range []int{-1, 9} {
			require.Panics(t, func() { c.UpdateBytes(0, 0, n) }, "%d bytes", n)
		}
		require.Panics(t, func() { c.Matrix(0) })
		frame := make([]byte, 67)
		require.Zero(t, testing.AllocsPerRun(100, func() {
			c.Checksum(frame)
			c.UpdateBytes(c.UpdateBits(c.Update64(c.Init(), 1), 1, 66-64), 1, 3)
		}))
	}
}

// A MAC with a 64-bit data path: one word a cycle, two bytes in the last. The state is the complement of the CRC so
// far.
func ExampleCRC() {
	c := blocks.MustCRC(blocks.CRC32Ethernet)
	frame := []byte("Goldwire, 18 bytes")
	state := c.Init()
	fmt.Println("cycle  bytes  state     hash/crc32")
	for cycle := 0; 8*cycle < len(frame); cycle++ {
		var lanes [8]byte
		n := copy(lanes[:], frame[8*cycle:])
		state = c.UpdateBytes(state, binary.LittleEndian.Uint64(lanes[:]), n)
		fmt.Printf("%5d  %5d  %08x  %08x\n", cycle, n, state, ^crc32.ChecksumIEEE(frame[:8*cycle+n]))
	}
	// Output:
	// cycle  bytes  state     hash/crc32
	//     0      8  46c02feb  46c02feb
	//     1      8  5cf36d3f  5cf36d3f
	//     2      2  ba5bd44e  ba5bd44e
}

// The XORs of the ATM header error control for a nibble a cycle. By hand: with t = state[7:4] ^ data, the next state is
// t * (x^2+x+1) ^ state<<4.
func ExampleCRC_Matrix() {
	m := blocks.MustCRC(blocks.CRC8ATM).Matrix(4)
	for i, r := range m.Rows {
		fmt.Printf("next[%d] = ^(state & 8'b%08b) ^ ^(data & 4'b%04b);\n", i, r.State, r.Data[0])
	}
	// Output:
	// next[0] = ^(state & 8'b00010000) ^ ^(data & 4'b0001);
	// next[1] = ^(state & 8'b00110000) ^ ^(data & 4'b0011);
	// next[2] = ^(state & 8'b01110000) ^ ^(data & 4'b0111);
	// next[3] = ^(state & 8'b11100000) ^ ^(data & 4'b1110);
	// next[4] = ^(state & 8'b11000001) ^ ^(data & 4'b1100);
	// next[5] = ^(state & 8'b10000010) ^ ^(data & 4'b1000);
	// next[6] = ^(state & 8'b00000100) ^ ^(data & 4'b0000);
	// next[7] = ^(state & 8'b00001000) ^ ^(data & 4'b0000);
}

func BenchmarkCRC(b *testing.B) {
	for _, p := range []blocks.CRCParams{blocks.CRC32Ethernet, blocks.CRC24Interlaken} {
		c := blocks.MustCRC(p)
		state := c.Init()
		b.Run(p.Name+"/Update64", func(b *testing.B) {
			b.SetBytes(8)
			for b.Loop() {
				state = c.Update64(state, 0x0123456789abcdef)
			}
		})
		b.Run(p.Name+"/UpdateBytes5", func(b *testing.B) {
			for b.Loop() {
				state = c.UpdateBytes(state, 0x0123456789, 5)
			}
		})
		b.Run(p.Name+"/UpdateBits2", func(b *testing.B) {
			for b.Loop() {
				state = c.UpdateBits(state, 2, 2)
			}
		})
		frame := make([]byte, 1518)
		b.Run(p.Name+"/Update1518", func(b *testing.B) {
			b.SetBytes(int64(len(frame)))
			for b.Loop() {
				state = c.Update(state, frame)
			}
		})
		b.Run(p.Name+"/New", func(b *testing.B) {
			for b.Loop() {
				c = blocks.MustCRC(p)
			}
		})
	}
}
