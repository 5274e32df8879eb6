package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Groups of commands in the help, by purpose.
const (
	groupAsk   = "ask"
	groupCheck = "check"
	groupBuild = "build"
	groupOther = "other"
)

// helpColumns is the width of help in a file or a pipe.
const helpColumns = 80

// layHelp gives a command, and all below it, help that fits the terminal: no line is cut within a word.
func layHelp(root *cobra.Command) {
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		w := cmd.OutOrStderr()
		_, err := io.WriteString(w, usage(cmd, helpWidth(w)))
		return err
	})
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		w := cmd.OutOrStdout()
		about := cmd.Long
		if about == "" {
			about = cmd.Short
		}
		columns := helpWidth(w)
		fmt.Fprintf(w, "%s\n\n%s", wrapped(strings.TrimSpace(about), columns), usage(cmd, columns))
	})
}

func helpWidth(w io.Writer) int {
	if !isTerminal(w) {
		return helpColumns
	}
	return max(width(w), 40)
}

// usage is the lines below a command's description: how it is called, examples, commands below it, flags.
func usage(cmd *cobra.Command, columns int) string {
	var b strings.Builder
	fmt.Fprintln(&b, "Usage:")
	if cmd.Runnable() {
		fmt.Fprintln(&b, brokenCommand("  "+cmd.UseLine(), columns))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s [command]\n", cmd.CommandPath())
	}
	if cmd.HasExample() {
		fmt.Fprint(&b, "\nExamples:\n")
		for line := range strings.Lines(cmd.Example) {
			fmt.Fprintln(&b, brokenCommand(strings.TrimRight(line, "\n"), columns))
		}
	}
	writeCommands(&b, cmd, columns)
	own, each := pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
	own.SortFlags, each.SortFlags = cmd.Flags().SortFlags, false
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[ofEachExperiment] != nil {
			each.AddFlag(f)
			return
		}
		own.AddFlag(f)
	})
	writeFlags(&b, "Flags", own, columns)
	writeFlags(&b, "Flags that every experiment has", each, columns)
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(
			&b,
			"\n%s\n",
			wrapped(
				fmt.Sprintf("Use \"%s [command] --help\" for more information about a command.", cmd.CommandPath()),
				columns,
			),
		)
	}
	return b.String()
}

// ofEachExperiment marks a flag that an experiment has beside its own parameters.
const ofEachExperiment = "goldwire_each_experiment"

// flagColumns is where the text of a flag begins. Below a flag that is longer it begins in a line of its own.
const flagColumns = 28

// writeFlags lists flags:
//
//	--nodes value           nodes of the rack (3 to 1024) (default 512)
//	--pair fifo|turns|shortest
//	                        order of the flows of one pair
func writeFlags(b *strings.Builder, heading string, flags *pflag.FlagSet, columns int) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", heading)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		alone := pflag.NewFlagSet("", pflag.ContinueOnError)
		alone.AddFlag(f)
		line := strings.TrimRight(alone.FlagUsagesWrapped(0), "\n")
		at := strings.Index(line, "--")
		left, help, _ := strings.Cut(line[at:], "   ")
		left = line[:at] + left
		if len(left)+2 > flagColumns {
			fmt.Fprintln(b, left)
			left = ""
		}
		fmt.Fprintln(b, hanging(fmt.Sprintf("%-*s", flagColumns, left), help, columns))
	})
}

// writeCommands lists the commands below a command, group by group.
func writeCommands(b *strings.Builder, cmd *cobra.Command, columns int) {
	lists := map[string][]*cobra.Command{}
	longest := 0
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			lists[c.GroupID] = append(lists[c.GroupID], c)
			longest = max(longest, len(c.Name()))
		}
	}
	groups := append([]*cobra.Group{{Title: "Commands:"}}, cmd.Groups()...)
	for _, g := range groups {
		if len(lists[g.ID]) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n%s\n", g.Title)
		for _, c := range lists[g.ID] {
			fmt.Fprintln(b, hanging(fmt.Sprintf("  %-*s  ", longest, c.Name()), c.Short, columns))
		}
	}
}

// wrapped fits a help text s into the columns. Adjacent lines form a paragraph. An indented line stays a line of its
// own; if it is too long it continues below its second column.
func wrapped(s string, columns int) string {
	var out, paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			out = append(out, hanging("", strings.Join(paragraph, " "), columns))
			paragraph = nil
		}
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(s, "\t", "    "), "\n") {
		body := strings.TrimLeft(line, " ")
		if body != "" && body == line {
			paragraph = append(paragraph, line)
			continue
		}
		flush()
		start := len(line) - len(body)
		if key, rest, ok := strings.Cut(body, "  "); ok {
			body = strings.TrimLeft(rest, " ")
			start += len(key) + 2 + len(rest) - len(body)
		}
		out = append(out, hanging(line[:start], body, columns))
	}
	flush()
	return strings.Join(out, "\n")
}

// hanging writes a text after its first words; further lines begin below its start, or a little to the right if there
// is no room.
func hanging(first, s string, columns int) string {
	indent := text.StringWidth(first)
	if columns-indent < 24 {
		return first + strings.ReplaceAll(text.WrapSoft(s, max(columns-8, 24)), "\n", "\n        ")
	}
	lines := strings.Split(text.WrapSoft(s, columns-indent), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return first + strings.Join(lines, "\n"+strings.Repeat(" ", indent))
}

// brokenCommand breaks a command line before a flag or a word, as a shell reads it.
func brokenCommand(line string, columns int) string {
	var b strings.Builder
	var parts []string // a flag with its value, or a word
	quoted, flag := false, false
	for _, word := range strings.SplitAfter(line, " ") {
		dash := strings.HasPrefix(word, "-")
		if quoted || flag && !dash {
			parts[len(parts)-1] += word
		} else {
			parts = append(parts, word)
		}
		flag = !quoted && dash
		quoted = quoted != (strings.Count(word, `"`)%2 == 1)
	}
	at := 0
	for _, part := range parts {
		if at > 2 && at+len(strings.TrimRight(part, " "))+2 > columns {
			b.WriteString("\\\n      ")
			at = 6
		}
		b.WriteString(part)
		at += len(part)
	}
	return strings.TrimRight(b.String(), " ")
}
