package cli

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/program"
)

// commandWord is the command's name where a text of help has it, no part of a path or of a file's name.
var commandWord = regexp.MustCompile("(^|[\\s\"`(])goldwire([\\s\"`,;.)]|$)")

// renamed is a text of help for the command as it is called.
func renamed(text string) string {
	return commandWord.ReplaceAllString(text, "${1}"+program.Name()+"${2}")
}

// rename gives all help the command's own name, and leaves examples out that name a design which the command does not
// have.
func rename(cmd *cobra.Command, house design.House) {
	cmd.Short, cmd.Long = renamed(cmd.Short), renamed(cmd.Long)
	var examples []string
	for line := range strings.Lines(cmd.Example) {
		if canRun(line, house) {
			examples = append(examples, renamed(strings.TrimRight(line, "\n")))
		}
	}
	cmd.Example = strings.Join(examples, "\n")
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = renamed(f.Usage) })
	for _, c := range cmd.Commands() {
		rename(c, house)
	}
}

// designWord is the word of a command line that names a design, or something of one.
var designWord = regexp.MustCompile(
	`(goldwire (?:run|sweep plan|cosim|prove|vectors|mutants|list|verify|report|properties|fuse|verilog)|--module|--run)\s+"?([a-z]\w*)`,
)

// canRun tells whether a line of examples names no design but the command's, and none of its experiments' other names.
func canRun(line string, house design.House) bool {
	for _, word := range designWord.FindAllStringSubmatch(line, -1) {
		known := false
		for _, d := range house {
			known = known || d.Name == word[2]
			for _, u := range d.Units {
				known = known || strings.HasPrefix(u.Name, word[2]+"/")
			}
		}
		if !known {
			return false
		}
	}
	return true
}
