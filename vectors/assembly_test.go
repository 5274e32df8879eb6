package vectors_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// twoClocks is a sampler: a register on a slow clock that reads a counter of a fast one.
func twoClocks() vectors.Unit { return twoClocksAt("1ns") }

func twoClocksAt(phase string) vectors.Unit {
	fast, slow := clock.MHz(300), clock.MHz(200)
	return vectors.Unit{
		Name: "test/two_clocks", Doc: "Samples.", Latency: 1, Clock: fast,
		Clocks: []vectors.UnitClock{{Name: "fast", Freq: fast}, {Name: "slow", Freq: slow, Phase: clock.MustTime(phase)}},
		Assemble: func(b *vectors.Bench) vectors.Assembly {
			f, s := b.Sim().Clock("fast", fast), b.Sim().Clock("slow", slow, clock.MustTime(phase))
			m, around := &sampler{}, b.Sim().Clock("around", clock.MHz(7)) // outside the unit: makes no rows
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

// Coincident edges are one row, and edges of clocks outside the unit are none: in thirds of a nanosecond fast rises at
// 10, 20, …, slow at its phase and 15, 30, … after it.
func TestRowsFollowTheFrequencies(t *testing.T) {
	for phase, thirds := range map[string]int{"0ns": 0, "1ns": 3} {
		s, err := vectors.Capture(twoClocksAt(phase), 300, 1)
		require.NoError(t, err)
		k := 0
		for now := 1; k < len(s.Rows); now++ {
			var want [2]uint64
			if now%10 == 0 {
				want[0] = 1
			}
			if now > thirds && (now-thirds)%15 == 0 {
				want[1] = 1
			}
			if want != [2]uint64{} {
				require.Equal(t, want[:], s.Rows[k][:2], "phase %s, row %d", phase, k)
				k++
			}
		}
	}
}

// A set of two clocks is read back with them, and replayed; clocks that are not the unit's are found.
func TestSeveralClocksInASet(t *testing.T) {
	u := twoClocks()
	dir, s := export(t, u, 300)
	text := readFile(t, dir, "manifest.json")
	for _, want := range []string{`"port": "slow_clk"`, `"hz_num": "200000000"`, `"reset_port": "slow_rst"`,
		`"phase_s_num": "1"`, `"phase_s_den": "1000000000"`} {
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

// An instance restored from a checkpoint goes on with the same rows, whether it is new or has run elsewhere.
func TestRowsOfSeveralClocksGoOnFromACheckpoint(t *testing.T) {
	u := twoClocks()
	rows := func(in *vectors.Instance, n int) [][]uint64 {
		var list [][]uint64
		for range n {
			row := make([]uint64, len(in.Fields))
			in.Row(row)
			list = append(list, row)
			require.NoError(t, in.Run(1))
		}
		return list
	}
	build := func() *vectors.Instance {
		in, err := u.Simulate(rtl.Config{}, 1)
		require.NoError(t, err)
		return in
	}
	for at := range uint64(8) { // all places of the pattern of the two clocks
		for elsewhere := range uint64(8) {
			straight := build()
			require.NoError(t, straight.Run(at))
			var file bytes.Buffer
			require.NoError(t, straight.Sim.Save(&file, straight.Roots()...))
			restored := build()
			require.NoError(t, restored.Run(elsewhere))
			require.NoError(t, restored.Sim.Restore(&file, restored.Roots()...))
			if at%2 == 0 { // the first look at it may be a row, or a run
				require.NoError(t, straight.Run(1))
				require.NoError(t, restored.Run(1))
			}
			require.Equal(t, rows(straight, 20), rows(restored, 20), "saved after %d rows, restored after %d", at, elsewhere)
		}
	}
	replay, err := u.SimulateFrom(rtl.Config{}, func([]uint64) bool { return false })
	require.NoError(t, err)
	require.ErrorContains(t, replay.Sim.Save(io.Discard, replay.Roots()...), "rows.next",
		"what drives a replay is not known")
}

// Clocks are what the unit declares: manifest and testbench say so.
func TestClocksAreAsDeclared(t *testing.T) {
	for _, c := range []struct {
		want   string
		change func(u *vectors.Unit)
	}{
		{"unit test/two_clocks: clock slow has the phase 1ns, declared is 2ns",
			func(u *vectors.Unit) { u.Clocks[1].Phase = clock.MustTime("2ns") }},
		{"unit test/two_clocks: clock slow has 200MHz, declared is 201MHz",
			func(u *vectors.Unit) { u.Clocks[1].Freq = clock.MHz(201) }},
		{"unit test/two_clocks: Assemble made 2 clocks, declared are 3",
			func(u *vectors.Unit) { u.Clocks = append(u.Clocks, u.Clocks[0]) }},
		{"unit test/two_clocks: Assemble and 1 clocks, want at least 2", func(u *vectors.Unit) { u.Clocks = u.Clocks[:1] }},
		{"unit test/two_clocks: clock 200MHz, want that of the first of several, 300MHz",
			func(u *vectors.Unit) { u.Clock = clock.MHz(200) }},
	} {
		u := twoClocks()
		c.change(&u)
		_, err := u.Simulate(rtl.Config{}, 1)
		require.EqualError(t, err, c.want)
	}
}

// Clocks whose rows come in another order than their frequencies say end the testbench; so does +extra, which means
// nothing.
func TestTestbenchOfSeveralClocksRefuses(t *testing.T) {
	if err := hdl.Icarus.Available(); err != nil {
		t.Skipf("the testbench was NOT run: %v", err)
	}
	u := twoClocks()
	dir, _ := export(t, u, 40)
	path := filepath.Join(t.TempDir(), "sampler.v")
	require.NoError(
		t,
		os.WriteFile(
			path,
			[]byte(
				`module test_two_clocks (input fast_clk, input fast_rst, input slow_clk, input slow_rst, input [7:0] fast_count, output reg [7:0] slow_seen);
  always @(posedge slow_clk) slow_seen <= slow_rst ? 0 : fast_count;
endmodule`,
			),
			0o644,
		),
	)
	lines := strings.Split(readFile(t, dir, "stimulus.hex"), "\n")
	first := 0
	for !regexp.MustCompile(`^[0-9a-f]+$`).MatchString(lines[first]) {
		first++
	}
	// the lane has fast_clk on top: rows 3 and 4 are fast (10 ns), slow (11 ns)
	lines[first+3], lines[first+4] = lines[first+4], lines[first+3]
	wrong := filepath.Join(t.TempDir(), "wrong.hex")
	require.NoError(t, os.WriteFile(wrong, []byte(strings.Join(lines, "\n")), 0o644))
	results, err := hdl.Icarus.Run(
		t.Context(),
		hdl.Job{Top: "test_two_clocks_tb", Dir: dir, Sources: []string{filepath.Join(dir, "test_two_clocks_tb.sv"), path},
			PlusArgs: [][]string{{}, {"+extra=1"}, {"+max=99", "+stimulus=" + wrong}}},
	)
	require.NoError(t, err)
	require.True(t, results[0].Passed(), results[0].Output)
	require.False(t, results[1].Passed())
	require.Contains(t, results[1].Output, "+extra=1: a row is an instant of several clocks, want 0")
	require.False(t, results[2].Passed())
	require.Contains(t, results[2].Output, "FAIL test/two_clocks row 4: fast_clk does not rise then by its frequency")
	text := readFile(t, dir, "README.txt")
	require.NotContains(t, text, "+extra")
	require.Contains(t, text, "fast_rst, slow_rst.")
}
