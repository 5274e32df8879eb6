package designtest

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/fuse"
	"github.com/goldwire/goldwire/internal/fuse/fusetest"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/tb"
)

// CheckFused checks fused code in two ways. The checked-in files are the ones `goldwire fuse` makes of the modules'
// source now. Runs of any length, some from a checkpoint, leave every register, wire and field the same as runs of the
// modules, in strict mode too. The simulations need stimuli of their own.
func CheckFused(t *testing.T, targets ...design.Fused) {
	t.Helper()
	for _, target := range targets {
		t.Run(target.Name, func(t *testing.T) {
			sim, err := target.Build(rtl.Config{Plain: true})
			require.NoError(t, err)
			file, err := fuse.Generate(t.Context(), ".", fuse.Target{Name: target.Name, Package: target.Package, Sim: sim,
				Without: target.Without})
			require.NoError(t, err)
			if target.Refused {
				require.Nil(t, file.Text, "not all islands are refused any more")
				return
			}
			require.NotNil(t, file.Text, "all islands are refused: %v", file.Islands)
			require.NotRegexp(t, `\.go:[0-9]`, string(file.Text),
				"a place in the source: then a comment there makes the file stale")
			if tb.Updating() && file.Stale() {
				require.NoError(t, os.WriteFile(file.Path, file.Text, 0o644))
				t.Skipf("%s is written: build and test again", file.Path)
			}
			require.False(t, file.Stale(), "%s is not what its modules make: run fuse of the command that has the design",
				file.Path)
			for seed := range uint64(2) {
				fusetest.Compare(t, target.Build, seed)
			}
		})
	}
}
