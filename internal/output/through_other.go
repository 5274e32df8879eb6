//go:build !unix

package output

import (
	"io/fs"
	"os"
)

// openThrough opens a device or another file that is not a regular one.
func openThrough(path string, _ fs.FileInfo) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY, 0)
}
