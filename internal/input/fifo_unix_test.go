//go:build unix

package input_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/input"
)

// The context ends the wait for a FIFO's writer, and the wait for data from a writer that stays silent.
func TestFIFO(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := input.OpenContext(ctx, path, 100)
	require.ErrorIs(t, err, context.Canceled)

	both, err := os.OpenFile(path, os.O_RDWR, 0) // a writer that stays
	require.NoError(t, err)
	defer both.Close()
	ctx, cancel = context.WithCancel(t.Context())
	f, err := input.OpenContext(ctx, path, 100)
	require.NoError(t, err)
	defer f.Close()
	_, err = both.WriteString("abc")
	require.NoError(t, err)
	buf := make([]byte, 10)
	n, err := f.Read(buf)
	require.NoError(t, err)
	require.Equal(t, "abc", string(buf[:n]))
	go cancel()
	_, err = f.Read(buf)
	require.ErrorIs(t, err, context.Canceled)
}
