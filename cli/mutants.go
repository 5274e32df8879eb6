package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/mutation"
	"github.com/goldwire/goldwire/vectors"
)

// mutantsRow is what --json prints of a module.
type mutantsRow struct {
	Module    string           `json:"module"`
	Reference string           `json:"reference,omitempty"` // "" for RTL of --rtl
	Cycles    int              `json:"cycles"`
	Mutants   *vectors.Mutants `json:"mutants"`
}

func newMutants(house design.House) *cobra.Command {
	var o vectorsCommand
	var markdown bool
	var folder string
	var foreign foreignMutants
	cmd := &cobra.Command{
		Use:   "mutants [MODULE...]",
		Short: "Count which faults in the reference RTL a module's vectors show",
		Long: `Do what goldwire vectors --until-killed does, write no vectors, and print a row for each module: how many
mutants of its reference RTL the rows kill, how many are proved equal to it, and which stay open, with the reason.
Without a name all modules are looked at.

` + referenceHelp + `

--record DIR does it for the rows of the golden files of the project whose root is DIR: all 4,096 cycles of a module's
own stimulus, then inputs for the mutants that those do not show. What is found is written beside
testdata/golden/MODULE.txt as MODULE.mutants.json, module by module; what is there already and still true is not
looked for again. GOLDWIRE_UPDATE=1 go test then writes the golden file with the added rows.

With --rtl the faults are planted in that RTL, under a map of goldwire cosim: would the module's stimulus, --cycles of
it, find them? A mutant is killed if model and RTL part, equal if it is proved that no inputs show it, else open. The
RTL itself has to agree.

--limit-time ends the searches of a module; so does an interrupt, which ends the command too. What is known by then is
printed and recorded, and what is left is open. A recorded file is replaced as a whole, and only by one in which fewer
mutants are open, if the searches ended early.

The exit code is 0 if no mutant is open, 1 if one is, 2 if something is wrong with what was given, 130 after an
interrupt.`,
		Example: "  goldwire mutants pcs/encoder pcs/decoder\n  goldwire mutants --markdown --time 2m\n" +
			"  goldwire mutants blocks/fifo --rtl sfifo.v --top sfifo --map sfifo.yaml\n" +
			"  goldwire mutants pcs/ber_monitor --param limit=16,window=51 --limit-time 10m",
		ValidArgsFunction: completeUnits(house, true),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.checkKilling(); err != nil {
				return err
			}
			if foreign.given(cmd.Flags()) {
				return foreign.run(cmd, house.Units(), &o, args)
			}
			var list []vectors.Unit
			for _, name := range args {
				u, err := house.Units().Find(name)
				if err != nil {
					return err
				}
				if u, err = withParams(u, o.params); err != nil {
					return err
				}
				list = append(list, u)
			}
			switch {
			case len(o.params) > 0 && len(args) == 0:
				return errors.New("--param: want the modules whose parameters it sets")
			case len(o.params) > 0 && folder != "":
				return errors.New("--record: golden files are of modules as they are, want no --param")
			case len(args) == 0:
				for _, u := range house.Units() {
					if u.RTL != "" || folder == "" {
						list = append(list, u)
					}
				}
			}
			var places map[string]string
			if f := cmd.Flags(); folder != "" {
				if f.Changed("cycles") || f.Changed("limit") || f.Changed("seed") {
					return errors.New("--record: cycles and seed are the golden files', want neither --cycles, --limit nor --seed")
				}
				var err error
				if places, err = goldenFolders(folder); err != nil {
					return fmt.Errorf("--record: %w", err)
				}
			}
			said := newStages(cmd.ErrOrStderr())
			var rows []mutantsRow
			var failed []error
			open := 0
			for _, u := range list {
				opt := o.mutation()
				opt.Progress = func(what string) { said.at(u.Name + ": " + what) }
				row, err := mutantsRow{}, error(nil)
				if folder != "" {
					row, err = recordMutants(cmd.Context(), u, opt, places[u.Module()])
				} else {
					row, err = o.references.count(cmd.Context(), u, opt)
				}
				if row.Mutants != nil {
					rows = append(rows, row)
					open += len(row.Mutants.Open)
				}
				if err != nil { // what took long to find is not lost
					failed = append(failed, err)
				}
				if cmd.Context().Err() != nil {
					break
				}
			}
			said.finish()
			switch {
			case len(rows) == 0: // nothing to print
			case o.json:
				failed = append(failed, printJSON(cmd.OutOrStdout(), rows))
			default:
				printMutants(cmd.OutOrStdout(), rows, markdown)
			}
			if cmd.Context().Err() != nil { // what failed otherwise is said, too
				failed = slices.DeleteFunc(failed, func(err error) bool { return errors.Is(err, context.Canceled) })
				failed = append([]error{errInterrupted}, failed...)
			}
			if err := errors.Join(failed...); err != nil {
				return err
			}
			if open > 0 {
				return errFailed
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.cycles, "cycles", 4096, "most cycles of a module's own stimulus")
	f.IntVar(&o.limit, "limit", 1_000_000, "most cycles in all")
	f.IntVar(
		&o.mutants, "mutants", mutation.DefaultMutants,
		fmt.Sprintf("most mutants of a module (at most %d)", mutation.MostMutants),
	)
	f.Uint64Var(&o.seed, "seed", 1, "seed of the mutants and of the stimulus")
	f.DurationVar(
		&o.proofTime, "time", mutation.DefaultTime,
		"end each search for a proof, or for inputs, after this time (at most 24h)",
	)
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.IntVar(
		&o.late, "late", 0,
		"give up a kind of search for a module after as many of the kind ended by their time (0: never)",
	)
	f.StringVar(
		&folder, "record", "",
		"look at the golden files of the project in this folder, and write what is found beside them",
	)
	f.DurationVar(
		&o.limitTime, "limit-time", 0, "end the searches of a module after this time in all (at most 240h; 0: never)",
	)
	f.StringSliceVar(&o.params, "param", nil, paramHelp)
	f.BoolVar(&markdown, "markdown", false, "print the table as Markdown")
	o.references.flags(f)
	foreign.flags(f)
	return cmd
}

func (r *references) count(ctx context.Context, u vectors.Unit, opt mutation.Options) (mutantsRow, error) {
	u, kind, err := r.of(ctx, u)
	if err != nil {
		return mutantsRow{}, err
	}
	set, err := mutation.Capture(ctx, u, opt)
	if set == nil {
		return mutantsRow{}, err
	}
	return mutantsRow{u.Name, kind, len(set.Rows), set.Mutants}, err
}

// recordMutants brings the record in the folder of a module's golden file up to date.
func recordMutants(ctx context.Context, u vectors.Unit, opt mutation.Options, golden string) (mutantsRow, error) {
	if u.RTL == "" {
		return mutantsRow{}, fmt.Errorf("unit %s: --record is of RTL written by hand, and there is none", u.Name)
	}
	if golden == "" {
		return mutantsRow{}, fmt.Errorf("unit %s: no testdata/golden/%s.txt in the folder", u.Name, u.Module())
	}
	path := filepath.Join(golden, u.CampaignFile())
	known, err := vectors.ReadCampaign(path, u)
	if err != nil {
		return mutantsRow{}, err
	}
	c, err := mutation.Golden(ctx, u, opt, known)
	if c == nil {
		return mutantsRow{}, err
	}
	if c != known {
		if failed := c.Write(path); failed != nil {
			return mutantsRow{}, failed
		}
	}
	return mutantsRow{u.Name, handWritten, c.Cycles, c.Mutants}, err
}

// goldenFolders finds the folders of golden files, by module.
func goldenFolders(root string) (map[string]string, error) {
	places := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch name, isText := strings.CutSuffix(d.Name(), ".txt"); {
		case d.IsDir() && path != root && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case isText && strings.HasSuffix(filepath.Dir(path), filepath.Join("testdata", "golden")):
			places[name] = filepath.Dir(path)
		}
		return nil
	})
	return places, err
}

// mutation returns the options of a search.
func (o *vectorsCommand) mutation() mutation.Options {
	return mutation.Options{
		Mutants: o.mutants, Seed: o.seed, Cycles: o.cycles, Limit: o.limit, Time: o.proofTime, Late: o.late,
		Within: o.limitTime, Memory: cosim.DefaultMemory,
	}
}

// mostCampaign bounds --limit-time.
const mostCampaign = 10 * 24 * time.Hour

// checkKilling looks at the flags of --until-killed.
func (o *vectorsCommand) checkKilling() error {
	switch {
	case o.untilCovered || o.stream.file != "":
		return errors.New("--until-killed: its rows follow from the mutants, want neither --until-covered nor --stream")
	case o.mutants < 1 || o.mutants > mutation.MostMutants:
		return fmt.Errorf("--mutants %d: want 1 to %d", o.mutants, mutation.MostMutants)
	case o.limit < 1 || o.limit > mostHeld || o.cycles < 1 || o.cycles > mostHeld:
		return fmt.Errorf("--limit %d, --cycles %d: --until-killed takes 1 to %d", o.limit, o.cycles, mostHeld)
	case o.late < 0:
		return fmt.Errorf("--late %d: want at least 0", o.late)
	case o.limitTime < 0 || o.limitTime > mostCampaign:
		return fmt.Errorf("--limit-time %v: want 0s to %v", o.limitTime, mostCampaign)
	case o.proofTime <= 0 || o.proofTime > mostTimeout:
		return fmt.Errorf("--time %v: want more than 0s, at most %v", o.proofTime, mostTimeout)
	}
	return nil
}

func printMutants(out io.Writer, rows []mutantsRow, markdown bool) {
	t := newTable(out)
	t.AppendHeader(table.Row{"Module", "Mutants", "Killed", "Proved equal", "Open", "Cycles", "Directed"})
	for _, r := range rows {
		m, name := r.Mutants, r.Module
		if markdown {
			name = "`" + name + "`"
		}
		t.AppendRow(table.Row{name, m.Of, m.Killed, m.Equal, len(m.Open), r.Cycles, strconv.Itoa(m.Directed)})
	}
	if markdown {
		t.RenderMarkdown()
		fmt.Fprintln(out)
	} else {
		t.Render()
	}
	if rows[0].Reference != "" {
		var names, kinds []string
		for _, r := range rows {
			names, kinds = append(names, r.Module), append(kinds, r.Reference)
		}
		printReferences(out, "reference", names, kinds)
	}
	for _, r := range rows {
		for _, text := range r.Mutants.Given {
			fmt.Fprintf(out, "given: %s: %s\n", r.Module, text)
		}
		if len(r.Mutants.Warnings) > 0 {
			fmt.Fprintf(out, "but the RTL of %s has %s\n", r.Module, cosim.JoinWarnings(r.Mutants.Warnings))
		}
		for _, x := range r.Mutants.Open {
			if markdown {
				fmt.Fprintf(out, "- `%s`: `%s`: %s\n", r.Module, x.Mutant, x.Reason)
			} else {
				fmt.Fprintf(out, "open: %s: %s: %s\n", r.Module, x.Mutant, x.Reason)
			}
		}
	}
}
