package plural

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOf(t *testing.T) {
	require.Equal(t, "1 cycle", Of(1, "cycle"))
	require.Equal(t, "0 cycles", Of(0, "cycle"))
	require.Equal(t, "2 matches", Of(uint64(2), "match"))
	require.Equal(t, "3 queries", Of(int64(3), "query"))
	require.Equal(t, "4 delays", Of(4, "delay"))
	require.Equal(t, "5 axes", Of(5, "ax"))
}
