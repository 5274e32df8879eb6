package mutation

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// valve lets words pass while it is ready, and says whether the pulses so far are odd.
type valve struct {
	In    rtl.In[word]
	Ready rtl.Out[bool]
	Open  rtl.In[bool]
	Pulse rtl.In[bool]
	Out   rtl.Out[word]
	Odd   rtl.Out[bool]
}

type word struct {
	Data  uint8 `bits:"2"`
	Valid bool
}

func (w word) Offered() bool { return w.Valid }

func (v *valve) Reset() {
	v.Ready.Set(false)
	v.Out.Set(word{})
	v.Odd.Set(false)
}

func (v *valve) Tick() {
	w := word{}
	if in := v.In.Get(); in.Valid && v.Ready.Get() {
		w = in
	}
	v.Out.Set(w)
	v.Ready.Set(v.Open.Get())
	v.Odd.Set(v.Odd.Get() != v.Pulse.Get())
}

// valveRTL is the valve as long as its inputs keep their rules: a word that waits stays as it is, and a pulse lasts
// one cycle.
const valveRTL = `module test_valve(input clk, input rst, input [1:0] in_data, input in_valid, output reg ready, input open, input pulse,
    output reg [1:0] out_data, output reg out_valid, output reg odd);
  reg waited, last;
  reg [1:0] kept;
  always @(posedge clk) begin
    ready <= open;
    waited <= in_valid && !ready;
    kept <= in_data;
    out_valid <= (in_valid || waited) && ready;
    out_data <= waited ? kept : in_data;
    last <= pulse;
    odd <= odd ^ (pulse && !last);
    if (rst) begin
      ready <= 0; waited <= 0; out_valid <= 0; last <= 0; odd <= 0;
    end
  end
endmodule
`

func valveUnit(t *testing.T) vectors.Unit {
	t.Helper()
	if err := formal.Available(formal.PDR); err != nil {
		t.Skipf("mutants were NOT made: %v", err)
	}
	return vectors.Unit{
		Name: "test/valve", Doc: "lets words pass", Latency: 1, Clock: clock.Block25G, RTL: valveRTL,
		Ready: map[string]string{"in": "ready"}, Valid: map[string]string{"out": "out_valid"},
		Build: func(b *vectors.Bench) rtl.Module {
			v := &valve{}
			words, open, pulse := b.Rand(), b.Rand(), b.Rand()
			vectors.DriveStream(b, rtl.Consumer[word]{Beat: &v.In, Ready: &v.Ready}, func(uint64) word {
				return word{uint8(words.IntN(4)), words.IntN(2) == 0}
			})
			vectors.Drive(b, &v.Open, func(uint64) bool { return open.IntN(2) == 0 })
			vectors.Drive(b, &v.Pulse, func(cycle uint64) bool { return cycle&1 == 0 && pulse.IntN(2) == 0 })
			return v
		},
		Repair: func(last, row *vectors.Values) {
			if last != nil && last.Get("pulse") == 1 {
				row.Set("pulse", 0)
			}
		},
		Environment: `  reg goldwire_pulsed;
  always @(posedge clk) goldwire_pulsed <= pulse && !rst;
  always @* if (goldwire_pulsed) assume (!pulse);`,
	}
}

// Found rows keep the rules of the inputs, as the unit's own stimulus does. Together with rows of random inputs they
// kill the same mutants as much of the stimulus, no fewer and no more.
func TestFoundRowsKeepTheRules(t *testing.T) {
	u := valveUnit(t)
	opt := options
	opt.Mutants, opt.Cycles = 24, 800
	own, err := Capture(t.Context(), u, opt)
	require.NoError(t, err)
	// Rows after the reset cannot show a mutant that only the reset's inputs, the inputs of row 0, can show.
	require.LessOrEqual(t, len(own.Mutants.Open), 1)
	for _, x := range own.Mutants.Open {
		require.Contains(t, x.Reason, "inputs from reset show it")
	}
	opt.Cycles = 2
	for what, tries := range map[string][]walkKind{"a solver": nil, "random inputs": {{16, 32}}} {
		withWalks(t, tries)
		found, err := Capture(t.Context(), u, opt)
		require.NoError(t, err)
		m := found.Mutants
		require.Len(t, m.Open, len(own.Mutants.Open), what)
		require.Equal(t, own.Mutants.Killed, m.Killed, what)
		require.Equal(t, own.Mutants.Equal, m.Equal, what)
		require.NotZero(t, m.Equal)
		require.GreaterOrEqual(t, m.Directed, 5, what)
		first := len(found.Rows) - m.Directed
		require.LessOrEqual(t, first, opt.Cycles)
		require.Equal(t, own.Rows[:first], found.Rows[:first])
		waits, pulses := keepRules(t, found)
		require.NotZero(t, waits)
		require.NotZero(t, pulses)
	}
}

// withWalks gives searches of the test other walks.
func withWalks(t *testing.T, tries []walkKind) {
	t.Helper()
	all := walks
	t.Cleanup(func() { walks = all })
	walks = tries
}

// keepRules wants rows of the valve to keep its rules. It returns how often they say something.
func keepRules(t *testing.T, found *vectors.Set) (waits, pulses int) {
	t.Helper()
	for k := range found.Rows[1:] {
		last, row := vectors.Values{Fields: found.Fields, Row: found.Rows[k]},
			vectors.Values{Fields: found.Fields, Row: found.Rows[k+1]}
		if last.Get("in_valid") == 1 && last.Get("ready") == 0 {
			waits++
			require.EqualValues(t, 1, row.Get("in_valid"), "row %d: an offer is withdrawn", k+1)
			require.Equal(t, last.Get("in_data"), row.Get("in_data"), "row %d: another word is offered", k+1)
		}
		if last.Get("pulse") == 1 {
			pulses++
			require.Zero(t, row.Get("pulse"), "row %d: a pulse of two cycles", k+1)
		}
	}
	return waits, pulses
}

// A solver that has no time proves nothing and finds nothing. What random inputs show needs none.
func TestNoTime(t *testing.T) {
	opt := options
	opt.Mutants, opt.Cycles, opt.Time = 48, 4, time.Nanosecond
	killed := 0
	for _, tries := range [][]walkKind{nil, {{16, 4}}} {
		withWalks(t, tries)
		set, err := Capture(t.Context(), valveUnit(t), opt)
		require.NoError(t, err)
		m := set.Mutants
		require.Zero(t, m.Equal)
		require.Greater(t, m.Killed, killed)
		killed = m.Killed
		keepRules(t, set)
		require.NotEmpty(t, m.Open)
		require.Equal(t, m.Of, m.Killed+len(m.Open))
		for _, x := range m.Open {
			require.NotContains(t, x.Mutant, "CLK", "clocks are left alone")
			require.Contains(t, x.Reason, "neither proved equal nor shown")
		}
	}
}

// Random inputs end with the limit.
func TestWalksEndWithTheLimit(t *testing.T) {
	withWalks(t, []walkKind{{64, 4}})
	opt := options
	opt.Mutants, opt.Cycles, opt.Limit, opt.Time = 24, 1, 4, time.Nanosecond
	set, err := Capture(t.Context(), valveUnit(t), opt)
	require.NoError(t, err)
	require.LessOrEqual(t, len(set.Rows), opt.Limit)
	require.NotEmpty(t, set.Mutants.Open)
}

// With several clocks each row says which of them rise. Proofs let them rise in any order, and inputs are not searched
// for.
func TestSeveralClocks(t *testing.T) {
	opt := options
	opt.Cycles, opt.Mutants, opt.Time, opt.Late = 40, 8, time.Second, 1
	set, err := Capture(t.Context(), unit(t, "blocks/async_fifo"), opt)
	require.NoError(t, err)
	require.NotZero(t, set.Mutants.Killed)
	require.Zero(t, set.Mutants.Directed)
	require.NotEmpty(t, set.Mutants.Open)
	for _, x := range set.Mutants.Open {
		require.Contains(t, []string{anyOrder, "neither proved equal nor shown in 1s",
			"not searched for: 1 other searches ended after 1s"}, x.Reason)
	}
}

// The reset takes all its edges, and a register that it forgets shows in one lane or the other. In the chain a 0 comes
// to q in four edges; mutant 1 keeps the first register's value.
func TestReset(t *testing.T) {
	const chain = `{"modules": {"t": {
 "ports": {"clk": {"bits": [2]}, "rst": {"bits": [3]}, "goldwire_mutant": {"bits": [4]}, "q": {"bits": [8]}},
 "cells": {
  "hold": {"type": "$and", "connections": {"A": [4], "B": [5], "Y": [9]}},
  "r0": {"type": "$dff", "parameters": {"CLK_POLARITY": "1"}, "connections": {"CLK": [2], "D": [9], "Q": [5]}},
  "r1": {"type": "$dff", "parameters": {"CLK_POLARITY": "1"}, "connections": {"CLK": [2], "D": [5], "Q": [6]}},
  "r2": {"type": "$dff", "parameters": {"CLK_POLARITY": "1"}, "connections": {"CLK": [2], "D": [6], "Q": [7]}},
  "r3": {"type": "$dff", "parameters": {"CLK_POLARITY": "1"}, "connections": {"CLK": [2], "D": [7], "Q": [8]}}}}}}`
	n, err := readNetlist(strings.NewReader(chain), "t", []string{"clk"}, []string{selector})
	require.NoError(t, err)
	held := uint64(0)
	for seed := range uint64(8) {
		c, err := newCampaign(vectors.Unit{Name: "t"},
			[]vectors.Field{{Name: "q", Dir: rtl.Output, Width: 1}}, n, []int{1}, seed)
		require.NoError(t, err)
		c.row([]uint64{0})
		require.NoError(t, c.err)
		require.Equal(t, map[int]int{1: 0}, c.killed, "seed %d", seed)
		from := c.state(1, 0, []uint64{0})
		require.Equal(t, make([]uint64, 4), from.reference)
		held |= from.mutant[0]
	}
	require.EqualValues(t, 1, held, "a search starts where the mutant is")
}

// A beat that waits when inputs begin to be held stays until it is taken.
func TestHeldInputsKeepTheBeat(t *testing.T) {
	c := newCircuit()
	c.port("rst")
	c.output("y", c.mutant("it always shows", false), "")
	for _, name := range []string{"p_valid", "p_data"} {
		c.input(name, "p")
	}
	c.output("ready", c.and(c.input("open", ""), 1), "")
	require.NoError(t, c.order([]string{selector}))
	s := &search{unit: vectors.Unit{Name: "t", Ready: map[string]string{"p": "ready"}}, fields: c.fields}
	for _, open := range []uint64{0, 1} {
		run, err := newCampaign(s.unit, s.fields, c.netlist, []int{1}, 1)
		require.NoError(t, err)
		rows, err := run.hold(t.Context(), s.handshakes(), []uint64{0, 1, 1, open, open}, []uint64{0, 0, 0, 0, 0}, 10)
		require.NoError(t, err)
		require.Equal(t, [][]uint64{{0, 1 - open, 1 - open, 0, 0}}, rows, "the last beat was taken: %d", open)
	}
}

// A row that comes twice is two cycles.
func TestARowTwice(t *testing.T) {
	c := newCircuit()
	rst := c.port("rst")
	c.output("y", c.register(0, func(q int32) int32 { return c.and(c.not(q), c.not(rst)) }), "")
	require.NoError(t, c.order([]string{selector}))
	run, err := newCampaign(vectors.Unit{Name: "t"}, c.fields, c.netlist, nil, 1)
	require.NoError(t, err)
	row := make([]uint64, 1)
	for k := range uint64(4) {
		run.answer(row)
		require.Equal(t, k&1, row[0])
		run.row(row)
		require.NoError(t, run.err)
	}
}

// Selector values, from 1 on, index the names.
func TestSelector(t *testing.T) {
	dir := t.TempDir()
	m, err := plant(t.Context(), dir, valveUnit(t), 20, 1, 0)
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(dir, verilogFile))
	require.NoError(t, err)
	values := map[string]bool{}
	for _, x := range regexp.MustCompile(selector+` == \d+'h([0-9a-f]+)`).FindAllStringSubmatch(string(text), -1) {
		values[x[1]] = true
	}
	require.Len(t, values, len(m.names)-1)
	for k := 1; k < len(m.names); k++ {
		require.Contains(t, values, fmt.Sprintf("%02x", k), m.names[k])
	}
}

// The first row of a run is driven in the reset too, so none is tried there that the rules forbid.
func TestWalksFromTheResetKeepTheRules(t *testing.T) {
	c := newCircuit()
	rst, forbidden := c.port("rst"), c.input("forbidden", "")
	c.input("other", "")
	c.assumes = append(c.assumes, assume{c.not(forbidden), 1})
	c.output("seen", c.register(0, func(q int32) int32 { return c.mux(rst, forbidden, q) }), "")
	require.NoError(t, c.order([]string{selector}))
	s := &search{unit: vectors.Unit{Name: "t"}, fields: c.fields, mutated: &mutated{netlist: c.netlist}}
	w := &walker{search: s, random: rand.New(rand.NewPCG(1, 1)), stimuli: [][][]uint64{{{0, 1, 0}}}}
	others := 0
	for range 64 {
		run, err := newCampaign(s.unit, s.fields, c.netlist, nil, 1)
		require.NoError(t, err)
		row := w.row(run, w.path(), nil)
		require.Zero(t, row[0])
		require.Zero(t, row[2], "a forbidden input was driven in the reset")
		run.row(row)
		if next := w.row(run, w.path(), row); next != nil {
			require.Zero(t, next[0])
			others += int(next[1])
		}
	}
	require.NotZero(t, others)
	require.Less(t, others, 64, "inputs are random after the first row")
}

// Once a beat that waited is taken, the held inputs follow.
func TestHeldInputsFollowABeat(t *testing.T) {
	c := newCircuit()
	c.port("rst")
	valid := c.input("p_valid", "p")
	c.output("y", c.and(c.mutant("it shows without a beat", false), c.not(valid)), "")
	c.output("ready", c.and(c.input("open", ""), 1), "")
	require.NoError(t, c.order([]string{selector}))
	s := &search{unit: vectors.Unit{Name: "t", Ready: map[string]string{"p": "ready"}}, fields: c.fields}
	run, err := newCampaign(s.unit, s.fields, c.netlist, []int{1}, 1)
	require.NoError(t, err)
	rows, err := run.hold(t.Context(), s.handshakes(), []uint64{1, 0, 0, 0}, []uint64{0, 0, 1, 0}, 10)
	require.NoError(t, err)
	require.Equal(t, [][]uint64{{1, 0, 1, 1}, {0, 0, 1, 1}}, rows)
}
