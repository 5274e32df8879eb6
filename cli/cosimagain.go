package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/goldwire/goldwire/vectors"
)

// plainWord matches words that a shell leaves alone.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// shellWord quotes a word for a shell if it needs that.
func shellWord(w string) string {
	if plainWord.MatchString(w) {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// notAgain are flags of the stimulus, and flags that the repeated command gets anew or does without.
var notAgain = []string{
	"vectors", "pcap", "check-fcs", "stream", "hold", "port", "profile", "cycles", "seed", "json", "rtl",
	"files", "files-beside", "include", "define", "library", "rtl-param", "out", "no-shrink", "start",
}

// again is the command that shows a short stimulus of transfers again: this one, with the vectors as its stimulus.
func (o *cosimCommand) again(cmd *cobra.Command, u vectors.Unit, set string, seed uint64) string {
	words := append(strings.Fields(cmd.CommandPath()), u.Name)
	for i := 0; i < len(o.rtl.arguments); i++ {
		if w := o.rtl.arguments[i]; strings.HasPrefix(w, "-") && i+1 < len(o.rtl.arguments) {
			words = append(words, w, o.rtl.arguments[i+1])
			i++
		} else {
			words = append(words, "--rtl", w)
		}
	}
	words = append(words, cmd.Flags().Args()[1:]...)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(notAgain, f.Name) {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			words = append(words, "--"+f.Name+"="+v)
			if f.Value.Type() != "bool" {
				words = append(words[:len(words)-1], "--"+f.Name, v)
			}
		}
	})
	words = append(words, "--vectors", set, "--seed", fmt.Sprint(seed), "--no-shrink")
	for i, w := range words {
		words[i] = shellWord(w)
	}
	return strings.Join(words, " ")
}
