package cosim

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
	"github.com/goldwire/goldwire/vectors"
)

// still is RTL whose one slot is what a test wrote there.
type still struct {
	dut
	part slot
}

func (s still) slots() []slot { return []slot{s.part} }

// prompt is RTL whose program answers at once that it ran some rows, whatever it was to run.
type prompt struct {
	still
	rows int
}

func (p prompt) slots() []slot     { return []slot{p.part, p.part} }
func (prompt) reset(int) error     { return nil }
func (prompt) begin(int, int)      {}
func (p prompt) end() (int, error) { return p.rows, nil }

// promptly joins a register, whose input falls after 5000 cycles, with such RTL. No output is compared.
func promptly(t *testing.T, rows int, held uint64) *Session {
	u := vectors.Unit{
		Name:    "test/hold",
		Doc:     "a register",
		Latency: 1,
		Clock:   clock.Block25G,
		Build: func(b *vectors.Bench) rtl.Module {
			m := &hold{}
			vectors.Drive(b, &m.In, func(cycle uint64) bool { return cycle < 5000 })
			return m
		},
	}
	in, err := u.Simulate(rtl.Config{}, 1)
	require.NoError(t, err)
	var binding Binding
	for _, f := range in.Fields {
		b := Bound{Field: f}
		if f.Dir == rtl.Input {
			b.held, b.value = held, held
		}
		binding.Fields = append(binding.Fields, b)
	}
	return &Session{view: newView(u, &binding, 0), Binding: &binding, opt: Options{Unit: u},
		dut: prompt{still{part: slot{in: make([]byte, slotRows), out: make([]byte, slotRows)}}, rows}}
}

// The slot's contents after the rows that ran are older, and is not compared. If the user has ended the RTL, that is
// said.
func TestRowsThatDidNotRun(t *testing.T) {
	s := promptly(t, slotRows-1, 0)
	_, err := s.run(t.Context(), Stimulus{Cycles: slotRows, Seed: 1}, 0, newTally(s.view, nil, false), nil)
	require.EqualError(t, err, "cycle 4095: the RTL's program ran 4095 of 4096 rows")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.run(ctx, Stimulus{Cycles: slotRows, Seed: 1}, 0, newTally(s.view, nil, false), nil)
	require.EqualError(t, err, "interrupted: context canceled")
}

// late is RTL of the unit of promptly whose output does not fall. One batch is under way at a time, as there are two
// slots.
type late struct {
	still
	fresh *bool         // the next row is the first after a reset
	under *int          // batches under way
	nap   time.Duration // before the first batch
}

func (r late) slots() []slot   { return []slot{r.part, r.part} }
func (r late) reset(int) error { *r.fresh, *r.under = true, 0; return nil }
func (r late) end() (int, error) {
	*r.under--
	return slotRows, nil
}
func (r late) begin(_, rows int) {
	if *r.under++; *r.under > 1 {
		panic("a slot is filled while a batch runs on it")
	}
	for k := range rows {
		r.part.out[k] = 1
	}
	if *r.fresh {
		r.part.out[0], *r.fresh = 0, false
		time.Sleep(r.nap)
	}
}

// A speed is of sides that agree in all batches, and of some output that was compared.
func TestMeasureCompares(t *testing.T) {
	s := promptly(t, slotRows, 0)
	_, err := s.Measure(t.Context(), Stimulus{Cycles: 3 * slotRows, Seed: 1})
	require.ErrorContains(t, err, "nothing was compared")
	s.mask[0], s.dut = 1, late{still: s.dut.(prompt).still, fresh: new(bool), under: new(int)}
	_, err = s.Measure(t.Context(), Stimulus{Cycles: 3 * slotRows, Seed: 1})
	var parted *PartedError
	require.ErrorAs(t, err, &parted)
	require.Equal(t, 5001, parted.Divergence.Cycle)
	_, err = s.Measure(t.Context(), Stimulus{Cycles: slotRows, Seed: 1})
	require.NoError(t, err)
}

// A speed counts all the time that a side takes: each of them sleeps in the first of three batches.
func TestMeasureCountsAllTime(t *testing.T) {
	const cycles, nap = 3 * slotRows, 20 * time.Millisecond
	s := promptly(t, slotRows, 0)
	s.mask[0], s.dut = 1, late{still: s.dut.(prompt).still, fresh: new(bool), under: new(int), nap: nap}
	s.unit.Build = func(b *vectors.Bench) rtl.Module {
		m := &hold{}
		vectors.Drive(b, &m.In, func(cycle uint64) bool {
			if cycle == 10 {
				time.Sleep(nap)
			}
			return true
		})
		return m
	}
	v, err := s.Measure(t.Context(), Stimulus{Cycles: cycles, Seed: 1})
	require.NoError(t, err)
	for _, speed := range []float64{v.Bare, v.Model, v.RTL, 2 * v.Lockstep} {
		require.Positive(t, speed)
		require.LessOrEqual(t, speed, cycles/nap.Seconds())
	}
}

// asked is RTL that is late, and keeps up to which cycle its messages were asked for.
type asked struct {
	late
	last *int
}

func (r asked) messages(last int) []string { *r.last = last; return nil }

// The messages of a run end with the difference that ends it. A run that goes on, or agrees, has all.
func TestMessagesOfARun(t *testing.T) {
	s, last := promptly(t, slotRows, 0), 0
	s.mask[0], s.dut = 1, asked{late{still: s.dut.(prompt).still, fresh: new(bool), under: new(int)}, &last}
	for _, c := range []struct {
		cycles int
		goOn   bool
		last   int
	}{{3 * slotRows, false, 5001}, {3 * slotRows, true, math.MaxInt}, {slotRows, false, math.MaxInt}} {
		s.opt.Continue = c.goOn
		_, err := s.Run(t.Context(), Stimulus{Cycles: c.cycles, Seed: 1}, nil)
		require.NoError(t, err)
		require.Equal(t, c.last, last)
	}
}

// A model that fails after some batches fails the run, when these are compared.
func TestModelThatFails(t *testing.T) {
	s, done := promptly(t, slotRows, 1), 0
	_, err := s.run(
		t.Context(), Stimulus{Cycles: 3 * slotRows, Seed: 1}, 0, newTally(s.view, nil, false),
		func(cycles int) { done = cycles },
	)
	require.ErrorContains(t, err, "no such value in 1048576 cycles of the stimulus")
	require.Equal(t, slotRows, done)
}

// wrong is RTL that is late, and shows a wrong bit in row 7 of each batch.
type wrong struct{ asked }

func (r wrong) begin(slot, rows int) {
	r.asked.begin(slot, rows)
	r.part.out[7] ^= 1
}

// A model that fails takes nothing back that differed before: a run that goes on tells both. Where nothing differs a
// panic is the caller's.
func TestModelThatFailsAfterADifference(t *testing.T) {
	for _, panics := range []bool{false, true} {
		held := uint64(1)
		if panics {
			held = 0
		}
		s := promptly(t, slotRows, held)
		if panics {
			s.unit.Build = func(b *vectors.Bench) rtl.Module {
				m := &hold{}
				vectors.Drive(b, &m.In, func(cycle uint64) bool {
					if cycle > 2*slotRows+9 {
						panic("no more ideas")
					}
					return true
				})
				return m
			}
		}
		right := late{still: s.dut.(prompt).still, fresh: new(bool), under: new(int)}
		s.mask[0], s.opt.Continue, s.dut = 1, true, asked{right, new(int)}
		st := Stimulus{Cycles: 5 * slotRows, Seed: 1}
		run := func() (*Result, error) { return s.Run(t.Context(), st, nil) }
		if panics {
			defer func() { require.Contains(t, recover(), "no more ideas\n\ngoroutine ") }()
		} else {
			_, err := run()
			require.ErrorContains(t, err, "no such value in 1048576 cycles of the stimulus")
		}
		s.dut = wrong{asked{right, new(int)}}
		r, err := run()
		require.NoError(t, err)
		require.Equal(t, 7, r.Divergence.Cycle)
		if panics {
			require.Regexp(
				t,
				`^the model panicked: rtl: panic in Tick of bench\.driver_0, at edge \d+ of clk: no more ideas$`,
				r.Failed,
			)
			require.EqualValues(t, 2, r.Differences[0].Count, "one in each batch")
			s.dut = asked{right, new(int)}
			_, _ = run()
			t.Fatal("no panic")
		}
		require.Contains(t, r.Failed, "no such value in 1048576 cycles of the stimulus")
	}
}

// hold shows its input a cycle later.
type hold struct {
	In  rtl.In[bool]
	Out rtl.Out[bool]
}

func (h *hold) Tick() { h.Out.Set(h.In.Get()) }

// packed is rows as they lie in a slot.
func packed(of layout.Rows, values []uint64) []byte {
	memory := make([]byte, len(values)/of.Fields()*of.Bytes)
	for k, x := range values {
		of.Put(memory, k/of.Fields(), k%of.Fields(), x)
	}
	return memory
}

// A batch that is the same bit for bit counts as one whose only difference nobody compares, and a difference of one bit
// is found.
func TestSameBatchesCountAlike(t *testing.T) {
	const rows, no = 300, 3
	v := &view{
		fields: make([]vectors.Field, no), outputs: []int{0, 1, 2}, valid: []int{-1, 0, -1}, mask: []uint64{1, 0xff, 0},
		later: make([]int, no), out: layout.RowsOf([]int{1, 8, 8}),
	}
	for i, w := range []int{1, 8, 8} {
		v.fields[i] = vectors.Field{Name: string(rune('a' + i)), Width: w}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	want := make([]uint64, 2*rows*no)
	for k := range 2 * rows {
		want[k*no], want[k*no+1], want[k*no+2] = rng.Uint64N(2), rng.Uint64N(256), rng.Uint64N(256)
	}
	run := func(change func(got []uint64)) (*tally, *Divergence) {
		got := append([]uint64(nil), want...)
		change(got)
		c := &comparison{t: newTally(v, nil, false), cycles: 2 * rows, want: make([][]byte, 1)}
		for base := 0; base < 2*rows; base += rows {
			c.s = &Session{view: v, dut: still{part: slot{out: packed(v.out, got[base*no:(base+rows)*no])}}}
			c.want[0] = packed(v.out, want[base*no:(base+rows)*no])
			if d := c.batch(batch{rows: rows, base: base}, -1); d != nil {
				return c.t, d
			}
		}
		return c.t, nil
	}
	quick, d := run(func([]uint64) {})
	require.Nil(t, d)
	slow, d := run(func(got []uint64) { got[5*no+2] ^= 1; got[(rows+5)*no+2] ^= 1 })
	require.Nil(t, d)
	require.Equal(t, slow.compared, quick.compared)
	require.Equal(t, slow.cycles, quick.cycles)
	require.EqualValues(t, 2*rows, quick.compared[0])
	require.Positive(t, quick.compared[1])
	require.Less(t, quick.compared[1], uint64(2*rows))
	require.Zero(t, quick.compared[2])
	_, d = run(func(got []uint64) { got[(rows+7)*no] ^= 1 })
	require.NotNil(t, d)
	require.Equal(t, rows+7, d.Cycle)
}

// A batch whose rows do not all count, or not against their own, is not done with at a glance; of a slot only the
// batch's rows are looked at.
func TestBatchesThatAreNotJustTheSame(t *testing.T) {
	const rows, short, no = 300, 100, 2
	want := make([]uint64, 2*rows*no) // the second slot is older rows after a short batch
	for k := range 2 * rows {
		want[k*no], want[k*no+1] = uint64(k%3&1), uint64(k*k%251)
	}
	for name, c := range map[string]struct {
		skip, later int
		got         int // the row in which output 0 is another
		unknown     int // the row in which it is x
		cycle       int // of the difference, -1 for none
		compared    []uint64
	}{
		"same":                      {0, 0, -1, -1, -1, []uint64{rows + short, 133}},
		"skipped":                   {10, 0, -1, -1, -1, []uint64{rows + short - 10, 130}},
		"later":                     {0, 1, -1, -1, 1, nil},
		"last row of a batch":       {0, 0, rows - 1, -1, rows - 1, nil},
		"first row of the next":     {0, 0, rows, -1, rows, nil},
		"last row of the last":      {0, 0, rows + short - 1, -1, rows + short - 1, nil},
		"after the last":            {0, 0, rows + short, -1, -1, []uint64{rows + short, 133}},
		"x":                         {0, 0, -1, rows + 5, rows + 5, nil},
		"x in what counts as the 1": {0, 0, -1, 1, 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			v := &view{
				fields: []vectors.Field{{Name: "valid", Width: 1}, {Name: "data", Width: 8}}, outputs: []int{0, 1},
				valid: []int{-1, 0}, mask: []uint64{1, 0xff}, later: []int{c.later, c.later},
				out: layout.RowsOf([]int{1, 8}),
			}
			got, unknown := append([]uint64(nil), want...), []uint64(nil)
			if c.got >= 0 {
				got[c.got*no] ^= 1
			}
			if c.unknown >= 0 {
				unknown = make([]uint64, len(got))
				unknown[c.unknown*no] = 1
			}
			cmp := &comparison{t: newTally(v, nil, false), cycles: rows + short, skip: c.skip, want: make([][]byte, 1)}
			var d *Divergence
			for _, b := range []batch{{rows: rows}, {rows: short, base: rows}} {
				part := slot{out: packed(v.out, got[b.base*no:(b.base+rows)*no])}
				if unknown != nil {
					part.unknown = unknown[b.base*no : (b.base+rows)*no]
				}
				cmp.s, cmp.want[0] = &Session{view: v, dut: still{part: part}}, packed(v.out, want[b.base*no:(b.base+rows)*no])
				if d = cmp.batch(b, -1); d != nil {
					break
				}
			}
			if c.cycle >= 0 {
				require.NotNil(t, d)
				require.Equal(t, c.cycle, d.Cycle)
				return
			}
			require.Nil(t, d)
			require.Equal(t, c.compared, cmp.t.compared)
			require.Equal(t, rows+short-c.skip, cmp.t.cycles)
		})
	}
}

// both is RTL with two slots that a test wrote.
type both struct {
	dut
	parts []slot
}

func (r both) slots() []slot { return r.parts }

// Where RTL is later than the model, whether the first row of a batch counts is told by the last row of the model's
// batch before.
func TestValidBitOfTheBatchBefore(t *testing.T) {
	v := &view{
		fields: []vectors.Field{{Name: "valid", Width: 1}, {Name: "data", Width: 8}}, outputs: []int{0, 1},
		valid: []int{-1, 0}, mask: []uint64{0, 0xff}, later: []int{1, 1}, out: layout.RowsOf([]int{1, 8}),
	}
	for _, x := range []struct {
		last, got uint64
		want      int
	}{{0, 8, -1}, {1, 8, slotRows}, {1, 3, -1}} {
		c := &comparison{t: newTally(v, nil, false), cycles: 2 * slotRows}
		parts := make([]slot, 2)
		for k := range parts {
			c.want, parts[k].out = append(c.want, make([]byte, slotRows*v.out.Bytes)), make([]byte, slotRows*v.out.Bytes)
			v.out.Put(c.want[k], slotRows-1, 0, []uint64{x.last, 1 - x.last}[k])
			v.out.Put(c.want[k], slotRows-1, 1, []uint64{3, 5}[k])
		}
		v.out.Put(parts[1].out, 0, 1, x.got)
		v.out.Put(parts[1].out, slotRows-1, 1, 0)
		c.s = &Session{view: v, dut: both{parts: parts}}
		require.Nil(t, c.batch(batch{slot: 0, rows: slotRows}, -1))
		d := c.batch(batch{slot: 1, rows: slotRows, base: slotRows}, 0)
		if x.want < 0 {
			require.Nil(t, d)
			continue
		}
		require.NotNil(t, d)
		require.Equal(t, x.want, d.Cycle)
	}
}

// A batch that is looked at as a whole is looked at up to its last byte, and its last row is counted.
func TestLastRowOfABatch(t *testing.T) {
	v := &view{
		fields: []vectors.Field{{Name: "valid", Width: 1}, {Name: "data", Width: 8}}, outputs: []int{0, 1},
		valid: []int{-1, 0}, mask: []uint64{1, 0xff}, later: []int{0, 0}, out: layout.RowsOf([]int{1, 8}),
	}
	for _, last := range []uint64{7, 6} {
		c := &comparison{t: newTally(v, nil, false), cycles: 2, want: [][]byte{packed(v.out, []uint64{1, 5, 1, 7})}}
		c.s = &Session{view: v, dut: still{part: slot{out: packed(v.out, []uint64{1, 5, 1, last})}}}
		d := c.batch(batch{rows: 2}, -1)
		if last == 6 {
			require.NotNil(t, d)
			require.Equal(t, 1, d.Cycle)
			continue
		}
		require.Nil(t, d)
		require.Equal(t, []uint64{2, 2}, c.t.compared)
	}
}
