package mutation

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// turns says when it has been turned 1,500 times.
type turns struct {
	Turn rtl.In[bool]
	Full rtl.Out[bool]

	n int
}

func (m *turns) Reset() { m.Full.Set(false) }

func (m *turns) Tick() {
	if m.Turn.Get() {
		m.n++
	}
	m.Full.Set(m.n >= manyTurns)
}

const manyTurns = 1500

func turnsUnit() vectors.Unit {
	return vectors.Unit{
		Name: "test/turns", Doc: "counts turns", Latency: 1, Clock: clock.Block25G,
		Build: func(b *vectors.Bench) rtl.Module {
			m := &turns{}
			random := b.Rand()
			vectors.Drive(b, &m.Turn, func(uint64) bool { return random.IntN(8) == 0 }) // some 500 of a golden file's cycles
			return m
		},
		RTL: `module test_turns(input clk, input rst, input turn, output reg full);
  reg [10:0] n;
  wire [10:0] now = n + (turn && n != 11'd1500);
  always @(posedge clk)
    if (rst) begin n <= 0; full <= 0; end
    else begin n <= now; full <= now == 11'd1500; end
endmodule
`,
	}
}

// readBack writes a campaign whose mutants are all killed or equal, reads it again, and wants its rows to kill as many
// as it counts. It returns the campaign read and the mutants that the rows leave.
func readBack(t *testing.T, u vectors.Unit, c *vectors.Campaign) (read *vectors.Campaign, alive []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), u.CampaignFile())
	require.NoError(t, c.Write(path))
	read, err := vectors.ReadCampaign(path, u)
	require.NoError(t, err)
	require.Equal(t, c, read)
	alive, err = Survivors(t.Context(), u, read, 0)
	require.NoError(t, err)
	require.Len(t, alive, c.Mutants.Equal)
	return read, alive
}

// Inputs that are held bring a counter to its end, and no other rows show that its high bits matter. Golden returns
// the known campaign while nothing that decides it has changed; the campaign's rows kill the mutants that they are
// listed for, and without these rows fewer mutants are killed.
func TestGoldenHoldsInputs(t *testing.T) {
	if err := formal.Available(formal.PDR); err != nil {
		t.Skipf("mutants were NOT made: %v", err)
	}
	u := turnsUnit()
	withWalks(t, nil)
	opt := options
	opt.Mutants = 40
	c, err := Golden(t.Context(), u, opt, nil)
	require.NoError(t, err)
	require.Empty(t, c.Mutants.Open)
	require.NotZero(t, c.Mutants.Equal)
	require.GreaterOrEqual(t, c.Mutants.Directed, 900)
	require.LessOrEqual(t, c.Mutants.Directed, manyTurns)
	require.LessOrEqual(t, len(c.Directed), 4, "rows that repeat take one line")

	read, _ := readBack(t, u, c)
	less := *read
	less.Directed, less.Cycles = nil, vectors.GoldenCycles
	alive, err := Survivors(t.Context(), u, &less, 0)
	require.NoError(t, err)
	require.Greater(t, len(alive), c.Mutants.Equal)

	fewer := *read
	counted := *read.Mutants
	fewer.Mutants, counted.Of, counted.Killed = &counted, counted.Of+1, counted.Killed+1
	_, err = Survivors(t.Context(), u, &fewer, 0)
	require.ErrorContains(t, err, "mutants are planted, test_turns.mutants.json counts")

	again := opt
	again.Progress = func(string) { t.Error("something is looked for again") }
	kept, err := Golden(t.Context(), u, again, read)
	require.NoError(t, err)
	require.Same(t, read, kept)
	commented := u
	commented.RTL = strings.ReplaceAll(u.RTL, "endmodule", "endmodule // nothing new")
	kept, err = Golden(t.Context(), commented, again, read)
	require.NoError(t, err)
	require.Same(t, read, kept)

	ended, end := context.WithCancel(t.Context())
	end() // a new search would return the context's error
	open, one := *read, *read.Mutants
	open.Mutants, one.Open = &one, []vectors.OpenMutant{{Mutant: "x", Reason: "no time"}}
	kept, err = Golden(ended, u, opt, &open)
	require.NoError(t, err)
	require.Same(t, &open, kept)
	more := opt
	more.Time += time.Second
	_, err = Golden(ended, u, more, &open)
	require.ErrorIs(t, err, context.Canceled)

	u.RTL += "module other; endmodule\n"
	_, err = Golden(ended, u, opt, read)
	require.ErrorIs(t, err, context.Canceled)
	_, err = Survivors(t.Context(), u, read, 0)
	require.ErrorContains(
		t, err,
		"its RTL, its ports or its stimulus are no longer those of test_turns.mutants.json: run mutants test/turns --record",
	)
}
