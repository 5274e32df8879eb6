package workload

import (
	"bufio"
	"fmt"
	"io"

	"github.com/google/renameio/v2"
)

// writeFile writes the file at path, which appears whole or not at all.
func writeFile(path string, write func(io.Writer) error) error {
	file, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer file.Cleanup()
	buffered := bufio.NewWriter(file)
	if err := write(buffered); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := buffered.Flush(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := file.CloseAtomicallyReplace(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
