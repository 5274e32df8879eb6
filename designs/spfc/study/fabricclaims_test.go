package study

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/spfc"
)

// A rack of 16 hosts of 100 Gb/s sends 48/63 of its flows to other racks of its pod: at load 0.5 that is 16 x 50 x
// 48/63 = 609.5 Gb/s, which 2 uplinks of 400 carry and one does not; at 0.9 it is 1,097.1. In 8 pods it is 496/511 of
// the flows, 776.5 at load 0.5, which in one pod is load 0.637.
func TestLoadOfUplinks(t *testing.T) {
	offered, carried := uplinkLoad(1, false, 0.5)
	require.InDelta(t, 609.52, offered, 0.01)
	require.Equal(t, 800.0, carried)
	_, carried = uplinkLoad(1, true, 0.5)
	require.Equal(t, 400.0, carried)
	require.Empty(t, overloaded(1, false, 0.65))
	require.Equal(t, "; not steady: 1097 Gb/s are offered to uplinks of 800", overloaded(1, false, 0.9))
	require.Equal(t, "; not steady: 610 Gb/s are offered to uplinks of 400", overloaded(1, true, 0.5))
	require.InDelta(t, 0.637, fullUplinks, 0.0001)
	offered, _ = uplinkLoad(1, false, fullUplinks)
	require.InDelta(t, 16*50*496./511, offered, 1e-9)
	offered, _ = uplinkLoad(8, false, 0.5)
	require.InDelta(t, 16*50*496./511, offered, 1e-9)
	require.Equal(t, "; not steady: 1398 Gb/s are offered to uplinks of 800", overloaded(8, false, 0.9))
}

// At the paper's point a run is of 8 pods, or of Figure 17a's pod for its 10 ms. The run that tests a reason stays in
// one pod.
func TestComparedAtThePapersPoint(t *testing.T) {
	paper := &claims.Run{Paper: true}
	q := comparePoint(paper, "table3", "timely", "fbhadoop", "st", printedLoad)
	require.Equal(t, 8, q.Pods)
	require.Equal(t, "8 pods, flows for 4000 us", q.sample())
	require.Equal(t, 1, pressed(q).Pods)
	q = comparePoint(paper, "fig18", "timely", "fbhadoop", "st", printedLoad)
	require.True(t, q.Failed)
	require.Equal(t, "one pod, flows for 10000 us", q.sample())
	q = comparePoint(&claims.Run{}, "table3", "timely", "fbhadoop", "st", printedLoad)
	require.Equal(t, "one pod, flows for 2000 us", q.sample())
}

// The topology that uplinkLoad stands for: 4 racks of 16 hosts and two links of 400 Gb/s up from each, and two racks
// have lost one of them.
func TestUplinksOfThePod(t *testing.T) {
	for failed, want := range map[bool]int{false: 8, true: 6} {
		top := spfc.Clos(1)
		if failed {
			top = spfc.DeadlockPod()
		}
		n := 0
		for _, l := range top.Links {
			a, b := top.NodeName(l.A), top.NodeName(l.B)
			if a[0] == 'T' && b[0] == 'L' || a[0] == 'L' && b[0] == 'T' {
				n++
				require.Equal(t, spfc.Gbps100/4, l.ByteTime)
			}
		}
		require.Equal(t, want, n)
		require.Equal(t, 64, top.Hosts)
	}
}

func TestMeanOverResults(t *testing.T) {
	result := func(flows int, gbps float64) (r fabricResult) {
		r.FCT[largeFlows] = classFCT{Flows: flows, Gbps: gbps}
		return r
	}
	d, ok := meanRate([]fabricResult{result(2, 30), result(1, 40)})
	require.True(t, ok)
	require.InDelta(t, 35, d.Mean, 1e-12)
	require.InDelta(t, 12.706*5, d.Half, 0.01, "Student's t of one degree of freedom by half of the distance")
	_, ok = meanRate([]fabricResult{result(2, 30), result(0, 0)})
	require.False(t, ok, "a seed without such flows")
}

// Of four runs one has a deadlock: by Wilson 0.0456 to 0.6994. 10 + 20 + 30 + 0 PAUSEs are 15 a run.
func TestShareOfRuns(t *testing.T) {
	r := &deadlockResult{Runs: []DeadlockRun{{At: -1, Pauses: 10}, {At: 0, Pauses: 20}, {At: -1, Pauses: 30}, {At: -1}}}
	full := &deadlockResult{Runs: []DeadlockRun{{At: 5}, {At: 7}}}
	x, pauses := r.counted()
	require.Equal(t, share{1, 4}, x)
	require.EqualValues(t, 60, pauses)
	m := shareOf(r, full)
	require.Equal(t, 0.25, m.Value)
	require.InDelta(t, 0.0456, m.Rows[0].Value, 0.0001)
	require.InDelta(t, 0.6994, m.Rows[1].Value, 0.0001)
	require.Equal(t, 15.0, m.Rows[2].Value)
	require.Equal(t, 1.0, m.Rows[rowAtFull].Value)
	// 30 PAUSEs against 40 are a quarter less; without either run 20 of 30 and 10 of 10
	d := fewerPauses([]DeadlockRun{{Pauses: 10}, {Pauses: 20}}, []DeadlockRun{{Pauses: 10}, {Pauses: 30}})
	require.InDelta(t, 25, d.Mean, 1e-12)
	// pseudo-values 2 x 25 - 33.3 and 2 x 25 - 0, whose mean is off by half of their distance times t
	require.InDelta(t, 12.706*(100./3)/2, d.Half, 0.01)
}

func TestJudgesOfFabricClaims(t *testing.T) {
	for _, c := range []struct {
		judge claims.Judge
		unit  string
		value float64
		rows  []float64
		holds bool
	}{
		{shareJudge(0.612), "", 0.6, []float64{0.5, 0.7}, true},
		{shareJudge(0.612), "", 0.6, []float64{0.4, 0.71}, false}, // too wide
		{shareJudge(0.612), "", 0.5, []float64{0.4, 0.6}, false},
		{shareJudge(0.612), "", 0.7, []float64{0.62, 0.8}, false},
		{reaches(46.1), "%", 40, []float64{1, 47}, true},
		{reaches(46.1), "%", 60, []float64{50, 70}, true},
		{reaches(46.1), "%", 40, []float64{0, 47}, false}, // no sign
		{reaches(46.1), "%", 40, []float64{30, 46}, false},
		{alikeJudge(), "%", 0, []float64{-10, 10}, true},
		{alikeJudge(), "%", 0, []float64{-11, 5}, false},
		{alikeJudge(), "%", 0, []float64{-5, 11}, false},
		{undecided(), "%", 0, []float64{0, 0, 0, 500, 3}, true},
		{undecided(), "%", 0, []float64{0, 0, 1, 500, 3}, false}, // a PAUSE
		{undecided(), "%", 0, []float64{0, 0, 0, 500, 0}, false}, // no difference where ports pause
		{undecided(), "%", 0, []float64{0, 0, 0, 50, 3}, false},  // they hardly do
		{undecided(), "%", 1, []float64{0, 0, 0, 500, 3}, false},
		{fewPauses(), "%", 1, []float64{-1, 3, 10, 500, 3}, true},
		{fewPauses(), "%", 1, []float64{0.5, 3, 10, 500, 3}, false},
		{fewPauses(), "%", -1, []float64{-3, -0.5, 10, 500, 3}, false},
		{fewPauses(), "%", 1, []float64{-1, 3, 51, 500, 3}, false},
	} {
		require.Equal(t, c.holds, accepts(t, c.judge, c.unit, c.value, c.rows...), "%v: %v %v", c.judge, c.value, c.rows)
	}
}

// The sample of a comparison: by hand from the runs that it is made of.
func TestComparedIsOfItsRuns(t *testing.T) {
	ctx := experiment.WithMemo(t.Context())
	q := comparePoint(&claims.Run{}, "fig15", "dcqcn", "websearch", "st", 0.2)
	q.Lasts = 200 * spfc.Microsecond
	var rs []fabricResult
	_, err := claims.OfSamples(compare, claims.Samples(q, 3), func(measured []fabricResult) claims.Measurement {
		rs = measured
		return claims.Measurement{}
	})(ctx, &claims.Run{Seed: 4})
	require.NoError(t, err)
	require.Len(t, rs, 3)
	total := int64(0)
	for k, r := range rs {
		want, err := fabricTest.Measure(t.Context(), q.FabricPoint, 4+uint64(k))
		require.NoError(t, err)
		require.Equal(t, want, r)
		total += want.Pauses
	}
	require.Equal(t, float64(total)/3, meanPauses(rs))
}

// The printed ratios, worked out from the printed cells: 33.92 / 26.49 is 28.0 % more, 27.65 / 12.50 121.2 %, and so
// on.
func TestTable3(t *testing.T) {
	want := map[string]string{
		"w1-dcqcn/dt2": "28", "w1-dcqcn/st": "26.6", "w1-timely/dt2": "16.7", "w1-timely/dt1": "17.7",
		"w2-dcqcn/st": "121.2", "w2-dcqcn/dt4": "29.5", "w2-timely/dt1": "80.3", "w2-timely/st": "122.2",
	}
	cells, ratios := 0, 0
	for _, c := range table3Claims() {
		if strings.Contains(c.ID, "/cell/") {
			cells++
			continue
		}
		ratios++
		if w, ok := want[c.ID[len("spfc/table3/"):]]; ok {
			require.Equal(t, "the interval meets "+w+" ± 0.05", c.Judge.String(), c.ID)
		}
	}
	require.Equal(t, []int{20, 16}, []int{cells, ratios})
}
