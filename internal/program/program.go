// Package program knows the name of the running command, which may be a user's own with designs of theirs. Messages
// name it.
package program

import (
	"path/filepath"
	"strings"
)

// name is Goldwire's own where no command runs: in tests, and in programs that use the packages alone.
var name = "goldwire"

// Name is the command's name: "goldwire".
func Name() string { return name }

// Set takes the name from the path that the program was started by, before anything else runs. A test binary is no
// command.
func Set(path string) {
	base := strings.TrimSuffix(filepath.Base(path), ".exe")
	if base != "." && base != string(filepath.Separator) && !strings.HasSuffix(base, ".test") {
		name = base
	}
}
