package drmt

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The RTL of units with numbered ports is made from files, for other numbers. At the defaults nothing but the file
// comes out.
func TestRTLAtTheDefaultsIsTheFile(t *testing.T) {
	for _, c := range []struct{ unit, param, usual, other string }{
		{"drmt/scratch_pad", "ports", "8", "3"}, {"drmt/vliw_fetch", "slices", "4", "9"},
		{"drmt/key_generator", "words", "8", "11"}, {"drmt/key_generator", "segments", "2", "1"},
	} {
		u, err := Units().Find(c.unit)
		require.NoError(t, err)
		v, err := u.WithParams(c.param + "=" + c.other)
		require.NoError(t, err)
		require.NotEqual(t, rtlFile(u.Module()), v.RTL)
		v, err = v.WithParams(c.param + "=" + c.usual)
		require.NoError(t, err)
		require.Equal(t, rtlFile(u.Module()), v.RTL)
	}
}
