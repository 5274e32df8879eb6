package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/fuse"
	"github.com/goldwire/goldwire/internal/program"
	"github.com/goldwire/goldwire/internal/suggest"
	"github.com/goldwire/goldwire/rtl"
)

func newFuse(house design.House) *cobra.Command {
	var check bool
	var dir string
	cmd := &cobra.Command{
		Use:   "fuse [DESIGN...]",
		Short: "Write one Go function for each island of a design that allows it",
		Long: `Write fused code: Go code made of the modules' own source that stands in for the modules of an island, with
direct calls and with registers set in place where the order of the ticks allows it. A simulation of the same modules,
connected alike, uses it once it is built in: the same bits, faster. Strict mode, rtl.Config.Plain, and runs that
somebody observes whole (VCD, recorder) use the modules themselves. Modules that cannot be fused are named, with the
reason.

The command needs the Go tool and the source: run it in the repository, and again when a module changes. If the
modules have changed so that the old code does not compile with them, goldwire does not build: delete the file
fused_*.go that the compiler names, build goldwire, and run this command.`,
		Example: "  goldwire fuse\n  goldwire fuse pcs --check",
		RunE: func(cmd *cobra.Command, args []string) error {
			designs, err := fusedDesigns(house, args)
			if err != nil {
				return err
			}
			if !slices.ContainsFunc(designs, func(d design.Design) bool { return len(d.Fused) > 0 }) {
				fmt.Fprintf(
					cmd.OutOrStdout(), "nothing to fuse: no design of %s names a simulation in design.Design.Fused\n",
					program.Name(),
				)
				return nil
			}
			stale := 0
			for _, d := range designs {
				for _, target := range d.Fused {
					changed, err := fuseTarget(cmd, dir, d.Name, target, check)
					if err != nil {
						return fmt.Errorf("%s, %s: %w", d.Name, target.Name, err)
					}
					if changed {
						stale++
					}
				}
			}
			if check && stale > 0 {
				return errFailed
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; exit 1 if a file is not what would be written")
	cmd.Flags().StringVar(&dir, "dir", ".", "the Go module that has the source")
	return cmd
}

// fusedDesigns returns the named designs, or all.
func fusedDesigns(house design.House, names []string) (design.House, error) {
	if len(names) == 0 {
		return house, nil
	}
	var list design.House
	for _, name := range names {
		d, err := house.Find(name)
		if err != nil {
			return nil, err
		}
		if len(d.Fused) == 0 {
			var others []string
			for _, d := range house {
				if len(d.Fused) > 0 {
					others = append(others, d.Name)
				}
			}
			return nil, fmt.Errorf(
				"%s names no simulation in design.Design.Fused; these do: %s", suggest.Quote(name),
				cmp.Or(strings.Join(others, ", "), "none"),
			)
		}
		list = append(list, d)
	}
	return list, nil
}

// fuseTarget writes one file, or looks whether it would change.
func fuseTarget(cmd *cobra.Command, dir, name string, target design.Fused, check bool) (stale bool, err error) {
	sim, err := target.Build(rtl.Config{Plain: true}) // the code there may be older than the modules
	if err != nil {
		return false, err
	}
	file, err := fuse.Generate(
		cmd.Context(), dir, fuse.Target{Name: target.Name, Package: target.Package, Sim: sim, Without: target.Without},
	)
	if err != nil {
		return false, err
	}
	w := cmd.OutOrStdout()
	for _, i := range file.Islands {
		many := ""
		if i.Count > 1 {
			many = fmt.Sprintf(", %d of them", i.Count)
		}
		fmt.Fprintf(w, "%s, %s: island of %d modules from %s%s: ", name, target.Name, len(i.Modules), i.Modules[0], many)
		if i.Refused == nil {
			fmt.Fprintln(w, "fused")
			for _, r := range i.Plain {
				fmt.Fprintf(w, "  as it is: %v\n", r)
			}
			for _, r := range i.Unseen {
				fmt.Fprintf(w, "  looked at before each run: %v\n", r)
			}
			continue
		}
		fmt.Fprintln(w, "refused")
		for _, r := range i.Refused {
			fmt.Fprintf(w, "  %v\n", r)
		}
	}
	stale = file.Stale()
	path := file.Path
	if here, err := os.Getwd(); err == nil {
		if short, err := filepath.Rel(here, path); err == nil {
			path = short
		}
	}
	switch {
	case !stale:
		if file.Text != nil {
			fmt.Fprintf(w, "%s is up to date\n", path)
		}
	case check:
		fmt.Fprintf(w, "%s is not what the modules' source makes: run %s fuse\n", path, program.Name())
	case file.Text == nil:
		if err := os.Remove(file.Path); err != nil {
			return true, err
		}
		fmt.Fprintf(w, "%s removed\n", path)
	default:
		if err := os.WriteFile(file.Path, file.Text, 0o644); err != nil {
			return true, err
		}
		fmt.Fprintf(w, "%s written\n", path)
	}
	return stale, nil
}
