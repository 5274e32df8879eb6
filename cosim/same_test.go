package cosim

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors"
)

// still is RTL whose one slot is what a test wrote there.
type still struct {
	dut
	part slot
}

func (s still) slots() []slot { return []slot{s.part} }

// A batch that is the same bit for bit counts as one whose only difference nobody compares, and a difference of one bit is found.
func TestSameBatchesCountAlike(t *testing.T) {
	const rows, no = 300, 3
	v := &view{fields: make([]vectors.Field, no), outputs: []int{0, 1, 2}, valid: []int{-1, 0, -1}, mask: []uint64{1, 0xff, 0}, later: make([]int, no)}
	for i, w := range []int{1, 8, 8} {
		v.fields[i] = vectors.Field{Name: string(rune('a' + i)), Width: w}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	want := make([]uint64, 2*rows*no)
	for k := range 2 * rows {
		want[k*no], want[k*no+1], want[k*no+2] = rng.Uint64N(2), rng.Uint64N(256), rng.Uint64N(256)
	}
	run := func(change func(got []uint64)) (*tally, *Divergence) {
		got := append([]uint64(nil), want...)
		change(got)
		c := &comparison{t: newTally(v, nil, false), cycles: 2 * rows, want: make([][]uint64, 1)}
		for base := 0; base < 2*rows; base += rows {
			c.s = &Session{view: v, dut: still{part: slot{out: got[base*no : (base+rows)*no]}}}
			c.want[0] = want[base*no : (base+rows)*no]
			if d := c.batch(batch{rows: rows, base: base}, -1); d != nil {
				return c.t, d
			}
		}
		return c.t, nil
	}
	quick, d := run(func([]uint64) {})
	require.Nil(t, d)
	slow, d := run(func(got []uint64) { got[5*no+2] ^= 1; got[(rows+5)*no+2] ^= 1 })
	require.Nil(t, d)
	require.Equal(t, slow.compared, quick.compared)
	require.Equal(t, slow.cycles, quick.cycles)
	require.EqualValues(t, 2*rows, quick.compared[0])
	require.Positive(t, quick.compared[1])
	require.Less(t, quick.compared[1], uint64(2*rows))
	require.Zero(t, quick.compared[2])
	_, d = run(func(got []uint64) { got[(rows+7)*no] ^= 1 })
	require.NotNil(t, d)
	require.Equal(t, rows+7, d.Cycle)
}
