package claims

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAtPoints(t *testing.T) {
	list := AtPoints([]Claim{{ID: "a/b/c"}, {ID: "a/b/d"}, {ID: "a/bc"}, {ID: "a/e"}},
		Points{"a/b", "512 nodes", "64 nodes", ""}, Points{"a/b/d", "512 nodes", "", ""},
		Points{"a/e", "three seeds", "one seed", "2 h"})
	require.Equal(t, "64 nodes; the paper's: 512 nodes", list[0].point())
	require.Equal(t, "the paper's: 512 nodes", list[1].point())
	require.Empty(t, list[2].point())
	require.Equal(t, "one seed; the paper's: three seeds (--paper, 2 h)", list[3].point())
	require.PanicsWithValue(t, "claims: no claim has the prefix a/x", func() {
		AtPoints(list, Points{"a/x", "p", "", ""})
	})
}
