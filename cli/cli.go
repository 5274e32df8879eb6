// Package cli is the command goldwire, or one of a user's own name, over any list of designs. Each subcommand is a
// file.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/program"
	"github.com/goldwire/goldwire/internal/suggest"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1   // the command ran, and its check failed
	exitUsage  = 2   // bad input: a flag, an argument, a file
	exitSignal = 130 // interrupted; finished parts are printed
	exitPipe   = 141 // nobody reads the output any more, as of a program that SIGPIPE ends
)

// errFailed ends a command whose check failed; it has printed why.
var errFailed = errors.New("failed")

// errInterrupted ends a command that was interrupted and names the finished parts.
var errInterrupted = errors.New("interrupted")

// Command returns the command on the designs as a tree, for whatever reads one: cobra's generators of manual pages,
// say. To run it, call [Main].
func Command(designs ...design.Design) *cobra.Command {
	return finish(newRoot(design.House(designs)), designs)
}

// Main runs the command on the designs and returns its exit code: 0 done, 1 a check failed, 2 bad input, 130
// interrupted.
//
//	func main() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr, mine.Design())) }
func Main(args []string, stdout, stderr io.Writer, designs ...design.Design) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	// the width of ≈ and ± depends on the locale else; a report is the same in all
	text.OverrideRuneWidthEastAsianWidth(false)
	program.Set(os.Args[0])
	house := design.House(designs)
	if err := house.Check(); err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", program.Name(), err)
		return exitUsage
	}
	root := newRoot(house)
	root.SetArgs(args)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := &outlet{w: stdout, stop: cancel}
	out.watch(ctx)
	root.SetOut(out)
	root.SetErr(stderr)
	finish(root, house)
	err := helpOfNothing(root, args)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	switch failure := out.failure(); {
	case errors.Is(failure, syscall.EPIPE): // the reader closed the pipe: head has its lines
		return exitPipe
	case failure != nil:
		fmt.Fprintf(stderr, "%s: standard output: %v\n", program.Name(), failure)
		return exitUsage
	case err == nil:
		return exitOK
	case errors.Is(err, errFailed):
		return exitFailed
	case ctx.Err() != nil:
		if !errors.Is(err, errInterrupted) {
			err = errInterrupted
		}
		fmt.Fprintf(stderr, "%s: %v\n", program.Name(), err)
		return exitSignal
	default:
		fmt.Fprintf(stderr, "%s: %s%s\n", program.Name(), oneLine(err), crowded(os.TempDir()))
		return exitUsage
	}
}

// leastRoom is how many bytes simulators and Yosys want for their files at the least.
const leastRoom = 1 << 20

// crowded says that a folder for temporary files is full, for the line of an error: programs that cannot write there
// say all kinds of things.
func crowded(folder string) string {
	if left, known := room(folder); known && left < leastRoom {
		return fmt.Sprintf(" (the folder for temporary files, %s, has only %d KiB left; TMPDIR names another)",
			folder, left>>10)
	}
	return ""
}

// longest is how much of an error is shown.
const longest = 280

// oneLine is an error as a line that can be read at a glance.
func oneLine(err error) string {
	s := strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
	s = visible(s)
	if runes := []rune(s); len(runes) > longest {
		s = string(runes[:longest]) + "…"
	}
	return s
}

// visible replaces control characters, on which a terminal may act.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

func newRoot(house design.House) *cobra.Command {
	root := &cobra.Command{
		Use:   program.Name(),
		Short: "Cycle-accurate, bit-accurate models of network hardware",
		Long: `Run models of network hardware clock edge by clock edge, with Goldwire.

Exit codes: 0 done, 1 a check failed, 2 bad input, 130 interrupted, 141 nobody reads the output.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			var names []string
			for _, c := range cmd.Commands() {
				names = append(names, c.Name())
			}
			return fmt.Errorf(
				"no command %s, did you mean %s?", suggest.Quote(args[0]),
				strings.Join(suggest.Names(args[0], names), ", "),
			)
		},
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Version: version(),
	}
	root.SetVersionTemplate(program.Name() + " {{.Version}}\n")
	root.SetHelpCommandGroupID(groupOther)
	root.SetCompletionCommandGroupID(groupOther)
	for _, g := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{groupAsk, "Ask the models:", []*cobra.Command{newRun(house), newVerify(house), newReport(house), newSweep(house)}},
		{groupCheck, "Check your RTL against a model:", []*cobra.Command{
			newList(house), newVectors(house), newCosim(house), newProve(house), newReplay(house), newWave()}},
		{groupBuild, "Look after models of your own:", []*cobra.Command{
			newVerilog(house), newMutants(house), newProperties(house), newFuse(house), newBench(house)}},
		{groupOther, "Other:", nil},
	} {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.id
			root.AddCommand(c)
		}
	}
	return root
}

// finish adds cobra's own commands, help and completion, which keep the writer that the root has now, and lays out all
// help.
func finish(root *cobra.Command, house design.House) *cobra.Command {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "help" && cmd.Name() != "completion" {
			continue
		}
		of, run := root, cmd.Run
		if cmd.Name() == "completion" {
			of = cmd
		}
		cmd.Run, cmd.PersistentPreRun = nil, nil
		cmd.Args = func(_ *cobra.Command, args []string) error { return known(of, args) }
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if run == nil {
				return cmd.Help()
			}
			run(cmd, args)
			return nil
		}
	}
	wantPartners(root)
	rename(root, house)
	layHelp(root)
	return root
}

// helpOfNothing refuses `wave nosuch --help`, which cobra answers with the help of wave.
func helpOfNothing(root *cobra.Command, args []string) error {
	if !slices.Contains(args, "--help") && !slices.Contains(args, "-h") {
		return nil
	}
	cmd, rest, err := root.Find(args)
	if err != nil || !cmd.HasSubCommands() || len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
		return nil // the command names its own fault
	}
	return known(cmd, rest[:1])
}

// known refuses words that lead to no command: `help` and `completion` print something for any.
func known(of *cobra.Command, words []string) error {
	for i, word := range words {
		var names []string
		var next *cobra.Command
		for _, c := range of.Commands() {
			names = append(names, c.Name())
			if c.Name() == word || c.HasAlias(word) {
				next = c
			}
		}
		if next == nil && len(names) == 0 {
			return fmt.Errorf("%s: want no word after %s", suggest.Quote(word), strings.Join(words[:i], " "))
		}
		if next == nil {
			return fmt.Errorf(
				"no command %s, did you mean %s?", suggest.Quote(word), strings.Join(suggest.Names(word, names), ", "),
			)
		}
		of = next
	}
	return nil
}

// printJSON writes a value for machines.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// newTable returns a table without borders.
func newTable(w io.Writer) table.Writer {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.OptionsNoBordersAndSeparators
	t.SuppressTrailingSpaces()
	return t
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// completeUnits completes the names of units, as the first argument or all of them.
func completeUnits(house design.House, all bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 && !all {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return house.Units().Names(), cobra.ShellCompDirectiveNoFileComp
	}
}

// inColour tells whether colours are wanted: on a terminal that has them, unless NO_COLOR is set (no-color.org).
func inColour(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// isTerminal tells whether a person reads the output.
func isTerminal(w io.Writer) bool {
	f, ok := fileOf(w)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width returns the columns of a terminal, or a width that suits a file.
func width(w io.Writer) int {
	if f, ok := fileOf(w); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
			return columns
		}
	}
	return 120
}
