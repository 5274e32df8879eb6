package cosim

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Complaints are of the cycle named after them, of no other, and count where none is named. What the RTL writes piece
// by piece stays one line.
func TestComplaintsHaveTheirCycles(t *testing.T) {
	said := &tail{}
	for _, part := range []string{"\x01\nHe\x01\n\x01cycle 1\n \x01\n\x01cycle 2\nyou\x01\n\x01cycle 3\n\n%Error: a\n",
		"%Error: b\n\x01\n\x01cycle 4\n",
		"%Error: c\n\x01\n\x01cycle 6\n%Error: d\n"} {
		_, err := said.Write([]byte(part))
		require.NoError(t, err)
	}
	require.Equal(t, "He you\n%Error: a\n%Error: b\n%Error: c\n%Error: d\n", said.String())
	for last, want := range map[int][]string{
		3: {"%Error: d"}, 4: {"%Error: a", "%Error: b", "%Error: d"}, 5: {"%Error: a", "%Error: b", "%Error: d"},
		6:           {"%Error: a", "%Error: b", "%Error: c", "%Error: d"},
		math.MaxInt: {"%Error: a", "%Error: b", "%Error: c", "%Error: d"},
	} {
		require.Equal(t, want, said.complaints(last), "%d", last)
	}
}
