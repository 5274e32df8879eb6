package schedule_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// everyStart returns the least period, and the least length at it, of all start times there are; 0 if the longest
// period is too short. A start beyond the horizon need not be tried: between two start times in a row there is never
// use for more than the longest latency and a period.
func everyStart(g *schedule.Graph, l schedule.Limits) (period, length int) {
	for period = 1; period <= l.MaxPeriod; period++ {
		horizon := (len(g.Nodes)-1)*(max(l.MatchLatency, l.ActionLatency)+period-1) + 1
		if l.Threads > 0 {
			horizon = min(horizon, l.Threads*period)
		}
		best := 0
		start := make([]int, len(g.Nodes))
		var try func(v int, zero bool)
		try = func(v int, zero bool) {
			if v == len(start) {
				s := schedule.Schedule{Graph: g, Limits: l, Period: period, Start: start}
				if zero && (best == 0 || s.Length() < best) && s.Validate() == nil {
					best = s.Length()
				}
				return
			}
			for start[v] = 0; start[v] < horizon; start[v]++ {
				early := false
				for _, e := range g.Edges {
					early = early || e.To == v && start[v]-start[e.From] < l.Latency(e.Delay)
				}
				if !early {
					try(v+1, zero || start[v] == 0)
				}
			}
		}
		try(0, false)
		if best > 0 {
			return period, best
		}
	}
	return 0, 0
}

// everyStage returns the least number of stages of all pipelines there are.
func everyStage(g *schedule.Graph, l schedule.Limits, coarse bool) int {
	for stages := 1; ; stages++ {
		p := schedule.Pipeline{Graph: g, Limits: l, Coarse: coarse, Stage: make([]int, len(g.Nodes))}
		var try func(v int) bool
		try = func(v int) bool {
			if v == len(p.Stage) {
				return p.Validate() == nil
			}
			for p.Stage[v] = 0; p.Stage[v] < stages; p.Stage[v]++ {
				if try(v + 1) {
					return true
				}
			}
			return false
		}
		if try(0) {
			return stages
		}
	}
}

// smallGraph draws a graph of a few operations: tables of match and action, matches, actions and conditions alone.
func smallGraph(t *rapid.T, most int) *schedule.Graph {
	g := &schedule.Graph{Name: "small"}
	fields := rapid.IntRange(0, 2)
	for items := rapid.IntRange(2, most).Draw(t, "items"); items > 0 && len(g.Nodes) < most; items-- {
		name := fmt.Sprint(len(g.Nodes))
		switch k := rapid.IntRange(0, 3).Draw(t, "kind"); {
		case k == 0 && len(g.Nodes)+2 <= most:
			bits := rapid.IntRange(1, 2).Draw(t, "bits")
			g.Nodes = append(g.Nodes, schedule.Node{Name: name + "_MATCH", Kind: schedule.Match, KeyBits: bits},
				schedule.Node{Name: name + "_ACTION", Kind: schedule.Action, Fields: fields.Draw(t, "fields")})
			n := len(g.Nodes)
			g.Edges = append(g.Edges, schedule.Edge{From: n - 2, To: n - 1, Delay: schedule.AfterMatch, SameTable: true})
		case k == 1:
			g.Nodes = append(g.Nodes, schedule.Node{Name: name, Kind: schedule.Condition, Fields: 1})
		case k == 2:
			g.Nodes = append(
				g.Nodes, schedule.Node{Name: name, Kind: schedule.Match, KeyBits: rapid.IntRange(1, 2).Draw(t, "bits")},
			)
		default:
			g.Nodes = append(g.Nodes, schedule.Node{Name: name, Kind: schedule.Action, Fields: fields.Draw(t, "fields")})
		}
	}
	for i := range g.Nodes {
		for j := i + 1; j < len(g.Nodes); j++ {
			if rapid.IntRange(0, 2).Draw(t, "edge") > 0 {
				continue
			}
			e := schedule.Edge{From: i, To: j, Delay: schedule.AfterAction}
			if g.Nodes[i].Kind == schedule.Match {
				e.Delay = schedule.AfterMatch
			} else if g.Nodes[j].Kind != schedule.Match && rapid.Bool().Draw(t, "together") {
				e.Delay = schedule.NotBefore
			}
			g.Edges = append(g.Edges, e)
		}
	}
	return g
}

// Small random graphs, with hardware limits of all kinds: the period and the length that the search claims to be least
// are the least of all start times.
func TestMinimizeAgainstTryingEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := smallGraph(t, 4)
		limit := func(name string, low, high int) int { // 0: none
			if rapid.Bool().Draw(t, name+" limited") {
				return rapid.IntRange(low, high).Draw(t, name)
			}
			return 0
		}
		l := schedule.Limits{SegmentBits: 1, Segments: 2, Fields: 2, MatchLatency: 2, ActionLatency: 1,
			IPC: rapid.IntRange(1, 2).Draw(t, "ipc"), Actions: limit("actions", 1, 2), ScratchPad: limit("scratch pad", 1, 2),
			Threads: limit("threads", 1, 4), MaxPeriod: 5}
		period, length := everyStart(g, l)
		r, err := schedule.Minimize(context.Background(), g, l, schedule.Options{})
		if period == 0 {
			require.ErrorContains(t, err, "a period of 5 is too short", "%v", g)
			return
		}
		require.NoError(t, err)
		require.NotNil(t, r.Schedule, "%v", g)
		require.NoError(t, r.Schedule.Validate())
		require.Equal(t, []int{period, length}, []int{r.Schedule.Period, r.Schedule.Length()}, "%v", g)
		require.Equal(t, []int{period, length}, []int{r.Period.Low, r.Length.Low})
		require.True(t, r.Period.Proved() && r.Length.Proved())
		if c := r.Period.Refuted; c != nil && c.Certificate != nil {
			require.NoError(t, c.Certificate.Check(g, l))
		}
	})
}

// The same of RMT's stages, coarse and fine.
func TestStagesAgainstTryingEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := smallGraph(t, 5)
		l := schedule.RMT(2)
		l.SegmentBits, l.Segments = 1, 2
		for _, coarse := range []bool{false, true} {
			p, b, err := schedule.MinimizeStages(context.Background(), g, l, coarse, schedule.Options{})
			require.NoError(t, err)
			require.NoError(t, p.Validate())
			want := everyStage(g, l, coarse)
			require.Equal(t, []int{want, want, want}, []int{p.Stages(), b.Low, b.High}, "%v", g)
			if b.Refuted != nil && b.Refuted.Certificate != nil {
				require.NoError(t, b.Refuted.Certificate.Check(g, l))
			}
		}
	})
}

// tables returns a number of tables of one key segment and one field, which nothing joins, and a condition that shares
// its pointer with nothing.
func tables(count int) *schedule.Graph {
	g := &schedule.Graph{Name: "tables"}
	for i := range count {
		g.Nodes = append(g.Nodes, schedule.Node{Name: fmt.Sprint("M", i), Kind: schedule.Match, KeyBits: 48},
			schedule.Node{Name: fmt.Sprint("A", i), Kind: schedule.Action, Fields: 1})
		g.Edges = append(g.Edges, schedule.Edge{From: 2 * i, To: 2*i + 1, Delay: schedule.AfterMatch, SameTable: true})
	}
	g.Nodes = append(g.Nodes, schedule.Node{Name: "c", Kind: schedule.Condition, Fields: 1})
	return g
}

// Eight tables and a condition fit a cycle by Table 1, but take nine instruction pointers of eight: 2 processors, and
// no longer than a match and its action.
func TestInstructionPointersAreCounted(t *testing.T) {
	for ipc := 1; ipc <= 2; ipc++ {
		r, err := schedule.Minimize(context.Background(), tables(8), schedule.DRMT(ipc), schedule.Options{})
		require.NoError(t, err)
		require.Equal(t, []string{"2", "23"}, []string{r.Period.String(), r.Length.String()})
		require.Equal(t, schedule.PointersFull, r.Period.Refuted.By)
		require.True(t, r.Period.Refuted.Hardware)
		r, err = schedule.Minimize(context.Background(), tables(8), schedule.DRMT(ipc).WithoutHardware(), schedule.Options{})
		require.NoError(t, err)
		require.Equal(t, "1", r.Period.String())
	}
}

// A search whose allowance of clauses is used up ends with its bounds, the same each time, and takes no more.
func TestAllowanceEndsTheSearch(t *testing.T) {
	g := schedule.RandomGraph(schedule.Random{Nodes: 40, Edges: 100}, random(3))
	l := schedule.DRMT(1)
	var known []string
	for range 2 {
		learned, question := 0, 0
		opt := schedule.Options{Clauses: 700, Progress: func(p schedule.Progress) {
			if p.Learned < question { // another question
				learned += question
			}
			question = p.Learned
		}}
		r, err := schedule.Minimize(context.Background(), g, l, opt)
		require.NoError(t, err)
		require.NoError(t, r.Schedule.Validate())
		require.False(t, r.Length.Proved(), "the limit is too high to show anything")
		require.LessOrEqual(t, learned+question, 700)
		known = append(known, fmt.Sprint(r.Period, r.Length, r.Schedule.Start))
	}
	require.Equal(t, known[0], known[1])
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 6)) }
