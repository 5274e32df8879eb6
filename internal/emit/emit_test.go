package emit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/internal/emit"
	"github.com/goldwire/goldwire/internal/emit/constructs"
	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// unit makes a unit of a module of package constructs.
func unit(name string, build func() (rtl.Module, *constructs.Ports)) vectors.Unit {
	return vectors.Unit{Name: "constructs/" + name, Doc: "a construct", Ref: "none", Latency: 1, Clock: clock.MHz(100),
		Build: func(b *vectors.Bench) rtl.Module {
			m, p := build()
			r := b.Rand()
			vectors.Drive(b, &p.In, func(uint64) constructs.Pair {
				return constructs.Pair{A: uint16(r.Uint64() >> r.IntN(16)), B: uint8(r.IntN(16)), Take: r.IntN(3) > 0}
			})
			return m
		}}
}

var units = []vectors.Unit{
	unit("counter", func() (rtl.Module, *constructs.Ports) { m := &constructs.Counter{}; return m, &m.Ports }),
	unit("memory", func() (rtl.Module, *constructs.Ports) { m := &constructs.Memory{}; return m, &m.Ports }),
	unit("banks", func() (rtl.Module, *constructs.Ports) { m := &constructs.Banks{}; return m, &m.Ports }),
	unit("table", func() (rtl.Module, *constructs.Ports) { m := &constructs.Table{}; return m, &m.Ports }),
	unit("loops", func() (rtl.Module, *constructs.Ports) { m := &constructs.Loops{}; return m, &m.Ports }),
	unit("bits", func() (rtl.Module, *constructs.Ports) { m := &constructs.Bits{}; return m, &m.Ports }),
	unit("small", func() (rtl.Module, *constructs.Ports) { m := &constructs.Small{}; return m, &m.Ports }),
	unit("signed", func() (rtl.Module, *constructs.Ports) { m := &constructs.Signed{}; return m, &m.Ports }),
	unit("spans", func() (rtl.Module, *constructs.Ports) { m := constructs.NewSpans(); return m, &m.Ports }),
	unit("handed", func() (rtl.Module, *constructs.Ports) { m := &constructs.Handed{}; return m, &m.Ports }),
	unit("moves", func() (rtl.Module, *constructs.Ports) { m := &constructs.Moves{}; return m, &m.Ports }),
	unit("list", func() (rtl.Module, *constructs.Ports) { m := &constructs.List{}; return m, &m.Ports }),
	unit("grid", func() (rtl.Module, *constructs.Ports) { m := &constructs.Grid{}; return m, &m.Ports }),
	unit("queue", func() (rtl.Module, *constructs.Ports) { m := &constructs.Queue{}; return m, &m.Ports }),
}

func load(t *testing.T, modules ...rtl.Module) *emit.Source {
	t.Helper()
	src, err := emit.Load(t.Context(), "../..", modules...)
	require.NoError(t, err)
	return src
}

// written emits a unit's Verilog into a file.
func written(t *testing.T, src *emit.Source, u vectors.Unit) (path, text string) {
	t.Helper()
	in, err := u.Simulate(rtl.Config{}, 1)
	require.NoError(t, err)
	c, err := src.Circuit(in.Module, u.Module())
	require.NoError(t, err)
	text = c.Verilog()
	path = filepath.Join(t.TempDir(), u.Module()+".v")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path, text
}

// lockstep wants model and RTL to agree in every cycle.
func lockstep(t *testing.T, u vectors.Unit, path string, sim cosim.Simulator, cycles int) {
	t.Helper()
	s, err := cosim.Start(t.Context(), cosim.Options{Unit: u, Seed: 1,
		Design: cosim.Design{Sources: []string{path}, Top: u.Module(), Simulator: sim}})
	require.NoError(t, err)
	defer s.Close()
	r, err := s.Run(t.Context(), cosim.Stimulus{Cycles: cycles, Seed: 1}, nil)
	require.NoError(t, err)
	require.Nil(t, r.Divergence, "%s parts from its module", u.Name)
}

// The Verilog of each construct is the text of testdata, and does what the module does.
func TestConstructs(t *testing.T) {
	src := load(t, &constructs.Counter{})
	for _, u := range units {
		t.Run(u.Name, func(t *testing.T) {
			path, text := written(t, src, u)
			golden := filepath.Join("testdata", u.Module()+".v")
			if os.Getenv("GOLDWIRE_UPDATE") != "" {
				require.NoError(t, os.WriteFile(golden, []byte(text), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), text)
			if err := cosim.Icarus.Available(); err != nil {
				t.Skipf("the Verilog was NOT run: %v", err)
			}
			lockstep(t, u, path, cosim.Icarus, 3000)
		})
	}
}

// Go that hardware cannot do is refused with its line and a hint.
func TestRefusals(t *testing.T) {
	src := load(t, &constructs.Counter{})
	captured := uint32(3)
	plus := func(a uint16) uint32 { return uint32(a) + captured }
	for want, m := range map[string]rtl.Module{
		"a map: use an array":                              &constructs.Mapped{},
		"bound the loop of Tick by constants":              &constructs.Endless{},
		"append to a slice without a capacity: make it":    &constructs.Grown{},
		"captured variables: make them fields, and the fu": &constructs.Captured{F: plus},
	} {
		_, err := src.Circuit(m, "m")
		require.ErrorContains(t, err, want)
		require.Regexp(t, `^constructs\.go:\d+: `, err.Error())
	}
}

// Some of the catalogue are proved equal to the RTL written by hand.
func TestProofs(t *testing.T) {
	if err := formal.Available(formal.Auto); err != nil {
		t.Skipf("emitted Verilog was NOT proved: %v", err)
	}
	var all []vectors.Unit
	var modules []rtl.Module
	for _, name := range []string{"blocks/arbiter", "blocks/priority_encoder", "pcs/scrambler", "rifl/aligner"} {
		u, err := catalogue.Designs().Units().Find(name)
		require.NoError(t, err)
		in, err := u.Simulate(rtl.Config{}, 1)
		require.NoError(t, err)
		all, modules = append(all, u), append(modules, in.Module)
	}
	src := load(t, modules...)
	for _, u := range all {
		path, _ := written(t, src, u)
		opt := cosim.Options{Unit: u, Seed: 1,
			Design: cosim.Design{Sources: []string{path}, Top: u.Module(), Simulator: cosim.Icarus}}
		p, err := cosim.Prove(t.Context(), opt, formal.Options{Engine: formal.Auto})
		require.NoError(t, err)
		require.Equal(t, formal.Proved, p.Answer.Verdict, u.Name)
		require.False(t, strings.Contains(u.RTL, "lint_off UNUSEDSIGNAL"), "the reference is the one written by hand")
	}
}

// A unit of two clocks has an always block for each, and is in lockstep with its model.
func TestTwoClocks(t *testing.T) {
	u, err := catalogue.Designs().Units().Find("blocks/async_fifo")
	require.NoError(t, err)
	c, err := emit.Unit(t.Context(), "../..", u)
	require.NoError(t, err)
	require.Contains(t, c.Verilog(), "always @(posedge write_clk)\n        if (write_rst) begin\n")
	require.Contains(t, c.Verilog(), "always @(posedge read_clk)\n        if (read_rst) begin\n")
	if err := cosim.Icarus.Available(); err != nil {
		t.Skipf("the Verilog of two clocks was NOT run: %v", err)
	}
	path := filepath.Join(t.TempDir(), "fifo.v")
	require.NoError(t, os.WriteFile(path, []byte(c.Verilog()), 0o600))
	lockstep(t, u, path, cosim.Icarus, 3000)
}
