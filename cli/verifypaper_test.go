package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/cli"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/experiment"
)

// --paper measures claims at the paper's own point, keeps their results and does not measure them again. A record of
// another point is no failure.
func TestVerifyAtThePapersPoint(t *testing.T) {
	var measured atomic.Int64
	flows := func(_ context.Context, run *claims.Run) (claims.Measurement, error) {
		measured.Add(1)
		n := run.Count(10, 1000)
		return claims.Measurement{Value: float64(n), Unit: "flows", Detail: fmt.Sprintf("%d flows", n)}, nil
	}
	claim := func(id, takes string) claims.Claim {
		c := claims.Claim{ID: id, Source: "P", Text: "T", Printed: "1000", Judge: claims.Within("1000", "0%", "flows"),
			Measure: flows, Expect: claims.Deviates, Reason: "few flows"}
		if takes != "" {
			c.PaperPoint, c.OwnPoint, c.PaperTakes = "1,000 flows", "10 flows", takes
		}
		return c
	}
	d := design.Design{Name: "a", Title: "a design", Claims: []claims.Claim{
		claim("a/large", "1 h"), claim("a/plain", ""), claim("a/other", "2 h"),
	}}
	goldwire := func(code int, args ...string) (string, string) {
		var out, faults bytes.Buffer
		got := cli.Main(append([]string{"verify"}, args...), &out, &faults, d)
		require.Equal(t, code, got, "%v: %s%s", args, &out, &faults)
		return out.String(), faults.String()
	}
	goldwire(0)
	require.EqualValues(t, 3, measured.Swap(0))

	state := filepath.Join(t.TempDir(), "results")
	out, _ := goldwire(0, "--paper", "--state", state, "a/large")
	require.Contains(t, out, "1000 flows")
	require.EqualValues(t, 1, measured.Swap(0))
	out, _ = goldwire(0, "--paper", "--state", state)
	require.EqualValues(t, 1, measured.Swap(0), "a/other; a/large is known, a/plain has no larger point")
	require.NotContains(t, out, "a/plain")
	require.Contains(t, out, "2 claims at the paper's point: 2 hold, 0 deviate, 0 without a figure")
	require.Contains(t, out, "deviates at our point")

	// as JSON, which a page refuses
	out, _ = goldwire(0, "--paper", "--state", state, "--json")
	document, err := claims.ReadDocument(strings.NewReader(out))
	require.NoError(t, err)
	require.True(t, document.Paper)
	require.Equal(t, "deviates", document.Claims[0].Expect)
	require.Equal(t, "holds", document.Claims[0].Verdict)
	page := filepath.Join(t.TempDir(), "claims.json")
	require.NoError(t, os.WriteFile(page, []byte(out), 0o600))
	var said bytes.Buffer
	require.Equal(t, 2, cli.Main([]string{"report", "--from", page, "--out", page + ".html"}, &said, &said, d))
	require.Contains(t, said.String(), "figures at the papers' points")
	out, _ = goldwire(0, "--paper", "--state", state)

	// a line cut short by a kill is measured again
	data, err := os.ReadFile(state)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(state, data[:len(data)-9], 0o600))
	again, _ := goldwire(0, "--paper", "--state", state)
	require.Equal(t, out, again)
	require.EqualValues(t, 1, measured.Swap(0))
	whole, err := os.ReadFile(state)
	require.NoError(t, err)
	require.Len(t, strings.Split(string(whole), "\n"), 4)

	_, fault := goldwire(2, "--paper", "--state", state, "--seed", "2")
	require.Contains(t, fault, "with seed 1, want those of")
	_, fault = goldwire(2, "--state", state)
	require.Contains(t, fault, "--state: want --paper with it")
	_, fault = goldwire(2, "--paper", "a/plain")
	require.Contains(t, fault, "--paper: no claim among these can be measured at another point than its own")
	require.NoError(t, os.WriteFile(state, []byte("messages\n"), 0o600))
	_, fault = goldwire(2, "--paper", "--state", state)
	require.Contains(t, fault, "results:1: want the results of goldwire verify --paper")
	require.NoError(t, os.WriteFile(state, append(whole[:bytes.IndexByte(whole, '\n')+1], "{}\n"...), 0o600))
	_, fault = goldwire(2, "--paper", "--state", state)
	require.Contains(t, fault, "results:2: want a claim or a run and its result as JSON")
	require.Zero(t, measured.Load())
}

// A run of an experiment that several claims ask for is kept as soon as it has ended: a verification that was stopped
// before the claims were measured goes on with it.
func TestVerifyKeepsRuns(t *testing.T) {
	type point struct{ Flows int }
	var ran atomic.Int64
	e := experiment.Define(experiment.Spec[struct{}, point, float64]{
		Name: "flows", Short: "Flows",
		Points: func(*struct{}, uint64) ([]experiment.Point[point], error) { return nil, nil },
		Run: func(_ context.Context, _ *experiment.Run, q point) (float64, error) {
			ran.Add(1)
			return float64(q.Flows) / 3, nil
		},
		Report: func(*struct{}, []experiment.Result[point, float64]) (*experiment.Report, error) { return nil, nil },
	})
	claim := func(id string) claims.Claim {
		return claims.Claim{
			ID: id, Source: "P", Text: "T", Printed: "333", Judge: claims.Within("333", "1%", "flows"), Expect: claims.Holds,
			PaperPoint: "1,000 flows", OwnPoint: "10 flows", PaperTakes: "1 h",
			Measure: claims.For(func(run *claims.Run) claims.Measure {
				return claims.Of(e, point{run.Count(999, 1000)}, func(x float64) claims.Measurement {
					return claims.Figure(x, "flows", "a third")
				})
			}),
		}
	}
	d := design.Design{Name: "a", Title: "a design", Claims: []claims.Claim{claim("a/one"), claim("a/two")}}
	state := filepath.Join(t.TempDir(), "results")
	verify := func() string {
		var out, faults bytes.Buffer
		args := []string{"verify", "--paper", "--state", state, "--json"}
		require.Zero(t, cli.Main(args, &out, &faults, d), faults.String())
		return out.String()
	}
	whole := verify()
	require.EqualValues(t, 1, ran.Load(), "two claims share it")
	data, err := os.ReadFile(state)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(data), "\n")
	require.Contains(t, lines[1], `{"run":`)
	require.NoError(t, os.WriteFile(state, []byte(lines[0]+lines[1]), 0o600))
	require.Equal(t, whole, verify())
	require.EqualValues(t, 1, ran.Load(), "it was kept")
}
