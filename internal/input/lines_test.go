package input_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/input"
)

func TestLines(t *testing.T) {
	l := input.NewLines(strings.NewReader("one\n"+strings.Repeat("2", 100)+"\n"), 16)
	require.True(t, l.Scan())
	require.Equal(t, "one", l.Text())
	require.False(t, l.Scan())
	require.EqualError(t, l.Err(), "a line of more than 16 bytes")

	l = input.NewLines(strings.NewReader("no end"), 16)
	require.True(t, l.Scan())
	require.False(t, l.Scan())
	require.NoError(t, l.Err())

	broken := errors.New("broken")
	l = input.NewLines(iotest.ErrReader(broken), 16)
	require.False(t, l.Scan())
	require.ErrorIs(t, l.Err(), broken)
}
