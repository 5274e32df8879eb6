package vectors_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Row 0 is the reset state with the first inputs; wires follow the inputs of their own row, registers those before it.
func TestRows(t *testing.T) {
	s, err := vectors.Capture(majorityUnit(), 6, 1)
	require.NoError(t, err)
	require.Equal(t, []vectors.Field{
		{Name: "in_0", Port: "in_0", Width: 1},
		{Name: "in_1", Port: "in_1", Width: 1},
		{Name: "in_2", Port: "in_2", Width: 1},
		{Name: "out", Port: "out", Dir: rtl.Output, Kind: rtl.Combinational, Width: 1},
		{Name: "total", Port: "total", Dir: rtl.Output, Kind: rtl.Register, Width: 8},
	}, s.Fields)
	require.Equal(t, [][]uint64{
		// in 0,1,2  out  total: 7 at reset, plus the 1s of the rows above
		{0, 0, 0, 0, 7},
		{1, 0, 0, 0, 7},
		{0, 1, 0, 0, 8},
		{1, 1, 0, 1, 9},
		{0, 0, 1, 0, 11},
		{1, 0, 1, 1, 12},
	}, s.Rows)
}

func TestCaptureFollowsItsSeed(t *testing.T) {
	a, err := vectors.Capture(skidUnit(), 200, 5)
	require.NoError(t, err)
	again, err := vectors.Capture(skidUnit(), 200, 5)
	require.NoError(t, err)
	other, err := vectors.Capture(skidUnit(), 200, 6)
	require.NoError(t, err)
	require.Equal(t, a.Rows, again.Rows)
	require.NotEqual(t, a.Rows, other.Rows)
}

func TestMasks(t *testing.T) {
	s, err := vectors.Capture(adderUnit(), 2, 1)
	require.NoError(t, err)
	require.Equal(t, "out_valid", s.Fields[s.Column("out_sum")].Valid)
	require.Empty(t, s.Fields[s.Column("out_valid")].Valid, "the valid bit itself always counts")
	require.Equal(t, -1, s.Column("nothing"))
}

func TestUniformKeepsToTheDeclaredWidths(t *testing.T) {
	type odd struct {
		A uint8  `bits:"3"`
		B uint64 `bits:"33"`
		C [2]bool
		D uint16
		E uint32 `bits:"31"`
	}
	b := &vectors.Bench{}
	gen := vectors.Uniform[odd](b.Rand())
	var or, and odd
	and = gen(0)
	for range 200 {
		v := gen(0)
		or.A, and.A = or.A|v.A, and.A&v.A
		or.B, and.B = or.B|v.B, and.B&v.B
		or.D, and.D = or.D|v.D, and.D&v.D
		or.E, and.E = or.E|v.E, and.E&v.E
		or.C[0], or.C[1] = or.C[0] || v.C[0], or.C[1] || v.C[1]
		and.C[0], and.C[1] = and.C[0] && v.C[0], and.C[1] && v.C[1]
	}
	require.Equal(t, odd{A: 7, B: 1<<33 - 1, C: [2]bool{true, true}, D: 0xffff, E: 1<<31 - 1}, or,
		"every bit was 1 at some time")
	require.Zero(t, and, "and 0")
	require.Zero(t, testing.AllocsPerRun(100, func() { gen(0) }))
	require.PanicsWithValue(
		t,
		"vectors: int is no signal type: the value has type int, want bool, uint8 to uint64, or arrays and structs of them",
		func() { vectors.Uniform[int](b.Rand()) },
	)
}

type tooWide struct {
	In  rtl.In[bool]
	Out rtl.Out[nibble]
}

type nibble struct {
	V uint8 `bits:"4"`
}

func (w *tooWide) Tick() { w.Out.Set(nibble{16}) }

type reserved struct {
	Begin rtl.Out[bool]
}

func (*reserved) Tick() {}

type clashing struct {
	A   rtl.Out[struct{ B bool }]
	A_B rtl.Out[bool]
}

func (*clashing) Tick() {}

type blind struct {
	In rtl.In[bool]
}

func (*blind) Tick() {}

func TestUnitErrors(t *testing.T) {
	unit := func(m rtl.Module) vectors.Unit {
		return vectors.Unit{
			Name: "test/bad", Doc: "Bad.", Clock: clock.MHz(1), Build: func(b *vectors.Bench) rtl.Module { return m },
		}
	}
	with := func(change func(u *vectors.Unit)) vectors.Unit {
		u := unit(&counter{})
		change(&u)
		return u
	}
	for _, c := range []struct {
		name string
		unit vectors.Unit
		want string
	}{
		{"name", with(func(u *vectors.Unit) { u.Name = "Test" }),
			`unit "Test": the name is not of the form package/unit in lower-case letters, digits and _`},
		{"doc", with(func(u *vectors.Unit) { u.Doc = "a\nb" }),
			`unit test/bad: doc "a\nb": want one line without control characters`},
		{"backslash", with(func(u *vectors.Unit) { u.Ref = `a\` }),
			`unit test/bad: ref "a\\": ends with a backslash, which continues a Verilog comment`},
		{"no build", with(func(u *vectors.Unit) { u.Build = nil }), "unit test/bad: Build is nil"},
		{"no module", unit(nil), "unit test/bad: Build returned no module"},
		{"no clock", with(func(u *vectors.Unit) { u.Clock = clock.Freq{} }), "unit test/bad: the clock has no frequency"},
		{"invariant", with(func(u *vectors.Unit) { u.Invariant = "// assume nothing\nalways @* assume (in);" }),
			`unit test/bad: its Invariant has "assume", want assertions alone: what is taken for granted of the inputs stands ` +
				`in Environment`},
		{"invariant after comments",
			with(func(u *vectors.Unit) { u.Invariant = "// /*\n/* assume // */ always @* restrict (in); // */" }),
			`unit test/bad: its Invariant has "restrict", want assertions alone: what is taken for granted of the inputs ` +
				`stands in Environment`},
		{"latency", with(func(u *vectors.Unit) { u.Latency = -1 }), "unit test/bad: latency -1, want at least 0"},
		{"from", with(func(u *vectors.Unit) { u.From = "in" }),
			"unit test/bad: the latency is declared for a port in, which the module does not have"},
		{"mask of nothing", with(func(u *vectors.Unit) { u.Valid = map[string]string{"data": "out"} }),
			`unit test/bad: valid["data"]: the module has no such output`},
		{"mask by a byte", with(func(u *vectors.Unit) {
			u.Build = func(*vectors.Bench) rtl.Module { return &majority{} }
			u.Valid = map[string]string{"out": "total"}
		}), `unit test/bad: field out: valid is "total", want another output, of one bit, for an output`},
		{"keyword", unit(&reserved{}), "unit test/bad: field begin: is a keyword of SystemVerilog, rename the model's port"},
		{"clash", unit(&clashing{}), "unit test/bad: field a_b: two ports have a leaf of this name"},
		{"no outputs", unit(&blind{}), "unit test/bad: the module has no outputs to compare"},
		{"undriven", unit(&tooWide{}),
			"unit test/bad: unconnected: bench.dut.in reads nothing: Connect it, or Tie it to a constant"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := vectors.Capture(c.unit, 10, 1)
			require.EqualError(t, err, c.want)
		})
	}
	_, err := vectors.Capture(adderUnit(), 0, 1)
	require.EqualError(t, err, "unit test/adder: capture of 0 cycles, want at least 1")
}

// What strict mode finds fault with is not exported.
func TestCaptureIsStrict(t *testing.T) {
	u := vectors.Unit{Name: "test/wide", Clock: clock.MHz(1), Build: func(b *vectors.Bench) rtl.Module {
		m := &tooWide{}
		rtl.Tie(true, &m.In)
		return m
	}}
	_, err := vectors.Capture(u, 10, 3)
	require.EqualError(t, err,
		"unit test/wide, seed 3: too wide: bench.dut.out.v gets 0x10 at cycle 1 of clock clk, want 4 bits")
}

func TestCatalogue(t *testing.T) {
	c := vectors.Catalogue{adderUnit(), majorityUnit(), skidUnit(), counterUnit()}
	require.NoError(t, c.Check())
	u, err := c.Find("test/skid")
	require.NoError(t, err)
	require.Equal(t, "test_skid", u.Module())
	_, err = c.Find("test/ader")
	require.EqualError(t, err, `no unit "test/ader": did you mean test/adder, test/skid, test/counter?`)
	_, err = c.Find("major")
	require.ErrorContains(t, err, "did you mean test/majority, ")
	_, err = vectors.Catalogue{}.Find("x")
	require.EqualError(t, err, `no unit "x": the catalogue is empty`)

	twin := adderUnit()
	twin.Name = "test_adder"
	require.EqualError(t, append(c, twin).Check(),
		"unit test_adder: has the Verilog name test_adder, as has unit test/adder")
	twin.Doc = ""
	require.EqualError(t, append(c, twin).Check(), "unit test_adder: has no doc")
}
