package cosim

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/goldwire/goldwire/internal/faults"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
	"github.com/goldwire/goldwire/vectors"
)

// Options say how RTL and model are joined.
type Options struct {
	Unit   vectors.Unit
	Design Design
	Map    Map

	// Extra is how many more cycles than the model the RTL takes from input to output: 0 if it is cycle-exact, below 0 if
	// it is earlier.
	Extra int
	// Dirty is how many cycles of noise the RTL gets before its reset. Verilator only: under Icarus registers start as x.
	Dirty int
	// Timeout ends RTL that does not answer.
	Timeout time.Duration
	// Seed is the seed of the noise, and of the bits that registers start with.
	Seed uint64

	// Waivers pass differences that are known.
	Waivers Waivers
	// Continue goes on after a difference and lists the distinct ones.
	Continue bool

	// BindOnly builds nothing: the session tells how the ports are bound, and runs no RTL.
	BindOnly bool

	plant *faults.Options // faults to plant in the RTL
}

// DefaultDirty and DefaultTimeout suit most RTL.
const (
	DefaultDirty   = 64
	DefaultTimeout = time.Minute
)

// MaxExtra bounds by how many cycles an RTL may be later or earlier than the model.
const MaxExtra = 256

// Session is RTL, built and bound to a unit. It is not for concurrent use.
type Session struct {
	Binding *Binding
	Notes   []string // on the design's arguments, for the user

	*view

	planted *faults.Planted
	shell   shellText // of the built program
	files   []string  // that were read
	widths  []string  // see Widths
	unset   []string  // registers that a run from x left there

	opt   Options
	dir   string
	dut   dut
	made  []byte   // the model's inputs of a batch
	want  [][]byte // its outputs, by slot
	hurry bool     // RTL without a transfer is waited for no longer than the constant hurry says
}

// view is a unit's fields and how they are compared.
type view struct {
	unit    vectors.Unit
	fields  []vectors.Field
	inputs  []int // columns of a row
	outputs []int
	in, out layout.Rows // of inputs and outputs, as they lie in slots
	valid   []int       // for each output: the output that says when it counts, -1 for always
	mask    []uint64    // for each output: the bits that are compared
	shakes  []bool      // for each output: it is the model's ready of a stream of the map
	held    []heldInput

	// An RTL that is earlier than the model is compared with a model that is lead cycles ahead: later is then never below
	// 0.
	lead  int
	later []int // for each output: how many cycles the RTL is later than this model
}

// extra is by how many cycles the RTL is later than the model at an output.
func (v *view) extra(output int) int { return v.later[output] - v.lead }

// heldInput is bits of an input that the RTL does not have, and their value.
type heldInput struct {
	column      int
	mask, value uint64
}

// dut is RTL under a simulator. It runs batches of rows that lie in slots.
type dut interface {
	slots() []slot
	// reset brings the RTL into its first cycle, with the inputs of the slot's first row.
	reset(slot int) error
	// begin hands over the first rows of a slot. Batches run one after another, in the order in which they were begun.
	begin(slot, rows int)
	// end waits for the oldest batch under way and returns how many of its rows ran. Batches end in the order in which
	// they were begun. A run that stops at a difference leaves later batches under way; the next reset drops them.
	end() (int, error)
	// messages returns what the RTL has complained of up to a cycle, where it tells in which one it did. With toTheEnd the
	// RTL's final blocks run first. Only a reset may follow.
	messages(last int) []string
	close() error
}

// toTheEnd asks for the messages of all cycles, and of the RTL's end.
const toTheEnd = math.MaxInt

// A batch is long enough that handing it over costs little. Half of the slots are enough work for one side while the
// other wakes up; with 16 slots fast units ran no faster, or slower.
const (
	slotRows  = 4096
	slotCount = 8
)

// Start builds the RTL and binds its ports. The error is one line; a *[CompileError] has more.
func Start(ctx context.Context, opt Options) (_ *Session, err error) {
	if err := opt.Design.check(); err != nil {
		return nil, err
	}
	if opt.Extra < -MaxExtra || opt.Extra > MaxExtra {
		return nil, fmt.Errorf("%d extra cycles, want %d to %d", opt.Extra, -MaxExtra, MaxExtra)
	}
	if len(opt.Unit.Clocks) > 0 && (opt.Extra != 0 || len(opt.Map.Extra) > 0 || opt.Map.Enable != "") {
		return nil, fmt.Errorf("unit %s has %d clocks: its rows are instants, so that extra and enable mean nothing",
			opt.Unit.Name, len(opt.Unit.Clocks))
	}
	if opt.Timeout <= 0 {
		opt.Timeout = DefaultTimeout
	}
	in, err := opt.Unit.Simulate(rtl.Config{}, opt.Seed)
	if err != nil {
		return nil, err
	}
	s := &Session{opt: opt}
	if s.dir, err = os.MkdirTemp("", "goldwire-cosim-"); err != nil {
		return nil, err
	}
	if s.dir, err = filepath.Abs(s.dir); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	read, err := opt.Design.read(ctx, s.dir, opt.Map)
	if err != nil {
		return nil, err
	}
	s.Notes, s.files = read.notes, own(opt.Design.Sources, read.files)
	if s.Binding, err = bindRTL(opt.Unit, in.Fields, read, opt.Map); err != nil {
		return nil, err
	}
	s.view = newView(opt.Unit, s.Binding, opt.Extra)
	if opt.BindOnly {
		return s, nil
	}
	text := s.Binding.shell(opt.Design, opt.Dirty)
	if len(text.Streams) > 0 {
		if m := opt.Map; opt.Extra != 0 || len(m.Extra) > 0 || m.Stall > 0 {
			return nil, fmt.Errorf(
				"map: streams: transfers are compared whenever they come: extra and stall of the clock enable mean nothing; " +
					"of data that come some edges after they are taken, latency of the stream says how many",
			)
		}
		in, out, err := s.streams(s.Binding)
		if err != nil {
			return nil, err
		}
		if why := holdable(in, out); why != "" && opt.Map.Holds > 0 {
			return nil, fmt.Errorf("holds: %d: cannot be found out: %s", opt.Map.Holds, why)
		}
		for _, x := range slices.Concat(in, out) {
			text.Streams[x.number].Beat, text.Streams[x.number].Clock = x.beat, x.clock
		}
	}
	if opt.plant != nil {
		if opt.Design, err = s.plantIn(ctx, read.files, &text); err != nil {
			return nil, err
		}
	}
	text.Fatals = fatals(slices.Concat(opt.Design.Sources, read.files))
	s.shell = text
	if opt.Design.Simulator == Icarus {
		program, registers, err := buildIcarus(ctx, opt.Design, text, s.dir)
		if err != nil {
			return nil, err
		}
		p := newInterpreter(
			ctx, program, opt.Design.Memory, s.Binding, s.in, s.out, text.Streams, slotCount, slotRows, opt.Seed,
			opt.Timeout,
		)
		p.registers, s.dut = registers, p
		s.prepare(p, beginning{seed: opt.Seed})
		return s, nil
	}
	path, err := buildVerilator(ctx, opt.Design, text, s.dir)
	if err != nil {
		return nil, err
	}
	p, err := startProcess(
		ctx,
		program{path: path, dir: s.dir, memory: opt.Design.Memory, timeout: opt.Timeout, seed: opt.Seed,
			in: s.in.Bytes, out: s.out.Bytes, streams: len(text.Streams), batches: slotCount, rows: slotRows},
	)
	if err != nil {
		return nil, err
	}
	s.dut = p
	s.prepare(p, beginning{seed: opt.Seed})
	return s, nil
}

// newView finds inputs and outputs among the fields, and the cycles in which each is compared.
func newView(u vectors.Unit, b *Binding, extra int) *view {
	v := &view{unit: u}
	index := map[string]int{} // of outputs
	for i, f := range b.Fields {
		v.fields = append(v.fields, f.Field)
		if f.held != 0 {
			v.held = append(v.held, heldInput{i, f.held, f.value})
		}
		if f.Dir == rtl.Input {
			v.inputs = append(v.inputs, i)
			continue
		}
		index[f.Name] = len(v.outputs)
		v.outputs = append(v.outputs, i)
	}
	for _, c := range v.outputs {
		f := b.Fields[c]
		valid := -1
		if f.Valid != "" {
			valid = index[f.Valid]
		}
		later := extra
		if f.extra != nil {
			later = *f.extra
		}
		v.valid, v.later, v.mask = append(v.valid, valid), append(v.later, later), append(v.mask, f.mask)
		v.lead = max(v.lead, -later)
	}
	v.in, v.out = rowsOfFields(v.fields, v.inputs), rowsOfFields(v.fields, v.outputs)
	for i := range v.later {
		v.later[i] += v.lead
	}
	v.shakes = make([]bool, len(v.outputs))
	for name := range b.ready { // of transfers: the RTL keeps its own pace, and the model's ready says nothing of it
		for _, ready := range []string{u.Ready[name], u.Streams[name].Ready} {
			if o, ok := index[ready]; ok {
				v.mask[o], v.shakes[o] = 0, b.ready[name].port >= 0
			}
		}
	}
	return v
}

// rowsOfFields are rows of some of the fields.
func rowsOfFields(fields []vectors.Field, columns []int) layout.Rows {
	var widths []int
	for _, c := range columns {
		widths = append(widths, fields[c].Width)
	}
	return layout.RowsOf(widths)
}

// Close ends the RTL and removes the built program.
func (s *Session) Close() error {
	var err error
	if s.dut != nil {
		err = s.dut.close()
		s.dut = nil
	}
	if e := os.RemoveAll(s.dir); err == nil {
		err = e
	}
	return err
}
