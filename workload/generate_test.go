package workload

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func TestGenerateFrames(t *testing.T) {
	sizes := []int{64, 65, 1518, 9018, 64}
	frames, err := Generate(newRand(1), sizes)
	require.NoError(t, err)
	require.Len(t, frames, len(sizes))
	for i, frame := range frames {
		b := frame.Bytes
		require.Len(t, b, sizes[i]-4)
		require.Equal(t, []byte{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x88, 0xb5}, b[:14])
		require.EqualValues(t, i, binary.BigEndian.Uint32(b[14:]))
		require.Zero(t, frame.Time)
	}
}

// Bit by bit as Generate's comment promises, in each frame alone and over the bounds of frames.
func TestGeneratePayloadIsPRBS31(t *testing.T) {
	frames, err := Generate(newRand(2), UniformSizes(newRand(3), 50, MinFrameSize, 600))
	require.NoError(t, err)
	var line []byte // one element a bit, as on the wire
	for _, frame := range frames {
		for _, b := range frame.Bytes[18:] {
			for k := range 8 {
				line = append(line, b>>k&1)
			}
		}
	}
	ones := 0
	for i := 31; i < len(line); i++ {
		require.Equal(t, 1^line[i-28]^line[i-31], line[i], "bit %d", i)
		ones += int(line[i])
	}
	// The one state that the recurrence allows and a maximal sequence does not have is a line stuck at 1.
	require.InDelta(t, 0.5, float64(ones)/float64(len(line)), 0.01)
}

// The eight bits at once of next are eight steps of the shift register that IEEE Std 802.3, figure 49-11 draws.
func TestPRBS31EqualsShiftRegister(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		state := rapid.Uint32Range(1, 1<<31-1).Draw(t, "state")
		word := prbs31(state)
		for range 100 {
			var want byte
			for k := range 8 {
				s30, s27 := state>>30&1, state>>27&1 // S30 and S27: 31 and 28 bits ago
				state = state<<1&(1<<31-1) | s30 ^ s27
				want |= byte(^state&1) << k
			}
			require.Equal(t, want, word.next())
			require.EqualValues(t, state, word)
		}
	})
}

func TestGenerateIsSeeded(t *testing.T) {
	sizes := EverySize(64, 200, 1)
	one, err := Generate(newRand(1), sizes)
	require.NoError(t, err)
	same, err := Generate(newRand(1), sizes)
	require.NoError(t, err)
	other, err := Generate(newRand(2), sizes)
	require.NoError(t, err)
	require.Equal(t, one, same)
	require.NotEqual(t, one[0].Bytes, other[0].Bytes)
}

func TestGenerateRefusesSizes(t *testing.T) {
	for size, want := range map[int]string{
		63:   "frame 1: size 63 with FCS, want 64 to 9018",
		9019: "frame 1: size 9019 with FCS, want 64 to 9018",
	} {
		_, err := Generate(newRand(1), []int{64, size})
		require.EqualError(t, err, want)
	}
}

func TestEverySize(t *testing.T) {
	require.Equal(t, []int{64, 65, 66}, EverySize(64, 66, 1))
	require.Equal(t, []int{64, 71, 78}, EverySize(64, 84, 7))
	require.Empty(t, EverySize(66, 65, 1))
	require.PanicsWithValue(t, "workload: step 0 between sizes, want at least 1", func() { EverySize(64, 65, 0) })
}

func TestUniformSizes(t *testing.T) {
	const n, first, last = 80_000, 100, 107
	count := map[int]int{}
	for _, size := range UniformSizes(newRand(4), n, first, last) {
		count[size]++
	}
	require.Len(t, count, last-first+1)
	for size := first; size <= last; size++ {
		// Binomial: 10,000 expected with a deviation of 94; five of them.
		require.InDelta(t, n/8, count[size], 5*94, "size %d", size)
	}
	require.Equal(t, []int{64, 64}, UniformSizes(newRand(4), 2, 64, 64))
	require.Panics(t, func() { UniformSizes(newRand(4), 1, 65, 64) })
}

func TestIMIXSizes(t *testing.T) {
	sizes := IMIXSizes(newRand(5), 12*100+5)
	require.Len(t, sizes, 1205)
	orders := map[[12]int]bool{}
	for round := range slices.Chunk(sizes[:1200], 12) {
		orders[[12]int(round)] = true
		count := map[int]int{}
		ip := 0
		for _, size := range round {
			count[size]++
			ip += max(size-18, 40)
			if size == 64 {
				ip -= 64 - 18 - 40 // padding
			}
		}
		require.Equal(t, map[int]int{64: 7, 594: 4, 1518: 1}, count)
		require.InDelta(t, 340.33, float64(ip)/12, 0.01) // the mix's well-known mean IP packet
	}
	require.Greater(t, len(orders), 50)
	require.Subset(t, []int{64, 594, 1518}, sizes[1200:])
}
