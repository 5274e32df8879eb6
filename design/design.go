// Package design says what a design offers to the tool.
//
// A [Design] is a name, a paper, and what stands in the design's folder: its units with their RTL, its claims, its experiments. The
// command is made of a list of designs and knows them only through this package:
//
//	func main() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr, mine.Design())) }
//
// Package designtest checks a design whole.
package design

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/bench"
	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/vectors"
)

// Design is one design, or a library of hardware. All fields but Name and Title are optional.
type Design struct {
	// Name is the first element of the names of its units and of the ids of its claims, and its name in `goldwire run`: "edm".
	Name string
	// Title says in one line what it is: "A memory fabric inside the Ethernet PHY".
	Title string
	// Paper is where it is published: "Su and Shrivastav, ASPLOS 2025". Empty for a library.
	Paper string

	Units       vectors.Catalogue
	Claims      []claims.Claim
	Experiments []experiment.Experiment
	Bench       []bench.Measure // what `goldwire bench` prints of it
}

// House is the list of designs that a command has.
type House []Design

var validName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// Check finds what is wrong with the list: names that are used twice, units that are not named after their design.
func (h House) Check() error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	seen := map[string]bool{}
	for _, d := range h {
		if !validName.MatchString(d.Name) {
			fault("design %q: the name is not of lower-case letters, digits and _", d.Name)
		}
		if seen[d.Name] {
			fault("design %q: the name is used twice", d.Name)
		}
		seen[d.Name] = true
		if d.Title == "" || strings.Contains(d.Title, "\n") {
			fault("design %q: the title is not one line", d.Name)
		}
		for _, u := range d.Units {
			if name, _, _ := strings.Cut(u.Name, "/"); name != d.Name {
				fault("design %q: unit %q is not named after it", d.Name, u.Name)
			}
		}
		experiments := map[string]bool{}
		for _, e := range d.Experiments {
			name := e.Info().Name
			if experiments[name] {
				fault("design %q: experiment %q is there twice", d.Name, name)
			}
			experiments[name] = true
		}
	}
	if err := h.Units().Check(); err != nil {
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// Units returns the units of all designs.
func (h House) Units() vectors.Catalogue {
	var all vectors.Catalogue
	for _, d := range h {
		all = append(all, d.Units...)
	}
	return all
}

// Claims returns the claims of all designs.
func (h House) Claims() (*claims.Set, error) {
	var all [][]claims.Claim
	for _, d := range h {
		all = append(all, d.Claims)
	}
	return claims.NewSet(all...)
}

// Find returns a design by its name.
func (h House) Find(name string) (Design, error) {
	var names []string
	for _, d := range h {
		if d.Name == name {
			return d, nil
		}
		names = append(names, d.Name)
	}
	return Design{}, fmt.Errorf("no design %s, want one of: %s", experiment.Quote(name), strings.Join(names, ", "))
}

// Names returns the names of the designs, sorted.
func (h House) Names() []string {
	var names []string
	for _, d := range h {
		names = append(names, d.Name)
	}
	slices.Sort(names)
	return names
}
