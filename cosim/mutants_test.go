package cosim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/formal"
)

// withMutants counts the mutants of RTL.
func withMutants(t *testing.T, text string, cycles, most int, limit time.Duration,
	edit func(*cosim.Options)) (*mutantCounts, error) {
	t.Helper()
	if err := formal.Available(formal.Auto); err != nil {
		t.Skipf("%s was NOT run: %v", t.Name(), err)
	}
	path := filepath.Join(t.TempDir(), "acc.v")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	o := cosim.Options{Unit: accumulatorUnit(), Seed: 3,
		Design: cosim.Design{Sources: []string{path}, Top: "acc", Simulator: cosim.Icarus}}
	if edit != nil {
		edit(&o)
	}
	how := cosim.MutantOptions{Most: most, Seed: 1, Time: limit}
	m, err := cosim.CountMutants(t.Context(), o, cosim.Stimulus{Cycles: cycles, Seed: 8}, how)
	if err != nil {
		return nil, err
	}
	c := &mutantCounts{of: m.Of, killed: m.Killed, equal: m.Equal}
	for _, x := range m.Open {
		c.open = append(c.open, x.Mutant+": "+x.Reason)
	}
	return c, nil
}

type mutantCounts struct {
	of, killed, equal int
	open              []string
}

// Faults in foreign RTL are found by enough vectors, and by few vectors fewer; both simulators say the same. Inputs
// that no vector gives leave faults open: what the map ties.
func TestMutantsOfForeignRTL(t *testing.T) {
	long, err := withMutants(t, plain, 2000, 40, 5*time.Second, nil)
	require.NoError(t, err)
	t.Logf("%+v", long)
	require.Greater(t, long.of, 30)
	require.Equal(t, long.of, long.killed+long.equal)
	short, err := withMutants(t, plain, 3, 40, 0, nil)
	require.NoError(t, err)
	require.Less(t, short.killed, long.killed)
	require.NotEmpty(t, short.open)
	require.Contains(t, short.open[0], "acc.v:")
	require.NotContains(t, short.open[0], t.TempDir()[:4])
	other, err := withMutants(t, plain, 2000, 40, 0, func(o *cosim.Options) { o.Design.Simulator = cosim.Verilator })
	require.NoError(t, err)
	require.Equal(t, []int{long.of, long.killed}, []int{other.of, other.killed}) // without proofs none is equal

	streams, err := withMutants(t, elastic, 300, 12, 0, elasticIcarus)
	require.NoError(t, err)
	t.Logf("%+v", streams)
	require.Greater(t, streams.killed, streams.of/2)
}

// Faults that only change how many words a FIFO holds are found where the map says how many it is to hold.
func TestMutantsOfAFIFOsDepth(t *testing.T) {
	t.Parallel()
	fifo := wordsOptions(t, 0.3)
	open, err := withMutants(t, wordsRTL, 100, 20, 0, fifo)
	require.NoError(t, err)
	held, err := withMutants(t, wordsRTL, 100, 20, 0, func(o *cosim.Options) { fifo(o); o.Map.Holds = 16 })
	require.NoError(t, err)
	t.Logf("%+v, and %+v where the map has holds", open, held)
	require.Equal(t, open.of, held.of)
	require.Greater(t, held.killed, open.killed)
}

// A mutant whose simulator somebody else kills is not killed by the vectors, nor is one that does not answer in time:
// a slow machine is silent too. One that parts, or ends the run, is.
func TestOnlyTheRTLKillsAMutant(t *testing.T) {
	for _, sim := range []cosim.Simulator{cosim.Verilator, cosim.Icarus} {
		t.Run(string(sim), func(t *testing.T) {
			run := func(text string, change func(*cosim.Options), before func(*cosim.Session)) (bool, string) {
				s, err := start(t, text, func(o *cosim.Options) {
					o.Design.Simulator = sim
					if change != nil {
						change(o)
					}
				})
				require.NoError(t, err)
				defer s.Close()
				if before != nil {
					before(s)
				}
				r, err := s.Run(t.Context(), cosim.Stimulus{Cycles: 3000, Seed: 1}, nil)
				if err != nil {
					return cosim.Outcome(nil, err)
				}
				return cosim.Outcome(r.Divergence, nil)
			}
			killed, why := run(plain, nil, nil)
			require.False(t, killed)
			require.Empty(t, why)

			if sim == cosim.Verilator { // Icarus' vvp starts with the run
				killed, why = run(plain, nil, func(s *cosim.Session) { require.NoError(t, cosim.KillRTL(s)) })
				require.False(t, killed)
				require.Contains(t, why, "signal: killed")
			}

			loops := strings.Replace(plain, "out_valid <= in_valid;",
				"out_valid <= in_valid; while (out_total > 12'd500 && in_valid) wait_ = wait_ + 1;", 1)
			loops = strings.Replace(loops, "    assign out_odd", "    integer wait_ = 0;\n    assign out_odd", 1)
			killed, why = run(loops, func(o *cosim.Options) { o.Timeout, o.Dirty = 2*time.Second, 0 }, nil)
			require.False(t, killed)
			require.Contains(t, why, "has not answered for 2s")

			stops := strings.Replace(plain, "out_valid <= in_valid;",
				"out_valid <= in_valid; if (out_total > 12'd500 && in_valid) $finish;", 1)
			killed, why = run(stops, nil, nil)
			require.True(t, killed)
			require.Empty(t, why)

			killed, why = run(erratum, nil, nil)
			require.True(t, killed)
			require.Empty(t, why)
		})
	}
}

// RTL that parts is not asked, and ports that Yosys does not read are refused in a line.
func TestMutantsWantRTLThatAgrees(t *testing.T) {
	_, err := withMutants(t, erratum, 2000, 10, 0, nil)
	require.ErrorContains(t, err, "the RTL itself parts from the model in cycle ")
	_, err = withMutants(t, withInterface, 2000, 10, 0, func(o *cosim.Options) {
		interfacesMap(o)
		o.Design.Simulator = cosim.Verilator
	})
	require.ErrorContains(t, err, "Yosys reads no unpacked arrays and no interfaces at ports")
}
