package cli

import (
	"context"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/report"
)

type seedParams struct {
	Bad bool `flag:"bad" help:"a check fails"`
}

// seedHouse has one experiment, which reports the seed that it was run with.
func seedHouse() design.House {
	return design.House{
		{Name: "made", Experiments: []experiment.Experiment{experiment.Define(experiment.Spec[seedParams, seedParams, uint64]{
			Name: "seed", Short: "The seed",
			Points: func(p *seedParams, seed uint64) ([]experiment.Point[seedParams], error) {
				return experiment.One(*p, seed), nil
			},
			Run: func(_ context.Context, run *experiment.Run, _ seedParams) (uint64, error) { return run.Seed, nil },
			Report: func(p *seedParams, done []experiment.Result[seedParams, uint64]) (*experiment.Report, error) {
				r := &experiment.Report{}
				r.Linef("seed %d", done[0].Value)
				if p.Bad {
					r.Failf("it was asked to")
				}
				return r, nil
			},
		})}},
	}
}

// A page's experiments run with its seed; one whose check failed is counted, and fails the command, whatever the claims
// say.
func TestRunsOfAPage(t *testing.T) {
	planned, err := planRuns(seedHouse(), []string{"made seed", "made seed --bad"})
	require.NoError(t, err)
	cmd := &cobra.Command{}
	cmd.SetContext(t.Context())
	cmd.SetErr(&strings.Builder{})
	page := &report.Page{}
	for i, seed := range []uint64{7, 9} {
		x, err := planned[i].run(cmd, seed)
		require.NoError(t, err)
		var text strings.Builder
		require.NoError(t, x.Outcome.Report.WriteText(&text, 0))
		direct, err := planned[i].of.Run(t.Context(), planned[i].params, experiment.Options{Seed: seed})
		require.NoError(t, err)
		var want strings.Builder
		require.NoError(t, direct.Report.WriteText(&want, 0))
		require.Equal(t, want.String(), text.String())
		page.Experiments = append(page.Experiments, x)
	}
	var out strings.Builder
	require.ErrorIs(t, summarise(&out, "page.html", page), errFailed)
	require.Equal(t, "page.html: 2 experiments, 1 failed\n", out.String())
	page.Experiments = page.Experiments[:1]
	require.NoError(t, summarise(&strings.Builder{}, "page.html", page))
}
