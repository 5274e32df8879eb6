package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/rtl"
)

func TestCheckpointsOfMachines(t *testing.T) {
	p, err := ProgramParams{ProgramSource: ProgramSource{Program: "l2l3"}, Fill: 24}.load(1)
	require.NoError(t, err)
	_, processors, err := Build(t.Context(), p, 1, 0, 1)
	require.NoError(t, err)
	stages, err := compile.RMT(p.P4, nil, compile.Options{Entries: p.Entries, Defaults: p.Defaults})
	require.NoError(t, err)
	source := func() Source { return NewTraffic(p.P4, p.Entries, 1000, 5) }
	t.Run("drmt", func(t *testing.T) {
		designtest.CheckNetwork(t, 150, func(t *testing.T, sim rtl.Config) designtest.Network {
			s, m, j, err := newSwitch(p, processors, 3, source, sim)
			require.NoError(t, err)
			return designtest.Network{Sim: s.Sim, Clock: s.Clock, Roots: []any{s, m, j}}
		})
	})
	t.Run("rmt", func(t *testing.T) {
		designtest.CheckNetwork(t, 150, func(t *testing.T, sim rtl.Config) designtest.Network {
			x, m, j, err := newPipeline(p, stages, 2, source, sim)
			require.NoError(t, err)
			return designtest.Network{Sim: x.Sim, Clock: x.Clock, Roots: []any{x, m, j}}
		})
	})
}

func TestProgramGoesOnFromACheckpoint(t *testing.T) {
	for _, machine := range []string{"drmt", "rmt"} {
		designtest.CheckResume(
			t, RunExperiment, 4000, map[string]string{"program": "rewriter", "machine": machine, "packets": "6000"},
		)
	}
}
