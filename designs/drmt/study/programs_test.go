package study_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/study"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/rtl"
)

const seed = 7

// memo lets the tests find each schedule once.
var memo = experiment.WithMemo(context.Background())

func load(t *testing.T, name string) study.Program {
	t.Helper()
	p, err := p4.Load(name)
	require.NoError(t, err)
	return study.Program{Source: study.ProgramSource{Program: name}, P4: p, Entries: study.RandomEntries(p, 24, seed)}
}

func source(p study.Program) func() study.Source {
	return func() study.Source { return study.NewTraffic(p.P4, p.Entries, packets, seed) }
}

// The shipped programs on N = P processors: a packet a cycle, no fault, every packet the interpreter's, the latency the
// schedule's length, threads as Proposition A.1 has them. IPC 1 and 2, and all modes in turn.
func TestProgramsAtLineRate(t *testing.T) {
	modes := []rtl.Config{{}, {Mode: rtl.Strict, Seed: 2}, {Mode: rtl.Parallel, Workers: 2}}
	at := 0
	for _, name := range p4.ProgramNames() {
		for ipc := 1; ipc <= 2; ipc++ {
			mode := modes[at%len(modes)]
			at++
			t.Run(fmt.Sprintf("%s_%d", name, ipc), func(t *testing.T) {
				p := load(t, name)
				s, c, err := study.Build(memo, p, ipc, 0, 1)
				require.NoError(t, err)
				o, err := study.RunSwitch(t.Context(), p, c, s.Period, packets, source(p), mode, nil)
				require.NoError(t, err)
				t.Logf("P %d T %d: %+v", s.Period, s.Length(), o)
				require.Zero(t, o.Faults, o.FirstFault)
				require.EqualValues(t, packets, o.Compared)
				require.EqualValues(t, s.Length(), o.MinLatency)
				require.EqualValues(t, s.Length(), o.MaxLatency)
				require.LessOrEqual(t, o.Threads, s.Threads())
				require.InDelta(t, 1, o.Throughput, 0.001)
				require.Greater(t, o.Hits, uint64(packets/4))
			})
		}
	}
}

// The same programs on RMT.
func TestProgramsOnRMT(t *testing.T) {
	for _, name := range p4.ProgramNames() {
		t.Run(name, func(t *testing.T) {
			p := load(t, name)
			c, err := compile.RMT(p.P4, nil, compile.Options{Entries: p.Entries, Defaults: p.Defaults})
			require.NoError(t, err)
			stages := len(c.Image.Stages)
			for _, n := range []int{stages, (stages + 1) / 2} {
				passes := (stages + n - 1) / n
				o, err := study.RunPipeline(t.Context(), p, c, n, packets, source(p), rtl.Config{}, nil)
				require.NoError(t, err)
				t.Logf("%d stages on %d: %+v", stages, n, o)
				require.Zero(t, o.Faults, o.FirstFault)
				require.EqualValues(t, packets, o.Compared)
				require.InDelta(t, 1/float64(passes), o.Throughput, 0.01) // equation 9
				// from the edge that fills the first register to the edge that fills the last
				require.EqualValues(t, passes*20*n+(passes-1)-1, o.MaxLatency)
				require.Equal(t, o.MinLatency, o.MaxLatency)
			}
		})
	}
}
