package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Words that found no room go on in their line; a line that ends early, an indented one and an empty one stay.
func TestUnbrokenNotes(t *testing.T) {
	long := strings.Repeat("nine char ", 7) + "1234"
	require.Len(t, long, 74)
	require.Equal(t, long+" it goes\non\n\nnew", unbroken(long+"\nit goes\non\n\nnew"))
	require.Equal(t, long+"\na", unbroken(long+"\na"))
	require.Equal(t, long+"\n  item", unbroken(long+"\n  item"))
}
