package designtest

import (
	"fmt"
	"math/bits"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/tb"
	"github.com/goldwire/goldwire/vectors"
)

// parameterRows is how many cycles the testbench of a unit runs for at values of its parameters: what a parameter
// breaks it breaks soon.
const parameterRows = 1000

// Runs that would take an interpreting simulator long are left to soak: values beside others that make a row wider
// than wideRow bits, and rows beyond parameterBits in all. Under soak there may be twice as many.
const (
	wideRow       = 1024
	parameterBits = 1 << 17
)

// checkParameters takes all parameters of a unit to their least values, and all to their greatest, as far as the unit
// takes them together: each has to be at a bound that is not its default in one of the two, or then alone. Under soak
// each goes to its bounds, and between them, with the others at their defaults. A value that the unit refuses beside
// the others is no fault.
func checkParameters(t *testing.T, u vectors.Unit) {
	moved := map[string]bool{}
	checked := map[string]bool{u.Settings.String(): true}
	check := func(v vectors.Unit) {
		if name := v.Settings.String(); !checked[name] {
			checked[name] = true
			t.Run(name, func(t *testing.T) { checkSettings(t, u, v) })
		}
	}
	for _, bound := range []func(p vectors.Param) uint64{func(p vectors.Param) uint64 { return p.Min },
		func(p vectors.Param) uint64 { return p.Max }} {
		v := u
		for _, p := range u.Params {
			w, err := v.WithSettings(vectors.Settings{{Name: p.Name, Value: bound(p)}})
			if err == nil && !soak && rowBits(t, w) > max(wideRow, rowBits(t, v)) {
				err = fmt.Errorf("rows are wider than %d bits", wideRow)
			}
			if err != nil {
				t.Logf("%s=%d is NOT tried beside %v: %v", p.Name, bound(p), v.Settings, err)
				continue
			}
			v, moved[p.Name] = w, moved[p.Name] || bound(p) != p.Default
		}
		check(v)
	}
	for _, p := range u.Params {
		for _, value := range []uint64{p.Min, p.Max} {
			if v, err := u.WithSettings(vectors.Settings{{Name: p.Name, Value: value}}); err == nil &&
				value != p.Default && !moved[p.Name] {
				moved[p.Name] = true
				check(v)
			}
		}
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

// rowBits returns how many bits a row of the unit has.
func rowBits(t *testing.T, u vectors.Unit) int {
	one, err := vectors.Capture(u, 1, testbenchSeed)
	require.NoError(t, err)
	bits := 0
	for _, f := range one.Fields {
		bits += f.Width
	}
	return bits
}

// checkChanges wants other fields or other rows of a unit at one bound of a parameter, with the others at their
// defaults: the parameter counts.
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
		if set := capture(v); !slices.Equal(set.Fields, usual.Fields) ||
			!slices.EqualFunc(set.Rows, usual.Rows, slices.Equal) {
			return
		}
	}
	t.Errorf("%s: %s changes nothing in %d rows at its bounds", u.Name, p.Name, parameterRows)
}

// checkSettings checks a unit at values of its parameters: the declared latency is measured, the set records the
// values, and the reference RTL at the same values passes the testbench under Icarus.
func checkSettings(t *testing.T, u, v vectors.Unit) {
	tb.CheckLatencyIfSeen(t, v)
	most := parameterBits
	if soak {
		most *= 2
	}
	rows := min(parameterRows, most/rowBits(t, v))
	dir := filepath.Join(t.TempDir(), "set")
	set, err := vectors.Capture(v, rows, testbenchSeed)
	require.NoError(t, err)
	require.Empty(t, set.Coverage.Wrong, "bits that rise and fall, though the unit says that they do not move")
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
