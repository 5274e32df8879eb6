package hdl_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/hdl"
)

const testbench = `module t;
  integer n;
  initial begin
    n = 0;
    if ($value$plusargs("n=%d", n)) begin end
    $display("n is %0d", n);
    if (n == 1) $fatal(1, "one");
    if (n == 2) forever #1 n = 2;
    $finish;
  end
endmodule
`

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.sv")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// Both simulators give a failed testbench an exit status of its own, and are stopped in time.
func TestRun(t *testing.T) {
	for _, sim := range hdl.Simulators() {
		t.Run(sim.Name, func(t *testing.T) {
			t.Parallel()
			if err := sim.Available(); err != nil {
				t.Skipf("%s was NOT tested: %v", sim.Name, err)
			}
			job := hdl.Job{Top: "t", Sources: []string{write(t, testbench)}, PlusArgs: [][]string{{"+n=7"}, {"+n=1"}}}
			results, err := sim.Run(context.Background(), job)
			require.NoError(t, err)
			require.Contains(t, results[0].Output, "n is 7\n")
			require.True(t, results[0].Passed())
			require.Contains(t, results[1].Output, "n is 1\n")
			require.False(t, results[1].Passed())

			job.Sources = []string{write(t, strings.Replace(testbench, "n is", "m is", 1))} // another text is another program
			results, err = sim.Run(context.Background(), job)
			require.NoError(t, err)
			require.Contains(t, results[0].Output, "m is 7\n")

			job.Sources = []string{write(t, "module t; syntax error endmodule")}
			_, err = sim.Run(context.Background(), job)
			require.ErrorContains(t, err, " does not compile t, status ")
		})
	}
}

func TestRunIsStopped(t *testing.T) {
	if err := hdl.Icarus.Available(); err != nil {
		t.Skipf("icarus was NOT tested: %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	job := hdl.Job{Top: "t", Sources: []string{write(t, testbench)}, PlusArgs: [][]string{{"+n=2"}}}
	_, err := hdl.Icarus.Run(ctx, job)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestMissingSimulator(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := hdl.Icarus.Run(context.Background(), hdl.Job{})
	require.ErrorContains(t, err, "iverilog is not installed: ")
}
