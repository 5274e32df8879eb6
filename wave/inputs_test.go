package wave_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/wave"
)

// reader reads two words of any source and a step; it has no outputs, so that its scope holds inputs alone.
type reader struct {
	Word rtl.In[word]
	Even rtl.In[bool]
	Step rtl.In[uint8]
	Also rtl.In[uint8]
	Far  rtl.Async[word]
}

func (*reader) Tick() {}

// readCounters is a counter on each of two clocks and, before them, a reader of both.
func readCounters(t *testing.T, cfg rtl.Config) (*rtl.Sim, *rtl.Clock) {
	sim := rtl.New(cfg)
	line, core := sim.Clock("line", clock.MHz(200)), sim.Clock("core", clock.MHz(100))
	r, fast, slow := &reader{}, &counter{step: 1}, &counter{step: 2}
	sim.Scope("rx").On(line).Add("reader", r)
	sim.Scope("tx").On(line).Add("fast", fast)
	sim.Scope("tx").On(core).Add("slow", slow)
	rtl.Connect[word](&fast.Out, &r.Word)
	rtl.Connect[bool](&fast.Even, &r.Even)
	rtl.Tie[uint8](0xa5, &r.Step, &r.Also)
	rtl.Connect[word](&slow.Out, &r.Far)
	require.NoError(t, sim.Elaborate())
	return sim, line
}

// history is each variable's changes.
func history(t *testing.T, data []byte) map[string][]wave.Change {
	r, err := wave.NewReader(bytes.NewReader(data), "dump")
	require.NoError(t, err)
	of := map[string][]wave.Change{}
	for _, v := range r.Vars {
		require.NotContains(t, of, v.Path)
		of[v.Path] = nil
	}
	for {
		err := r.Next(func(c wave.Change) {
			p := r.Vars[c.Var].Path
			c.Var = 0
			of[p] = append(of[p], c)
		})
		if errors.Is(err, io.EOF) {
			return of
		}
		require.NoError(t, err)
	}
}

// An input has its source's changes in its own module's scope, whichever the mode and what else is shown; a constant
// never changes.
func TestInputsStandInTheirModulesScope(t *testing.T) {
	reads := map[string]string{
		"word_data": "tx.fast.out_data", "word_kind": "tx.fast.out_kind", "word_go": "tx.fast.out_go", "even": "tx.fast.even",
		"far_data": "tx.slow.out_data", "far_kind": "tx.slow.out_kind", "far_go": "tx.slow.out_go",
	}
	run := func(cfg rtl.Config, opt wave.Options) []byte {
		sim, clk := readCounters(t, cfg)
		var b bytes.Buffer
		v, err := wave.NewVCD(&b, sim, opt)
		require.NoError(t, err)
		require.NoError(t, clk.Run(50))
		require.NoError(t, v.Close())
		return b.Bytes()
	}
	whole := run(rtl.Config{}, wave.Options{})
	of := history(t, whole)
	require.Len(t, of, 2+9+2*5)
	for in, source := range reads {
		require.Greater(t, len(of["top."+source]), 2, source)
		require.Equal(t, of["top."+source], of["top.rx.reader."+in], in)
	}
	for _, in := range []string{"step", "also"} {
		require.Len(t, of["top.rx.reader."+in], 1)
		require.Equal(t, "10100101", of["top.rx.reader."+in][0].Value)
	}
	require.Equal(t, whole, run(rtl.Config{Mode: rtl.Strict, Seed: 3}, wave.Options{}))
	require.Equal(t, whole, run(rtl.Config{Mode: rtl.Parallel, Workers: 2}, wave.Options{}))

	// the changes are the same bytes as in a dump without the inputs, except for the constant's value at the beginning
	_, body, _ := strings.Cut(string(whole), "\n#5000\n")
	_, without, _ := strings.Cut(string(run(rtl.Config{}, wave.Options{Exclude: []string{"rx"}})), "\n#5000\n")
	require.NotEmpty(t, body)
	require.Equal(t, without, body)

	// a scope alone has its inputs, though the signals that they read are not shown
	scope := history(t, run(rtl.Config{}, wave.Options{Include: []string{"rx.reader"},
		Exclude: []string{"rx.reader.step"}}))
	require.Len(t, scope, 2+8)
	for path, changes := range scope {
		require.Equal(t, of[path], changes, path)
	}

	// a source that changes at the falling edge does so under the input's name as well
	late := history(t, run(rtl.Config{}, wave.Options{Include: []string{"rx"}, Stimulus: []string{"tx.fast.out"}}))
	require.Greater(t, len(late["top.rx.reader.word_data"]), 20)
	for _, c := range late["top.rx.reader.word_data"][1:] {
		require.EqualValues(t, 2500, c.Time%5000)
	}
	for _, c := range late["top.rx.reader.even"][1:] {
		require.EqualValues(t, 0, c.Time%5000)
	}
}

// With jitter an Async reads its source's value now or the one before, so the dump claims neither.
func TestNoWaveformOfAnInputWithJitter(t *testing.T) {
	sim, _ := readCounters(t, rtl.Config{Mode: rtl.Strict, Jitter: true})
	for _, in := range sim.Inputs() {
		require.NotEqual(t, "far", in.Name)
	}
	require.Len(t, sim.Inputs(), 4)
}

// A flight recorder's file has the inputs, too; the pictures' rows stay the signals.
func TestARecordingHasInputs(t *testing.T) {
	sim, clk := readCounters(t, rtl.Config{})
	rec, err := wave.NewRecorder(sim, clk, 8, "rx", "tx.fast.even")
	require.NoError(t, err)
	require.NoError(t, clk.Run(20))
	r, err := rec.Recording()
	require.NoError(t, err)
	require.Equal(t, []wave.Var{{Scope: "tx.fast", Name: "even", Width: 1}}, r.Vars)
	require.Len(t, r.Rows[0], 1)
	var b bytes.Buffer
	require.NoError(t, r.WriteVCD(&b))
	of := history(t, b.Bytes())
	require.Len(t, of, 1+1+9)
	require.Len(t, of["top.tx.fast.even"], 8)
	require.Equal(t, of["top.tx.fast.even"], of["top.rx.reader.even"])
	require.Len(t, of["top.rx.reader.word_data"], 8)
	require.Equal(t, "10100101", of["top.rx.reader.step"][0].Value)
}

// A variable that stands twice in a file could be read as either.
func TestNoVariableTwice(t *testing.T) {
	_, err := wave.NewWriter(io.Discard, wave.Picoseconds,
		[]wave.Var{{Scope: "top", Name: "a", Width: 1}, {Scope: "top", Name: "a", Width: 2}})
	require.EqualError(t, err, "variable top.a is declared twice")
}
