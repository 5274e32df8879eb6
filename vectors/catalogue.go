package vectors

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
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
	near := c.nearest(name)
	if len(near) == 0 {
		return Unit{}, fmt.Errorf("no unit %q: the catalogue is empty", name)
	}
	return Unit{}, fmt.Errorf("no unit %q: did you mean %s?", name, strings.Join(near, ", "))
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

// nearest returns the three names with the fewest edits from the name, or that hold it whole.
func (c Catalogue) nearest(name string) []string {
	const most = 3
	edits := func(unit string) int {
		if name != "" && strings.Contains(unit, name) {
			return 0
		}
		return min(distance(name, unit), distance(name, unit[strings.LastIndexByte(unit, '/')+1:]))
	}
	names := c.Names()
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(edits(a), edits(b)) })
	return names[:min(most, len(names))]
}

// distance is Levenshtein's: the least number of bytes to insert, delete or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
