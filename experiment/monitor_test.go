package experiment_test

import (
	stdcontext "context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/rtl"
)

// well fills a queue by a word a cycle.
type well struct {
	Out rtl.Out[uint64]

	lanes []lane
	n     uint64
}

// lane is a part with two queues.
type lane struct {
	short, long *blocks.FIFO[uint64]
}

func (w *well) Tick() {
	w.n++
	w.Out.Set(w.n)
	if q := w.lanes[1].long; !q.Full() {
		q.Push(w.n)
	}
}

type wellParams struct {
	Until uint64 `flag:"last" min:"1" max:"1000000" help:"words that move"`
	Total uint64 `flag:"total" min:"1" max:"1000000" help:"cycles"`
}

type wellPoint struct{ Until, Total uint64 }

// wells is an experiment in which nothing moves any more at some cycle, at 1 GHz.
func wells(between func(run *experiment.Run)) *experiment.Defined[wellParams, wellPoint, int] {
	return experiment.Define(experiment.Spec[wellParams, wellPoint, int]{
		Name: "wells", Short: "Words that stop", Waves: true, Defaults: wellParams{1000, 1000},
		Points: func(p *wellParams, seed uint64) ([]experiment.Point[wellPoint], error) {
			return experiment.One(wellPoint{p.Until, p.Total}, seed), nil
		},
		Run: func(ctx stdcontext.Context, run *experiment.Run, q wellPoint) (int, error) {
			sim := rtl.New(rtl.Config{})
			clk := sim.Clock("clk", clock.MHz(1000))
			w := &well{lanes: make([]lane, 2)}
			for i := range w.lanes {
				w.lanes[i] = lane{blocks.NewFIFO[uint64](4), blocks.NewFIFO[uint64](1000)}
			}
			for range 3 {
				w.lanes[0].short.Push(1)
			}
			sim.Scope("top").On(clk).Add("well", w)
			if err := sim.Elaborate(); err != nil {
				return 0, err
			}
			if err := run.Watch(sim, clk, nil); err != nil {
				return 0, err
			}
			for clk.Cycle() < q.Total {
				if err := clk.Run(100); err != nil {
					return 0, err
				}
				if err := ctx.Err(); err != nil {
					return 0, err
				}
				if between != nil {
					between(run)
				}
				run.Progress(min(clk.Cycle(), q.Until), q.Total)
			}
			return 1, nil
		},
		Report: func(*wellParams, []experiment.Result[wellPoint, int]) (*experiment.Report, error) {
			return &experiment.Report{}, nil
		},
	})
}

// A run in which nothing moves any more ends, names the fullest queue, and leaves the last cycles.
func TestARunInWhichNothingMoves(t *testing.T) {
	e := wells(nil)
	p := e.Params()
	require.NoError(t, p.Find("total").Set("100000"))
	require.NoError(t, p.Find("last").Set("650"))
	file := filepath.Join(t.TempDir(), "stall.vcd")
	m := &experiment.Monitor{Stall: clock.MustTime("500ns")}
	_, err := e.Run(t.Context(), p, experiment.Options{Monitor: m, Waves: &experiment.Waves{OnFault: file, Recorded: 20}})
	var stalled *experiment.Stalled
	require.ErrorAs(t, err, &stalled)
	// the 650th word is seen at cycle 700; 500 cycles of 1 ns later nothing has moved. 3 of 4 is 0.75, 1000 of 1000 is 1
	require.Equal(
		t,
		"nothing moved for 500ns, at cycle 1200 of clk, with 650 of 100000 done; the fullest queue is "+
			"top.well.lanes[1].long, 1000 of 1000; the last cycles are in "+file,
		err.Error(),
	)
	require.Equal(
		t,
		[]experiment.Queue{
			{Path: "top.well.lanes[1].long", Len: 1000, Cap: 1000}, {Path: "top.well.lanes[0].short", Len: 3, Cap: 4},
		},
		stalled.Queues,
	)
	vcd, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(vcd), "#1200000\n", "the cycle at which it was ended, in ps")
	require.NotContains(t, string(vcd), "#1180000\n", "20 cycles were asked for")

	// a moving point is left alone
	for _, until := range []string{"3000", "2600"} {
		p := e.Params()
		require.NoError(t, p.Find("total").Set("3000"))
		require.NoError(t, p.Find("last").Set(until))
		_, err = e.Run(t.Context(), p, experiment.Options{Monitor: &experiment.Monitor{Stall: clock.MustTime("500ns")}})
		require.NoError(t, err)
	}
	_, err = e.Run(t.Context(), p, experiment.Options{Monitor: &experiment.Monitor{}})
	require.NoError(t, err, "nobody asked for an end")
}

// The state of a run is what the simulation said last, and its queues come when they are asked for.
func TestTheStateOfALongRun(t *testing.T) {
	m := &experiment.Monitor{}
	text, err := json.Marshal(m.State(time.Millisecond))
	require.NoError(t, err)
	require.JSONEq(t, `{"seconds":0,"points":0,"finished":0,"running":[]}`, string(text), "before it begins")
	asked, told := make(chan struct{}), make(chan experiment.State, 1)
	looks := 0
	e := wells(func(*experiment.Run) {
		if looks++; looks == 5 { // at cycle 500 somebody asks from outside
			go func() { close(asked); told <- m.State(10 * time.Second) }()
			<-asked
			time.Sleep(100 * time.Millisecond) // until the question is there
		}
		if looks == 6 { // the simulation does not end before the answer is there
			told <- <-told
		}
	})
	p := e.Params()
	require.NoError(t, p.Find("total").Set("2000"))
	_, err = e.Run(t.Context(), p, experiment.Options{Monitor: m})
	require.NoError(t, err)
	s := <-told
	require.Equal(t, 1, s.Points)
	require.Len(t, s.Running, 1)
	x := s.Running[0]
	require.Equal(
		t,
		[]experiment.Queue{
			{Path: "top.well.lanes[0].short", Len: 3, Cap: 4}, {Path: "top.well.lanes[1].long", Len: 500, Cap: 1000},
		},
		x.Queues,
	)
	require.GreaterOrEqual(t, x.Cycle, uint64(500))
	require.InDelta(t, float64(x.Cycle)/1000, x.Simulated, 1e-9, "1 GHz: a thousand cycles a microsecond")
	require.Equal(t, x.Total-x.Done, x.Left)
	require.Positive(t, x.Speed)
	var fields map[string]any
	text, err = json.Marshal(s)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &fields))
	require.Contains(t, fields["running"].([]any)[0], "simulated_us")
	after := m.State(0)
	require.Equal(t, 1, after.Finished)
	require.Empty(t, after.Running)
}
