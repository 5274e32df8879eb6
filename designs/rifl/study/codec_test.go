package study

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/designs/rifl"
)

func drawFrame(t *rapid.T) []uint64 {
	words := rapid.SampledFrom(frameSizes).Draw(t, "F") / 64
	return rapid.SliceOfN(rapid.Uint64(), words, words).Draw(t, "frame")
}

// bitsOf returns a frame's bits in the order of the notation F-1:0.
func bitsOf(frame []uint64) []uint8 {
	var b []uint8
	for _, w := range frame {
		for i := 63; i >= 0; i-- {
			b = append(b, uint8(w>>i&1))
		}
	}
	return b
}

// encode puts every field where Fig. 2 has it: read here bit by bit.
func TestEncodeByBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(frameSizes).Draw(t, "F")
		payload := f/8 - 2
		data := rapid.SliceOfN(rapid.Byte(), 1, payload).Draw(t, "data")
		last := len(data) < payload || rapid.Bool().Draw(t, "last")
		frame := rapid.SliceOfN(rapid.Uint64(), f/64, f/64).Draw(t, "frame of before")
		rifl.Encode(frame, data, last)

		b := bitsOf(frame)
		field := func(high, low int) (v int) {
			for i := high; i >= low; i-- {
				v = v<<1 | int(b[f-1-i])
			}
			return v
		}
		require.Equal(t, 0b01, field(f-1, f-2))
		wantMeta := 0b01
		switch {
		case len(data) < payload:
			wantMeta = 0b10
		case last:
			wantMeta = 0b11
		}
		require.Equal(t, wantMeta, field(f-3, f-4))
		for i, x := range data {
			require.Equal(t, int(x), field(f-5-8*i, f-12-8*i), "byte %d", i)
		}
		unused := payload
		if wantMeta == 0b10 {
			require.Equal(t, len(data), field(19, 12), "format code")
			unused--
		}
		for i := len(data); i < unused; i++ {
			require.Zero(t, field(f-5-8*i, f-12-8*i), "byte %d", i)
		}
		require.Zero(t, field(11, 0))

		back := make([]byte, payload+7)
		n, end := rifl.Decode(back, frame)
		require.Equal(t, data, back[:n])
		require.Equal(t, last, end)
	})
}

// The scrambler by its definition: each bit is xored with those sent 13 and 33 before it.
func TestScramblerIsItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SampledFrom(frameSizes).Draw(t, "F") / 64
		var state uint64
		line := make([]uint8, 33) // sent so far
		var received uint64
		for range rapid.IntRange(1, 5).Draw(t, "frames") {
			frame := rapid.SliceOfN(rapid.Uint64(), words, words).Draw(t, "frame")
			plain := bitsOf(frame)
			scrambled := append([]uint64(nil), frame...)
			state = rifl.ScrambleFrame(scrambled, state)
			for i, got := range bitsOf(scrambled) {
				want := plain[i]
				if i >= 2 && i < len(plain)-12 {
					want ^= line[len(line)-13] ^ line[len(line)-33]
					line = append(line, want)
				}
				require.Equal(t, want, got, "bit %d", i)
			}
			received = rifl.DescrambleFrame(scrambled, received)
			require.Equal(t, frame, scrambled)
		}
	})
}

// The checksum by the shift register, and what a residue is.
func TestVerificationCode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		frame := drawFrame(t)
		id := rapid.Uint16Range(0, 0xfff).Draw(t, "id")
		var crc uint16
		b := bitsOf(frame)
		for i, x := range b {
			if i >= len(b)-12 {
				x = 0 // the place of the code
			}
			top := crc >> 11 & 1
			crc = crc << 1 & 0xfff
			if top^uint16(x) == 1 {
				crc ^= 0x02f
			}
		}
		require.Equal(t, crc, rifl.ChecksumOf(frame))
		rifl.Seal(frame, id)
		require.Equal(t, crc^id, uint16(frame[len(frame)-1]&0xfff))
		require.Equal(t, id, rifl.ResidueOf(frame))
	})
}

// Verdicts do not depend on data: the residue of a frame with an error is its ID xor the residue of the error, and the
// same goes for the descrambler's output. The frame-level link rests on this.
func TestCodeAndScramblerAreLinear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		frame := drawFrame(t)
		flips := rapid.SliceOfN(rapid.Uint64(), len(frame), len(frame)).Draw(t, "error")
		state := rapid.Uint64Range(0, 1<<33-1).Draw(t, "state")
		wrong := rapid.Uint64Range(0, 1<<33-1).Draw(t, "errors in the state")
		id := rapid.Uint16Range(0, 0xfff).Draw(t, "id")
		rifl.Seal(frame, id)
		hit := xor(frame, flips)
		require.Equal(t, id^rifl.ResidueOf(flips), rifl.ResidueOf(hit))

		a, b, c := append([]uint64(nil), frame...), append([]uint64(nil), flips...), hit
		rifl.DescrambleFrame(a, state)
		rifl.DescrambleFrame(b, wrong)
		rifl.DescrambleFrame(c, state^wrong)
		require.Equal(t, xor(a, b), c)
	})
}

func xor(a, b []uint64) []uint64 {
	c := make([]uint64, len(a))
	for i := range a {
		c[i] = a[i] ^ b[i]
	}
	return c
}

// Every error of one, two or three bits is seen up to 1024 bits a frame; at 2048 some of two bits are not.
func TestHammingDistance(t *testing.T) {
	for _, f := range frameSizes {
		undetected := undetectedPairs(f)
		if f < 2048 {
			require.Empty(t, undetected)
			require.False(t, undetectedTriple(f), "F=%d", f)
			continue
		}
		require.NotEmpty(t, undetected)
		for _, p := range undetected {
			frame := make([]uint64, f/64)
			for _, bit := range p {
				frame[(f-1-bit)/64] ^= 1 << (bit % 64)
			}
			require.Zero(t, rifl.ResidueOf(frame), "flips of bits %v change nothing that the receiver checks", p)
		}
	}
	// four bits are not safe at any size
	rng := rand.New(rand.NewPCG(1, 1))
	for _, f := range frameSizes {
		quad := undetectedQuad(f, rng)
		require.Len(t, quad, 4)
		frame := make([]uint64, f/64)
		for _, bit := range quad {
			frame[(f-1-bit)/64] ^= 1 << (bit % 64)
		}
		require.Zero(t, rifl.ResidueOf(frame), "F=%d: bits %v", f, quad)
	}
}

// Bursts of up to 12 bits are seen unless they cross from word to word, or from the payload into the code.
func TestBursts(t *testing.T) {
	const f = 256
	list := undetectedBursts(f, 12)
	require.NotEmpty(t, list)
	shortest := 12
	for _, b := range list {
		last := b.First + b.Length() - 1
		crosses := b.First/64 != last/64
		intoCode := b.First >= f-64 && b.First < f-64+12 && last >= f-64+12 // the code is the low bits of the last word
		require.True(t, crosses || intoCode, "%+v", b)
		frame := make([]uint64, f/64)
		rifl.Encode(frame, []byte("whatever there is"), true)
		rifl.Seal(frame, 5)
		for k := range b.Length() {
			frame[(b.First+k)/64] ^= b.Pattern >> k & 1 << ((b.First + k) % 64)
		}
		require.EqualValues(t, 5, rifl.ResidueOf(frame), "%+v", b)
		shortest = min(shortest, b.Length())
	}
	require.Greater(t, shortest, 3, "any three flips are seen")
	t.Logf("%d bursts, the shortest of %d bits", len(list), shortest)
}
