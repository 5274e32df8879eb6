package cosim_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
)

// wrongIn returns a waveform of the unit whose bit 0 of out_index is flipped in some rows and bit 3 in others.
func wrongIn(t *testing.T, bit0, bit3 []int) string {
	t.Helper()
	_, s := dump(t, 200)
	column := s.Column("out_index")
	for _, k := range bit0 {
		s.Rows[k][column] ^= 1
	}
	for _, k := range bit3 {
		s.Rows[k][column] ^= 8
	}
	var b bytes.Buffer
	require.NoError(t, s.WriteVCD(&b))
	return b.String()
}

func waivers(t *testing.T, text string) cosim.Waivers {
	t.Helper()
	path := filepath.Join(t.TempDir(), "waive.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	w, err := cosim.ReadWaivers(t.Context(), path)
	require.NoError(t, err)
	return w
}

// A replay that goes on lists differences by kind, with counts and the first cycle of each; its divergence is the first
// of all.
func TestReplayContinues(t *testing.T) {
	res, err := replay(t, wrongIn(t, []int{50, 60, 199}, []int{20, 150}), func(r *cosim.Replay) { r.Continue = true })
	require.NoError(t, err)
	require.Equal(t, 199, res.Cycles, "all of the file")
	require.Equal(t, 20, res.Divergence.Cycle)
	require.Len(t, res.Differences, 2)
	for i, want := range []cosim.Difference{
		// no edge samples the last row
		{Field: "out_index", Bits: "08", Count: 2, Cycle: 20}, {Field: "out_index", Bits: "01", Count: 2, Cycle: 50},
	} {
		got := *res.Differences[i]
		got.Model, got.RTL = "", ""
		require.Equal(t, want, got)
	}
	var text bytes.Buffer
	res.Divergence.Write(&text) // with the moments around it, though the run went on
	require.Contains(t, text.String(), "cycle 20 field out_index")
	require.NoError(t, res.Divergence.WriteVCD(filepath.Join(t.TempDir(), "both.vcd")))
}

// A waiver passes the differences that it names, counts them, and passes nothing else; one that passes nothing is
// named.
func TestReplayWaives(t *testing.T) {
	text := wrongIn(t, []int{50, 60}, nil)
	res, err := replay(t, text, func(r *cosim.Replay) {
		r.Waivers = waivers(
			t, "- {field: out_index, bits: 1, reason: bit 0 is known}\n- {field: out_valid, reason: never seen}\n",
		)
	})
	require.NoError(t, err)
	require.Nil(t, res.Divergence)
	require.EqualValues(t, 2, res.Waived)
	require.Equal(t, []string{"out_valid: never seen"}, res.UnusedWaivers)

	res, err = replay(t, wrongIn(t, []int{50}, []int{90}), func(r *cosim.Replay) {
		r.Waivers = waivers(t, "- {field: out_index, bits: 1, reason: bit 0 is known}\n")
	})
	require.NoError(t, err)
	require.NotNil(t, res.Divergence, "bit 3 is not waived")
	require.Equal(t, 90, res.Divergence.Cycle)
	require.EqualValues(t, 1, res.Waived)

	res, err = replay(t, wrongIn(t, []int{50}, []int{90}), func(r *cosim.Replay) {
		r.Continue, r.Waivers = true, waivers(t, "- {field: out_index, bits: 1, reason: bit 0 is known}\n")
	})
	require.NoError(t, err)
	require.Equal(t, 90, res.Divergence.Cycle)
	require.Len(t, res.Differences, 2)
	require.Equal(t, "bit 0 is known", res.Differences[0].Reason)
	require.Empty(t, res.Differences[1].Reason)

	_, err = replay(t, text, func(r *cosim.Replay) { r.Waivers = waivers(t, "- {field: nothing, reason: x}\n") })
	require.ErrorContains(t, err, "no such output")
}
