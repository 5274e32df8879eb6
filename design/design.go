// Package design describes a design to the tool.
//
// A [Design] is a name, a paper, and the contents of the design's folder: its units with their RTL, its claims, its
// experiments. The command is made of a list of designs and knows them only through this package:
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

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/design/bench"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/vectors/property"
)

// Design is one design, or a library of hardware. All fields but Name and Title are optional.
type Design struct {
	// Name is the first element of the names of its units and of the ids of its claims, and its name in `goldwire run`:
	// "edm".
	Name string
	// Title describes the design in one line: "A memory fabric inside the Ethernet PHY".
	Title string
	// Paper is where it is published: "Su and Shrivastav, ASPLOS 2025". Empty for a library.
	Paper string

	Units vectors.Catalogue
	// Tops are assemblies of units, a whole end of a link, say. `goldwire verilog` writes them from their Go source, and
	// `goldwire cosim` runs RTL beside them. They need no RTL, bugs or vectors of their own.
	Tops        vectors.Catalogue
	Claims      []claims.Claim
	Experiments []experiment.Experiment
	Properties  []property.Property // proofs about the RTL
	Bench       []bench.Measure     // measurements that `goldwire bench` prints
	Fused       []Fused             // simulations for which `goldwire fuse` writes code
	// Borrowed is data of others that is not part of the project and that some claims need.
	Borrowed []Borrowed
}

// Fused is a simulation whose islands are to be run by generated code: see package fuse.
type Fused struct {
	Name    string // in the name of the file: "bench loop" is fused_bench_loop.go
	Package string // import path of the package that the file belongs to
	Build   func(rtl.Config) (*rtl.Sim, error)
	Refused bool // every island of it is refused so far: it is listed so that `goldwire fuse` prints the reason
	// Without says why no code is wanted for an island, by the path of its first module.
	Without map[string]string
}

// Borrowed is a directory of somebody else's files. Without it the claims that need it are not modelled; with it they
// are measured.
type Borrowed struct {
	// Flag names it on the command line, "drmt-graphs", and in the environment, GOLDWIRE_DRMT_GRAPHS.
	Flag string
	// Help says in one line which files the directory must hold and where they come from.
	Help string
	// Claims returns the claims that the directory makes measurable. Each replaces the claim of its id in the design's
	// Claims.
	Claims func(directory string) ([]claims.Claim, error)
}

// Variable is the environment variable that names the directory.
func (b Borrowed) Variable() string {
	return "GOLDWIRE_" + strings.ToUpper(strings.ReplaceAll(b.Flag, "-", "_"))
}

// House is the list of designs that a command has.
type House []Design

var (
	validName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	validFlag = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)
)

// Check returns all faults of the list: names that are used twice, units that are not named after their design.
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
		for _, u := range slices.Concat(d.Units, d.Tops) {
			if name, _, _ := strings.Cut(u.Name, "/"); name != d.Name {
				fault("design %q: unit %q is not named after it", d.Name, u.Name)
			}
		}
		for _, c := range d.Claims {
			if name, _, _ := strings.Cut(c.ID, "/"); name != d.Name {
				fault("design %q: claim %q is not named after it", d.Name, c.ID)
			}
		}
		for _, b := range d.Borrowed {
			if !validFlag.MatchString(b.Flag) || !strings.HasPrefix(b.Flag, d.Name+"-") || b.Help == "" || b.Claims == nil {
				fault("design %q: borrowed data %q: want a name that starts with the design's, help and claims", d.Name, b.Flag)
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
	if err := h.Emitted().Check(); err != nil {
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

// Emitted returns the units and tops of all designs.
func (h House) Emitted() vectors.Catalogue {
	all := h.Units()
	for _, d := range h {
		all = append(all, d.Tops...)
	}
	return all
}

// Claims returns the claims of all designs. Directories maps a flag to the directory with the borrowed data, for the
// data that is there.
func (h House) Claims(directories map[string]string) (*claims.Set, error) {
	var all [][]claims.Claim
	for _, d := range h {
		list := slices.Clone(d.Claims)
		for _, b := range d.Borrowed {
			directory := directories[b.Flag]
			if directory == "" {
				continue
			}
			measured, err := b.Claims(directory)
			if err != nil {
				return nil, fmt.Errorf("--%s: %w", b.Flag, err)
			}
			for _, c := range measured {
				i := slices.IndexFunc(list, func(x claims.Claim) bool { return x.ID == c.ID })
				if i < 0 {
					return nil, fmt.Errorf("--%s: design %s has no claim %s", b.Flag, d.Name, c.ID)
				}
				list[i] = c
			}
		}
		all = append(all, list)
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
