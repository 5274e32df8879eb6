package rifl

import (
	"testing"

	"github.com/stretchr/testify/require"
)

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

func TestControlFramesByBits(t *testing.T) {
	for key, want := range map[uint16][]int{KeyIdle: {255, 238}, KeyPause: {255, 242}, KeyRetrans: {255, 250}} {
		frame := []uint64{9, 9, 9, 9}
		controlFrame(frame, key)
		var set []int
		for i, x := range bitsOf(frame) {
			if x == 1 {
				set = append(set, 255-i)
			}
		}
		require.Equal(t, want, set, "SYN 10 and the key's one bit, %#x", key)
		require.Equal(t, key, keyOf(frame))
		require.EqualValues(t, synControl, SynOf(frame))
	}
	frame := make([]uint64, 4)
	invalidFrame(frame, FormatResume)
	require.Equal(t, []uint64{1 << 62, 0, 0, 2 << 12}, frame)
	n, last := Decode(make([]byte, 37), frame)
	require.Zero(t, n)
	require.False(t, last)
}
