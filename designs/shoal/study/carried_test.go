package study

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
	measures "github.com/goldwire/goldwire/workload/measure"
)

// Nine samples, so quarters of two; slots of 2 ns, so that six times 64 of them are 768 ns after the first quarter.
func TestCarriedOfSamplesByHand(t *testing.T) {
	s := []carriedAt{
		{}, {10, 0, 1, 1}, {30, 10, 3, 2}, {40, 10, 4, 3}, {60, 20, 6, 5}, {70, 30, 7, 5}, {90, 40, 9, 6},
		{110, 50, 11, 7}, {798, 394, 12, 8},
	}
	c := carried(s, 2)
	require.Equal(
		t,
		measures.Carried{
			Offered: 768 * 8 / 768., Arrived: 384 * 8 / 768., Messages: 12, UnderWay: [4]float64{1.5, 4, 5.5, 7.5},
		},
		c,
	)
	require.Equal(
		t, measures.Carried{Offered: 16, Arrived: 8, Messages: 24, UnderWay: [4]float64{3, 8, 11, 15}},
		mergeCarried(c, c),
	)
	require.Equal(t, measures.Carried{}, carried(s[:3], 2))
}

// Each experiment with a load prints the drawn load, the arrived load, and the queues that grow. A channel of 25 Gb/s
// carries each cell twice, so that 1.5 times 50 Gb/s is at least six times too much.
func TestLoadsSayWhatArrives(t *testing.T) {
	for _, c := range []struct {
		e        experiment.Experiment
		flags    string
		says, no string
	}{
		{peers, "--nodes 16 --channels 1 --ports 8 --networks shoal,ndp --load 0.5 --flows 300 --sizes pareto",
			"Load 0.5 was asked for, the flows drawn make 0.", ""},
		{peers, "--nodes 16 --channels 1 --ports 8 --networks shoal --load 0.1,1.5 --flows 4000 --sizes fixed:560",
			"not steady: shoal at load 1.5.", "at load 0.1."},
		{Load, "--nodes 16 --channels 1 --load 0.5 --flows 300 --sizes pareto",
			"Load 0.5 was asked for, the flows drawn make 0.", ""},
		{Load, "--nodes 16 --channels 1 --load 0.1,1.5 --flows 4000 --sizes fixed:560", "not steady: load 1.5,", "load 0.1"},
		{epochStudy, "--nodes 16 --load 2 --flows 4000 --sizes fixed:560", "not steady: 16 nodes with 4 channels at load 2.",
			""},
		{Applications, "--nodes 16 --channels 1 --ports 8 --networks shoal --applications hadoop --flows 1000 " +
			"--interval 2000", "not steady: shoal of hadoop.", ""},
	} {
		p := c.e.Params()
		words := strings.Fields(c.flags)
		for k := 0; k < len(words); k += 2 {
			for _, f := range p.Fields {
				if "--"+f.Flag == words[k] {
					require.NoError(t, f.Set(words[k+1]))
				}
			}
		}
		out, err := c.e.Run(t.Context(), p, experiment.Options{Seed: 1})
		require.NoError(t, err)
		var text strings.Builder
		require.NoError(t, out.Report.WriteText(&text, 0))
		text.WriteString(strings.Join(out.Report.Failed, "\n")) // a load that is not steady fails the run
		require.Contains(t, text.String(), c.says, c.flags)
		require.LessOrEqual(t, strings.Count(text.String(), "was asked for"), 1, "once for two networks")
		if c.no != "" {
			require.NotContains(t, text.String(), c.no, c.flags)
		}
		require.Contains(t, text.String(), "Arrived")
		for _, f := range out.Points {
			switch v := f.Result.(type) {
			case peersResult:
				require.Positive(t, v.Carried.Arrived)
			case loadResult:
				require.Positive(t, v.Arrived)
				require.Less(t, v.Arrived, v.Offered)
			}
		}
	}
}
