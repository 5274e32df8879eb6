package formal_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/formal"
)

// zero asks whether the output y of a part stays 0 after two steps of reset.
func zero(t *testing.T, body string) formal.Question {
	file := filepath.Join(t.TempDir(), "part.v")
	require.NoError(
		t,
		os.WriteFile(
			file, []byte("module part(input clk, input rst, input [7:0] a, output y);\n"+body+"\nendmodule\n"), 0o644,
		),
	)
	return formal.Question{
		Top:   "t",
		Lead:  2,
		Show:  []string{"a", "y"},
		Parts: []formal.Part{{Files: []string{file}, Top: "part", Name: "user"}},
		Harness: `module t(input clk, input [7:0] a);
  reg [1:0] age = 0; always @(posedge clk) if (age < 2) age <= age + 1;
  (* keep *) wire y;
  user dut(.clk(clk), .rst(age < 2), .a(a), .y(y));
  always @* if (age >= 2) assert (!y);
endmodule`,
	}
}

// What RTL leaves open may be 1, however Yosys would like to simplify it: no engine says that y stays 0.
func TestOpenValuesAreNotProved(t *testing.T) {
	bodies := map[string]string{
		"register that holds":      "reg r; always @(posedge clk) r <= r; assign y = r;",
		"register never set":       "reg r; always @(posedge clk) if (rst && !rst) r <= 1; assign y = r;",
		"register set if set":      "reg r; always @(posedge clk) if (r) r <= 1; assign y = r;",
		"register without process": "reg r; assign y = r;",
		"initial value":            "reg r = 0; always @(posedge clk) r <= r; assign y = r;",
		"twins that differ": "reg p, q, r; always @(posedge clk) begin p <= a[0]; q <= a[0]; r <= r || p != q; end " +
			"assign y = r;",
		"two undriven nets":  "wire p, q; assign y = p ^ q;",
		"two unknown values": "wire p = 1'bx, q = 1'bx; assign y = p ^ q;",
		"one unknown value":  "assign y = a[0] ? 1'bx : 1'b0;",
		"latch":              "reg r; always @* if (rst && a[0]) r = 0; assign y = r;",
		"memory":             "reg m [0:3]; always @(posedge clk) if (a[7]) m[a[1:0]] <= 0; assign y = m[a[3:2]];",
		"memory read out of it": "reg m [0:2]; integer i; always @(posedge clk) if (rst) for (i = 0; i < 3; i = i + 1) " +
			"m[i] <= 0; assign y = m[a[1:0]];",
		"bit out of range":       "wire [4:0] v = 0; assign y = v[a[2:0]];",
		"first bit out of range": "wire [6:0] v = 0; assign y = v[a[2:0]];",
		"slice out of range":     "wire [7:0] v = 0; wire [1:0] w = v[a[3:0] +: 2]; assign y = w[1];",
		"division by zero":       "wire [3:0] q = 4'd0 / a[3:0]; assign y = q[0];",
		"remainder by zero":      "wire [3:0] q = 4'd0 % a[3:0]; assign y = q[0];",
		"two cases at once": "reg r; always @* (* parallel_case *) case (1'b1) a[0]: r = 0; a[1]: r = 1; default: r = " +
			"0; endcase assign y = r && a[0];",
		"case without default":  "reg r; always @* (* full_case *) case (a[1:0]) 0, 1, 2: r = 0; endcase assign y = r;",
		"assumption of the RTL": "always @* assume (!a[0]); assign y = a[0];",
	}
	engines := []formal.Engine{formal.SAT, formal.PDR, formal.SMT}
	for i, name := range slices.Sorted(maps.Keys(bodies)) {
		asked := engines
		if !soak { // some of the bodies by one engine each
			if i%4 > 0 {
				continue
			}
			asked = engines[i%3 : i%3+1]
		}
		t.Run(name, func(t *testing.T) {
			for _, e := range asked {
				if err := formal.Available(e); err != nil {
					t.Skipf("the engine %s was NOT tested: %v", e, err)
				}
				a, err := formal.Ask(t.Context(), zero(t, bodies[name]), formal.Options{Engine: e, Depth: 6})
				require.NoError(t, err)
				require.Equal(t, formal.Refuted, a.Verdict, "%s: %s", e, a.How())
			}
		})
	}
}

// A proof about values that no solver here knows is refused.
func TestHighImpedanceIsRefused(t *testing.T) {
	if err := formal.Available(formal.SAT); err != nil {
		t.Skipf("high impedance was NOT tested: %v", err)
	}
	_, err := formal.Ask(t.Context(), zero(t, "assign y = a[0] ? 1'bz : 1'b0;"), formal.Options{})
	require.ErrorContains(t, err, "part.v:2.12-2.30: high impedance")
}

// Assumptions that nothing meets, and an assertion that is never asked, prove everything: that is an error.
func TestVacuousIsNoProof(t *testing.T) {
	if err := formal.Available(formal.SAT); err != nil {
		t.Skipf("vacuous proofs were NOT tested: %v", err)
	}
	ask := func(body string, depth int) (*formal.Answer, error) {
		return formal.Ask(t.Context(), formal.Question{Top: "t", Lead: 1, Harness: `module t(input clk, input a);
  reg [3:0] age = 0; always @(posedge clk) if (age != 15) age <= age + 1;
  ` + body + `
endmodule`}, formal.Options{Engine: formal.SAT, Depth: depth})
	}
	_, err := ask("always @* begin assume (a && age < 9); if (age > 0) assert (a); end", 6)
	require.ErrorContains(t, err, "nothing is proved: no inputs meet the assumptions in the first 32 steps")

	_, err = ask("always @* begin assume (a); assert (a); if (!a && age > 0) assert (0); end", 6)
	require.ErrorContains(t, err, "is not asked in the first 1024 steps")

	// What an assertion says of a case is covered, or it says nothing.
	a, err := ask("always @* begin assume (a); assert (a || age == 0); met: cover (age == 5); end", 6)
	require.NoError(t, err)
	require.Equal(t, formal.Proved, a.Verdict)
	require.Equal(t, []int{2, 4}, []int{a.Reached, a.ReachedBy}) // the step in reset is none of them
	_, err = ask("always @* begin assume (a); assert (a || age == 0); never: cover (!a && age > 0); end", 6)
	require.ErrorContains(t, err, "never is not asked in the first 1024 steps, or as a cover not reached in 128")

	// An assertion of step 12 says nothing in a search of 6: it is the false one.
	late := "always @* if (age == 13) assert (a);"
	a, err = ask(late, 6)
	require.NoError(t, err)
	require.Equal(t, formal.Bounded, a.Verdict)
	require.Zero(t, a.Steps, a.Why)
	require.Contains(t, a.Why, "an assertion is not asked before step 13")
	const early = "always @* if (age == 2) assert (age[1]);"
	for _, body := range []string{late + early, early + late} { // the last counts, in whatever order they are asked
		a, err = ask(body, 6)
		require.NoError(t, err)
		require.Zero(t, a.Steps, a.Why)
		require.Contains(t, a.Why, "an assertion is not asked before step 13")
	}
	// It says something where the search reaches the step: c is 200 much later.
	a, err = ask(
		"reg [7:0] c = 0; always @(posedge clk) if (a) c <= c + 1;\n  always @* if (age >= 13) assert (c != 200);", 13,
	)
	require.NoError(t, err)
	require.Equal(t, formal.Bounded, a.Verdict)
	require.Equal(t, 13, a.Steps, a.Why)
	a, err = ask(late, 13)
	require.NoError(t, err)
	require.Equal(t, formal.Refuted, a.Verdict)
}
