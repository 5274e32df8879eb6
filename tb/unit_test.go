package tb

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

func TestLadder(t *testing.T) {
	for _, u := range []vectors.Unit{pipelineUnit(3), gateUnit(), slotUnit()} {
		t.Run(u.Module(), func(t *testing.T) { CheckUnit(t, u) })
	}
}

func TestLatencyIsMeasured(t *testing.T) {
	for _, depth := range []int{1, 2, 3, 17, 100} {
		u := pipelineUnit(depth)
		u.Latency = 0 // the measurement must not take it from there
		got, err := Latency(u, 7)
		require.NoError(t, err)
		require.Equal(t, depth, got)
	}
}

func TestPaths(t *testing.T) {
	paths, err := Paths(gateUnit(), 1)
	require.NoError(t, err)
	require.Equal(t, []Path{{"a", "both", 0}, {"a", "slow", 2}, {"b", "both", 0}}, paths)

	u := gateUnit()
	for _, c := range []struct {
		from, to string
		want     int
	}{{"", "", 0}, {"a", "slow", 2}, {"", "slow", 2}, {"b", "", 0}} {
		u.From, u.To = c.from, c.to
		got, err := Latency(u, 1)
		require.NoError(t, err)
		require.Equal(t, c.want, got, c)
	}
	u.From, u.To = "b", "slow"
	_, err = Latency(u, 1)
	require.EqualError(
		t, err,
		"unit tb/gate, seed 1: no change was seen to pass: of port b to port slow within 128 cycles after cycle 1024",
	)

	u = pipelineUnit(3)
	u.Latency = 2
	require.EqualError(t, latencyHolds(u), "unit tb/pipeline: declares a latency of 2 cycles, measured 3: "+
		"[{in_data out_data 3} {in_valid out_data 3} {in_valid out_valid 3}]")
}

// late shows nothing of its input in its first cycles.
type late struct {
	In  rtl.In[bool]
	Out rtl.Out[bool]

	start, cycle int
	last         bool
}

func (l *late) Tick() {
	l.cycle++
	l.Out.Set(l.last && l.cycle > l.start)
	l.last = l.In.Get()
}

// A unit with a long start is looked at after it, where it shows nothing before.
func TestLatencyAfterALongStart(t *testing.T) {
	for start, seen := range map[int]bool{0: true, 120: true, 600: true, 1024 + settle + window + 2: false} {
		rng := uint64(1)
		u := vectors.Unit{Name: "tb/late", Clock: clock.MHz(1), Latency: 2, Build: func(b *vectors.Bench) rtl.Module {
			l := &late{start: start}
			vectors.Drive(b, &l.In, func(uint64) bool { rng = rng*5 + 1; return rng&64 != 0 })
			return l
		}}
		got, err := Latency(u, 7)
		if !seen {
			require.ErrorIs(t, err, errNoPath)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, 2, got)
		CheckLatencyIfSeen(t, u)
	}
}

// source has no inputs.
type source struct {
	Out rtl.Out[bool]

	tick func() bool
}

func (s *source) Tick() { s.Out.Set(s.tick()) }

func sourceUnit(tick func() bool) vectors.Unit {
	return vectors.Unit{
		Name: "tb/source", Clock: clock.MHz(1), Build: func(*vectors.Bench) rtl.Module { return &source{tick: tick} },
	}
}

func TestLatencyWithoutInputs(t *testing.T) {
	u := sourceUnit(func() bool { return true })
	require.NoError(t, latencyHolds(u))
	u.Latency = 1
	require.EqualError(t, latencyHolds(u), "unit tb/source: declares a latency of 1 cycles and has no inputs")
}

// Each rung of the ladder finds its own kind of fault.

func TestDriversThatShareAreFound(t *testing.T) {
	u := gateUnit()
	u.Build = func(b *vectors.Bench) rtl.Module {
		m := &gate{}
		shared := b.Rand() // the module that ticks first gets the first number
		vectors.Drive(b, &m.A, func(uint64) bool { return shared.IntN(2) == 0 })
		vectors.Drive(b, &m.B, func(uint64) bool { return shared.IntN(2) == 0 })
		return m
	}
	require.Regexp(
		t,
		`^unit tb/gate: strict mode, seed 1, parts from fast mode at edge [1-9] in bench\.\w+\.\w+: 0x[01], 0x[01] in `+
			`fast mode; `,
		sameInAllModes(u).Error(),
	)
}

var sink []byte // keeps the compiler from leaving an allocation out

func TestAllocationsAreFound(t *testing.T) {
	n := 0
	u := sourceUnit(func() bool {
		if n++; n%256 == 0 {
			sink = make([]byte, 1000)
		}
		return true
	})
	require.EqualError(t, allocatesNothing(u), "unit tb/source: 1 allocations in 256 cycles, want none")
}

// A module whose state outlives its run gives other vectors the second time: the capture has 255 edges, so the 4th edge
// of the replay is number 259, a multiple of seven.
func TestExportFindsHiddenState(t *testing.T) {
	n := 0
	u := sourceUnit(func() bool { n++; return n%7 == 0 })
	require.ErrorContains(t, survivesExport(u, filepath.Join(t.TempDir(), "x")),
		"unit tb/source: cycle 4 field out wanted 0 got 1")

	toggling := false
	g := gateUnit()
	g.Build = func(b *vectors.Bench) rtl.Module {
		toggling = !toggling
		m := &gate{a: toggling}
		vectors.Drive(b, &m.A, vectors.Uniform[bool](b.Rand()))
		vectors.Drive(b, &m.B, vectors.Uniform[bool](b.Rand()))
		return m
	}
	_, err := Latency(g, 1)
	require.EqualError(t, err,
		"unit tb/gate, seed 1: a replay differs from the captured run in cycle 1 field slow, before anything was changed")
}

func TestGolden(t *testing.T) {
	path := filepath.Join(t.TempDir(), "golden", "pipeline.txt")
	u := pipelineUnit(3)
	require.EqualError(t, isGolden(u, path, false),
		"unit tb/pipeline: there is no golden file "+path+" yet: look at what GOLDWIRE_UPDATE=1 go test writes")
	require.NoError(t, isGolden(u, path, true))
	require.NoError(t, isGolden(u, path, false))
	require.ErrorContains(t, isGolden(pipelineUnit(2), path, false), "unit tb/pipeline: the run is not that of "+path)
	require.Equal(t, "  c\n- 1\n+ 2\n- 3\n+ 4\n- \n+ 5", goldenDifference("a\nb\nc\n1\n3", "a\nb\nc\n2\n4\n5"))
	many := strings.Repeat("\n1", 6)
	require.Contains(t, goldenDifference("a\nb\nc"+many, "a\nb\nc"+strings.ReplaceAll(many, "1", "2")),
		"- 1\n+ 2\nand 2 more lines")

	// a difference after the rows shown is in the checksum
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	late := u
	late.Build = func(b *vectors.Bench) rtl.Module {
		m := &pipeline{stages: make([]word, 2)}
		gen := vectors.Uniform[word](b.Rand())
		vectors.Drive(b, &m.In, func(cycle uint64) word {
			v := gen(cycle)
			if cycle == ladderCycles-10 {
				v.Data ^= 1
			}
			return v
		})
		return m
	}
	require.ErrorContains(t, isGolden(late, path, false), "sha256 of all rows")
	again, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(text), string(again), "only an update writes")
	require.Equal(t, 2+1+shownRows+2, strings.Count(string(text), "\n"), "a heading, the rows, the checksum")
}
