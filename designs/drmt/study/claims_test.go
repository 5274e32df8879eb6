package study_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/designs/drmt/study"
)

// slowClaims take seconds each: Figure 6's solve 32 random graphs, the others schedule switch.p4.
func slowClaims(c claims.Claim) bool {
	for _, id := range []string{"drmt/figure6/", "drmt/table2/", "drmt/table3/", "drmt/figure7/", "drmt/3.3/",
		"drmt/5.1/scratch-pad", "drmt/6/threads"} {
		if strings.HasPrefix(c.ID, id) {
			return !slices.Contains(switchClaims, c.ID)
		}
	}
	return false
}

// Each claim gives the verdict on record. Slow ones run under the tag soak, and in `make verify`.
func TestClaims(t *testing.T) {
	list := study.Design().Claims
	if !soak {
		list = slices.DeleteFunc(list, slowClaims)
	}
	designtest.CheckClaims(memo, t, 1, list)
}

// With the authors' graphs, which are not part of the project, the claims without a solver do too; under the tag soak
// all of them.
func TestClaimsOfSwitch(t *testing.T) {
	directory := filepath.Join("..", "..", "..", "..", "shared", "data", "drmt")
	if _, err := os.Stat(directory); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the claims about switch.p4 were NOT measured: its graphs are not here")
	}
	d := study.Design()
	list, err := d.Borrowed[0].Claims(directory)
	require.NoError(t, err)
	require.Greater(t, len(list), 40)
	designtest.CheckClaims(memo, t, 1, list, switchClaims...)
	// each has the id of one on the project's own table of operations
	whole, err := design.House{d}.Claims(map[string]string{d.Borrowed[0].Flag: directory})
	require.NoError(t, err)
	require.Equal(t, len(d.Claims), whole.Len())
	for c := range whole.All() {
		if c.Reason != "" && c.Expect == claims.NotModelled {
			require.Contains(t, c.ID, "proprietary", "everything else is measured with the graphs")
		}
	}
}
