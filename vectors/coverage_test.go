package vectors

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A narrow setting leaves out the bits of a port from its width on, and none of a port that is no wider.
func TestNotAbove(t *testing.T) {
	unmoved := NotAbove(4, "why", map[string]int{"wide": 8, "one_more": 5, "as_wide": 4, "narrow": 1})
	require.Equal(t, map[string]string{"wide[7:4]": "why", "one_more[4:4]": "why"}, unmoved)
	require.EqualValues(t, 0xf0, unmovedBits("wide[7:4]", "wide", 8))
	require.EqualValues(t, 0x10, unmovedBits("one_more[4:4]", "one_more", 5))
}
