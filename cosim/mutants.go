package cosim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/goldwire/goldwire/internal/faults"
	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/vectors"
)

// MutantOptions say how many faults are planted in RTL, and how long it is asked whether one makes a difference.
type MutantOptions struct {
	Most int
	Seed uint64
	// Time ends each proof that a mutant is equal; 0 for no proofs.
	Time     time.Duration
	Progress func(what string)
}

// CountMutants asks whether a stimulus finds faults in this RTL: it plants them one at a time, and runs model and RTL
// in lockstep under the map. A mutant is killed if the RTL parts from the model or ends the run. One whose simulator
// was killed by somebody else, or did not answer in time, is open: the machine may be the reason. Of one that runs to
// the end it asks Yosys whether any inputs, allowed or not, could show it: if none can, it is equal. All others are
// open. The RTL itself has to agree, and Yosys has to read it.
func CountMutants(ctx context.Context, opt Options, st Stimulus, how MutantOptions) (*vectors.Mutants, error) {
	if err := formal.Available(formal.Auto); err != nil {
		return nil, err
	}
	say := how.Progress
	if say == nil {
		say = func(string) {}
	}
	say("planting mutants")
	opt.plant = &faults.Options{Most: how.Most, Seed: how.Seed, Memory: opt.Design.Memory}
	s, err := Start(ctx, opt)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if st, err = s.exact(st); err != nil {
		return nil, err
	}
	if s.Binding.skip >= st.cycles() {
		return nil, s.nothingCompared(st)
	}
	chooser := s.dut.(interface{ choose(mutant int) })
	t := newTally(s.view, s.opt.Waivers, false)
	switch d, err := s.look(ctx, st, t); {
	case err != nil:
		return nil, err
	case d != nil:
		return nil, fmt.Errorf(
			"the RTL itself parts from the model in %s %d, field %s: mutants are asked of RTL that agrees; "+
				"goldwire cosim shows the difference",
			d.unit(),
			d.Cycle,
			d.Field,
		)
	}
	if err := t.vacuous(); err != nil {
		return nil, err
	}
	m := &vectors.Mutants{
		Of: len(s.planted.Names) - 1, Given: s.opt.Design.yosysReads(s.files), Warnings: s.Warnings(ctx),
	}
	var left []int
	open := func(mutant int, why string) {
		name := folders.ReplaceAllString(s.planted.Names[mutant], "")
		m.Open = append(m.Open, vectors.OpenMutant{Mutant: name, Reason: why})
	}
	for n := 1; n <= m.Of; n++ {
		say(fmt.Sprintf("running mutant %d of %d", n, m.Of))
		chooser.choose(n)
		d, err := s.look(ctx, st, newTally(s.view, s.opt.Waivers, false))
		var held *Held
		if d == nil && err == nil && s.Binding.holds > 0 {
			held, d, err = s.heldLook(ctx, st, newTally(s.view, s.opt.Waivers, false))
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("interrupted: %w", ctx.Err())
		}
		switch killed, why := outcome(d, err); {
		case killed, held != nil && held.Wrong:
			m.Killed++
		case why != "":
			open(n, why)
		default:
			left = append(left, n)
		}
	}
	for k, n := range left {
		say(fmt.Sprintf("asking whether mutant %d of %d is equal", k+1, len(left)))
		switch equal, why, err := s.equalMutant(ctx, n, how.Time); {
		case err != nil:
			return nil, err
		case equal:
			m.Equal++
		default:
			open(n, why)
		}
	}
	return m, nil
}

// outcome tells whether a run of a mutant killed it, or why it is open whatever a proof would say.
func outcome(d *Divergence, err error) (killed bool, open string) {
	var machine machineEnded
	if errors.As(err, &machine) {
		first, _, _ := strings.Cut(machine.Error(), "\n")
		return false, first
	}
	return d != nil || err != nil, ""
}

// folders matches the folders of a file in a mutant's name.
var folders = regexp.MustCompile(`/(?:[^/\s]+/)+`)

// unit names what Divergence.Cycle counts: cycles, or transfers.
func (d *Divergence) unit() string {
	if d.Transfers {
		return "transfer"
	}
	return "cycle"
}

// The RTL with its shell and its mutants, for proofs and for simulators.
const (
	plantedFile = "goldwire_planted.v"
	splitFile   = "goldwire_split.v"
)

// PlantedPins connect the ports of the RTL with its mutants, which are single bits.
func (t shellText) PlantedPins() string {
	var pins []string
	add := func(name, value string, bits int) {
		for k := range bits {
			pins = append(pins, fmt.Sprintf(".\\%s[%d] (%s[%d])", name, k, value, k))
		}
	}
	one := func(name string) { pins = append(pins, fmt.Sprintf(".%s(%s)", name, name)) }
	for _, name := range []string{"clk", "rst", "ce"} {
		one(name)
	}
	field := func(name string, f shellField) {
		if f.Width == 1 {
			one(name)
			return
		}
		add(name, name, f.Width)
	}
	for _, f := range t.Inputs {
		field(fmt.Sprintf("i%d", f.Index), f)
	}
	for _, f := range t.Outputs {
		field(fmt.Sprintf("o%d", f.Index), f)
	}
	for _, x := range t.Streams {
		one(fmt.Sprintf("r%d", x.Number))
	}
	if t.SelectorBits == 1 {
		pins = append(pins, fmt.Sprintf(".%s(mutant[0])", faults.Selector))
	} else {
		add(faults.Selector, "mutant", t.SelectorBits)
	}
	return strings.Join(pins, ", ")
}

// plantIn has Yosys plant faults in a design and its shell. It returns the design that takes its place.
func (s *Session) plantIn(ctx context.Context, files []string, t *shellText) (Design, error) {
	d := s.opt.Design
	for _, q := range s.Binding.Ports {
		if q.shape.unpacked || q.iface >= 0 {
			return d, fmt.Errorf(
				"port %v: Yosys reads no unpacked arrays and no interfaces at ports, and it plants the faults: "+
					"wrap %s in a module with vectors",
				q,
				d.Top,
			)
		}
	}
	shell, macros := filepath.Join(s.dir, "goldwire_around.v"), filepath.Join(s.dir, "goldwire_macros.v")
	text := bytes.Replace(t.fill("shell.v.tmpl"), []byte("module goldwire_shell "), []byte("module goldwire_planted "), 1)
	for name, data := range map[string][]byte{shell: text, macros: d.macros()} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return d, err
		}
	}
	read := "read_verilog -sv"
	for i, dir := range d.includes() { // the option takes no quotes
		link := fmt.Sprintf("include%d", i)
		if err := os.Symlink(dir, filepath.Join(s.dir, link)); err != nil {
			return d, err
		}
		read += " -I" + link
	}
	for _, f := range slices.Concat([]string{macros}, d.Sources, d.fromLibraries(files), []string{shell}) {
		if strings.ContainsAny(f, "\"\n\r") {
			return d, fmt.Errorf("%q: want a file name without quotes and line ends", f)
		}
		read += ` "` + f + `"`
	}
	var err error
	s.planted, err = faults.Plant(
		ctx, s.dir, faults.RTL{Read: read, Top: "goldwire_planted", KeepInit: true, Split: splitFile}, *s.opt.plant,
		plantedFile,
	)
	if err != nil {
		return d, err
	}
	t.SelectorBits = s.planted.Bits
	return Design{Sources: []string{filepath.Join(s.dir, splitFile)}, Top: "goldwire_planted", Extensions: d.Extensions,
		Simulator: d.Simulator, BuildTimeout: d.BuildTimeout, Memory: d.Memory}, nil
}

// equalText is the harness of a question whether a mutant is equal.
type equalText struct {
	shellText
	Mutant  int
	Asserts []miterAssert
}

// equalMutant asks whether inputs can show a mutant. Else it says why it is open.
func (s *Session) equalMutant(
	ctx context.Context, mutant int, limit time.Duration,
) (equal bool, why string, err error) {
	const unseen = "the stimulus does not show it"
	switch {
	case limit <= 0:
		return false, unseen, nil
	case len(s.unit.Clocks) > 0:
		return false, unseen + ", and a proof knows one clock", nil
	}
	text := equalText{shellText: s.shell, Mutant: mutant}
	for o, c := range s.outputs {
		f := s.fields[c]
		if mask := s.Binding.Fields[c].mask; mask != 0 && f.Width > 0 {
			a := miterAssert{Name: fmt.Sprint(o), Mask: fmt.Sprintf("%d'h%x", f.Width, mask)}
			if v := s.valid[o]; v >= 0 && s.mask[v] != 0 {
				a.Valid = fmt.Sprintf("a%d", v)
			}
			text.Asserts = append(text.Asserts, a)
		}
	}
	file := filepath.Join(s.dir, plantedFile)
	part := func(name string) formal.Part {
		return formal.Part{Files: []string{file}, Top: "goldwire_planted", Name: name, KeepInit: s.Binding.reset == nil}
	}
	q := formal.Question{
		Forms: true,
		Parts: []formal.Part{part(reference), part(userShell)}, Harness: string(fill("equal.sv.tmpl", text)),
		Top: miterTop, Lead: vectors.ResetCycles,
	}
	a, err := formal.Ask(ctx, q, formal.Options{Engine: formal.Auto, Time: limit, Memory: s.opt.Design.Memory})
	switch {
	case ctx.Err() != nil:
		return false, "", fmt.Errorf("interrupted: %w", ctx.Err())
	case err != nil: // mutants that Yosys cannot ask about stay open
		return false, unseen + ", and it could not be asked about: " + clip(err.Error(), 160), nil
	case a.Verdict == formal.Proved:
		return true, "", nil
	case a.Verdict == formal.Refuted:
		const others = "%s; some inputs, of which the unit may not allow all, show it %d cycles after the reset"
		return false, fmt.Sprintf(others, unseen, a.Steps-vectors.ResetCycles), nil
	default:
		return false, unseen + "; whether any inputs can is not known", nil
	}
}
