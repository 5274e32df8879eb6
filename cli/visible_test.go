package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNothingForATerminal(t *testing.T) {
	require.Equal(t, "\uFFFD[31mred\uFFFDé", visible("\x1b[31mred\né"))
}
