package designtest

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/hdl"
	"github.com/goldwire/goldwire/tb"
	"github.com/goldwire/goldwire/vectors"
)

// parameterRows is how many cycles the testbench of a unit runs for at a bound of a parameter: what a parameter breaks it breaks soon.
const parameterRows = 1000

// checkParameters takes each parameter of a unit to its bounds, the others at their defaults: the declared latency is
// measured, the set says what it was made with, and the reference RTL at the same value passes the testbench under Icarus. A value
// that the unit refuses beside the others' defaults is no fault; that both bounds are refused is one.
func checkParameters(t *testing.T, u vectors.Unit) {
	icarus := hdl.Icarus.Available()
	for _, p := range u.Params {
		taken := 0
		for _, value := range []uint64{p.Min, p.Max} {
			at := vectors.Settings{{Name: p.Name, Value: value}}
			v, err := u.WithSettings(at)
			if err != nil {
				t.Logf("%s at %v is refused: %v", u.Name, at, err)
				continue
			}
			taken++
			if value == p.Default {
				continue
			}
			t.Run(at.String(), func(t *testing.T) {
				require.Equal(t, value, v.Settings.Get(p.Name))
				tb.CheckLatencyIfSeen(t, v)
				dir := filepath.Join(t.TempDir(), "set")
				set, err := vectors.Capture(v, parameterRows, testbenchSeed)
				require.NoError(t, err)
				require.NoError(t, vectors.Write(dir, set))
				back, err := vectors.ReadSettings(dir)
				require.NoError(t, err)
				require.Equal(t, v.Settings, back)
				again, err := u.WithSettings(back)
				require.NoError(t, err)
				cycles, err := vectors.CompareDir(t.Context(), again, dir)
				require.NoError(t, err)
				require.Equal(t, parameterRows, cycles)
				if _, err := vectors.CompareDir(t.Context(), u, dir); err == nil {
					t.Fatal("a set is taken for one at other parameters")
				}
				if u.RTL == "" {
					return
				}
				if icarus != nil {
					t.Skipf("the RTL of %s at %v was NOT run: %v", u.Name, at, icarus)
				}
				res := runTestbench(t, hdl.Icarus, dir, u.Module(), set.Fields, []string{v.RTL})
				require.True(t, res[0].Passed(), res[0].Output)
				require.Contains(t, res[0].Output, fmt.Sprintf("PASS %s %d cycles\n", u.Name, parameterRows))
			})
		}
		require.Positive(t, taken, "%s: both bounds of %s are refused", u.Name, p.Name)
	}
}
