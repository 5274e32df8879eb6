package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/catalogue"
)

// The help of every command fits 80 columns, and has everything of the command's own texts: every word of it, every
// flag.
func TestHelpFits(t *testing.T) {
	seen := 0
	var each func(c *cobra.Command)
	each = func(c *cobra.Command) {
		seen++
		var out bytes.Buffer
		c.SetOut(&out)
		require.NoError(t, c.Help())
		help := out.String()
		for line := range strings.Lines(help) {
			line = strings.TrimSuffix(line, "\n")
			require.True(
				t, text.StringWidth(line) <= 80 || strings.Count(strings.TrimSpace(line), " ") == 0, "%s: %s",
				c.CommandPath(), line,
			)
		}
		words := " " + strings.Join(strings.Fields(strings.ReplaceAll(help, "\\\n", "")), " ") + " "
		for _, said := range []string{c.Short, c.Long, c.Example} {
			if said == c.Short && c.Long != "" {
				continue
			}
			for line := range strings.Lines(said) {
				require.Contains(t, words, strings.Join(strings.Fields(line), " "), c.CommandPath())
			}
		}
		for _, sub := range c.Commands() {
			if !sub.IsAvailableCommand() && sub.Name() != "help" {
				continue
			}
			require.Contains(t, words, " "+sub.Name()+" "+strings.Join(strings.Fields(sub.Short), " ")+" ", c.CommandPath())
			each(sub)
		}
	}
	root := Command(catalogue.Designs()...)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	each(root)
	require.Greater(t, seen, 60)
}

// A paragraph is filled, an indented line stays one, and a hanging part begins below the second column.
func TestWrapped(t *testing.T) {
	require.Equal(
		t, "one two three four five six seven eight\nnine\n\n  key  a long text that hangs below its\n       own start",
		wrapped("one two\nthree four five six seven eight nine\n\n  key  a long text that hangs below its own start", 40),
	)
	require.Equal(
		t,
		"  goldwire run a b --vary x=1 \\\n      --file \"two words\"",
		brokenCommand(`  goldwire run a b --vary x=1 --file "two words"`, 40),
	)
}

// Help of a command that does not exist is refused, at any depth, as the command itself is.
func TestHelpOfNothing(t *testing.T) {
	for _, args := range []string{
		"nosuch --help", "wave nosuch --help", "wave nosuch -h", "run nosuch --help", "run edm nosuch --help",
		"sweep nosuch --help",
	} {
		var out, err strings.Builder
		require.Equal(t, 2, Main(strings.Fields(args), &out, &err, catalogue.Designs()...), args)
		require.Empty(t, out.String(), args)
		require.Contains(t, err.String(), `no command "nosuch", did you mean `, args)
		require.Equal(t, 1, strings.Count(err.String(), "\n"), args)
	}
}
