package experiment

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// A waveform that grows tells so at its mark and then each time that it has doubled, also if one write passes several
// marks.
func TestAWaveformTellsOfItsSize(t *testing.T) {
	var to bytes.Buffer
	var told []int64
	g := &growing{to: &to, next: 100, tell: func(n int64) { told = append(told, n) }}
	for _, n := range []int{60, 39, 1, 99, 1, 700, 1, 700} {
		k, err := g.Write(make([]byte, n))
		require.NoError(t, err)
		require.Equal(t, n, k)
	}
	require.Equal(t, []int64{100, 200, 900, 1601}, told) // marks at 100, 200, 400 and 800 at once, 1600
	require.Equal(t, 1601, to.Len())
	require.EqualValues(t, 256<<20, grownFrom)
}
