//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design"
)

// Each file that an experiment or a command reads may be one without end. The refusal names it as the user did.
func TestInputsWithoutEnd(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	const program = "../designs/drmt/p4/programs/l2l3.json"
	messages := file("messages.csv", "id,type,source,destination,bytes,start_ns\n0,write,0,1,64,0\n")
	events := file("events.csv", "time_ps,switch,event,in,prio,out,bytes\n5,S,enqueue,0,3,31,64\n")
	partners := map[string][]string{ // what else has to be given, so that the file is read
		"shoal trace --schedule-file": {messages},
		"spfc trace --links":          {messages},
		"spfc mmu --links":            {events},
		"drmt schedule --entries":     {"--bmv2", program},
		"drmt schedule --check":       {"--graphs", program},
	}
	for _, d := range designs {
		for _, e := range d.Experiments {
			for _, f := range e.Params().Fields {
				if f.File != "in" {
					continue
				}
				args := []string{"run", d.Name, e.Info().Name}
				if f.Arg == "" {
					args = append(args, partners[d.Name+" "+e.Info().Name+" --"+f.Flag]...)
					args = append(args, "--"+f.Flag)
				}
				args = append(args, "/dev/zero")
				require.Contains(t, refusedOf(t, design.House{d}, args...), "/dev/zero", args)
			}
		}
	}
	out := filepath.Join(dir, "out")
	for _, args := range [][]string{{"report", "--out", out, "--from"}, {"bench", "--only", "kernel", "--against"},
		{"vectors", "pcs/encoder", "--dir", out, "--stream"},
		{"cosim", "pcs/encoder", "--rtl", "endless_unix_test.go", "--top", "x", "--map"},
		{"replay", "--module", "pcs/encoder", "--scope", "a", "--clock", "b"}} {
		require.Contains(t, refused(t, append(args, "/dev/zero")...), "/dev/zero", args)
	}
}
