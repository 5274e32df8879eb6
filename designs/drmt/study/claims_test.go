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

// Each claim gives the verdict on record. Those of Figure 6, which solve 32 random graphs, run under the tag soak, and in `make verify`.
func TestClaims(t *testing.T) {
	list := study.Design().Claims
	if !soak {
		list = slices.DeleteFunc(list, func(c claims.Claim) bool { return strings.HasPrefix(c.ID, "drmt/figure6/") })
	}
	designtest.CheckClaims(memo, t, 1, list)
}

// With the authors' graphs, which are not part of the project, those that take no solver do too; under the tag soak all of them.
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
	whole, err := design.House{d}.Claims(map[string]string{d.Borrowed[0].Flag: directory}) // each has the id of one that is not modelled
	require.NoError(t, err)
	require.Equal(t, len(d.Claims), whole.Len())
	for c := range whole.All() {
		if c.Reason != "" && c.Expect == claims.NotModelled {
			require.Contains(t, c.ID, "proprietary", "everything else is measured with the graphs")
		}
	}
}
