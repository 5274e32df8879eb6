package cli

import (
	"io"

	"github.com/goldwire/goldwire/output"
)

// writeFile writes a file, or nothing if it fails.
func writeFile(path string, draw func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	return output.Write(path, draw)
}
