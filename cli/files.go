package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/goldwire/goldwire/internal/output"
)

// checkPaths refuses, before anything runs, outputs that cannot be written where they shall be, by the flags that name
// them: no result shall be lost for want of a place.
func checkPaths(outputs, inputs map[string]string) error {
	var out, in []output.Path
	for _, flag := range sortedKeys(inputs) {
		in = append(in, output.Path{What: flag, Path: inputs[flag]})
	}
	for _, flag := range sortedKeys(outputs) {
		out = append(out, output.Path{What: flag, Path: outputs[flag]})
	}
	return output.Check(out, in)
}

// checkDirectory refuses a directory in which, or into which, nothing can be written; it need not be there yet.
func checkDirectory(flag, dir string) error {
	for {
		info, err := os.Stat(dir)
		switch {
		case err == nil && !info.IsDir():
			return fmt.Errorf("%s: %s is a file, want a directory", flag, dir)
		case err == nil:
			return checkPaths(map[string]string{flag: filepath.Join(dir, "goldwire-output")}, nil)
		case !os.IsNotExist(err):
			return fmt.Errorf("%s: %w", flag, err)
		}
		dir = filepath.Dir(dir)
	}
}

// size writes a number of bytes.
func size(bytes int64) string {
	switch {
	case bytes >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
	case bytes >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
}

// writeFile writes a file, or nothing if it fails.
func writeFile(path string, draw func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	return output.Write(path, draw)
}
