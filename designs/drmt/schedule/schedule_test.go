package schedule_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// Figure 4's schedules, valid and not, and what the validator says of the naive one.
func ExampleSchedule_Validate() {
	g, l := schedule.Figure4()
	naive := schedule.Schedule{Graph: g, Limits: l, Period: 2, Start: []int{0, 0, 2, 2, 4, 4, 5}}
	fmt.Println(naive.Validate())
	delayed := schedule.Schedule{Graph: g, Limits: l, Period: 2, Start: []int{0, 0, 3, 3, 5, 5, 6}}
	fmt.Println(delayed.Validate(), delayed.Length(), "cycles", delayed.Threads(), "threads")
	// Output:
	// schedule of figure4: cycle 0 of 2: 4 key segments, a processor has 2
	// schedule of figure4: cycle 0 of 2: 2 packets starting matches, a processor has 1
	// <nil> 7 cycles 4 threads
}

// toy is a match with its action, a condition and a default action, in a row.
func toy() *schedule.Graph {
	return &schedule.Graph{Name: "toy",
		Nodes: []schedule.Node{
			{Name: "M", Kind: schedule.Match, KeyBits: 100}, {Name: "A", Kind: schedule.Action, Fields: 20},
			{Name: "c", Kind: schedule.Condition, Fields: 1}, {Name: "D", Kind: schedule.Action, Fields: 20},
		},
		Edges: []schedule.Edge{
			{From: 0, To: 1, Delay: schedule.AfterMatch, SameTable: true}, {From: 1, To: 2, Delay: schedule.AfterAction},
			{From: 2, To: 3, Delay: schedule.NotBefore},
		}}
}

func TestValidateNamesWhatIsBroken(t *testing.T) {
	hardware := schedule.DRMT(1)
	few := hardware
	few.ScratchPad, few.Threads, few.Actions, few.MaxPeriod = 1, 10, 1, 7
	ten := hardware
	ten.Threads = 10
	for _, c := range []struct {
		limits schedule.Limits
		period int
		start  []int
		want   string
	}{
		{hardware, 3, []int{0, 22, 24, 24}, ""},
		{hardware, 3, []int{-3, 19, 21, 21}, ""},
		{hardware, 3, []int{0, 21, 24, 24}, "M starts at 0, A at 21, expected 22 cycles or more between them"},
		{hardware, 3, []int{0, 22, 24, 23}, "c starts at 24, D at 23, expected 0 cycles or more between them"},
		{hardware, 1, []int{0, 22, 24, 24}, "cycle 0 of 1: 41 fields modified, a processor has 32"},
		{hardware, 2, []int{0, 22, 24, 25}, "cycle 0 of 2: 2 packets starting actions, a processor has 1"},
		{few, 3, []int{0, 28, 30, 30}, "cycle 0 of 3: 2 results in the scratch pad, a processor has 1"},
		{few, 2, []int{0, 22, 24, 25},
			"13 packets in a processor at once (26 cycles, one packet every 2), the hardware has 10 threads"},
		{ten, 3, []int{0, 22, 24, 29}, ""},
		{ten, 3, []int{0, 22, 24, 30}, "11 packets in a processor at once (31 cycles, one packet every 3)"},
		{few, 8, []int{0, 22, 24, 24}, "a period of 8, the hardware has 7"},
		{hardware, 0, []int{0, 22, 24, 24}, "a period of 0 cycles"},
		{hardware, 3, []int{0, 22, 24}, "3 start times for 4 operations"},
	} {
		err := (&schedule.Schedule{Graph: toy(), Limits: c.limits, Period: c.period, Start: c.start}).Validate()
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, "schedule of toy: "+c.want)
	}
}

func TestBadInputIsOneLine(t *testing.T) {
	g := toy()
	g.Nodes[0].KeyBits = 700
	_, err := schedule.Minimize(context.Background(), g, schedule.DRMT(1), schedule.Options{})
	require.EqualError(
		t, err, "graph toy: the key of M has 700 bits, 9 segments of 80 bits; a processor sends 8 in a cycle",
	)
	g = toy()
	g.Edges = append(g.Edges, schedule.Edge{From: 3, To: 1, Delay: schedule.AfterAction})
	_, err = schedule.Minimize(context.Background(), g, schedule.DRMT(1), schedule.Options{})
	require.EqualError(t, err, "graph toy: operations depend on each other: A -> c -> D -> A")
	_, err = schedule.Minimize(context.Background(), toy(), schedule.DRMT(1), schedule.Options{Period: 1})
	require.EqualError(t, err, "graph toy: no schedule of period 1 at IPC 1 (counting, 1 steps)")
	_, err = schedule.Read(
		"s.json",
		strings.NewReader(`{"graph": "toy", "ipc": 1, "period": 2, "start": {"M": 0, "A": 22, "c": 23, "D": 25}}`),
		toy(),
		schedule.DRMT(1),
	)
	require.EqualError(
		t, err, "s.json: schedule of toy: A starts at 22, c at 23, expected 2 cycles or more between them (and 1 more)",
	)
	_, err = schedule.Read(
		"s.json",
		strings.NewReader(`{"graph": "toy", "ipc": 1, "period": 2, "start": {"M": 0, "A": 22, "c": 24}}`),
		toy(),
		schedule.DRMT(1),
	)
	require.EqualError(t, err, "s.json: operation D has no start")
}

// What a cycle holds, counted by hand: every line that the validator reports.
func TestValidateCounts(t *testing.T) {
	// matches are tables of one segment and one field each; fixed are conditions of their own.
	graph := func(matches, fixed int) (*schedule.Graph, []int) {
		g, start := &schedule.Graph{Name: "counted"}, []int(nil)
		for i := range matches {
			g.Nodes = append(
				g.Nodes, schedule.Node{Name: fmt.Sprint("M", i), Kind: schedule.Match, KeyBits: 80},
				schedule.Node{Name: fmt.Sprint("A", i), Kind: schedule.Action, Fields: 1},
			)
			g.Edges = append(g.Edges, schedule.Edge{From: 2 * i, To: 2*i + 1, Delay: schedule.AfterMatch, SameTable: true})
			start = append(start, i%2, 24) // two cycles send keys, one acts
		}
		for i := range fixed {
			g.Nodes = append(g.Nodes, schedule.Node{Name: fmt.Sprint("c", i), Kind: schedule.Condition, Fields: 1})
			start = append(start, 24)
		}
		return g, start
	}
	for _, c := range []struct {
		matches, fixed int
		want           string
	}{
		{8, 0, ""},
		{9, 0, "schedule of counted: cycle 0 of 2: 9 distinct actions, a processor has 8"},
		{7, 5, ""}, // operations equal for every packet share a pointer
		{8, 1, "schedule of counted: cycle 0 of 2: 9 distinct actions, a processor has 8"},
		{8, 25, "schedule of counted: cycle 0 of 2: 33 fields modified, a processor has 32\n" +
			"schedule of counted: cycle 0 of 2: 9 distinct actions, a processor has 8"},
	} {
		g, start := graph(c.matches, c.fixed)
		err := (&schedule.Schedule{Graph: g, Limits: schedule.DRMT(1), Period: 2, Start: start}).Validate()
		if c.want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.want)
		}
	}

	// A result waits in 22, ..., 27: in each cycle of three there are two, whichever packet's. In 22, 23 and 24 there is
	// one.
	l := schedule.DRMT(1)
	l.ScratchPad = 1
	err := (&schedule.Schedule{Graph: toy(), Limits: l, Period: 3, Start: []int{0, 28, 30, 30}}).Validate()
	line := func(cycle int) string {
		return fmt.Sprintf("schedule of toy: cycle %d of 3: 2 results in the scratch pad, a processor has 1", cycle)
	}
	require.EqualError(t, err, line(0)+"\n"+line(1)+"\n"+line(2))
	require.NoError(t, (&schedule.Schedule{Graph: toy(), Limits: l, Period: 3, Start: []int{0, 25, 27, 27}}).Validate())
	// Cycles are counted from where one likes: also from after the last start.
	for from := -200; from <= 10; from++ {
		s := &schedule.Schedule{Graph: toy(), Limits: l, Period: 3, Start: []int{from, from + 25, from + 27, from + 27}}
		require.NoError(t, s.Validate(), "from %d", from)
		s.Start[1], s.Start[2], s.Start[3] = from+26, from+28, from+28 // four cycles of waiting
		require.ErrorContains(t, s.Validate(), "2 results in the scratch pad")
	}
}

// A pipeline's validator, stage by stage. A match and the action of its table share a stage on RMT, but not on RMT
// fine.
func TestPipelineValidateNamesWhatIsBroken(t *testing.T) {
	for _, c := range []struct {
		stage        []int
		fine, coarse string
		edit         func(g *schedule.Graph)
	}{
		{stage: []int{0, 0, 1, 1}},
		{stage: []int{0, 1, 2, 2}, coarse: "M is in stage 0, A in 1"},
		{stage: []int{1, 0, 1, 1}, fine: "M is in stage 1, A in 0", coarse: "M is in stage 1, A in 0"},
		{stage: []int{0, 0, 0, 1}, fine: "A is in stage 0, c in 0", coarse: "A is in stage 0, c in 0"},
		{stage: []int{0, 0, 2, 1}, fine: "c is in stage 2, D in 1", coarse: "c is in stage 2, D in 1"},
		{stage: []int{0, 0, 1, 1}, fine: "stage 1 modifies 33 fields of 32", coarse: "stage 1 modifies 33 fields of 32",
			edit: func(g *schedule.Graph) { g.Nodes[3].Fields = 32 }},
		{stage: []int{0, 0, 1, 1}, fine: "stage 0 sends 9 key segments of 8", coarse: "stage 0 sends 9 key segments of 8",
			edit: func(g *schedule.Graph) { g.Nodes[0].KeyBits = 641 }},
		{stage: []int{-1, 0, 1, 1}, fine: "M is in stage -1, expected 0 to 1048576",
			coarse: "M is in stage -1, expected 0 to 1048576"},
	} {
		g := toy()
		if c.edit != nil {
			c.edit(g)
		}
		for coarse, want := range map[bool]string{false: c.fine, true: c.coarse} {
			p := &schedule.Pipeline{Graph: g, Limits: schedule.RMT(32), Coarse: coarse, Stage: c.stage}
			if want == "" {
				require.NoError(t, p.Validate())
			} else {
				require.EqualError(t, p.Validate(), "pipeline of toy: "+want)
			}
		}
	}
	p := &schedule.Pipeline{Graph: toy(), Limits: schedule.RMT(32), Stage: []int{0, 0, 1, 17}}
	require.Equal(t, 18, p.Stages())
	require.Equal(t, 360, p.Threads()) // Table 3, ingress on RMT: 18 stages of 18 and 2 cycles
}

// Numbers that overflow, or that would be counted up to, are refused before anything is computed with them.
func TestAbsurdNumbers(t *testing.T) {
	read := func(period, m, a, c, d int) error {
		text := fmt.Sprintf(
			`{"graph": "toy", "ipc": 1, "period": %d, "start": {"M": %d, "A": %d, "c": %d, "D": %d}}`,
			period,
			m,
			a,
			c,
			d,
		)
		_, err := schedule.Read("s.json", strings.NewReader(text), toy(), schedule.DRMT(1))
		return err
	}
	const top, bottom = math.MaxInt, math.MinInt
	require.EqualError(
		t, read(1<<30, 0, 22, 24, 24), "s.json: schedule of toy: a period of 1073741824 cycles, expected 1 to 1048576",
	)
	for _, start := range [][4]int{{top - 24, top - 2, top, top}, {bottom, bottom + 22, bottom + 24, bottom + 24},
		{bottom, top, top, top}} {
		require.EqualError(
			t, read(3, start[0], start[1], start[2], start[3]),
			fmt.Sprintf("s.json: schedule of toy: M starts at %d, expected -1048576 to 1048576", start[0]),
		)
	}
	require.EqualError(
		t, read(3, -1<<20, 22, 24, 1<<20), "s.json: schedule of toy: 2097153 cycles long, at most 1048576 are accepted",
	)

	g := toy()
	g.Nodes[0].KeyBits = top // segments of such a key, rounded up, overflow
	require.EqualError(
		t, g.Check(),
		fmt.Sprintf("graph toy: operation M has a key of %d bits and writes 0 fields, expected at most 1048576", top),
	)
	g = toy()
	g.Nodes[1].Fields, g.Nodes[2].Fields = top, top // the sum is -2
	err := (&schedule.Schedule{Graph: g, Limits: schedule.DRMT(1), Period: 1, Start: []int{0, 22, 24, 24}}).Validate()
	require.EqualError(
		t, err,
		fmt.Sprintf("graph toy: operation A has a key of 0 bits and writes %d fields, expected at most 1048576", top),
	)
	require.EqualError(
		t, (&schedule.Pipeline{Graph: toy(), Limits: schedule.RMT(32), Stage: []int{0, 0, 1, top}}).Validate(),
		fmt.Sprintf("pipeline of toy: D is in stage %d, expected 0 to 1048576", top),
	)

	large := &schedule.Graph{Name: "large"}
	for i := range 8193 {
		large.Nodes = append(large.Nodes, schedule.Node{Name: fmt.Sprint(i), Kind: schedule.Condition, Fields: 1})
	}
	require.EqualError(t, large.Check(), "graph large: 8193 operations, at most 8192 are accepted")
}

func TestSchedulesAreReadAsWritten(t *testing.T) {
	r, err := schedule.Minimize(context.Background(), toy(), schedule.DRMT(1), schedule.Options{})
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, r.Schedule.Write(&b))
	again, err := schedule.Read("s.json", strings.NewReader(b.String()), toy(), schedule.DRMT(1))
	require.NoError(t, err)
	require.Equal(t, r.Schedule, again)
}

// A certificate that is tampered with does not pass.
func TestCertificatesAreChecked(t *testing.T) {
	checked := 0
	for seed := range uint64(12) {
		g := schedule.RandomGraph(schedule.Random{Nodes: 40, Edges: 100}, rand.New(rand.NewPCG(seed, 1)))
		r, err := schedule.Minimize(context.Background(), g, schedule.DRMT(1), schedule.Options{PeriodOnly: true})
		require.NoError(t, err)
		if r.Period.Refuted == nil || r.Period.Refuted.Certificate == nil {
			continue
		}
		c := *r.Period.Refuted.Certificate
		l := schedule.DRMT(1)
		require.NoError(t, c.Check(g, l))
		checked++
		c.Bins++ // one bin more would do
		require.Error(t, c.Check(g, l))
		c.Bins--
		if len(c.Lemmas) > 0 {
			c.Lemmas = append([]schedule.Lemma(nil), c.Lemmas...)
			c.Lemmas[0].Bins++
			require.Error(t, c.Check(g, l))
		}
	}
	require.Greater(t, checked, 5)
}

func TestHeuristicsKeepTable1(t *testing.T) {
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 2))
		g := schedule.RandomGraph(schedule.Random{Nodes: 40, Edges: 100}, rng)
		l := schedule.DRMT(1).WithoutHardware()
		pipe, b, err := schedule.MinimizeStages(context.Background(), g, schedule.RMT(32), false, schedule.Options{})
		require.NoError(t, err)
		require.NoError(t, pipe.Validate())
		require.True(t, b.Proved())
		s := schedule.SR(pipe, l, pipe.Stages())
		require.NoError(t, s.Validate())
		require.Nil(t, schedule.SR(pipe, l, pipe.Stages()-1))
		if s := schedule.TRS(g, l, pipe.Stages()+4, 10, rng); s != nil {
			require.NoError(t, s.Validate())
			short := l
			short.MatchLatency, short.ActionLatency = 40, 3
			require.NoError(t, s.Stretch(short).Validate())
		}
	}
}

// A search that is cut short returns its bounds.
func TestInterruptedSearchKeepsItsBounds(t *testing.T) {
	g := schedule.RandomGraph(schedule.Figure6, random(3))
	ctx, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancel()
	r, err := schedule.Minimize(ctx, g, schedule.DRMT(1), schedule.Options{})
	require.NoError(t, err)
	require.False(t, r.Period.Proved())
	require.Greater(t, r.Period.Low, 1)
	require.Contains(t, r.Period.String(), "at least")
}
