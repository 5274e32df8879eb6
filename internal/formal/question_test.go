package formal_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/formal"
)

// counter has an assertion that is false from a count on: 15 cannot be counted to, or can.
func counter(wraps int) formal.Question {
	return formal.Question{
		Top:    "t",
		Lead:   1,
		Params: map[string]int{"WRAPS": wraps},
		Show:   []string{"n", "go"},
		Harness: `module t #(parameter WRAPS = 16) (input clk, input go);
  reg started = 0; always @(posedge clk) started <= 1;
  reg [3:0] n;
  always @(posedge clk) n <= !started || n == WRAPS ? 0 : n + go;
  always @* if (started) assert (n != 15);
endmodule`,
	}
}

// Each engine finds the truth: induction proves it in as many steps as states lie between, a bound is no proof, a
// refutation is the shortest.
func TestVerdicts(t *testing.T) {
	for _, e := range []formal.Engine{formal.Auto, formal.SAT, formal.PDR, formal.SMT} {
		t.Run(string(e), func(t *testing.T) {
			if err := formal.Available(e); err != nil {
				t.Skipf("the engine %s was NOT tested: %v", e, err)
			}
			a, err := formal.Ask(t.Context(), counter(9), formal.Options{Engine: e})
			require.NoError(t, err)
			want := formal.Proved
			// it does not ask for states that differ: 14, 14, 14, … lead to 15 however long the induction is
			if e == formal.SMT {
				want = formal.Bounded
			}
			require.Equal(t, want, a.Verdict, a.Why)

			a, err = formal.Ask(t.Context(), counter(15), formal.Options{Engine: e})
			require.NoError(t, err)
			require.Equal(t, formal.Refuted, a.Verdict)
			require.Equal(t, 16, a.Trace.Cycles(), "0 in cycle 0, 15 in cycle 15")
			for k := range 16 {
				require.EqualValues(t, k, a.Trace.Value(k, "n"))
			}
			require.NoError(t, a.Trace.WriteVCD(filepath.Join(t.TempDir(), "t.vcd")))
		})
	}
	t.Run("bound", func(t *testing.T) {
		if err := formal.Available(formal.SAT); err != nil {
			t.Skipf("bounds were NOT tested: %v", err)
		}
		a, err := formal.Ask(t.Context(), counter(15), formal.Options{Engine: formal.SAT, Depth: 15})
		require.NoError(t, err)
		require.Equal(t, formal.Bounded, a.Verdict)
		require.Equal(t, 15, a.Steps)
	})
}

func TestNothingAsserted(t *testing.T) {
	if err := formal.Available(formal.SAT); err != nil {
		t.Skipf("questions were NOT tested: %v", err)
	}
	q := formal.Question{Top: "t", Lead: 1, Harness: "module t(input clk); endmodule"}
	_, err := formal.Ask(t.Context(), q, formal.Options{})
	require.ErrorContains(t, err, "$assert")
	q.Lead = 0
	_, err = formal.Ask(t.Context(), q, formal.Options{})
	require.ErrorContains(t, err, "a lead of 0 steps")
}

// A search ends with its time and gives its answers; an interrupted one is an error.
func TestTimeIsUp(t *testing.T) {
	if err := formal.Available(formal.SAT); err != nil {
		t.Skipf("the limit of time was NOT tested: %v", err)
	}
	hard := formal.Question{Top: "t", Lead: 1, Harness: `module t(input clk, input [31:0] a, input [31:0] b);
  reg started = 0; always @(posedge clk) started <= 1;
  wire [63:0] p = a * b, q = (a + 1) * b;
  always @* if (started) assert (q - b == p);
endmodule`}
	for _, o := range []formal.Options{{Time: 2 * time.Second},
		{Engine: formal.SAT, Time: time.Hour, Processor: time.Second}} {
		a, err := formal.Ask(t.Context(), hard, o)
		require.NoError(t, err)
		require.Equal(t, formal.Bounded, a.Verdict)
		require.Contains(t, a.Why, "the time was up")
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := formal.Ask(ctx, hard, formal.Options{})
	require.ErrorIs(t, err, context.Canceled)
}

// slowly puts a yosys first on the path that sleeps before it works, as one does that others keep from the processor.
func slowly(t *testing.T) {
	yosys, err := exec.LookPath("yosys")
	if err != nil {
		t.Skipf("a search that gets little of the processor was NOT tested: %v", err)
	}
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\nsleep 0.4\nexec %s \"$@\"\n", yosys)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "yosys"), []byte(script), 0o755))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// Time on the processor is what a program uses, however long it waits.
func TestTimeOnTheProcessor(t *testing.T) {
	slowly(t)
	easy := formal.Question{
		Top: "t", Lead: 1,
		Harness: "module t(input clk, input a); reg started = 0; always @(posedge clk) started <= 1; always @* if " +
			"(started) assert (a | ~a); endmodule",
	}
	a, err := formal.Ask(t.Context(), easy, formal.Options{Time: 300 * time.Millisecond})
	require.NoError(t, err)
	require.Equal(t, formal.Bounded, a.Verdict, "of the wall clock that is too little")
	a, err = formal.Ask(t.Context(), easy, formal.Options{Time: time.Hour, Processor: 300 * time.Millisecond})
	require.NoError(t, err)
	require.Equal(t, formal.Proved, a.Verdict)
}
