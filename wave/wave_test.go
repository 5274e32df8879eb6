package wave_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/wave"
)

type word struct {
	Data uint64
	Kind uint8 `bits:"3"`
	Go   bool
}

// counter counts, and shows its count in several shapes.
type counter struct {
	Out  rtl.Out[word]
	Even rtl.Wire[bool] `comb:"none"`

	count uint64 `bits:"40"`
	step  uint64
}

func (c *counter) Comb() { c.Even.Set(c.count%2 == 0) }
func (c *counter) Tick() {
	c.count += c.step
	c.Out.Set(word{c.count * 0x9e3779b97f4a7c15, uint8(c.count & 7), c.count%3 == 0})
}

// twoClocks is a counter on each of two clocks.
func twoClocks(t require.TestingT, steps ...uint64) (*rtl.Sim, *rtl.Clock) {
	sim := rtl.New(rtl.Config{})
	line, core := sim.Clock("line", clock.MHz(644.53125)), sim.Clock("core", clock.MHz(156.25))
	sim.Scope("tx").On(line).Add("fast", &counter{step: steps[0]})
	sim.Scope("tx").Scope("deep").On(core).Add("slow", &counter{step: steps[1]})
	require.NoError(t, sim.Elaborate())
	return sim, line
}

func TestDumpOfOneClock(t *testing.T) {
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("clk", clock.MHz(100))
	sim.Scope("s").On(clk).Add("c", &counter{step: 1})
	require.NoError(t, sim.Elaborate())
	var b bytes.Buffer
	v, err := wave.NewVCD(&b, sim, wave.Options{Scale: wave.Picoseconds, Exclude: []string{"s.c.out"}})
	require.NoError(t, err)
	require.NoError(t, clk.Run(2))
	require.NoError(t, v.Close())
	require.Equal(t, `$version goldwire $end
$timescale 1 ps $end
$scope module top $end
$var wire 1 ! clk $end
$scope module s $end
$scope module c $end
$var wire 1 " even $end
$var wire 40 # count [39:0] $end
$upscope $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
0!
1"
b0000000000000000000000000000000000000000 #
$end
#10000
1!
0"
b0000000000000000000000000000000000000001 #
#15000
0!
#20000
1!
1"
b0000000000000000000000000000000000000010 #
#25000
0!
#25001
`, b.String())
}

func dump(t require.TestingT, opt wave.Options, cycles uint64, steps ...uint64) []byte {
	sim, clk := twoClocks(t, steps...)
	var b bytes.Buffer
	v, err := wave.NewVCD(&b, sim, opt)
	require.NoError(t, err)
	require.NoError(t, clk.Run(cycles))
	require.NoError(t, v.Close())
	return b.Bytes()
}

// What a dump says at each instant is what the simulation had, at the exact time rounded once.
func TestDumpReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := []uint64{rapid.Uint64Range(0, 9).Draw(t, "fast"), rapid.Uint64Range(0, 9).Draw(t, "slow")}
		cycles := rapid.Uint64Range(1, 60).Draw(t, "cycles")
		data := dump(t, wave.Options{}, cycles, steps...)

		r, err := wave.NewReader(bytes.NewReader(data), "dump")
		require.NoError(t, err)
		require.Len(t, r.Vars, 12)
		now, at := map[string]string{}, map[string]map[uint64]string{}
		last := uint64(0)
		for {
			err := r.Next(func(c wave.Change) {
				require.GreaterOrEqual(t, c.Time, last)
				last = c.Time
				p := r.Vars[c.Var].Path
				require.NotEqual(t, c.Value, now[p], "%s changes to what it is at %d", p, c.Time)
				now[p] = c.Value
				if at[p] == nil {
					at[p] = map[uint64]string{}
				}
				at[p][c.Time] = c.Value
			})
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
		}
		for n := uint64(1); n <= cycles; n++ { // edge n of 644.53125 MHz, in ps
			rise := (2*n*51200 + 33) / 66
			require.Equal(t, "1", at["top.line"][rise])
			if steps[0]%2 == 1 {
				want := fmt.Sprint(1 - n%2)
				require.Equal(t, want, at["top.tx.fast.even"][rise])
			}
		}
		for n := uint64(1); n*6400 <= cycles*51200/33; n++ {
			require.Equal(t, "1", at["top.core"][n*6400])
			require.Equal(t, "0", at["top.core"][n*6400+3200], "falling edge %d", n)
			if steps[1] > 0 {
				require.Equal(t, fmt.Sprintf("%040b", n*steps[1]), at["top.tx.deep.slow.count"][n*6400])
			}
		}
	})
}

func TestFiltersAndWindow(t *testing.T) {
	data := dump(t, wave.Options{Include: []string{"tx.*.slow.count"}, From: 10, To: 20}, 40, 1, 1)
	r, err := wave.NewReader(bytes.NewReader(data), "dump")
	require.NoError(t, err)
	require.Len(t, r.Vars, 3)
	for r.Next(func(c wave.Change) {
		if c.Time > 0 {
			require.GreaterOrEqual(t, c.Time, uint64(10*51200/33))
			require.LessOrEqual(t, c.Time, uint64(24*51200/33))
		}
	}) == nil {
	}
	sim, _ := twoClocks(t, 1, 1)
	_, err = wave.NewVCD(io.Discard, sim, wave.Options{Include: []string{"rx"}})
	require.EqualError(t, err, `no signal matches "rx"`)
	scale, err := wave.ParseScale("10ns")
	require.NoError(t, err)
	_, err = wave.NewVCD(io.Discard, sim, wave.Options{Scale: scale})
	require.ErrorContains(t, err, "timescale 10 ns is too coarse for clock line")
}

// A stimulus changes at the falling edge, half a period after the registers.
func TestStimulusChangesAtTheFallingEdge(t *testing.T) {
	data := dump(t, wave.Options{Include: []string{"tx.deep"}, Stimulus: []string{"tx.deep.slow.count"}}, 20, 1, 1)
	r, err := wave.NewReader(bytes.NewReader(data), "dump")
	require.NoError(t, err)
	seen := 0
	for r.Next(func(c wave.Change) {
		if strings.HasSuffix(r.Vars[c.Var].Path, "count") && c.Time > 0 {
			require.EqualValues(t, 3200, c.Time%6400)
			seen++
		}
	}) == nil {
	}
	require.Greater(t, seen, 2)
}

type failingWriter struct{ left int }

func (f *failingWriter) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func TestErrorsOfTheFileSurface(t *testing.T) {
	sim, clk := twoClocks(t, 1, 1)
	v, err := wave.NewVCD(&failingWriter{100000}, sim, wave.Options{})
	require.NoError(t, err)
	require.NoError(t, clk.Run(10000))
	require.EqualError(t, v.Close(), "disk full")
}

// refusingWriter takes nothing, and counts how often it was asked.
type refusingWriter struct{ asked int }

func (r *refusingWriter) Write([]byte) (int, error) {
	r.asked++
	return 0, errors.New("disk full")
}

// Once a write to the file has failed nothing more is written, and Close returns the first error.
func TestNothingIsWrittenAfterAnError(t *testing.T) {
	for _, back := range []bool{false, true} {
		var to refusingWriter
		w, err := wave.NewWriter(&to, wave.Picoseconds, []wave.Var{{Scope: "top", Name: "v", Width: 64}})
		require.NoError(t, err)
		w.Begin(2, []uint64{0})
		want := "disk full"
		if back {
			w.At(1)
			want = "stamp 1 comes after stamp 2, want stamps that do not go back"
		}
		for i := range uint64(5000) { // some 350 kB
			w.Change(0, i)
		}
		require.EqualError(t, w.Close(3), want)
		require.Equal(t, 1, to.asked)
	}
}

func open(t testing.TB, data []byte, name string) *wave.Reader {
	r, err := wave.NewReader(bytes.NewReader(data), name)
	require.NoError(t, err)
	return r
}

func TestDiff(t *testing.T) {
	a := dump(t, wave.Options{}, 60, 1, 1)
	b := dump(t, wave.Options{}, 60, 1, 2)
	t.Run("equal", func(t *testing.T) {
		for _, clk := range []string{"", "top.line", "top.core"} {
			d, err := wave.Diff(open(t, a, "a"), open(t, a, "a2"), wave.DiffOptions{Clock: clk})
			require.NoError(t, err)
			require.Nil(t, d.First)
			require.Equal(t, 12, d.Compared)
			require.Greater(t, d.Samples, uint64(10))
			require.Contains(t, d.String(), "no difference in 12 variables")
		}
	})
	t.Run("at a clock", func(t *testing.T) {
		d, err := wave.Diff(open(t, a, "a"), open(t, b, "b"),
			wave.DiffOptions{Clock: "top.core", Around: 2, Only: []string{"top.tx.deep.slow.count"}})
		require.NoError(t, err)
		require.Equal(t, `first difference at sample 1 (time 12800 in A, 12800 in B)

top.tx.deep.slow.count: A has 0000000001, B has 0000000002
  sample           0           1           2           3
  A       0000000000  0000000001  0000000002  0000000003
  B       0000000000  0000000002  0000000004  0000000006
                               ^           ^           ^
`, d.String())
	})
	t.Run("by time", func(t *testing.T) {
		d, err := wave.Diff(open(t, a, "a"), open(t, b, "b"), wave.DiffOptions{})
		require.NoError(t, err)
		require.EqualValues(t, 6400, d.First.TimeA)
	})
	t.Run("offset", func(t *testing.T) {
		// the slow counter of c runs one core cycle ahead
		sim := rtl.New(rtl.Config{})
		line, core := sim.Clock("line", clock.MHz(644.53125)), sim.Clock("core", clock.MHz(156.25))
		sim.Scope("tx").On(line).Add("fast", &counter{step: 1})
		sim.Scope("dut").On(core).Add("slow", &counter{step: 1, count: 1})
		require.NoError(t, sim.Elaborate())
		var c bytes.Buffer
		v, err := wave.NewVCD(&c, sim, wave.Options{})
		require.NoError(t, err)
		require.NoError(t, line.Run(60))
		require.NoError(t, v.Close())
		opt := wave.DiffOptions{Clock: "top.core", Map: []wave.Rename{{From: "top.tx.deep", To: "top.dut"}},
			Only: []string{"top.tx.deep.slow.count"}}
		d, err := wave.Diff(open(t, a, "a"), open(t, c.Bytes(), "c"), opt)
		require.NoError(t, err)
		require.NotNil(t, d.First)
		opt.Offset = -1
		d, err = wave.Diff(open(t, a, "a"), open(t, c.Bytes(), "c"), opt)
		require.NoError(t, err)
		require.Nil(t, d.First)
		require.Greater(t, d.Samples, uint64(10))
	})
	t.Run("faults", func(t *testing.T) {
		_, err := wave.Diff(open(t, a, "a"), open(t, b, "b"), wave.DiffOptions{Clock: "top.clk"})
		require.EqualError(t, err, "a has no variable top.clk to sample at")
		_, err = wave.Diff(open(t, a, "a"), open(t, b, "b"), wave.DiffOptions{Map: []wave.Rename{{From: "top", To: "tb"}}})
		require.EqualError(t, err, "b has no variable or scope tb")
	})
}

func TestRecorderWritesOnlyWhenAsked(t *testing.T) {
	dir := t.TempDir()
	sim, clk := twoClocks(t, 1, 1)
	var whole bytes.Buffer
	v, err := wave.NewVCD(&whole, sim, wave.Options{})
	require.NoError(t, err)
	r, err := wave.NewRecorder(sim, clk, 16, "tx.fast")
	require.NoError(t, err)
	require.NoError(t, clk.Run(100))
	require.NoError(t, v.Close())
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, files)

	path := filepath.Join(dir, "tail.vcd")
	require.NoError(t, r.Trip(path))
	tail, err := os.ReadFile(path)
	require.NoError(t, err)
	// the tail starts with row 85; the whole dump's sample 86 has the values before edge 87
	d, err := wave.Diff(open(t, whole.Bytes(), "whole"), open(t, tail, "tail"),
		wave.DiffOptions{Clock: "top.line", Only: []string{"top.tx.fast"}, Offset: -85})
	require.NoError(t, err)
	require.Nil(t, d.First, d)
	require.EqualValues(t, 15, d.Samples)
	require.Equal(t, 5, d.Compared)
	edges := rtl.Edges{0}
	require.Zero(t, testing.AllocsPerRun(10, func() { r.Observe(edges) }))
}

func TestWaveJSON(t *testing.T) {
	sim, _ := twoClocks(t, 1, 1)
	r, err := wave.NewRecorder(sim, sim.Clocks()[1], 8, "tx.deep.slow.even", "tx.deep.slow.out")
	require.NoError(t, err)
	require.NoError(t, sim.Clocks()[1].Run(4))
	rec, err := r.Recording()
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, rec.WriteJSON(&b))
	require.JSONEq(t, `{"signal":[{"name":"core","wave":"p...."},
		{"name":"tx.deep.slow.out_data","wave":"=====","data":["0","9e3779b97f4a7c15","3c6ef372fe94f82a","daa66d2c7ddf743f","78dde6e5fd29f054"]},
		{"name":"tx.deep.slow.out_kind","wave":"=====","data":["0","1","2","3","4"]},
		{"name":"tx.deep.slow.out_go","wave":"0..10"},
		{"name":"tx.deep.slow.even","wave":"10101"}]}`, b.String())
}

func TestSaveFileNamesEveryVariable(t *testing.T) {
	sim, _ := twoClocks(t, 1, 1)
	v, err := wave.NewVCD(io.Discard, sim, wave.Options{Include: []string{"tx.fast"}})
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, v.GTKW(&b, "loop.vcd"))
	require.Equal(
		t,
		"[dumpfile] \"loop.vcd\"\n@28\ntop.line\ntop.core\n@200\n-tx.fast\n@22\ntop.tx.fast.out_data[63:0]\n@22\n"+
			"top.tx.fast.out_kind[2:0]\n@28\ntop.tx.fast.out_go\n@28\ntop.tx.fast.even\n@22\ntop.tx.fast.count[39:0]\n",
		b.String(),
	)
}

func BenchmarkVCD(b *testing.B) {
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("clk", clock.MHz(390.625))
	for i := range 16 {
		sim.Scope("s").On(clk).Add(fmt.Sprintf("c%d", i), &counter{step: uint64(2*i + 1)})
	}
	require.NoError(b, sim.Elaborate())
	count := &changeCounter{}
	v, err := wave.NewVCD(count, sim, wave.Options{})
	require.NoError(b, err)
	b.ResetTimer()
	require.NoError(b, clk.Run(uint64(b.N)))
	require.NoError(b, v.Close())
	b.ReportMetric(float64(count.lines)/b.Elapsed().Seconds()/1e6, "Mchanges/s")
}

// changeCounter counts lines: changes and stamps.
type changeCounter struct{ lines int }

func (c *changeCounter) Write(p []byte) (int, error) {
	c.lines += bytes.Count(p, []byte{'\n'})
	return len(p), nil
}

func Example() {
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("clk", clock.MHz(100))
	sim.Scope("s").On(clk).Add("c", &counter{step: 3})
	_ = sim.Elaborate()
	r, _ := wave.NewRecorder(sim, clk, 8, "s.c.even", "s.c.count")
	_ = clk.Run(6)
	rec, _ := r.Recording()
	fmt.Print(rec)
	// Output:
	// cycle     0   1   2   3   4   5   6
	// s.c.even ▔▔▔▔╲▁▁▁╱▔▔▔╲▁▁▁╱▔▔▔╲▁▁▁╱▔▔▔
	// s.c.count│0  │3  │6  │9  │c  │f  │12
}

// A line of every width is what the standard says, digit by digit, wherever it meets the end of the writer's buffer.
func TestLinesOfEveryWidth(t *testing.T) {
	var vars []wave.Var
	for width := 1; width <= 64; width++ {
		vars = append(vars, wave.Var{Scope: "top", Name: fmt.Sprint("v", width), Width: width})
	}
	var got, want bytes.Buffer
	w, err := wave.NewWriter(&got, wave.Picoseconds, vars)
	require.NoError(t, err)
	w.Begin(0, make([]uint64, len(vars)))
	value := uint64(1)
	for stamp := uint64(1); stamp <= 200; stamp++ { // some 450 kB
		w.At(stamp)
		fmt.Fprintf(&want, "#%d\n", stamp)
		for i, v := range vars {
			value = value*6364136223846793005 + 1442695040888963407
			w.Change(i, value)
			digits := fmt.Sprintf("%064b", value)[64-v.Width:]
			if v.Width == 1 {
				fmt.Fprintf(&want, "%s%c\n", digits, '!'+i)
			} else {
				fmt.Fprintf(&want, "b%s %c\n", digits, '!'+i)
			}
		}
	}
	require.NoError(t, w.Close(201))
	fmt.Fprint(&want, "#201\n")
	_, dump, found := strings.Cut(got.String(), "\n$dumpvars\n")
	require.True(t, found)
	_, dump, found = strings.Cut(dump, "\n$end\n") // of the first values
	require.True(t, found)
	require.Equal(t, want.String(), dump)
}
