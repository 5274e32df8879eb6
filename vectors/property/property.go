// Package property declares assertions about a project's own RTL, which `goldwire properties` proves or refutes.
//
// A [Property] is a harness, a SystemVerilog module called proof that instantiates some of the project's modules and
// asserts about them, with a hint which engine closes it soonest. [Load] reads the texts from embedded files:
//
//	//go:embed properties
//	var harnesses embed.FS
//
//	var list = property.Load(harnesses, Verilog, property.Property{
//		Name: "pcs/scrambler_inverse", Doc: "the descrambler undoes the scrambler",
//		Modules: []string{"pcs_scrambler", "pcs_descrambler"},
//	})
package property

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/goldwire/goldwire/vectors"
)

// Engine is a way to search for a proof.
type Engine string

const (
	Auto Engine = "auto" // SAT for a first look, then PDR
	SAT  Engine = "sat"  // temporal induction by the solver inside Yosys
	PDR  Engine = "pdr"  // property directed reachability in yosys-abc
	SMT  Engine = "smt"  // induction by yosys-smtbmc with z3
)

// Property is a harness with assertions around some of the project's own modules, true in every cycle for all inputs.
type Property struct {
	Name string // "pcs/scrambler_inverse": the design first, then the file of the harness unless Harness names it
	Doc  string // one line: the property in words
	// Harness is the file of a harness that several properties have, with other parameters each: "matching" for
	// properties/matching.sv.
	Harness string
	// Params are values of the harness's parameters.
	Params map[string]int
	// Modules are the files of the RTL, verilog/MODULE.v, that the harness needs.
	Modules []string
	// Emitted are further modules, by their units' names in Verilog: they have no RTL written by hand, and whoever asks
	// for a proof gives them what `goldwire verilog` makes of their Go source: see [Property.WithRTL].
	Emitted []string
	// Connect binds wires of the harness to signals inside of a module, by their hierarchical names; Show lists what a
	// trace shows.
	Connect map[string]string
	Show    []string
	// Registers asks the search to look at registers' values as well as outputs.
	Registers bool
	// Engine is the engine that proves it soonest, used unless the options name another. Empty for Auto.
	Engine Engine
	// Slow properties take more than some seconds.
	Slow bool
	// Hold keeps signals inside of the modules at constants.
	Hold map[string]string
	// Bugs are planted in the RTL; each must be refuted.
	Bugs []vectors.Bug

	planted bool
	harness string
	rtl     map[string]string // by file
}

// Load gives properties their texts: the harness properties/HARNESS.sv, whose module is called proof and has its
// reset, with the name rst, in the first step; and the RTL. It panics if one is not there: the file systems are
// embedded, so that this is a mistake in the program.
func Load(harnesses, verilog fs.FS, list ...Property) []Property {
	text := func(files fs.FS, name string) string {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			panic(fmt.Sprintf("property: %v", err))
		}
		return string(data)
	}
	for i := range list {
		p := &list[i]
		if p.Harness == "" {
			p.Harness = path.Base(p.Name)
		}
		p.harness, p.rtl = text(harnesses, "properties/"+p.Harness+".sv"), map[string]string{}
		for _, m := range p.Modules {
			p.rtl[m+".v"] = text(verilog, "verilog/"+m+".v")
		}
	}
	return list
}

// WithRTL returns the property with the RTL of one of its Emitted modules.
func (p Property) WithRTL(module, text string) Property {
	rtl := map[string]string{module + ".v": text}
	for file, text := range p.rtl {
		if rtl[file] == "" {
			rtl[file] = text
		}
	}
	p.rtl = rtl
	return p
}

// Plant returns the property of RTL with a bug in it: in the one module that has the bug's texts. Such a property is
// not to be proved but refuted, by the harness's own claims: the invariants that only help a proof are left out.
func (p Property) Plant(b vectors.Bug) (Property, error) {
	planted := 0
	rtl := map[string]string{}
	var last error
	for file, text := range p.rtl {
		rtl[file] = text
		if wrong, err := b.Plant(text); err == nil {
			rtl[file] = wrong
			planted++
		} else {
			last = err
		}
	}
	p.rtl, p.planted = rtl, true
	if planted != 1 {
		return p, fmt.Errorf("property %s: bug %q fits %d modules, want one: %w", p.Name, b.Kind, planted, last)
	}
	return p, nil
}

// Module returns the property's name as a file name: "pcs_scrambler_inverse".
func (p Property) Module() string { return strings.ReplaceAll(p.Name, "/", "_") }

// Source returns the text of the harness and the texts of the RTL by file name.
func (p Property) Source() (harness string, rtl map[string]string) { return p.harness, p.rtl }

// Planted reports whether a bug was planted: such a property is only refuted, never proved.
func (p Property) Planted() bool { return p.planted }
