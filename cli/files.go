package cli

import (
	"fmt"
	"io"

	"github.com/google/renameio/v2"
)

// writeFile writes a file, or nothing if it fails.
func writeFile(path string, draw func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer f.Cleanup() //nolint:errcheck // after the rename there is nothing to clean up
	if err := draw(f); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.CloseAtomicallyReplace()
}
