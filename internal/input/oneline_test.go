package input_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/input"
)

func TestOneLine(t *testing.T) {
	require.NoError(t, input.OneLine(nil))
	plain := errors.New("there is no table ütz")
	require.Same(t, plain, input.OneLine(plain))
	err := input.OneLine(fmt.Errorf("table %s: %w", "t\n\x1b[1mr\u0085é", io.ErrUnexpectedEOF))
	require.EqualError(t, err, `table t\n\x1b[1mr\u0085é: unexpected EOF`)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}
