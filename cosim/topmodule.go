package cosim

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/internal/input"
)

// moduleName finds the declarations of modules in code without comments and strings.
var moduleName = regexp.MustCompile(`\b(?:macro)?module\s+(?:(?:automatic|static)\s+)?([A-Za-z_][A-Za-z0-9_$]*)`)

// endName is the name after the end of a module.
var endName = regexp.MustCompile(`\bendmodule\s*:\s*[A-Za-z_][A-Za-z0-9_$]*`)

// TopModule returns the name of the module that the design's own files declare, if it is one, or one that no other of
// them instantiates; libraries do not count. It is an error, with the names, if there are several or none.
func (d *Design) TopModule() (string, error) {
	var names []string
	var all []byte
	for _, file := range d.Sources {
		text, err := input.Read(file, input.MostText)
		if err != nil {
			return "", err
		}
		code := notCode.ReplaceAllFunc(text, blank)
		for _, m := range moduleName.FindAllSubmatch(code, -1) {
			if name := string(m[1]); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		all = append(append(all, code...), '\n')
	}
	if tops := roots(names, all); len(tops) > 0 {
		names = tops
	}
	const most = 8
	switch {
	case len(names) == 1:
		return names[0], nil
	case len(names) == 0:
		return "", fmt.Errorf("no module in %s", strings.Join(d.Sources, ", "))
	case len(names) > most:
		return "", fmt.Errorf("%d modules: %s and others", len(names), strings.Join(names[:most], ", "))
	}
	return "", fmt.Errorf("%d modules: %s", len(names), strings.Join(names, ", "))
}

// roots are the modules that no other instantiates. A bench, which has no ports, counts for nothing and instantiates
// nothing: it returns none if there is one.
func roots(names []string, code []byte) (list []string) {
	rest := moduleName.ReplaceAll(endName.ReplaceAll(code, nil), []byte("module "))
	for _, name := range names {
		quoted := regexp.QuoteMeta(name)
		if regexp.MustCompile(`\bmodule\s+` + quoted + `\s*;`).Match(code) {
			return nil
		}
		instance := regexp.MustCompile(`(?:^|[^\w$])` + quoted + `\s*(?:#\s*\(|\s[A-Za-z_\\][^\s(]*\s*\()`)
		if !instance.Match(rest) {
			list = append(list, name)
		}
	}
	return list
}
