package rtl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/internal/engine"
)

// combLoop reports a circle of wires. It is turned so that its first path in alphabetical order leads.
func (s *Sim) combLoop(circle []*engine.Output) {
	var paths []string
	for _, w := range circle {
		paths = append(paths, w.Path())
	}
	least := slices.Index(paths, slices.Min(paths))
	paths = slices.Concat(paths[least:], paths[:least])
	detail := fmt.Sprintf("depends on itself: %s → %s", strings.Join(paths, " → "), paths[0])
	for _, w := range circle {
		if w.Comb == nil {
			detail += fmt.Sprintf(
				"; %s counts as depending on all inputs of its module: if it does not, a tag on it names those that it does, "+
					"`comb:\"Valid,Data\"`, or none, `comb:\"none\"`",
				w.Path(),
			)
			break
		}
	}
	s.fault(CombLoop, paths[0], "%s", detail)
}

// unknownInput reports a name in a comb tag.
func (s *Sim) unknownInput(w *engine.Output, name string) {
	s.fault(BadTag, w.Path(), "has %q in its comb tag, which is no input of the module", name)
}
