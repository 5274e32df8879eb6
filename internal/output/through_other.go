//go:build !unix

package output

import (
	"io/fs"
	"os"
)

// openThrough opens what is no regular file.
func openThrough(path string, _ fs.FileInfo) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY, 0)
}
