package designtest

import (
	"fmt"
	"math/bits"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/hdl"
	"github.com/goldwire/goldwire/tb"
	"github.com/goldwire/goldwire/vectors"
)

// parameterRows is how many cycles the testbench of a unit runs for at values of its parameters: what a parameter breaks it breaks soon.
const parameterRows = 1000

// wideRow is how many bits a row has that takes a simulator which interprets long: sets of wider rows have a tenth of the rows, unless under soak.
const wideRow = 1024

// checkParameters takes all parameters of a unit to their least values, and all to their greatest, as far as the unit takes them together: each
// has to be at a bound that is not its default in one of the two. Under soak each goes to its bounds, and between them, with the others at
// their defaults. A value that the unit refuses beside the others is no fault.
func checkParameters(t *testing.T, u vectors.Unit) {
	moved := map[string]bool{}
	checked := map[string]bool{u.Settings.String(): true}
	check := func(v vectors.Unit) {
		if name := v.Settings.String(); !checked[name] {
			checked[name] = true
			t.Run(name, func(t *testing.T) { checkSettings(t, u, v) })
		}
	}
	for _, bound := range []func(p vectors.Param) uint64{func(p vectors.Param) uint64 { return p.Min }, func(p vectors.Param) uint64 { return p.Max }} {
		v := u
		for _, p := range u.Params {
			if w, err := v.WithSettings(vectors.Settings{{Name: p.Name, Value: bound(p)}}); err == nil {
				v, moved[p.Name] = w, moved[p.Name] || bound(p) != p.Default
			} else {
				t.Logf("%s=%d is refused: %v", p.Name, bound(p), err)
			}
		}
		check(v)
	}
	for _, p := range u.Params {
		require.True(t, moved[p.Name], "%s: no bound of %s is tried but its default", u.Name, p.Name)
		checkChanges(t, u, p)
		if !soak {
			continue
		}
		middle := p.Min + (p.Max-p.Min)/2
		if p.Power {
			middle = 1 << ((bits.Len64(p.Min)+bits.Len64(p.Max))/2 - 1)
		}
		for _, value := range []uint64{p.Min, middle, p.Max} {
			if v, err := u.WithSettings(vectors.Settings{{Name: p.Name, Value: value}}); err == nil {
				check(v)
			}
		}
	}
}

// checkChanges wants other fields or other rows of a unit at one bound of a parameter, with the others at their defaults: the parameter counts.
func checkChanges(t *testing.T, u vectors.Unit, p vectors.Param) {
	capture := func(v vectors.Unit) *vectors.Set {
		set, err := vectors.Capture(v, parameterRows, testbenchSeed)
		require.NoError(t, err)
		return set
	}
	usual := capture(u)
	for _, value := range []uint64{p.Min, p.Max} {
		v, err := u.WithSettings(vectors.Settings{{Name: p.Name, Value: value}})
		if err != nil {
			continue
		}
		if set := capture(v); !slices.Equal(set.Fields, usual.Fields) || !slices.EqualFunc(set.Rows, usual.Rows, slices.Equal) {
			return
		}
	}
	t.Errorf("%s: %s changes nothing in %d rows at its bounds", u.Name, p.Name, parameterRows)
}

// checkSettings checks a unit at values of its parameters: the declared latency is measured, the set says what it was made with, and the
// reference RTL at the same values passes the testbench under Icarus.
func checkSettings(t *testing.T, u, v vectors.Unit) {
	tb.CheckLatencyIfSeen(t, v)
	width, rows := 0, parameterRows
	one, err := vectors.Capture(v, 1, testbenchSeed)
	require.NoError(t, err)
	for _, f := range one.Fields {
		width += f.Width
	}
	if width > wideRow && !soak {
		rows /= 10
	}
	dir := filepath.Join(t.TempDir(), "set")
	set, err := vectors.Capture(v, rows, testbenchSeed)
	require.NoError(t, err)
	require.NoError(t, vectors.Write(dir, set))
	back, err := vectors.ReadSettings(dir)
	require.NoError(t, err)
	require.Equal(t, v.Settings, back)
	again, err := u.WithSettings(back)
	require.NoError(t, err)
	cycles, err := vectors.CompareDir(t.Context(), again, dir)
	require.NoError(t, err)
	require.Equal(t, rows, cycles)
	if _, err := vectors.CompareDir(t.Context(), u, dir); err == nil {
		t.Fatal("a set is taken for one at other parameters")
	}
	if u.RTL == "" {
		return
	}
	if icarus := hdl.Icarus.Available(); icarus != nil {
		t.Skipf("the RTL of %s at %v was NOT run: %v", u.Name, v.Settings, icarus)
	}
	res := runTestbench(t, hdl.Icarus, dir, u.Module(), set.Fields, []string{v.RTL})
	require.True(t, res[0].Passed(), res[0].Output)
	require.Contains(t, res[0].Output, fmt.Sprintf("PASS %s %d cycles\n", u.Name, rows))
}
