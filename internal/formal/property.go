package formal

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/goldwire/goldwire/vectors"
)

// Property is what is always true of the project's own RTL: a harness with assertions around some of its modules.
type Property struct {
	Name string // "pcs/scrambler_inverse": the design first, then the file of the harness unless Harness names it
	Doc  string // one line: what is true
	// Harness is the file of a harness that several properties have, with other parameters each: "matching" for properties/matching.sv.
	Harness string
	// Params is as in [Question].
	Params map[string]int
	// Modules are the files of the RTL, verilog/MODULE.v, that the harness needs.
	Modules []string
	// Connect and Show are as in [Question].
	Connect map[string]string
	Show    []string
	// Registers is as in [Question].
	Registers bool
	// Engine is what closes it soonest; it is asked unless the options name another. Empty for Auto.
	Engine Engine
	// Slow properties take more than some seconds.
	Slow bool
	// Hold is as in [Question].
	Hold map[string]string
	// Bugs are planted in the RTL; each must be refuted.
	Bugs []vectors.Bug

	planted bool
	harness string
	rtl     map[string]string // by file
}

// Load gives properties their texts: the harness properties/HARNESS.sv, whose module is called proof and has its reset, with the name rst, in the
// first step; and the RTL. It panics if one is not there: the file systems are embedded, so that this is a mistake in the program.
func Load(harnesses, verilog fs.FS, list ...Property) []Property {
	text := func(files fs.FS, name string) string {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			panic(fmt.Sprintf("formal: %v", err))
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

// Plant returns the property of RTL with a bug in it: in the one module that has the bug's texts. It is not proved, only refuted, by what the
// harness claims without what helps the proof.
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

// Ask asks whether the property holds.
func (p Property) Ask(ctx context.Context, opt Options) (*Answer, error) {
	dir, err := os.MkdirTemp("", "goldwire-property-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	q := Question{Harness: p.harness, Top: "proof", Params: p.Params, Connect: p.Connect, Show: append([]string{"rst"}, p.Show...), Lead: 1,
		Registers: p.Registers, Hold: p.Hold, Refute: p.planted}
	for _, name := range sorted(p.rtl) {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(p.rtl[name]), 0o644); err != nil {
			return nil, err
		}
		q.Files = append(q.Files, file)
	}
	if opt.Engine == "" || opt.Engine == Auto {
		opt.Engine = p.Engine
	}
	a, err := Ask(ctx, q, opt)
	if err != nil {
		return nil, fmt.Errorf("property %s: %w", p.Name, err)
	}
	return a, nil
}

// Module returns the property's name as that of a file: "pcs_scrambler_inverse".
func (p Property) Module() string { return strings.ReplaceAll(p.Name, "/", "_") }
