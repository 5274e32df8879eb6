package cosim

import (
	"context"
	"fmt"
	"os"
	"time"

	"goldwire/rtl"
	"goldwire/vectors"
)

// Options say how RTL and model are joined.
type Options struct {
	Unit   vectors.Unit
	Design Design
	Map    Map

	// Extra is how many more cycles than the model the RTL takes from input to output: 0 if it is cycle-exact.
	Extra int
	// Dirty is how many cycles of noise the RTL gets before its reset. Verilator only: under Icarus registers start as x.
	Dirty int
	// Timeout ends RTL that does not answer.
	Timeout time.Duration
	// Seed is that of the noise, and of the bits that registers start with.
	Seed uint64
}

// DefaultDirty and DefaultTimeout suit most RTL.
const (
	DefaultDirty   = 64
	DefaultTimeout = time.Minute
)

// MaxExtra bounds the latency that an RTL may have more than the model.
const MaxExtra = 256

// Session is RTL, built and bound to a unit. It is not for concurrent use.
type Session struct {
	Binding *Binding

	opt     Options
	dir     string
	dut     dut
	fields  []vectors.Field
	inputs  []int // columns of a row
	outputs []int
	valid   []int // for each output: the output that says when it counts, -1 for always
	extra   []int // for each output: cycles more than the model's
	ignored []bool
}

// dut is RTL under a simulator. It runs batches of rows that lie in slots.
type dut interface {
	slots() []slot
	// reset brings the RTL into its first cycle, with the inputs of the slot's first row.
	reset(slot int) error
	// run runs rows of a slot and returns how many it did.
	run(slot, rows int) (int, error)
	close() error
}

// A batch is long enough that handing it over costs little, and short enough to stay in a cache.
const (
	slotRows  = 2048
	slotCount = 4
)

// Start builds the RTL and binds its ports. The error is one line; a *[CompileError] has more.
func Start(ctx context.Context, opt Options) (s *Session, err error) {
	if err := opt.Design.check(); err != nil {
		return nil, err
	}
	if opt.Extra < 0 || opt.Extra > MaxExtra {
		return nil, fmt.Errorf("%d extra cycles, want 0 to %d", opt.Extra, MaxExtra)
	}
	if opt.Timeout <= 0 {
		opt.Timeout = DefaultTimeout
	}
	in, err := opt.Unit.Simulate(rtl.Config{}, opt.Seed)
	if err != nil {
		return nil, err
	}
	s = &Session{opt: opt, fields: in.Fields}
	if s.dir, err = os.MkdirTemp("", "goldwire-cosim-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	ports, err := opt.Design.readPorts(ctx, s.dir)
	if err != nil {
		return nil, err
	}
	if s.Binding, err = bind(s.fields, ports, opt.Map); err != nil {
		return nil, err
	}
	if err := s.columns(); err != nil {
		return nil, err
	}
	text := s.Binding.shell(opt.Design, opt.Dirty)
	if opt.Design.Simulator == Icarus {
		if len(text.Streams) > 0 {
			return nil, fmt.Errorf("streams in the map: transfers are compared under Verilator only")
		}
		program, err := buildIcarus(ctx, opt.Design, text, s.dir)
		if err != nil {
			return nil, err
		}
		s.dut = newInterpreter(ctx, program, s.dir, s.Binding, slotCount, slotRows, opt.Seed, opt.Timeout)
		return s, nil
	}
	program, err := buildVerilator(ctx, opt.Design, text, s.dir)
	if err != nil {
		return nil, err
	}
	s.dut, err = startProcess(ctx, program, s.dir, len(s.inputs), len(s.outputs), slotCount, slotRows, opt.Seed, opt.Timeout)
	return s, err
}

// columns finds inputs and outputs among the fields, and what is compared when.
func (s *Session) columns() error {
	index := map[string]int{} // of outputs
	for i, f := range s.fields {
		if f.Dir == rtl.Input {
			s.inputs = append(s.inputs, i)
			continue
		}
		index[f.Name] = len(s.outputs)
		s.outputs = append(s.outputs, i)
	}
	for _, c := range s.outputs {
		b := s.Binding.Fields[c]
		valid := -1
		if b.Valid != "" {
			valid = index[b.Valid]
		}
		extra := s.opt.Extra
		if b.Extra >= 0 {
			extra = b.Extra
		}
		if extra > MaxExtra {
			return fmt.Errorf("map: extra: %s: %d, want 0 to %d", b.Name, extra, MaxExtra)
		}
		s.valid, s.extra, s.ignored = append(s.valid, valid), append(s.extra, extra), append(s.ignored, b.How == "ignored")
	}
	return nil
}

// Close ends the RTL and removes what was built.
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
