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

// OnlyModule returns the name of the module that the design's own files declare, if it is one; libraries do not count.
// It is an error, with the names, if there are several or none.
func (d *Design) OnlyModule() (string, error) {
	var names []string
	for _, file := range d.Sources {
		text, err := input.Read(file, input.MostText)
		if err != nil {
			return "", err
		}
		for _, m := range moduleName.FindAllSubmatch(notCode.ReplaceAllFunc(text, blank), -1) {
			if name := string(m[1]); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
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
