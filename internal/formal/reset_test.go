package formal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/formal"
)

// A proof begins after the reset. No step after it is left out, and no register has a value then that the reset does
// not give it: each of these assertions is false once, or true always.
func TestProofsBeginAfterTheReset(t *testing.T) {
	if err := formal.Available(formal.PDR); err != nil {
		t.Skipf("proofs after the reset were NOT tested: %v", err)
	}
	const harness = `module t (input clk, input [3:0] in, input go);
  reg [3:0] age = 0; always @(posedge clk) if (age != 15) age <= age + 1;
  wire rst = age < LEAD;
  reg [3:0] count;  always @(posedge clk) count <= rst ? 0 : count + (go && count != 9);
  reg [3:0] again;  always @(posedge clk) again <= rst ? 0 : count == again ? again + (go && again != 9) : 7;
  reg [3:0] free;   always @(posedge clk) if (!rst && go) free <= in;
  reg [3:0] taken;  always @(posedge clk) if (rst) taken <= in;
  reg [3:0] left;   always @(posedge clk) left <= in;
  reg [3:0] right;  always @(posedge clk) right <= in;
  always @* if (age >= LEAD) assert (ASSERTION);
endmodule`
	for _, lead := range []int{1, 4} {
		for _, c := range []struct {
			assertion string
			want      formal.Verdict
			cycle     int // in which it is false
		}{
			{"age != LEAD", formal.Refuted, 0},
			{"age != LEAD + 1", formal.Refuted, 1},
			{"age != LEAD + 3", formal.Refuted, 3},
			{"age != LEAD - 1", formal.Proved, 0},
			{"count != 3", formal.Refuted, 3},
			{"count != 10", formal.Proved, 0},
			{"count == again", formal.Proved, 0},
			{"free == 0", formal.Refuted, 0},
			{"taken == 0", formal.Refuted, 0},
			{"taken != 9 || age > LEAD + 2", formal.Refuted, 0},
			{"left == right", formal.Proved, 0},
			{"left == 0", formal.Refuted, 0},
		} {
			t.Run(fmt.Sprintf("%d %s", lead, c.assertion), func(t *testing.T) {
				t.Parallel()
				q := formal.Question{
					Top: "t", Lead: lead, Show: []string{"age"},
					Harness: strings.NewReplacer("ASSERTION", strings.ReplaceAll(c.assertion, "LEAD", fmt.Sprint(lead)), "LEAD",
						fmt.Sprint(lead)).Replace(harness),
				}
				a, err := formal.Ask(t.Context(), q, formal.Options{Engine: formal.PDR})
				require.NoError(t, err)
				require.Equal(t, c.want, a.Verdict, a.Why)
				if c.want == formal.Refuted {
					require.Equal(t, c.cycle+1, a.Trace.Cycles())
				}
			})
		}
	}
}
