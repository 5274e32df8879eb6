package mutation

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// keeper keeps the input of its first cycle after the reset.
type keeper struct {
	In   rtl.In[bool]
	Kept rtl.Out[bool]

	later bool
}

func (k *keeper) Reset() { k.Kept.Set(false) }

func (k *keeper) Tick() {
	if !k.later {
		k.Kept.Set(k.In.Get())
	}
	k.later = true
}

func keeperUnit() vectors.Unit {
	return vectors.Unit{
		Name: "test/keeper", Doc: "keeps its first input", Latency: 1, Clock: clock.Block25G,
		Build: func(b *vectors.Bench) rtl.Module {
			k := &keeper{}
			vectors.Drive(b, &k.In, func(cycle uint64) bool { return cycle > 0 }) // the kept value is 0
			return k
		},
		RTL: `module test_keeper(input clk, input rst, input in, output reg kept);
  reg later;
  always @(posedge clk)
    if (rst) begin later <= 0; kept <= 0; end
    else begin later <= 1; if (!later) kept <= in; end
endmodule
`,
	}
}

// What no row after row 0 can show, a run of its own from the reset does, under Icarus too; without the runs less is
// shown.
func TestRunsFromTheReset(t *testing.T) {
	if err := formal.Available(formal.PDR); err != nil {
		t.Skipf("mutants were NOT made: %v", err)
	}
	u := keeperUnit()
	opt := options
	opt.Mutants = 12
	c, err := Golden(t.Context(), u, opt, nil)
	require.NoError(t, err)
	require.Empty(t, c.Mutants.Open)
	require.NotEmpty(t, c.Restarts)
	require.LessOrEqual(t, len(c.Restarts), c.Mutants.Killed)

	read, alive := readBack(t, u, c)
	less := *read
	less.Restarts = nil
	more, err := Survivors(t.Context(), u, &less, 0)
	require.NoError(t, err)
	require.Greater(t, len(more), len(alive))

	if err := hdl.Icarus.Available(); err != nil {
		t.Skipf("mutants were NOT run under Icarus: %v", err)
	}
	stimulus, err := vectors.Capture(u, vectors.GoldenCycles, vectors.GoldenSeed)
	require.NoError(t, err)
	runs, err := c.Runs(u, stimulus)
	require.NoError(t, err)
	require.Len(t, judged(t, u, c, append(runs, stimulus)), c.Mutants.Equal, "mutants that all testbenches let pass")
}

// patient keeps the input of one cycle, which comes more cycles after the reset than a search for the shortest run
// looks ahead.
type patient struct {
	In   rtl.In[bool]
	Kept rtl.Out[bool]

	cycle int
}

const patience = 8

func (p *patient) Reset() { p.Kept.Set(false) }

func (p *patient) Tick() {
	if p.cycle == patience {
		p.Kept.Set(p.In.Get())
	}
	if p.cycle <= patience {
		p.cycle++
	}
}

func patientUnit() vectors.Unit {
	return vectors.Unit{
		Name: "test/patient", Doc: "keeps its input of one cycle", Latency: 1, Clock: clock.Block25G,
		Build: func(b *vectors.Bench) rtl.Module {
			p := &patient{}
			vectors.Drive(b, &p.In, func(cycle uint64) bool { return cycle%2 == 1 }) // the kept value is 0
			return p
		},
		RTL: fmt.Sprintf(`module test_patient(input clk, input rst, input in, output reg kept);
  reg [3:0] cycle;
  always @(posedge clk)
    if (rst) begin cycle <= 0; kept <= 0; end
    else begin
      if (cycle == %d) kept <= in;
      if (cycle <= %[1]d) cycle <= cycle + 1;
    end
endmodule
`, patience),
	}
}

// A mutant that shows only later than the search for the shortest run looks is shown by a run with inputs from the
// proof's search.
func TestRunsFromTheResetAreAsLongAsTheyMustBe(t *testing.T) {
	if err := formal.Available(formal.PDR); err != nil {
		t.Skipf("mutants were NOT made: %v", err)
	}
	u := patientUnit()
	withWalks(t, nil)
	defer func(n int) { mostDirected = n }(mostDirected)
	mostDirected = patience / 2
	opt := options
	opt.Mutants = 40
	c, err := Golden(t.Context(), u, opt, nil)
	require.NoError(t, err)
	require.Empty(t, c.Mutants.Open)
	stimulus, err := vectors.Capture(u, vectors.GoldenCycles, vectors.GoldenSeed)
	require.NoError(t, err)
	runs, err := c.Runs(u, stimulus)
	require.NoError(t, err)
	require.NotEmpty(t, runs)
	longest := 0
	for _, run := range runs {
		longest = max(longest, len(run.Rows))
	}
	require.Greater(t, longest, patience)
	readBack(t, u, c)

	if err := hdl.Icarus.Available(); err != nil {
		t.Skipf("mutants were NOT run under Icarus: %v", err)
	}
	require.Len(t, judged(t, u, c, append(runs, stimulus)), c.Mutants.Equal, "mutants that all testbenches let pass")
}

// judged runs the testbenches of sets on each mutant of a campaign under Icarus and returns the mutants that pass all
// of them.
func judged(t *testing.T, u vectors.Unit, c *vectors.Campaign, sets []*vectors.Set) (passed []int) {
	t.Helper()
	times := map[int]int{}
	for _, set := range sets {
		of := *set
		of.Mutants = c.Mutants
		for _, mutant := range underIcarus(t, u, &of) {
			times[mutant]++
		}
	}
	for mutant, n := range times {
		if n == len(sets) {
			passed = append(passed, mutant)
		}
	}
	return passed
}
