package vectors_test

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

// twoClocks is a sampler: a register on a slow clock that reads a counter of a fast one.
func twoClocks() vectors.Unit {
	fast, slow := clock.MHz(300), clock.MHz(200)
	return vectors.Unit{
		Name: "test/two_clocks", Doc: "Samples.", Latency: 1, Clock: fast,
		Clocks: []vectors.UnitClock{{Name: "fast", Freq: fast}, {Name: "slow", Freq: slow, Phase: clock.MustTime("1ns")}},
		Assemble: func(b *vectors.Bench) vectors.Assembly {
			f, s := b.Sim().Clock("fast", fast), b.Sim().Clock("slow", slow, clock.MustTime("1ns"))
			m, around := &sampler{}, b.Sim().Clock("around", clock.MHz(7)) // of what stands around: no rows of the unit
			b.Sim().Scope("dut").On(s).Add("sampler", m)
			b.Sim().Scope("bench").On(around).Add("other", &stepper{})
			vectors.Drive(b.On(f), &m.In, func(cycle uint64) uint8 { return uint8(cycle) })
			return vectors.Assembly{Clocks: []*rtl.Clock{f, s}, Ports: []vectors.AssemblyPort{
				vectors.PortOf(m, "in", "fast_count", f), vectors.PortOf(m, "out", "slow_seen", s)}}
		},
	}
}

type sampler struct {
	In  rtl.Async[uint8]
	Out rtl.Out[uint8]
}

func (s *sampler) Tick() { s.Out.Set(s.In.Get()) }

// Fast rises at 3⅓, 6⅔, 10, … ns, slow at 6, 11, 16, …: the rows, by hand.
func TestRowsAreInstants(t *testing.T) {
	s, err := vectors.Capture(twoClocks(), 8, 1)
	require.NoError(t, err)
	require.Equal(t, [][]uint64{
		// fast and slow rise at its end, count, seen
		{1, 0, 0, 0}, // 3⅓
		{0, 1, 1, 0}, // 6
		{1, 0, 1, 1}, // 6⅔
		{1, 0, 2, 1}, // 10
		{0, 1, 3, 1}, // 11
		{1, 0, 3, 3}, // 13⅓
		{0, 1, 4, 3}, // 16
		{1, 0, 4, 4}, // 16⅔
	}, s.Rows)
}

// A set of two clocks is read back with them, and replayed; clocks that are not the unit's are found.
func TestSeveralClocksInASet(t *testing.T) {
	u := twoClocks()
	dir, s := export(t, u, 300)
	text := readFile(t, dir, "manifest.json")
	for _, want := range []string{`"port": "slow_clk"`, `"hz_num": "200000000"`, `"reset_port": "slow_rst"`, `"phase_s_num": "1"`, `"phase_s_den": "1000000000"`} {
		require.Contains(t, text, want)
	}
	back, err := vectors.Read(dir)
	require.NoError(t, err)
	require.Equal(t, s.Rows, back.Rows)
	require.Len(t, back.Clocks, 2)
	require.NoError(t, vectors.Compare(u, back))
	n, err := vectors.CompareDir(t.Context(), u, dir)
	require.NoError(t, err)
	require.Equal(t, 300, n)

	back.Rows[20][0] ^= 1
	require.EqualError(t, vectors.Compare(u, back), "row 20: clock fast: 0, want 1 at its end, by the unit's frequencies")
	back.Rows[20][0] ^= 1
	back.Rows[30][3] ^= 1
	require.ErrorContains(t, vectors.Compare(u, back), "cycle 30 field slow_seen")

	require.ErrorContains(t, vectors.Write(dir, s, vectors.FormatVCD), "format vcd: of units with one clock, this has 2")
	path := filepath.Join(dir, "manifest.json")
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(text, `"kind": "clock",`, ``, 1)), 0o644))
	_, err = vectors.Read(dir)
	require.ErrorContains(t, err, "field fast_clk: the first fields are the clocks")
}
