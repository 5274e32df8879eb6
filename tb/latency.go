package tb

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Path is a way through a module: a change of one input field that reached one output field.
type Path struct {
	From, To string // the fields
	Cycles   int    // the fewest between the two changes that any trial saw
}

const (
	settle = 128 // cycles in which a trial flips a bit, from the first one on
	// the first of them where no change passes before: a unit may have a long start, as a link that sends every ID first
	later  = 1024
	window = 128  // cycles after it in which an effect is looked for, above twice the declared latency
	trials = 1024 // in all, spread over the input fields
	fewest = 8    // of one input field
)

// Paths measures how long changes of each input field take to reach each output field. A trial replays a captured run
// with one bit of one input flipped in one cycle, and looks for the first cycle in which each output differs; outputs
// whose valid is 0 are ignored. Paths that no trial took are absent. Paths come in the order of the fields.
func Paths(u vectors.Unit, seed uint64) ([]Path, error) { return paths(u, seed, trials, 0) }

// paths flips bits from cycle first on.
func paths(u vectors.Unit, seed uint64, trials, first int) ([]Path, error) {
	base, err := vectors.Capture(u, first+settle+window+2*u.Latency, seed)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, 0x6c6174656e6379)) // "latency": not a stream of the drivers
	var inputs []int
	for i, f := range base.Fields {
		if f.Dir == rtl.Input && !f.Clock {
			inputs = append(inputs, i)
		}
	}
	var paths []Path
	for _, from := range inputs {
		least := map[int]int{}
		for range max(fewest, trials/len(inputs)) {
			if err := flip(u, base, from, first+rng.IntN(settle), rng, least); err != nil {
				return nil, err
			}
		}
		for to, f := range base.Fields {
			if cycles, ok := least[to]; ok {
				paths = append(paths, Path{base.Fields[from].Name, f.Name, cycles})
			}
		}
	}
	return paths, nil
}

// flip runs one trial with a bit flipped in a cycle, and lowers the least cycles seen to each output.
func flip(u vectors.Unit, base *vectors.Set, from, at int, rng *rand.Rand, least map[int]int) error {
	trial := *base
	trial.Rows = slices.Clone(base.Rows)
	trial.Rows[at] = slices.Clone(base.Rows[at])
	trial.Rows[at][from] ^= 1 << rng.IntN(base.Fields[from].Width)
	got, err := vectors.Replay(u, &trial)
	if err != nil {
		return err
	}
	for to, f := range base.Fields {
		if f.Dir != rtl.Output {
			continue
		}
		valid := base.Column(f.Valid)
		for k := range base.Rows {
			if counted(base.Rows[k], to, valid) == counted(got.Rows[k], to, valid) {
				continue
			}
			if k < at {
				return fmt.Errorf(
					"unit %s, seed %d: a replay differs from the captured run in cycle %d field %s, before anything was changed",
					u.Name, base.Seed, k, f.Name,
				)
			}
			if old, ok := least[to]; !ok || k-at < old {
				least[to] = k - at
			}
			break
		}
	}
	return nil
}

// counted is the value of a column, 0 while it does not count.
func counted(row []uint64, column, valid int) uint64 {
	if valid >= 0 && row[valid] == 0 {
		return 0
	}
	return row[column]
}

// Latency measures the latency of a unit as vectors.Unit declares it: the least over all paths between its From and To.
func Latency(u vectors.Unit, seed uint64) (int, error) { return latency(u, seed, trials) }

func latency(u vectors.Unit, seed uint64, trials int) (int, error) {
	cycles, err := latencyFrom(u, seed, trials, 0)
	if errors.Is(err, errNoPath) {
		cycles, err = latencyFrom(u, seed, trials, later)
	}
	return cycles, err
}

// latencyFrom flips bits from cycle first on.
func latencyFrom(u vectors.Unit, seed uint64, trials, first int) (int, error) {
	paths, err := paths(u, seed, trials, first)
	if err != nil {
		return 0, err
	}
	in, err := u.Simulate(rtl.Config{}, seed)
	if err != nil {
		return 0, err
	}
	port := map[string]string{}
	for _, f := range in.Fields {
		port[f.Name] = f.Port
	}
	least := -1
	for _, p := range paths {
		if u.From != "" && port[p.From] != u.From || u.To != "" && port[p.To] != u.To {
			continue
		}
		if least < 0 || p.Cycles < least {
			least = p.Cycles
		}
	}
	if least < 0 {
		return 0, fmt.Errorf("unit %s, seed %d: %w: of %s to %s within %d cycles after cycle %d",
			u.Name, seed, errNoPath, orAny(u.From, "an input"), orAny(u.To, "an output"), window+2*u.Latency, first)
	}
	return least, nil
}

var errNoPath = errors.New("no change was seen to pass")

func orAny(port, any string) string {
	if port == "" {
		return any
	}
	return "port " + port
}

// CheckLatency fails the test if a unit's declared latency differs from [Latency]'s measurement. A unit
// without inputs must declare none.
func CheckLatency(t testing.TB, u vectors.Unit) {
	t.Helper()
	require.NoError(t, latencyHolds(u))
}

// CheckLatencyIfSeen is a quick CheckLatency for a unit at other parameters, at which its first cycles may show
// nothing.
func CheckLatencyIfSeen(t testing.TB, u vectors.Unit) {
	t.Helper()
	measured, err := latency(u, ladderSeed, firstTrials)
	switch {
	case errors.Is(err, errNoPath):
		t.Logf("the latency of %s at %v was NOT measured: %v", u.Name, u.Settings, err)
	case err != nil || measured != u.Latency:
		require.NoError(t, latencyHolds(u))
	}
}

func latencyHolds(u vectors.Unit) error {
	in, err := u.Simulate(rtl.Config{}, ladderSeed)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(in.Fields, func(f vectors.Field) bool { return f.Dir == rtl.Input }) {
		if u.Latency != 0 {
			return fmt.Errorf("unit %s: declares a latency of %d cycles and has no inputs", u.Name, u.Latency)
		}
		return nil
	}
	measured, err := latency(u, ladderSeed, firstTrials)
	if err != nil || measured > u.Latency { // too few of them may have missed the shortest way
		measured, err = Latency(u, ladderSeed)
	}
	if err != nil {
		return err
	}
	if measured != u.Latency {
		paths, err := Paths(u, ladderSeed)
		return errors.Join(fmt.Errorf("unit %s: declares a latency of %d cycles, measured %d: %v", u.Name, u.Latency,
			measured, paths), err)
	}
	return nil
}
