package mutation

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks/units"
	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

func unit(t *testing.T, name string) vectors.Unit {
	t.Helper()
	if err := formal.Available(formal.PDR); err != nil {
		t.Skipf("mutants were NOT made: %v", err)
	}
	u, err := units.Design().Units.Find(name)
	require.NoError(t, err)
	return u
}

var options = Options{Mutants: 16, Seed: 1, Cycles: 200, Limit: 1000, Time: time.Minute}

// The exported testbench under Icarus is the judge: it fails on each mutant that is killed and passes on each that is
// proved equal.
func TestATestbenchSeesTheSameMutants(t *testing.T) {
	u := unit(t, "blocks/priority_encoder")
	if err := hdl.Icarus.Available(); err != nil {
		t.Skipf("mutants were NOT run under Icarus: %v", err)
	}
	set, err := Capture(t.Context(), u, options)
	require.NoError(t, err)
	m := set.Mutants
	require.Equal(t, 16, m.Of)
	require.Empty(t, m.Open)
	require.Equal(t, m.Of, m.Killed+m.Equal)
	require.NotZero(t, m.Equal)
	passed := underIcarus(t, u, set)
	require.Equal(t, m.Equal, len(passed), "mutants that the testbench lets pass: %v", passed)
}

// underIcarus runs the testbench of a set on each mutant and returns the mutants that pass.
func underIcarus(t *testing.T, u vectors.Unit, set *vectors.Set) (passed []int) {
	t.Helper()
	dir := t.TempDir()
	all, err := plant(t.Context(), dir, u, set.Mutants.Of, set.Seed, 0)
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(dir, verilogFile))
	require.NoError(t, err)
	// The testbench's module has no selector: a shell of its name takes it from the command line.
	var ports, pins strings.Builder
	for _, f := range set.Fields {
		direction := map[rtl.Direction]string{rtl.Input: "input", rtl.Output: "output"}[f.Dir]
		fmt.Fprintf(&ports, ", %s [%d:0] %s", direction, f.Width-1, f.Name)
		fmt.Fprintf(&pins, ", .%s(%s)", f.Name, f.Name)
	}
	shell := fmt.Sprintf(`module %s (input clk, input rst%s);
  reg [%d:0] mutant; initial if (!$value$plusargs("mutant=%%d", mutant)) mutant = 0;
  mutated dut (.clk(clk), .rst(rst)%s, .%s(mutant));
endmodule
`, u.Module(), &ports, all.bits-1, &pins, selector)
	mutants := regexp.MustCompile(`\bmodule `+u.Module()+`\b`).ReplaceAllString(string(text), "module mutated")
	file := filepath.Join(dir, "both.v")
	require.NoError(t, os.WriteFile(file, []byte(mutants+shell), 0o644))
	out := filepath.Join(t.TempDir(), "set")
	require.NoError(t, vectors.Write(out, set))
	job := hdl.Job{Top: u.Module() + "_tb", Dir: out, Sources: []string{filepath.Join(out, u.Module()+"_tb.sv"), file}}
	for k := range len(all.names) {
		job.PlusArgs = append(job.PlusArgs, []string{fmt.Sprintf("+mutant=%d", k)})
	}
	results, err := hdl.Icarus.Run(t.Context(), job)
	require.NoError(t, err)
	require.True(t, results[0].Passed(), "without a mutant: %s", results[0].Output)
	for k, r := range results[1:] {
		if r.Passed() {
			passed = append(passed, k+1)
		} else {
			require.Contains(t, r.Output, "FAIL cycle", all.names[k+1])
		}
	}
	return passed
}

// RTL that is not the model's is no reference: nothing could be said of its mutants.
func TestReferenceWithABug(t *testing.T) {
	u := unit(t, "blocks/priority_encoder")
	wrong, err := u.Bugs[0].Plant(u.RTL)
	require.NoError(t, err)
	u.RTL = wrong
	_, err = Capture(t.Context(), u, options)
	require.ErrorContains(t, err, "unit blocks/priority_encoder: the reference RTL itself parts from the model in row")

	u.RTL = "module blocks_priority_encoder (input clk;\n"
	_, err = Capture(t.Context(), u, options)
	require.ErrorContains(
		t, err, "unit blocks/priority_encoder: yosys ended with exit status 1: blocks_priority_encoder.v:1: ERROR",
	)
	u.RTL = ""
	_, err = Capture(t.Context(), u, options)
	require.ErrorContains(t, err, "there is no reference RTL to mutate")
}

// An interrupted search is an error, leaves no file and returns its findings so far. Before all rows were run there
// are none.
func TestInterrupted(t *testing.T) {
	u := unit(t, "blocks/priority_encoder")
	t.Setenv("TMPDIR", t.TempDir())
	opt := options
	opt.Limit, opt.Cycles = 3, 1 // most are left for the solver
	interrupted := func(at string) (*vectors.Set, error) {
		ctx, cancel := context.WithCancel(t.Context())
		opt.Progress = func(what string) {
			if strings.Contains(what, at) {
				cancel()
			}
		}
		return Capture(ctx, u, opt)
	}
	set, err := interrupted("planting")
	require.ErrorIs(t, err, context.Canceled)
	require.Nil(t, set)
	set, err = interrupted("inputs that show mutant") // that each can be shown is known
	require.ErrorIs(t, err, context.Canceled)
	m := set.Mutants
	require.Equal(t, m.Of, m.Killed+m.Equal+len(m.Open))
	require.NotZero(t, m.Killed)
	require.NotEmpty(t, m.Open)
	for _, x := range m.Open {
		require.Equal(t, "interrupted", x.Reason)
	}
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// A golden file's campaign that was interrupted is looked for again, with whatever time. It does not replace a record
// that knows as much.
func TestInterruptedGolden(t *testing.T) {
	u := unit(t, "blocks/priority_encoder")
	opt := options
	opt.Mutants = 32
	golden := func(known *vectors.Campaign, at string) (*vectors.Campaign, error) {
		ctx, cancel := context.WithCancel(t.Context())
		opt.Progress = func(what string) {
			if strings.Contains(what, at) {
				cancel()
			}
		}
		return Golden(ctx, u, opt, known)
	}
	first, err := golden(nil, "random inputs")
	require.ErrorIs(t, err, context.Canceled)
	require.NotEmpty(t, first.Mutants.Open)
	again, err := golden(first, "random inputs")
	require.ErrorIs(t, err, context.Canceled)
	require.Same(t, first, again)

	// A known campaign is continued: its open mutants are searched for, and no others. A mutant that was proved equal in
	// the meantime is not asked about.
	first.Mutants.Open, first.Mutants.Equal = first.Mutants.Open[1:], 1
	var searched []string
	opt.Progress = func(what string) { searched = append(searched, what) }
	whole, err := Golden(t.Context(), u, opt, first)
	require.NoError(t, err)
	require.Empty(t, whole.Mutants.Open)
	require.GreaterOrEqual(t, whole.Mutants.Killed, first.Mutants.Killed)
	require.Contains(t, searched, fmt.Sprintf("%d cycles: random inputs, try 1 of 32 in 16 cycles, %d mutants left",
		first.Cycles, len(first.Mutants.Open)))
	alive, err := Survivors(t.Context(), u, whole, 0)
	require.NoError(t, err)
	require.Len(t, alive, whole.Mutants.Equal)
}

// A limit of the time that is over before anything is known is an error.
func TestWithin(t *testing.T) {
	u := unit(t, "blocks/priority_encoder")
	opt := options
	opt.Within = time.Nanosecond
	_, err := Capture(t.Context(), u, opt)
	require.EqualError(t, err, "unit blocks/priority_encoder: 1ns were over before all rows of the stimulus were run")
}

// Rows end at the limit; mutants that later rows would have shown are open, with this reason.
func TestLimit(t *testing.T) {
	u := unit(t, "blocks/priority_encoder")
	opt := options
	opt.Limit, opt.Cycles = 3, 1
	set, err := Capture(t.Context(), u, opt)
	require.NoError(t, err)
	require.LessOrEqual(t, len(set.Rows), 3)
	require.NotEmpty(t, set.Mutants.Open)
	for _, x := range set.Mutants.Open {
		require.Contains(t, x.Reason, "the limit is 3 in all")
	}

	// As many as are needed are enough.
	opt.Mutants, opt.Limit = 4, options.Limit
	free, err := Capture(t.Context(), u, opt)
	require.NoError(t, err)
	require.Empty(t, free.Mutants.Open)
	require.NotZero(t, free.Mutants.Directed)
	opt.Limit = len(free.Rows)
	set, err = Capture(t.Context(), u, opt)
	require.NoError(t, err)
	require.Equal(t, free.Rows, set.Rows)
	require.Equal(t, free.Mutants, set.Mutants)
}
