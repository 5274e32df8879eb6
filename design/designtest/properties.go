package designtest

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/vectors/property"
)

// The search for one proof may take propertyTime of the processor; programs that run beside it do not count. A search
// that waits ends with busyTime.
const (
	propertyTime = 15 * time.Minute
	busyTime     = 45 * time.Minute
)

// deepestBug is how many cycles are looked at for the refutation of a planted bug.
const deepestBug = 128

// emitted returns a design's properties, with the Verilog of their Emitted modules' own source.
func emitted(t *testing.T, d design.Design) []property.Property {
	list := slices.Clone(d.Properties)
	for i := range list {
		var err error
		list[i], err = formal.Complete(t.Context(), ".", list[i], d.Units)
		require.NoError(t, err)
	}
	return list
}

// CheckProperties wants every property proved without a bound, and each of its bugs refuted with a waveform. Of
// properties that are slow only that their bugs can be planted is looked at; they, and the bugs of all but the first,
// are left to the long campaigns (build tag soak).
func CheckProperties(t *testing.T, list []property.Property) {
	for i, p := range list {
		t.Run(p.Module(), func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, p.Bugs, "no bug is planted")
			for _, bug := range p.Bugs {
				_, err := p.Plant(bug)
				require.NoError(t, err)
			}
			if p.Slow && !soak {
				return
			}
			if err := formal.Available(formal.Auto); err != nil {
				t.Skipf("the proof of %s was NOT run: %v", p.Name, err)
			}
			opt := formal.Options{Time: busyTime, Processor: propertyTime, Memory: 4 << 30}
			a, err := formal.AskProperty(t.Context(), p, opt)
			require.NoError(t, err)
			if a.Verdict == formal.Refuted {
				vcd := filepath.Join(t.TempDir(), "refuted.vcd")
				require.NoError(t, a.Trace.WriteVCD(vcd))
				t.Fatalf("%s is refuted by %d cycles: %v", p.Name, a.Trace.Cycles(), a.Trace.Steps)
			}
			require.Equal(t, formal.Proved, a.Verdict, a.Why)
			t.Logf("%s: %s; %.1f s", p.Name, a.How(), a.Took.Seconds())
			if i > 0 && !soak {
				return
			}
			for _, bug := range p.Bugs {
				wrong, err := p.Plant(bug)
				require.NoError(t, err)
				opt.Depth = deepestBug
				a, err := formal.AskProperty(t.Context(), wrong, opt)
				require.NoError(t, err)
				require.Equal(t, formal.Refuted, a.Verdict, "%s: %s", bug.Kind, a.Why)
				require.NoError(t, a.Trace.WriteVCD(filepath.Join(t.TempDir(), "refuted.vcd")))
				t.Logf("%s: %s refuted by %d cycles; %.1f s", p.Name, bug.Kind, a.Trace.Cycles(), a.Took.Seconds())
			}
		})
	}
}
