package experiment_test

import (
	stdcontext "context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/rtl"
)

// ticker counts its edges.
type ticker struct {
	Out rtl.Out[uint64]
	n   uint64
}

func (c *ticker) Tick() {
	c.n++
	c.Out.Set(c.n)
}

type tickerParams struct{}

type tickerPoint struct{ Fault uint64 }

// tickers is an experiment of 30,000 cycles of 1 ns in which something is wrong from an edge on.
func tickers(fault uint64) *experiment.Defined[tickerParams, tickerPoint, int] {
	return experiment.Define(experiment.Spec[tickerParams, tickerPoint, int]{
		Name: "tickers", Short: "A count", Waves: true, Checkpoints: true,
		Points: func(_ *tickerParams, seed uint64) ([]experiment.Point[tickerPoint], error) {
			return experiment.One(tickerPoint{fault}, seed), nil
		},
		Run: func(_ stdcontext.Context, run *experiment.Run, q tickerPoint) (int, error) {
			sim := rtl.New(rtl.Config{})
			clk := sim.Clock("clk", clock.MHz(1000))
			c := &ticker{}
			sim.Scope("top").On(clk).Add("c", c)
			if err := sim.Elaborate(); err != nil {
				return 0, err
			}
			err := run.Simulate(experiment.Simulation{Sim: sim, Clock: clk, Faulty: func() bool { return c.n >= q.Fault }})
			if err != nil {
				return 0, err
			}
			for clk.Cycle() < 30_000 {
				if err := clk.Run(100); err != nil {
					return 0, err
				}
				if err := run.Between(); err != nil {
					return 0, err
				}
			}
			return int(c.n), nil
		},
		Report: func(*tickerParams, []experiment.Result[tickerPoint, int]) (*experiment.Report, error) {
			return &experiment.Report{}, nil
		},
	})
}

// The file of a fault ends with its cycle and has all cycles that were asked for, also where the fault comes soon after
// a checkpoint, which is kept every 10,000 cycles. A waveform of the whole run does not see that a stretch is run
// twice.
func TestReplayOfAFault(t *testing.T) {
	run := func(fault uint64, waves experiment.Waves) {
		e := tickers(fault)
		p := e.Params()
		out, err := e.Run(t.Context(), p, experiment.Options{Waves: &waves})
		require.NoError(t, err)
		require.Equal(t, 30_000, out.Points[0].Result)
	}
	read := func(path string) string {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(b)
	}
	dir := t.TempDir()
	onFault, whole, plain := filepath.Join(dir, "fault.vcd"), filepath.Join(dir, "whole.vcd"),
		filepath.Join(dir, "plain.vcd")
	run(1, experiment.Waves{VCD: plain})
	for _, fault := range []uint64{77, 19_950, 20_010, 20_040, 20_101} {
		run(fault, experiment.Waves{VCD: whole, OnFault: onFault, Recorded: 50})
		require.True(t, read(plain) == read(whole), "fault at %d", fault)
		vcd := read(onFault)
		require.Contains(t, vcd, fmt.Sprintf("\n#%d\n1!\n", fault*1000), "in ps")
		require.NotContains(t, vcd, fmt.Sprintf("\n#%d\n", (fault+1)*1000))
		require.Equal(t, 50, strings.Count(vcd, "\n1!\n"), "fault at %d", fault)
	}
}
