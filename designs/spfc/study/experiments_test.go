package study

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/spfc"
)

// runExperiment runs one with flags, name and value in turn.
func runExperiment(t *testing.T, e experiment.Experiment, flags ...string) *experiment.Outcome {
	t.Helper()
	p := e.Params()
	for i := 0; i < len(flags); i += 2 {
		f := p.Find(flags[i])
		for _, x := range p.Fields {
			if x.Arg != "" && x.Arg == flags[i] {
				f = x
			}
		}
		require.NotNil(t, f, flags[i])
		require.NoError(t, f.Set(flags[i+1]))
	}
	o, err := e.Run(t.Context(), p, experiment.Options{Seed: 1})
	require.NoError(t, err)
	return o
}

// A trace of three flows by hand: one alone, two that meet at R1 at the same time, each of 10 packets.
func TestTrace(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "flows.csv"), filepath.Join(dir, "results.csv")
	require.NoError(t, workload.WriteMessagesFile(in, []workload.Message{
		{ID: 7, Type: workload.Write, Source: 0, Dest: 30, Bytes: 10_000, Start: 0},
		{ID: 8, Type: workload.Write, Source: 1, Dest: 30, Bytes: 10_000, Start: 100_000_000},
		{ID: 9, Type: workload.Write, Source: 2, Dest: 30, Bytes: 10_000, Start: 100_000_000},
	}))
	o := runExperiment(t, Trace, "FILE", in, "arbitration", "fair")
	r := o.Points[0].Result.(traceResult)
	require.Equal(t, 3, r.Finished)
	alone := int64(10*83_840 + 83_840 + 10_000_000)
	require.Equal(t, alone, r.results[0].Latency())
	// the line to R1 is never idle from the first packet on: the last of the 20 comes 10 packets later than one flow's
	// would
	require.Equal(t, alone+10*83_840, max(r.results[1].Latency(), r.results[2].Latency()))
	require.Equal(t, alone+9*83_840, min(r.results[1].Latency(), r.results[2].Latency()))
	p := Trace.Params()
	require.NoError(t, p.Missing().Set(in))
	require.NoError(t, p.Find("out").Set(out))
	o, err := Trace.Run(t.Context(), p, experiment.Options{Seed: 1})
	require.NoError(t, err)
	require.Len(t, o.Report.Files, 1)
	var text strings.Builder
	require.NoError(t, o.Report.Files[0].Write(&text))
	require.Contains(t, text.String(), "7,write,0,30,10000,0,10922.24,10922.24\n")

	require.NoError(t, workload.WriteMessagesFile(in,
		[]workload.Message{{ID: 3, Type: workload.Read, Source: 0, Dest: 30, Bytes: 8}}))
	read, err := Trace.Run(t.Context(), p, experiment.Options{Seed: 1})
	require.NoError(t, err)
	// H0 is 9 us from the switch and R1 is 1 us: 10 us there and back, with a frame of 64 bytes twice on two lines of 80
	// ps a byte
	require.EqualValues(t, 2*(10_000_000+2*64*80), read.Points[0].Result.(traceResult).results[0].Latency())
	require.NoError(t, workload.WriteMessagesFile(in,
		[]workload.Message{{ID: 3, Type: workload.CompareSwap, Source: 0, Dest: 30, Bytes: 8}}))
	_, err = Trace.Run(t.Context(), p, experiment.Options{Seed: 1})
	require.ErrorContains(t, err, "message 3 is a cas, want a write or a read")
	require.NoError(t, os.WriteFile(in, []byte("id\n"), 0o644))
	_, err = Trace.Run(t.Context(), p, experiment.Options{Seed: 1})
	require.ErrorContains(t, err, in)
}

// The same seed gives the same result, whatever the number of workers, and offers the load that is asked for.
func TestExperimentsAreDeterministic(t *testing.T) {
	for _, c := range []struct {
		e     experiment.Experiment
		flags []string
	}{
		{burst, []string{"n", "3", "scheme", "dt2,spfc", "lasts", "200us"}},
		{sweep, []string{"n", "3", "scheme", "dt2,spfc", "lasts", "100us", "timers", "card", "mark", "arrival", "offsets",
			"2", "headroom", "apart", "first-later", "true", "keep-target", "true"}},
		{Workload, []string{"runs", "2", "lasts", "2ms", "scheme", "st,spfc"}},
		{fabricTest, []string{"pods", "1", "lasts", "100us", "scheme", "spfc"}},
	} {
		var texts [2]strings.Builder
		for i := range texts {
			require.NoError(t, runExperiment(t, c.e, c.flags...).Report.WriteText(&texts[i], 0))
		}
		require.Equal(t, texts[0].String(), texts[1].String())
		require.NotEmpty(t, texts[0].String())
	}
}

func TestBadParameters(t *testing.T) {
	for want, of := range map[string]struct {
		e     experiment.Experiment
		flags []string
	}{
		`buffer manager "red": want dt and a number, st, spfc or pinned`: {burst, []string{"scheme", "red"}},
		"alpha 3: want a power of two from 1/128 to 128":                 {burst, []string{"alpha", "3"}},
		"--n 7 with --testbed, want at most 6":                           {burst, []string{"testbed", "true", "n", "7"}},
	} {
		p := of.e.Params()
		for i := 0; i < len(of.flags); i += 2 {
			require.NoError(t, p.Find(of.flags[i]).Set(of.flags[i+1]))
		}
		_, err := of.e.Run(t.Context(), p, experiment.Options{Seed: 1})
		require.ErrorContains(t, err, want)
	}
}

// Poisson arrivals offer the load of the line that is asked for: over 3,000 flows of one size within four standard
// errors.
func TestLoadOffered(t *testing.T) {
	until := spfc.Time(3000 * 2_794_667) // 10 packets of 83.84 ns by 0.3
	flows := allToAll(8, workload.Fixed(10_000), 0.3, spfc.Gbps100, until, spfc.WithDCQCN, 5)
	require.InDelta(t, 8*3000, len(flows), 4*155) // sqrt(24,000) = 155
	rng := rand.New(rand.NewPCG(1, 1))
	to := map[int]int{}
	for i, f := range flows {
		require.NotEqual(t, f.From, f.To)
		require.False(t, i > 0 && flows[i-1].Start > f.Start)
		to[f.To]++
	}
	require.InDelta(t, len(flows)/8, to[rng.IntN(8)], 5*55)
	require.Equal(t, flows, allToAll(8, workload.Fixed(10_000), 0.3, spfc.Gbps100, until, spfc.WithDCQCN, 5))
}

// No packet costs an allocation once queues have grown.
func TestNoAllocationPerPacket(t *testing.T) {
	q := BurstPoint{Settings: spfc.DefaultSettings(), Bursts: 8, Scheme: "spfc", Lasts: 11 * spfc.Millisecond,
		Far: 9 * spfc.Microsecond, Congest: 1}
	f, err := q.fabric(1)
	require.NoError(t, err)
	require.NoError(t, f.Run(t.Context(), 3*spfc.Millisecond))
	at := 3 * spfc.Millisecond
	before := f.Net.Events
	allocations := testing.AllocsPerRun(5, func() {
		at += 200 * spfc.Microsecond
		require.NoError(t, f.Net.Run(t.Context(), at))
	})
	require.Greater(t, f.Net.Events-before, int64(10_000))
	require.Less(t, allocations, 5.0)
}
