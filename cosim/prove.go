package cosim

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Simulation is the engine of a refutation by the unit's own stimulus. Its inputs are shrunk, and shorter ones may show
// a difference too; the inputs of the other engines are the shortest.
const Simulation formal.Engine = "simulation"

// Proof is the answer about RTL against a unit's reference RTL.
type Proof struct {
	Answer  *formal.Answer // without a trace if its engine is Simulation
	Binding *Binding
	Notes   []string // on the design's arguments, for the user
	// Compared and Ignored are the outputs that are asserted to be equal, and the others.
	Compared, Ignored []string
	// Conditions are what the answer takes for granted, one phrase each: "ce off or on in any cycle", "scan tied to 0".
	Conditions []string
	// Warnings are reasons to trust the answer less: see [Session.Warnings].
	Warnings []string

	// Of a refutation: the inputs as rows with the model's outputs, how the reference differs from the model on them (nil:
	// it does not), and the lockstep of model and RTL. Divergence is nil if the lockstep does not show the difference;
	// Unconfirmed then says why not.
	Set         *vectors.Set
	Reference   *vectors.Mismatch
	Divergence  *Divergence
	Unconfirmed string
}

// Prove asks whether the RTL is equal to the unit's reference RTL under the map: whether in each cycle after the reset,
// whatever the inputs, each output that the map compares has the reference's value wherever it counts. Registers hold
// anything before the reset; the reset lasts [vectors.ResetCycles], with any inputs. The clock enable, if there is one,
// may be off in any cycle after the reset, with any inputs, and the RTL has to stand still then; where that is not
// known when half of the time is up, the rest is for an enable that is on, and a condition says so.
//
// The engine gets a short look first. If that leaves a bound, the unit's stimulus runs in lockstep with model and RTL;
// if they agree on it, the engine has the rest of the time. A refutation is run through model, reference and RTL, under
// opt's simulator.
func Prove(ctx context.Context, opt Options, how formal.Options) (*Proof, error) {
	if opt.Unit.RTL == "" {
		return nil, fmt.Errorf("unit %s: there is no reference RTL to prove against", opt.Unit.Name)
	}
	if n := len(opt.Unit.Clocks); n > 0 {
		return nil, fmt.Errorf("unit %s has %d clocks: a proof knows one; cosim and vectors take several", opt.Unit.Name, n)
	}
	if err := formal.Available(how.Engine); err != nil {
		return nil, err
	}
	if err := opt.Design.check(); err != nil {
		return nil, err
	}
	in, err := opt.Unit.Simulate(rtl.Config{}, opt.Seed)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "goldwire-prove-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	read, err := opt.Design.read(ctx, dir, opt.Map)
	if err != nil {
		return nil, err
	}
	p := &Proof{Notes: read.notes}
	if p.Binding, err = bindRTL(opt.Unit, in.Fields, read, opt.Map); err != nil {
		return nil, err
	}
	switch b := p.Binding; {
	case len(b.ready) > 0:
		return nil, fmt.Errorf("streams in the map: a proof compares cycles, not transfers")
	case b.reset == nil && b.clock != nil:
		return nil, fmt.Errorf("the RTL has no reset: a proof starts from one (reset: …)")
	case opt.Unit.Repair != nil && opt.Unit.Environment == "":
		return nil, fmt.Errorf(
			"unit %s: its inputs follow from each other, and the unit does not say it in Verilog", opt.Unit.Name,
		)
	}
	for _, q := range p.Binding.Ports {
		switch {
		case q.hollow:
			return nil, fmt.Errorf(
				"port %s of interface %s: Yosys takes interfaces without ports of their own only; cosim takes these",
				q.Name, p.Binding.ifaces[q.iface].name,
			)
		case q.shape.unpacked:
			return nil, fmt.Errorf(
				"port %v is an unpacked array, and Yosys reads none at ports: wrap %s in a module with vectors; cosim takes it "+
					"as it is",
				q, opt.Design.Top,
			)
		}
	}
	v := newView(opt.Unit, p.Binding, opt.Extra)
	m, err := v.miter(p.Binding)
	if err != nil {
		return nil, err
	}
	for o, c := range v.outputs {
		if v.mask[o] != 0 {
			p.Compared = append(p.Compared, v.fields[c].Name)
		} else {
			p.Ignored = append(p.Ignored, v.fields[c].Name)
		}
	}
	shell, ref, macros := filepath.Join(dir, "goldwire_shell.v"), filepath.Join(dir, opt.Unit.Module()+".v"),
		filepath.Join(dir, "goldwire_macros.v")
	for name, data := range map[string][]byte{shell: p.Binding.shell(opt.Design, 0).fill("shell.v.tmpl"),
		ref: []byte(opt.Unit.RTL), macros: opt.Design.macros()} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return nil, err
		}
	}
	user := formal.Part{
		Files:    slices.Concat([]string{macros}, opt.Design.Sources, opt.Design.fromLibraries(read.files), []string{shell}),
		Includes: opt.Design.includes(), Top: "goldwire_shell", Name: userShell,
	}
	how.Memory = opt.Design.Memory
	if how.Time == 0 {
		how.Time = formal.DefaultTime
	}
	free := p.Binding.enable != nil
	if m.enable = free; free {
		start, half := time.Now(), how
		half.Time /= 2
		err = p.search(ctx, v, m, user, ref, opt, half)
		if free = err != nil || p.Answer.Verdict != formal.Bounded; !free {
			m.enable, how.Time = false, how.Time-time.Since(start)
		}
	}
	if !m.enable {
		err = p.search(ctx, v, m, user, ref, opt, how)
	}
	if err != nil {
		return p, err
	}
	files := own(opt.Design.Sources, read.files)
	p.Conditions = append(p.Binding.conditions(opt.Unit, free), opt.Design.yosysReads(files)...)
	if p.Answer.Verdict != formal.Refuted {
		p.Warnings, _ = opt.Design.warnings(ctx, p.Binding, files, filepath.Join(dir, "lint"))
	}
	return p, nil
}

// conditions are what a proof under the map takes for granted.
func (b *Binding) conditions(u vectors.Unit, free bool) (list []string) {
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if b.reset != nil {
		add("reset once, for %d cycles", vectors.ResetCycles)
	}
	if b.enable != nil {
		name := formatBits(b.Ports, []bit{*b.enable})
		if free {
			add("%s on or off in any cycle", name)
		} else {
			add("%s held on, and nothing known of it off", name)
		}
	}
	if u.Environment != "" || len(u.Ready) > 0 {
		add("inputs as the unit's environment says")
	}
	for _, t := range b.ties {
		add("%s tied to %d", formatBits(b.Ports, t.bits), t.value)
	}
	counts := map[string][]string{}
	for i := range b.Fields {
		f := &b.Fields[i]
		if f.held != 0 {
			add("%s held at %#x", f.Name, f.value)
		}
		if f.Valid != "" && f.mask != 0 {
			counts[f.Valid] = append(counts[f.Valid], f.Name)
		}
		if full := ^uint64(0) >> (64 - f.Width); f.Dir == rtl.Output && f.mask != 0 && f.mask != full {
			add("%s compared in bits %#x", f.Name, f.mask)
		}
	}
	for _, valid := range slices.Sorted(maps.Keys(counts)) {
		add("%s compared while %s is 1", strings.Join(slices.Sorted(slices.Values(counts[valid])), " and "), valid)
	}
	if b.skip > 0 {
		add("from cycle %d on", b.skip)
	}
	return list
}

// firstLook is the most time on the processor that an engine has before the stimulus runs, and wallTimes how many times
// as long it may take by the wall clock, where other programs keep it from the processor: an answer does not depend on
// them. The wall clock's share is at most the whole search's time.
const (
	firstLook = 30 * time.Second
	wallTimes = 8
)

// search asks the engine, then simulates, then asks the engine again.
func (p *Proof) search(
	ctx context.Context, v *view, m *miter, user formal.Part, ref string, opt Options, how formal.Options,
) (err error) {
	q := m.question(user, ref)
	if opt.Map.Stall = 0; m.enable {
		opt.Map.Stall = stallOfProofs
	}
	start, first := time.Now(), how
	first.Processor = min(firstLook, how.Time/wallTimes)
	first.Time = wallTimes * first.Processor
	if p.Answer, err = formal.Ask(ctx, q, first); err != nil {
		return err
	}
	if p.Answer.Verdict == formal.Bounded {
		switch err = p.simulate(ctx, ref, opt, how.Time-time.Since(start), how.Progress); {
		case ctx.Err() != nil:
			return fmt.Errorf("interrupted: %w", ctx.Err())
		case p.Set != nil:
			p.Answer = &formal.Answer{
				Verdict: formal.Refuted, Engine: Simulation, Steps: q.Lead + len(p.Set.Rows), Took: time.Since(start),
			}
			return nil
		case err != nil:
			p.Notes = append(p.Notes, fmt.Sprintf("the unit's stimulus in lockstep: %v", err))
		}
		// sat and smt end before their time at the depth, and would again
		deep := (how.Engine == formal.SAT || how.Engine == formal.SMT) && p.Answer.Took < first.Processor
		if how.Time -= time.Since(start); how.Time > 0 && !deep {
			last, err := formal.Ask(ctx, q, how)
			if err != nil {
				return err
			}
			if last.Verdict != formal.Bounded || last.Steps >= p.Answer.Steps {
				p.Answer = last
			}
		}
		p.Answer.Took = time.Since(start)
	}
	if p.Answer.Verdict == formal.Refuted {
		opt.Map.Stall = 0 // the trace's own cycles of an enable that is off are left out
		return p.replay(ctx, v, m, opt)
	}
	return nil
}

// stallOfProofs is the share of cycles with the clock enable off, while the stimulus runs.
const stallOfProofs = 0.3

// simulatedCycles is how long the unit's stimulus runs.
const simulatedCycles = 10_000

// simulate runs the unit's stimulus and makes the inputs that show a difference short. One whose bits are x in a
// simulator is none: an engine tries both values. Nor is one that the reference shows as well. The time ends the
// stimulus; a difference that is found is made short in any case.
func (p *Proof) simulate(
	ctx context.Context, reference string, opt Options, limit time.Duration, progress func(string),
) error {
	if progress != nil {
		progress("running the unit's stimulus")
	}
	opt.Timeout = min(DefaultTimeout, max(limit, time.Second))
	s, err := Start(ctx, opt)
	if err != nil {
		return err
	}
	defer s.Close()
	st := Stimulus{Cycles: simulatedCycles, Seed: opt.Seed}
	limited, cancel := context.WithTimeout(ctx, limit)
	r, err := s.Run(limited, st, nil)
	cancel()
	if r == nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	if err != nil || r.Divergence == nil || r.Divergence.Unknown != 0 {
		return err
	}
	short, err := s.Shrink(ctx, st, r.Divergence)
	if err != nil {
		return fmt.Errorf("%v, not made short: %w", r.Divergence, err)
	}
	own := opt
	own.Map, own.Extra = Map{}, 0
	own.Design = Design{
		Sources: []string{reference}, Top: opt.Unit.Module(), Simulator: opt.Design.Simulator, Memory: opt.Design.Memory,
	}
	ref, err := Start(ctx, own)
	if err != nil {
		return err
	}
	defer ref.Close()
	again, err := ref.run(
		ctx, Stimulus{Rows: short.Set.Rows, Seed: opt.Seed, exact: true}, 0, newTally(ref.view, nil, false), nil,
	)
	if err != nil {
		return err
	}
	if again != nil {
		return fmt.Errorf("reference and model part on it: %v", again)
	}
	p.Set, p.Divergence = short.Set, short.Divergence
	return nil
}

// replay runs the inputs of an engine's refutation through the model, and RTL and model in lockstep.
func (p *Proof) replay(ctx context.Context, v *view, m *miter, opt Options) error {
	t := p.Answer.Trace
	var rows [][]uint64
	for k := range t.Cycles() {
		if m.enable && t.Value(k, miterOn) == 0 {
			continue
		}
		row := make([]uint64, len(v.fields))
		for c, f := range v.fields {
			row[c] = t.Value(k, f.Name)
		}
		rows = append(rows, row)
	}
	off := t.Cycles() - len(rows)
	u := opt.Unit
	refRows := &vectors.Set{
		Unit: u.Name, Doc: u.Doc, Ref: u.Ref, Latency: u.Latency, Clock: u.Clock, Seed: opt.Seed, Settings: u.Settings,
		Fields: v.fields, Rows: rows, Once: u.ResetOnce != "",
	}
	var err error
	if p.Set, err = vectors.Replay(u, refRows); err != nil {
		return err
	}
	if err := vectors.Compare(u, refRows); err != nil && !errors.As(err, &p.Reference) {
		return err
	}
	s, err := Start(ctx, opt)
	if err != nil {
		return err
	}
	defer s.Close()
	st := Stimulus{Rows: p.Set.Rows, Seed: opt.Seed, exact: true}
	if p.Divergence, err = s.run(ctx, st, s.Binding.skip, newTally(s.view, nil, false), nil); err != nil {
		return err
	}
	last := len(rows) - 1 - v.lead
	switch {
	case p.Divergence == nil && off > 0:
		p.Unconfirmed = fmt.Sprintf(
			"the RTL does not stand still while its clock enable is off, in %d cycles of the trace: while it is on, these "+
				"inputs show no difference",
			off,
		)
	case p.Divergence == nil:
		p.Unconfirmed = "the lockstep of model and RTL shows no difference on these inputs: it depends on what the " +
			"registers hold before the reset, on the inputs during it, or on an x"
	case p.Divergence.Cycle != last:
		p.Unconfirmed = fmt.Sprintf(
			"the lockstep of model and RTL parts in cycle %d, the proof in cycle %d", p.Divergence.Cycle, last,
		)
	}
	return nil
}
