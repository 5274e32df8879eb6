package cosim

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/internal/input"
)

// Text that is no code to the preprocessor: comments, and strings, in which a macro is not replaced.
var notCode = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"`)

// lookedAt is how a macro's name is met: `NAME, or in a condition.
var lookedAt = regexp.MustCompile("`\\s*(?:(?:ifdef|ifndef|elsif|undef)\\s+)?([A-Za-z_][A-Za-z0-9_$]*)")

// joins are strings and names made of macros, in which a name can stand without its `.
var joins = regexp.MustCompile("``|`\"")

// unusedDefines looks for macros in d.Defines that none of the files uses or asks for: their names may be mistyped. One
// that was given on the command line is an error. One from a file list is a note, since a list may serve more than one
// top module.
func (d Design) unusedDefines(files []string) (notes []string, err error) {
	if len(d.Defines) == 0 {
		return nil, nil
	}
	used := map[string]bool{}
	for _, f := range files {
		data, err := input.Read(f, input.MostText)
		if err != nil {
			return nil, err
		}
		text := notCode.ReplaceAllString(string(data), " ")
		if joins.MatchString(string(data)) {
			text = string(data)
		}
		for _, m := range lookedAt.FindAllStringSubmatch(text, -1) {
			used[m[1]] = true
		}
	}
	for _, m := range d.Defines {
		switch {
		case used[m.Name] || slices.ContainsFunc(d.Defines,
			func(o Define) bool { return strings.Contains(o.Value, "`"+m.Name) }):
		case m.List == "":
			return nil, fmt.Errorf("macro %s: none of the %d files that were read looks at it", clip(m.Name, 60), len(files))
		default:
			notes = append(
				notes,
				fmt.Sprintf("%s: macro %s: none of the %d files that were read looks at it", m.List, clip(m.Name, 60), len(files)),
			)
		}
	}
	return notes, nil
}

// macros are the macros as a file: Yosys keeps them for the files after it.
func (d Design) macros() []byte {
	var text strings.Builder
	for _, m := range d.Defines {
		fmt.Fprintf(&text, "`define %s %s\n", m.Name, m.Value)
	}
	return []byte(text.String())
}
