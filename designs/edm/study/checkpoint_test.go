package study

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
)

// loaded is what a small run of the experiment load finds.
func loaded(t *testing.T, mode string, opt experiment.Options) *Point {
	t.Helper()
	out, err := runLoaded(t, mode, opt)
	require.NoError(t, err)
	require.Empty(t, out.Report.Failed)
	require.Len(t, out.Points, 1)
	r := out.Points[0].Result.(*Point)
	require.Equal(t, r.Messages, r.Finished)
	return r
}

func runLoaded(t *testing.T, mode string, opt experiment.Options) (*experiment.Outcome, error) {
	t.Helper()
	p := load.Params()
	for flag, v := range map[string]string{"nodes": "4", "messages": "300", "loads": "0.1", "mode": mode} {
		for _, f := range p.Fields {
			if f.Flag == flag {
				require.NoError(t, f.Set(v))
			}
		}
	}
	opt.Seed, opt.Workers = 3, 2
	return load.Run(t.Context(), p, opt)
}

// An experiment that is resumed from a checkpoint, in any mode, has the result of one that ran straight on: hosts,
// monitor and the run's own state of its messages go on.
func TestLoadGoesOnFromACheckpoint(t *testing.T) {
	want := loaded(t, "fast", experiment.Options{})
	half := want.Cycles / 2 // one checkpoint, with messages under way
	for _, mode := range []string{"fast", "strict", "parallel"} {
		c := &experiment.Checkpoints{Dir: t.TempDir(), Every: half}
		require.Equal(t, want, loaded(t, mode, experiment.Options{Checkpoints: c}))
		files, err := filepath.Glob(filepath.Join(c.Dir, "*"))
		require.NoError(t, err)
		require.Len(t, files, 1)
		c = &experiment.Checkpoints{Dir: c.Dir, Resume: true}
		require.Equal(t, want, loaded(t, mode, experiment.Options{Checkpoints: c}))

		// it is the file that the run goes on from
		require.NoError(t, os.Truncate(files[0], 5000))
		_, err = runLoaded(t, mode, experiment.Options{Checkpoints: c})
		require.EqualError(t, err, files[0]+": checkpoint: the file is truncated")
	}
}

// A scheduler that frees ports too early is a fault in some cycle: the file of --on-fault has the cycles up to it,
// found by running the last stretch again from a checkpoint, in parallel mode too, and the run goes on as without it.
func TestOnFaultReplaysToTheFirstWrongCycle(t *testing.T) {
	type result struct {
		Violations []string
		Cycles     uint64
	}
	run := func(in rtl.Mode, onFault string) result {
		type params struct{}
		type point struct{ Mode rtl.Mode }
		e := experiment.Define(experiment.Spec[params, point, result]{
			Name: "planted", Short: "a planted bug", Waves: true, Checkpoints: true,
			Points: func(_ *params, seed uint64) ([]experiment.Point[point], error) {
				return experiment.One(point{in}, seed), nil
			},
			Run: func(ctx context.Context, run *experiment.Run, q point) (result, error) {
				o := Watched(run)
				o.Limit = 3_000_000
				o.Prepare = func(n *edm.Network) {
					n.Scheduler.Config.Busy = func(bytes int, read bool) int { return 5 }
				}
				f := defaultFabric(4)
				f.Mode = q.Mode
				var messages []workload.Message
				for i := range 40 {
					messages = append(
						messages,
						workload.Message{
							ID: uint64(i), Type: workload.Write, Source: i % 3, Dest: 3, Bytes: 600,
							Start: 3_000_000 + int64(i)*1000,
						},
					)
				}
				r, err := edm.Run(ctx, f.config(1, 2), messages, o)
				if err != nil {
					return result{}, err
				}
				return result{r.Monitor.Violations, r.Cycles}, nil
			},
			Report: func(*params, []experiment.Result[point, result]) (*experiment.Report, error) {
				return &experiment.Report{}, nil
			},
		})
		p := e.Params()
		opt := experiment.Options{Seed: 1, Workers: 2}
		if onFault != "" {
			opt.Waves = &experiment.Waves{OnFault: onFault, Recorded: 50}
		}
		out, err := e.Run(t.Context(), p, opt)
		require.NoError(t, err)
		return out.Points[0].Result.(result)
	}
	want := run(rtl.Fast, "")
	require.NotEmpty(t, want.Violations)
	var first []byte
	for _, in := range []rtl.Mode{rtl.Fast, rtl.Parallel} {
		path := filepath.Join(t.TempDir(), "fault.vcd")
		require.Equal(t, want, run(in, path))
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		if first == nil {
			first = data
		}
		require.True(t, bytes.Equal(first, data), "the modes give the same waveform")
	}

	// the last cycle of the file is the monitor's
	var cycle int
	_, err := fmt.Sscanf(want.Violations[0], "cycle %d:", &cycle)
	require.NoError(t, err)
	rises := bytes.Count(first, []byte("\n1!\n"))
	require.Equal(t, 50, rises)
	require.Contains(t, string(first), fmt.Sprintf("\n#%d\n1!\n", cycle*640))
	require.NotContains(t, string(first), fmt.Sprintf("\n#%d\n", (cycle+1)*640))
}

// A network of every module goes on as if it had not stopped: hosts, switch, monitor.
func TestCheckpointOfANetwork(t *testing.T) { designtest.CheckNetwork(t, 700, builtNetwork) }

// builtNetwork is a network with messages to send, and a run's state of them, before its first edge.
func builtNetwork(t *testing.T, sim rtl.Config) designtest.Network {
	cfg := defaultFabric(4).config(sim.Seed, sim.Workers)
	cfg.Sim = sim
	l := Load{Offered: 0.8, Sizes: workload.Fixed(256), Reads: 0.4, Swaps: 0.2, Seed: 4, Messages: 60}
	messages, _, _, err := l.Make(cfg)
	require.NoError(t, err)
	var built designtest.Network
	stop := errors.New("built")
	_, err = edm.Run(t.Context(), cfg, messages, edm.Options{Watch: func(w edm.Watched) error {
		built = designtest.Network{Sim: w.Network.Sim, Clock: w.Network.Clock, Roots: w.Roots}
		return stop
	}})
	require.ErrorIs(t, err, stop)
	return built
}

// The scheduler's measurement and a peer's go on too.
func TestOtherExperimentsGoOnFromACheckpoint(t *testing.T) {
	designtest.CheckResume(t, matching, 700, map[string]string{"ports": "8", "cycles": "1000"})
	few := map[string]string{"nodes": "4", "messages": "60", "loads": "0.6"}
	// The knob moves messages not yet due: at 0.04 that is a third of the messages at cycle 3072, the only checkpoint.
	slow := map[string]string{"nodes": "4", "messages": "60", "loads": "0.04"}
	designtest.CheckFork(t, load, 3000, slow, map[string]string{"loads": "0.02"}, map[string]string{"chunk": "128"})
	few["baselines"] = "dctcp"
	designtest.CheckResume(t, load, 2000, few)
}
