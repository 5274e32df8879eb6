package cli

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/internal/program"
)

// A flag that would do nothing is refused, before a file is read or a directory made; each rule is of flags that are
// there.
func TestFlagsWithoutTheirPartner(t *testing.T) {
	root := newRoot(catalogue.Designs())
	value := func(f *pflag.Flag) string {
		switch f.Value.Type() {
		case "bool":
			return "true"
		case "duration":
			return "5s"
		default:
			return "7"
		}
	}
	for _, cmd := range root.Commands() {
		if cmd.Name() == "run" {
			continue // its experiments have the flags
		}
		call := []string{cmd.Name(), "blocks/fifo"}
		if cmd.Name() == "wave" {
			var err error
			cmd, call, err = root.Find([]string{"wave", "diff", "a.vcd", "b.vcd"})
			require.NoError(t, err)
			require.Equal(t, "diff", cmd.Name())
			call = append([]string{"wave", "diff"}, call...)
		}
		for _, p := range partners[call[0]] {
			for _, name := range p.flags {
				flag := cmd.Flags().Lookup(name)
				require.NotNil(t, flag, "%s --%s", cmd.Name(), name)
				args := append(slices.Clone(call), "--"+name+"="+value(flag))
				want := program.Name() + ": --" + name + ": goes with --" + p.with + ": " + p.why + "\n"
				if p.without != "" {
					beside := cmd.Flags().Lookup(p.without)
					require.NotNil(t, beside, "%s --%s", cmd.Name(), p.without)
					args = append(args, "--"+p.without+"="+value(beside))
					want = program.Name() + ": --" + name + ": does nothing beside --" + p.without + ": " + p.why + "\n"
				}
				var stderr bytes.Buffer
				require.Equal(t, exitUsage, Main(args, io.Discard, &stderr, catalogue.Designs()...), args)
				require.Equal(t, want, stderr.String())
			}
		}
	}
	for _, flag := range []string{"--vcd-scope=a", "--vcd-from=3", "--vcd-to=4", "--on-fault-cycles=3"} {
		var stderr bytes.Buffer
		args := []string{"run", "edm", "load", flag}
		require.Equal(t, exitUsage, Main(args, io.Discard, &stderr, catalogue.Designs()...), flag)
		require.Contains(t, stderr.String(), ": goes with --")
	}
}
