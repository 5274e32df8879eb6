package vectors

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/internal/suggest"
)

// Catalogue is a list of units.
type Catalogue []Unit

// Names returns the names of the units in the catalogue's order.
func (c Catalogue) Names() []string {
	names := make([]string, len(c))
	for i, u := range c {
		names[i] = u.Name
	}
	return names
}

// Find returns the unit of that name. The error for an unknown name gives the nearest names there are.
func (c Catalogue) Find(name string) (Unit, error) {
	for _, u := range c {
		if u.Name == name {
			return u, nil
		}
	}
	meant := suggest.Names(name, c.Names())
	if len(meant) == 0 {
		return Unit{}, fmt.Errorf("no unit %s: the catalogue is empty", suggest.Quote(name))
	}
	return Unit{}, fmt.Errorf("no unit %s: did you mean %s?", suggest.Quote(name), strings.Join(meant, ", "))
}

// Check reports the first unit that is not described in full, or whose name another one has, in Go or in Verilog.
func (c Catalogue) Check() error {
	seen := map[string]string{}
	for _, u := range c {
		if err := u.check(); err != nil {
			return err
		}
		if u.Doc == "" {
			return fmt.Errorf("unit %s: has no doc", u.Name)
		}
		if first, ok := seen[u.Module()]; ok {
			return fmt.Errorf("unit %s: has the Verilog name %s, as has unit %s", u.Name, u.Module(), first)
		}
		seen[u.Module()] = u.Name
	}
	return nil
}
