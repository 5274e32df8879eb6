// Package designtest checks a design whole, in one line of its own test:
//
//	func TestDesign(t *testing.T) { designtest.Check(t, Design()) }
//
// The checks compare with files in the folder of that test: testdata/golden has a golden file a unit, pipelines a
// picture a unit. GOLDWIRE_UPDATE=1 go test writes both.
package designtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/tb"
	"github.com/goldwire/goldwire/vectors"
)

const (
	testbenchSeed = 7
	lockstepSeed  = 11
	simulatorTime = 10 * time.Minute // a testbench that takes longer hangs

	interpretedRows = 1000 // cycles of a testbench under a simulator that interprets, unless under soak
)

// Check checks a design: that it is declared whole; for each unit what [tb.CheckUnit] does, its coverage, its picture
// and its parameters; and for each unit with RTL that the exported testbench passes on it under Icarus and Verilator,
// that it finds each planted bug, and that model and RTL agree in lockstep; under the tag soak also that the golden
// file's rows show the mutants of the RTL that its campaign counts. A check that needs a simulator which is missing is
// skipped by name.
//
// The test that calls Check must not be parallel; within it, subtests that run simulators are.
func Check(t *testing.T, d design.Design) {
	t.Helper()
	t.Run("declaration", func(t *testing.T) {
		require.NoError(t, design.House{d}.Check())
		if len(d.Claims) > 0 {
			_, err := claims.NewSet(d.Claims)
			require.NoError(t, err)
		}
		for _, e := range d.Experiments {
			p := e.Params()
			require.Nil(t, p.Find("seed"), "%s: the seed is every experiment's", e.Info().Name)
		}
	})
	for _, u := range d.Units {
		t.Run(u.Module(), func(t *testing.T) {
			tb.CheckUnit(t, u)
			t.Run("coverage", func(t *testing.T) { checkCoverage(t, u) })
			if len(u.Params) > 0 {
				t.Run("parameters", func(t *testing.T) { checkParameters(t, u) })
			}
			if u.RTL == "" {
				return
			}
			for _, sim := range hdl.Simulators() {
				t.Run(sim.Name, func(t *testing.T) { checkTestbench(t, u, sim) })
			}
			t.Run("lockstep", func(t *testing.T) { checkLockstep(t, u) })
			if soak {
				t.Run("mutants", func(t *testing.T) { checkMutants(t, u) })
			}
		})
	}
	if len(d.Properties) > 0 {
		t.Run("properties", func(t *testing.T) { CheckProperties(t, emitted(t, d)) })
	}
	if len(d.Fused) > 0 {
		t.Run("fused", func(t *testing.T) { CheckFused(t, d.Fused...) })
	}
	if len(d.Units) > 0 {
		t.Run("pictures", func(t *testing.T) { checkPictures(t, d) })
	}
}

// cyclesToCover is how long a unit's stimulus may take to reach full coverage.
const cyclesToCover = 20_000

// checkCoverage wants vectors with full coverage, unless the unit has a reason in NotCovered.
func checkCoverage(t *testing.T, u vectors.Unit) {
	n, covered, err := vectors.CyclesToCover(t.Context(), u, 1, cyclesToCover)
	require.NoError(t, err)
	set, err := vectors.Capture(u, n, 1)
	require.NoError(t, err)
	if !covered && u.NotCovered == "" {
		t.Fatalf(
			"%s: %d cycles of the stimulus leave open: %s; drive the unit otherwise, or say in its Unmoved why a bit can "+
				"never move, or in NotCovered "+
				"why the stimulus does not reach it",
			u.Name,
			n,
			strings.Join(missed(*set.Coverage), ", "),
		)
	}
	require.True(
		t, u.NotCovered == "" || !covered, "%s is covered after %d cycles, and its NotCovered says why it is not: %s",
		u.Name, n, u.NotCovered,
	)
	require.Equal(t, covered, set.Coverage.Complete())
	require.Empty(t, set.Coverage.Wrong, "bits that rise and fall, though the unit says that they do not move")
	for _, m := range set.Coverage.Machines {
		require.Empty(t, m.Undeclared, "transitions of %s that the unit does not declare", m.Probe)
	}
	if covered && n > 1 {
		less, err := vectors.Capture(u, n-1, 1)
		require.NoError(t, err)
		require.False(t, less.Coverage.Complete(), "one cycle less covers all as well")
	}
}

// missed lists what coverage lacks: the first bits and transitions, and how many more there are.
func missed(c vectors.Coverage) []string {
	const most = 8
	list := slices.Clone(c.Missing)
	for _, m := range c.Machines {
		for _, x := range m.Missing {
			list = append(list, m.Probe+" "+x)
		}
	}
	if len(list) > most {
		list = append(list[:most], fmt.Sprintf("%d more", len(list)-most))
	}
	return list
}

// checkTestbench runs the exported testbench on the RTL as it is, and with each planted bug, which it must find in a
// field that the bug names. Verilator is fast and builds all versions in one; Icarus interprets and starts anew for
// each, so it has fewer rows, and bugs only under the tag soak.
func checkTestbench(t *testing.T, u vectors.Unit, sim hdl.Simulator) {
	u = u.Exact()
	t.Parallel()
	if err := sim.Available(); err != nil {
		t.Skipf("the exported testbench of %s was NOT run under %s: %v", u.Name, sim.Name, err)
	}
	if len(u.Bugs) == 0 {
		t.Fatalf(
			"%s has RTL and no bug to plant in it: without one nobody knows that its vectors find any. Bugs: "+
				"[]vectors.Bug{{Kind: \"odd instead of "+
				"even\", Field: \"out_parity\", Edits: []string{\"{^in, in}\", \"{~^in, in}\"}}} says one",
			u.Name,
		)
	}
	rows, bugs := testbenchRows, u.Bugs
	if sim.Name != hdl.Verilator.Name && !soak {
		rows, bugs = interpretedRows, nil
	}
	dir := filepath.Join(t.TempDir(), "set")
	set, err := vectors.Capture(u, rows, testbenchSeed)
	require.NoError(t, err)
	require.NoError(t, vectors.Write(dir, set))

	versions := []string{u.RTL}
	for _, bug := range bugs {
		text, err := bug.Plant(u.RTL)
		require.NoError(t, err)
		versions = append(versions, text)
	}
	results := runTestbench(t, sim, dir, u.Module(), set.Fields, versions)
	require.True(t, results[0].Passed(), results[0].Output)
	require.Contains(t, results[0].Output, fmt.Sprintf("PASS %s %d cycles\n", u.Name, rows))
	for i, bug := range bugs {
		res := results[i+1]
		require.False(t, res.Passed(), "%s: %s", bug.Kind, res.Output)
		require.Regexp(t, `FAIL cycle \d+ field (`+bug.Field+`) wanted [0-9a-f]+ got [0-9a-f]+\n`, res.Output, bug.Kind)
		require.NotContains(t, res.Output, "PASS", bug.Kind)
	}
}

// runTestbench runs the testbench on each version of the RTL: each alone under Icarus, in one build under Verilator.
func runTestbench(t *testing.T, sim hdl.Simulator, dir, module string, fields []vectors.Field,
	versions []string) []hdl.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), simulatorTime)
	defer cancel()
	run := func(text string, plusArgs ...[]string) []hdl.Result {
		results, err := sim.Run(ctx, hdl.Job{Top: module + "_tb", Dir: dir, PlusArgs: plusArgs,
			Sources: []string{filepath.Join(dir, module+"_tb.sv"), writeRTL(t, module, text)}})
		require.NoError(t, err)
		return results
	}
	var plusArgs [][]string
	var results []hdl.Result
	for i, text := range versions {
		plusArgs = append(plusArgs, []string{fmt.Sprintf("+version=%d", i)})
		if sim.Name != hdl.Verilator.Name {
			results = append(results, run(text)...)
		}
	}
	if sim.Name != hdl.Verilator.Name {
		return results
	}
	return run(joinVersions(module, fields, versions), plusArgs...)
}

// writeRTL writes RTL into a file of its own.
func writeRTL(t *testing.T, module, rtl string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), module+".v")
	require.NoError(t, os.WriteFile(path, []byte(rtl), 0o644))
	return path
}

// checkLockstep runs model and RTL side by side under Verilator.
func checkLockstep(t *testing.T, u vectors.Unit) {
	u = u.Exact()
	t.Parallel()
	if err := cosim.Verilator.Available(); err != nil {
		t.Skipf("the lockstep of %s was NOT run: %v", u.Name, err)
	}
	s, err := cosim.Start(t.Context(), cosim.Options{Unit: u, Dirty: cosim.DefaultDirty, Seed: lockstepSeed,
		Design: cosim.Design{Sources: []string{writeRTL(t, u.Module(), u.RTL)}, Top: u.Module(), Simulator: cosim.Verilator}})
	require.NoError(t, err)
	defer s.Close()
	res, err := s.Run(t.Context(), cosim.Stimulus{Cycles: lockstepCycles, Seed: lockstepSeed}, nil)
	require.NoError(t, err)
	if res.Divergence != nil {
		var text strings.Builder
		res.Divergence.Write(&text)
		t.Fatal(text.String())
	}
	require.Equal(t, lockstepCycles, res.Cycles)
}
