package blocks_test

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/blocks"
)

// The reflected code is built by its definition: the list of one bit less, then the same list backwards with the new
// bit set.
func TestGrayAgainstReflection(t *testing.T) {
	code := []uint64{0}
	for w := range 10 {
		for i := len(code) - 1; i >= 0; i-- {
			code = append(code, code[i]|1<<w)
		}
	}
	for b, g := range code {
		require.Equal(t, g, blocks.BinaryToGray(uint64(b)))
		require.Equal(t, uint64(b), blocks.GrayToBinary(g))
	}
}

func TestGrayProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.Uint64().Draw(t, "b")
		require.Equal(t, b, blocks.GrayToBinary(blocks.BinaryToGray(b)))
		require.Equal(t, 1, bits.OnesCount64(blocks.BinaryToGray(b)^blocks.BinaryToGray(b+1)),
			"neighbours, the wrap included")
	})
}

func TestBits128(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := blocks.Bits128{Lo: rapid.Uint64().Draw(t, "lo"), Hi: rapid.Uint64().Draw(t, "hi")}
		b := blocks.Bits128{Lo: rapid.Uint64().Draw(t, "lo"), Hi: rapid.Uint64().Draw(t, "hi")}
		digits := fmt.Sprintf("%064b%064b", a.Hi, a.Lo)
		ones := 0
		for i := range 128 {
			require.Equal(t, uint64(digits[127-i]-'0'), a.Bit(i))
			ones += int(a.Bit(i))
			require.Equal(t, a.Bit(i)^b.Bit(i), a.Xor(b).Bit(i))
		}
		require.Equal(t, ones, a.OnesCount())
		require.Zero(t, a.Bit(128))
	})
	require.Panics(t, func() { _ = blocks.Bits128{}.Bit(-1) })
}

// A three-bit pointer: one bit changes a step, at the wrap too.
func ExampleBinaryToGray() {
	for b := range uint64(9) {
		fmt.Printf("%03b ", blocks.BinaryToGray(b%8))
	}
	fmt.Println()
	// Output:
	// 000 001 011 010 110 111 101 100 000
}
