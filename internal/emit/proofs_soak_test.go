//go:build soak

package emit_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/internal/emit"
	"github.com/goldwire/goldwire/internal/formal"
)

// The Verilog of each unit of the record is proved equal to the RTL written by hand, for all inputs and all cycles.
func TestCatalogueIsProved(t *testing.T) {
	require.NoError(t, formal.Available(formal.Auto))
	for _, name := range proved(t) {
		t.Run(name, func(t *testing.T) {
			u, err := catalogue.Designs().Units().Find(name)
			require.NoError(t, err)
			c, err := emit.Unit(t.Context(), "../..", u)
			require.NoError(t, err)
			path := t.TempDir() + "/" + u.Module() + ".v"
			require.NoError(t, os.WriteFile(path, []byte(c.Verilog()), 0o600))
			opt := cosim.Options{Unit: u, Seed: 1,
				Design: cosim.Design{Sources: []string{path}, Top: u.Module(), Simulator: cosim.Icarus}}
			p, err := cosim.Prove(t.Context(), opt, formal.Options{Engine: formal.Auto, Time: time.Hour})
			require.NoError(t, err)
			require.Equal(t, formal.Proved, p.Answer.Verdict, p.Answer.Why)
			t.Logf("%s: %s, %.1f s", name, p.Answer.How(), p.Answer.Took.Seconds())
		})
	}
}

// The FIFO is proved equal to the RTL written by hand with an invariant of its own, since the words of the two lie at
// other places: for each of 16 ways in which the rings are turned against each other, and from the reset. With a bug in
// the RTL it is not.
func TestTheFIFOIsProved(t *testing.T) {
	require.NoError(t, formal.Available(formal.SAT))
	u, err := catalogue.Designs().Units().Find("blocks/fifo")
	require.NoError(t, err)
	c, err := emit.Unit(t.Context(), "../..", u)
	require.NoError(t, err)
	harness, err := os.ReadFile("testdata/turned_fifo.sv")
	require.NoError(t, err)
	inside := map[string]string{"head": "hand.head", "tail": "hand.tail", "q_head": "made.q_head", "q_n": "made.q_n"}
	for i := range 16 {
		bits := fmt.Sprintf("[%d:%d]", 64*i+63, 64*i)
		inside["memory"+bits] = fmt.Sprintf("hand.memory[%d]", i)
		inside["q_buf"+bits] = fmt.Sprintf("made.q_buf[%d]", i)
	}
	ask := func(hand string, params map[string]int) formal.Verdict {
		part := func(name, text string) formal.Part {
			path := filepath.Join(t.TempDir(), name+".v")
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			return formal.Part{Files: []string{path}, Top: u.Module(), Name: name}
		}
		a, err := formal.Ask(t.Context(), formal.Question{
			Parts: []formal.Part{part("hand", hand), part("made", c.Verilog())}, Harness: string(harness), Top: "proof",
			Params: params, Connect: inside, Lead: 1,
		}, formal.Options{Engine: formal.SAT, Time: time.Hour})
		require.NoError(t, err)
		t.Logf("%v: %s, %.1f s", params, a.Verdict, a.Took.Seconds())
		return a.Verdict
	}
	require.Equal(t, formal.Proved, ask(u.RTL, map[string]int{"RESET": 1}))
	for turn := range 16 {
		require.Equal(t, formal.Proved, ask(u.RTL, map[string]int{"TURN": turn}))
	}
	for _, bug := range u.Bugs {
		text, err := bug.Plant(u.RTL)
		require.NoError(t, err)
		require.Equal(t, formal.Refuted, ask(text, map[string]int{"TURN": 5}), bug.Kind)
	}
}
