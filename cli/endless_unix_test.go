//go:build unix

package cli_test

import (
	"path/filepath"
	"testing"

	"github.com/goldwire/goldwire/design"
)

// Each file that an experiment or a command reads may be one without end.
func TestInputsWithoutEnd(t *testing.T) {
	for _, d := range designs {
		for _, e := range d.Experiments {
			for _, f := range e.Params().Fields {
				if f.File != "in" {
					continue
				}
				args := []string{"run", d.Name, e.Info().Name}
				if f.Arg == "" {
					args = append(args, "--"+f.Flag)
				}
				refusedOf(t, design.House{d}, append(args, "/dev/zero")...)
			}
		}
	}
	out := filepath.Join(t.TempDir(), "out")
	for _, args := range [][]string{{"report", "--out", out, "--from"}, {"bench", "--only", "kernel", "--against"},
		{"vectors", "pcs/encoder", "--dir", out, "--stream"},
		{"cosim", "pcs/encoder", "--rtl", "endless_unix_test.go", "--top", "x", "--map"},
		{"replay", "--module", "pcs/encoder", "--scope", "a", "--clock", "b"}} {
		refused(t, append(args, "/dev/zero")...)
	}
}
