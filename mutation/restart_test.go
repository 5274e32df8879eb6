package mutation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/formal"
	"github.com/goldwire/goldwire/hdl"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// keeper keeps what its first cycle after the reset sees.
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
			vectors.Drive(b, &k.In, func(cycle uint64) bool { return cycle > 0 }) // what is kept is 0
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

// What no row after row 0 can show, a run of its own from the reset does, under Icarus too; without the runs less is shown.
func TestRunsFromTheReset(t *testing.T) {
	if err := formal.PDR.Available(); err != nil {
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

// judged runs the testbenches of sets on each mutant of a campaign under Icarus and returns those that pass all.
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
