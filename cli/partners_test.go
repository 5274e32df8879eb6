package cli

import (
	"bytes"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
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

// alone are the flags that change something by themselves, by command. Each other flag has a rule in partners, or a
// refusal below.
var alone = map[string]string{
	"cosim": "build-timeout define files files-beside include json library map memory param pcap ports rtl rtl-param " +
		"sim stream top vectors",
	"prove": "define engine enough extra files files-beside include json library map memory out param rtl rtl-param " +
		"sim source time top",
	"replay":           "clock continue extra json map module param scope vcd waive x",
	"mutants":          "cycles files files-beside json late limit limit-time mutants param record rtl seed source time",
	"vectors":          "check dir json param until-covered until-killed",
	"wave diff":        "around clock common ignore-x json map only prefix",
	"bench":            "against json only",
	"list":             "json param",
	"verify":           "drmt-graphs json markdown only paper seed",
	"report":           "against from out run title",
	"properties":       "engine json out source time",
	"fuse":             "check dir",
	"verilog":          "dir out param",
	"sweep run":        "debug-addr progress-json workers",
	"sweep shard":      "debug-addr index of points progress-json workers",
	"sweep status":     "json",
	"sweep merge":      "csv from out partial",
	"sweep slurm":      "at-once cpus option program tasks",
	"sweep kubernetes": "at-once claim cpus folder image memory pods recipe tries",
}

// refused are calls in which a flag would do nothing, by command; their errors name it. Most have a rule in partners.
var refused = map[string][]string{
	"cosim": {
		"blocks/fifo --rtl partners.go --sim icarus --dirty 3",
		"blocks/delay_line --rtl partners.go --profile legal",
	},
	"prove": {"blocks/fifo --rtl partners.go --engine pdr --depth 3"},
	"mutants": {
		"blocks/fifo --top x", "blocks/fifo --sim icarus", "blocks/fifo --map x", "blocks/fifo --define X",
		"blocks/fifo --include .", "blocks/fifo --library .", "blocks/fifo --rtl-param A=1",
		"blocks/fifo --rtl partners.go --late 3", "blocks/fifo --rtl partners.go --limit 3",
	},
	"vectors": {
		"blocks/fifo --dir x --limit 3", "blocks/fifo --dir x --limit-time 3s", "blocks/fifo --dir x --mutants 3",
		"blocks/fifo --dir x --time 3s", "blocks/fifo --dir x --source .", "blocks/delay_line --dir x --profile legal",
	},
	"verify": {"--state x"},
	"report": {"--from x --seed 3"},
	"list":   {"--param depth=3"},
}

// Every flag of every command changes something by itself, or is refused where it would do nothing.
func TestEveryFlag(t *testing.T) {
	root := newRoot(catalogue.Designs())
	seen := map[string]bool{}
	var walk func(cmd *cobra.Command, path string)
	walk = func(cmd *cobra.Command, path string) {
		for _, c := range cmd.Commands() {
			name := strings.TrimSpace(path + " " + c.Name())
			// experiments have flags of their own
			if !slices.Contains([]string{"run", "sweep plan", "help", "completion"}, name) {
				walk(c, name)
			}
		}
		listed := strings.Fields(alone[path])
		for _, p := range partners[strings.Split(path+" ", " ")[0]] {
			listed = append(listed, p.flags...)
		}
		for _, call := range refused[path] {
			for _, w := range strings.Fields(call) {
				if name, ok := strings.CutPrefix(w, "--"); ok {
					listed = append(listed, name)
				}
			}
		}
		cmd.InitDefaultHelpFlag()
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && f.Name != "version" {
				require.Contains(t, listed, f.Name, "%s --%s: has it a partner? See the tables of this test", path, f.Name)
			}
		})
		if path != "" && !cmd.HasSubCommands() {
			for _, name := range listed {
				require.NotNil(t, cmd.Flags().Lookup(name), "%s has no --%s any more", path, name)
			}
		}
		seen[path] = true
	}
	walk(root, "")
	for path := range alone {
		require.True(t, seen[path], path)
	}
	for path, calls := range refused {
		for _, call := range calls {
			var stderr bytes.Buffer
			args := append(strings.Fields(path), strings.Fields(call)...)
			require.Equal(t, exitUsage, Main(args, io.Discard, &stderr, catalogue.Designs()...), call)
			require.Equal(t, 1, strings.Count(stderr.String(), "\n"), "%s: %s", call, stderr.String())
			require.Contains(t, stderr.String(), "--", call)
		}
	}
}

// No parameter of a design of somebody's own has the name of a flag that the commands add to every experiment.
func TestReservedFlags(t *testing.T) {
	added, experiments := map[string]int{}, 0
	for _, d := range catalogue.Designs() {
		for _, e := range d.Experiments {
			experiments++
			seen := map[string]bool{}
			for _, cmd := range []*cobra.Command{experimentCommand(d, e), sweepPlanCommand(d, e)} {
				cmd.InitDefaultHelpFlag()
				cmd.Flags().VisitAll(func(f *pflag.Flag) {
					if e.Params().Find(f.Name) == nil {
						seen[f.Name] = true
					}
				})
			}
			for name := range seen {
				added[name]++
			}
		}
	}
	maps.DeleteFunc(added, func(_ string, n int) bool { return n < experiments })
	require.ElementsMatch(t, slices.Collect(maps.Keys(added)), experiment.Reserved())
}
