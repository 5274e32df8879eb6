//go:build soak

package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
)

// Figure 17b by host and load, with intervals over 40 runs of the printed length and memory: the loads at which the
// printed shares come, and the printed load, at which none does.
func TestDeadlocksByLoadAndHost(t *testing.T) {
	for _, c := range []struct {
		name, control string
		kept          bool
		load          float64
		printed       [2]float64 // with DT, with SPFC
		comes         [2]bool    // it is in the interval
	}{
		{"TIMELY at 0.75", "timely", false, 0.75, [2]float64{0.538, 0.209}, [2]bool{true, true}},
		{"DCQCN with its target kept at 0.7", "dcqcn", true, 0.7, [2]float64{0.612, 0.237}, [2]bool{true, false}},
		{"TIMELY at the printed load", "timely", false, printedLoad, [2]float64{0.538, 0.209}, [2]bool{}},
		{"DCQCN at the printed load", "dcqcn", false, printedLoad, [2]float64{0.612, 0.237}, [2]bool{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := experiment.WithMemo(t.Context())
			for i, scheme := range []string{"dt2", "spfc"} {
				q := deadlockPoint(c.control, scheme, c.load, 40)
				if c.kept {
					q.Timers, q.FirstLater, q.KeepTarget = "paper", true, true
				}
				r, err := deadlockTest.Measure(ctx, q, 1)
				require.NoError(t, err)
				x, pauses := r.counted()
				low, high := x.interval()
				t.Logf("%s: %d of %d, %.3f to %.3f, %d PAUSEs", scheme, x.n, x.of, low, high, pauses)
				in := low <= c.printed[i] && c.printed[i] <= high
				require.Equal(t, c.comes[i], in, "%s: %.3f to %.3f", scheme, low, high)
			}
		})
	}
}
