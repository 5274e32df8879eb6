package study

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/wave"

	"github.com/goldwire/goldwire/designs/spfc"
)

// A waveform read back has as many PAUSEs as the manager counted, in a time in which nothing is resumed unasked, the
// queue of the last sample, and a scope for each run.
func TestWaveformOfStates(t *testing.T) {
	var done []experiment.Result[BurstPoint, burstResult]
	for _, scheme := range []string{"dt2", "spfc"} {
		q := BurstPoint{Settings: spfc.DefaultSettings(), Scheme: scheme, Bursts: 24, Lasts: 600 * spfc.Microsecond,
			Far: 9 * spfc.Microsecond, Congest: 7, Every: 50 * spfc.Microsecond, Record: true}
		v, err := runBurst(t.Context(), &experiment.Run{Seed: 1}, q)
		require.NoError(t, err)
		require.Positive(t, v.AllPauses)
		done = append(done, experiment.Result[BurstPoint, burstResult]{Point: q, Value: v})
	}
	var text bytes.Buffer
	require.NoError(t, writeStates(&text, done))
	r, err := wave.NewReader(&text, "states.vcd")
	require.NoError(t, err)
	require.Equal(t, wave.Picoseconds, r.Scale)

	pauses, queue, victims := map[string]int64{}, map[string]int64{}, map[string]int{}
	end := uint64(quiet + 9*spfc.Microsecond + 600*spfc.Microsecond)
	for {
		err := r.Next(func(c wave.Change) {
			scope, name, _ := strings.Cut(r.Vars[c.Var].Path, ".")
			value, err := strconv.ParseInt(c.Value, 2, 64)
			require.NoError(t, err)
			switch {
			case strings.HasSuffix(name, "_paused") && value == 1 && c.Time <= end:
				pauses[scope]++
			case strings.HasSuffix(name, "_victim") && value == 1:
				victims[scope]++
			case name == "p0_bytes":
				queue[scope] = value
			}
		})
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
	}
	for k, scope := range []string{"dt2_n24", "spfc_n24"} {
		v := done[k].Value
		require.Equal(t, v.AllPauses, pauses[scope], scope)
		require.Equal(t, v.Samples[len(v.Samples)-1].Victim, queue[scope], scope)
	}
	require.Zero(t, victims["dt2_n24"], "DT has no victims")
	require.Positive(t, victims["spfc_n24"])
}
