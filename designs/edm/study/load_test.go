package study

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
)

// The experiment load prints offered and arrived payload of EDM and of a peer, and that 1.1 of the line is more than
// EDM carries. A node that asks gets 64 bytes a read: the arrived payload, counted here from the messages themselves,
// is a share of its link's 100 Gb/s.
func TestLoadSaysWhatArrives(t *testing.T) {
	const asking = 4
	p := load.Params()
	for flag, v := range map[string]string{"nodes": "8", "messages": "3000", "loads": "0.15,1.1", "reads": "1",
		"baselines": "cxl"} {
		for _, f := range p.Fields {
			if f.Flag == flag {
				require.NoError(t, f.Set(v))
			}
		}
	}
	out, err := load.Run(t.Context(), p, experiment.Options{Seed: 1})
	require.NoError(t, err)
	var text strings.Builder
	require.NoError(t, out.Report.WriteText(&text, 0))
	failed := strings.Join(out.Report.Failed, "\n")
	require.Contains(t, failed, "not steady: EDM at load 1.1.")
	require.NotContains(t, failed, "at load 0.15.")
	require.Contains(t, text.String(), "Drawn")
	for _, f := range out.Points {
		x := f.Result.(*Point)
		first, last := int64(math.MaxInt64), int64(0)
		for _, r := range x.Results {
			first, last = min(first, r.Start), max(last, r.Start)
		}
		came := 0
		for _, r := range x.Results {
			if r.Finish > first+(last-first)/4 && r.Finish <= last {
				came++
			}
		}
		gbps := float64(came) * 64 * 8000 / (0.75 * float64(last-first)) / asking
		require.InDelta(t, gbps/100, x.Arrived, 0.003, "%s at %g", x.Scheme, x.Offered)
		require.InDelta(t, x.Payload, x.Drawn, 0.05*x.Payload, "%s at %g", x.Scheme, x.Offered)
		if x.Offered == 0.15 {
			require.InDelta(t, x.Drawn, x.Arrived, 0.01)
		} else if x.Scheme == edmScheme {
			require.Less(t, x.Arrived, 0.7*x.Drawn)
		}
	}
}
