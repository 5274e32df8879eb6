package designtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/state"
	"github.com/goldwire/goldwire/rtl"
)

// Network is a design's simulation, elaborated and with its traffic, and the other objects that hold its state.
type Network struct {
	Sim   *rtl.Sim
	Clock *rtl.Clock
	Roots []any
}

// CheckNetwork runs a network straight through the given number of cycles. Then, in fast, strict and parallel mode, it
// saves one at a random cycle and restores the file into two newly built ones, one in the same mode and one in the
// next mode. Run to the end, both must have gone through the same values at every edge as the first (their trace
// hashes are equal). A checkpoint saved right after the restore must have the same bytes.
func CheckNetwork(t *testing.T, cycles uint64, build func(t *testing.T, cfg rtl.Config) Network) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	made := func(cfg rtl.Config) (Network, *rtl.TraceHash) {
		n := build(t, cfg)
		h := rtl.NewTraceHash(n.Sim)
		n.Roots = append(n.Roots, h)
		return n, h
	}
	straight, want := made(rtl.Config{})
	require.NoError(t, straight.Clock.Run(cycles))
	modes := []rtl.Config{{}, {Mode: rtl.Strict, Seed: seed}, {Mode: rtl.Parallel, Workers: 2}}
	for m, saved := range modes {
		at := 1 + rng.Uint64N(cycles-1)
		a, _ := made(saved)
		require.NoError(t, a.Clock.Run(at))
		file, err := a.Sim.Checkpoint(a.Roots...)
		require.NoError(t, err)
		for _, restored := range []rtl.Config{saved, modes[(m+1)%len(modes)]} {
			b, got := made(restored)
			require.NoError(t, b.Sim.Restore(bytes.NewReader(file), b.Roots...))
			require.Equal(t, at, b.Clock.Cycle())
			if restored == saved {
				again, err := b.Sim.Checkpoint(b.Roots...)
				require.NoError(t, err)
				require.True(t, bytes.Equal(file, again), "the state after the restore is another")
			}
			require.NoError(t, b.Clock.Run(cycles-at))
			require.Equal(t, want.Sum(), got.Sum(), "seed %d: saved %v at cycle %d, restored %v", seed,
				saved.Mode, at, restored.Mode)
		}
	}
	require.NotEqual(t, want.Sum(), rtl.NewTraceHash(straight.Sim).Sum(), "nothing was hashed")
}

// Model is a design's model without clock edges.
type Model struct {
	Run   func(steps uint64) // frames, slots, ns: its own steps
	Roots []any              // everything that holds its state
}

// CheckModel is [CheckNetwork] for a model without clock edges: all its state must be the same at the end.
func CheckModel(t *testing.T, steps uint64, build func(t *testing.T) Model) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	at := 1 + rand.New(rand.NewPCG(seed, 0)).Uint64N(steps-1)
	save := func(m Model) []byte {
		b, err := state.Save(m.Roots...)
		require.NoError(t, err)
		return b
	}
	straight, a, b := build(t), build(t), build(t)
	start := save(straight)
	straight.Run(at)
	straight.Run(steps - at)
	a.Run(at)
	file := save(a)
	require.NotEqual(t, start, file, "nothing has happened")
	require.NoError(t, state.Restore(bytes.NewReader(file), b.Roots...))
	require.True(t, bytes.Equal(file, save(b)), "the state after the restore is another")
	b.Run(steps - at)
	require.True(t, bytes.Equal(save(straight), save(b)), "seed %d: saved at step %d", seed, at)
}

// CheckResume runs an experiment straight, then with checkpoints, then from the last ones, and wants the same results
// of all three. Flags and arguments are the command's.
func CheckResume(t *testing.T, e experiment.Experiment, every uint64, flags map[string]string) {
	t.Helper()
	want, err := run(t, e, flags, nil)
	require.NoError(t, err)
	dir := t.TempDir()
	got, err := run(t, e, flags, &experiment.Checkpoints{Dir: dir, Every: every})
	require.NoError(t, err)
	require.Equal(t, want, got)
	files := checkpointsIn(t, dir)
	got, err = run(t, e, flags, &experiment.Checkpoints{Dir: dir, Resume: true})
	require.NoError(t, err)
	require.Equal(t, want, got)

	// it is the file that the run goes on from
	for _, f := range files {
		info, err := os.Stat(f)
		require.NoError(t, err)
		require.NoError(t, os.Truncate(f, info.Size()-1))
	}
	_, err = run(t, e, flags, &experiment.Checkpoints{Dir: dir, Resume: true})
	require.ErrorContains(t, err, ".checkpoint: checkpoint: the file is truncated")
	checkAlike(t, e, flags, want)
}

// checkAlike runs an experiment on one processor, under the tag soak on two and four as well, with as many workers and
// in each mode of the experiment, and wants the same results.
func checkAlike(t *testing.T, e experiment.Experiment, flags map[string]string, want string) {
	t.Helper()
	const fast = `"mode": "fast"`
	modes := []string{""}
	if strings.Contains(want, fast) {
		modes = []string{"fast", "strict", "parallel"}
	}
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	all := []int{1}
	if soak {
		all = []int{1, 2, 4}
	}
	for _, processors := range all {
		runtime.GOMAXPROCS(processors)
		for _, mode := range modes {
			its := maps.Clone(flags)
			if mode != "" {
				if its == nil {
					its = map[string]string{}
				}
				its["mode"] = mode
			}
			got, err := runOf(t, e, its, experiment.Options{Seed: 3, Workers: processors})
			require.NoError(t, err)
			if mode != "" {
				got = strings.NewReplacer(`"mode": "`+mode+`"`, fast, mode+" mode", "fast mode").Replace(got)
			}
			require.Equal(t, want, got, "%d processors, mode %q", processors, mode)
		}
	}
	t.Logf("%s: the same bits with %d processors, modes %q", e.Info().Name, all, modes)
}

// CheckFork runs an experiment of one point and goes on from its last checkpoint: with the same knobs to the same
// result, with knobs that are turned to another one, in a figure that was measured; another flag is refused.
func CheckFork(t *testing.T, e experiment.Experiment, every uint64, flags, turned, other map[string]string) {
	t.Helper()
	with := func(more map[string]string) map[string]string {
		all := maps.Clone(flags)
		maps.Copy(all, more)
		return all
	}
	dir := t.TempDir()
	want, err := run(t, e, flags, &experiment.Checkpoints{Dir: dir, Every: every})
	require.NoError(t, err)
	files := checkpointsIn(t, dir)
	require.Len(t, files, 1)
	fork := &experiment.Checkpoints{Fork: files[0]}
	got, err := run(t, e, flags, fork)
	require.NoError(t, err)
	require.Equal(t, want, got)
	straight, err := run(t, e, with(turned), nil)
	require.NoError(t, err)
	got, err = run(t, e, with(turned), fork)
	require.NoError(t, err)
	require.NotEmpty(t, measured(figures(t, want), figures(t, straight), figures(t, got)),
		"each figure is as with the old knobs, or as with the new ones from the start")
	_, err = run(t, e, with(other), fork)
	require.ErrorContains(
		t, err, files[0]+": it is of another experiment or seed, or of a point that differs by more than ",
	)
}

// measured returns the places of a forked run's figures that differ both from the run with the old knobs and from a
// run with the new knobs from the start. A result that repeats the knobs, in whatever form, agrees with the run with
// the new knobs: only a measurement differs from both.
func measured(old, straight, forked map[string]any) (places []string) {
	for place, x := range forked {
		if x != old[place] && x != straight[place] {
			places = append(places, place)
		}
	}
	slices.Sort(places)
	return places
}

// figures are the numbers and texts of the points' results in run's output, by place: "0.Latency.Mean".
func figures(t *testing.T, text string) map[string]any {
	var all struct {
		Points []struct{ Result any }
	}
	require.NoError(t, json.NewDecoder(strings.NewReader(text)).Decode(&all))
	require.NotEmpty(t, all.Points, "no points")
	found := map[string]any{}
	var walk func(place string, v any)
	walk = func(place string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, x := range v {
				walk(place+"."+key, x)
			}
		case []any:
			for i, x := range v {
				walk(fmt.Sprint(place, ".", i), x)
			}
		default:
			found[place] = v
		}
	}
	for i, p := range all.Points {
		walk(strconv.Itoa(i), p.Result)
	}
	return found
}

func checkpointsIn(t *testing.T, dir string) []string {
	files, err := filepath.Glob(filepath.Join(dir, "*.checkpoint"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "no checkpoint was written")
	return files
}

// run returns what an experiment prints, as JSON and as text. On a terminal of 80 columns no line is longer.
func run(t *testing.T, e experiment.Experiment, flags map[string]string, c *experiment.Checkpoints) (string, error) {
	return runOf(t, e, flags, experiment.Options{Seed: 3, Workers: 2, Checkpoints: c})
}

func runOf(t *testing.T, e experiment.Experiment, flags map[string]string, o experiment.Options) (string, error) {
	p := e.Params()
	for name, v := range flags {
		i := slices.IndexFunc(p.Fields,
			func(f *experiment.Field) bool { return f.Flag == name || f.Arg == name && f.Arg != "" })
		require.GreaterOrEqual(t, i, 0, "no flag or argument %s", name)
		require.NoError(t, p.Fields[i].Set(v))
	}
	out, err := e.Run(t.Context(), p, o)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	require.NoError(t, out.WriteJSON(&b))
	require.NoError(t, out.Report.WriteText(&b, 0))
	var narrow strings.Builder
	require.NoError(t, out.Report.WriteText(&narrow, 80))
	for line := range strings.Lines(narrow.String()) {
		require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimRight(line, "\n")), 80, line)
	}
	return b.String(), nil
}
