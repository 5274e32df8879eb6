package spfc

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/vectors"
)

// The registers edge by edge, with a count of 10.
func TestCircuitCycles(t *testing.T) {
	var c Circuit
	cfg := &CircuitConfig{Threshold: 10}
	for edge, s := range []struct {
		in   CircuitInputs
		want Circuit
		why  string
	}{
		{CircuitInputs{Dequeued: 9}, Circuit{IRC: 9}, "below the count"},
		{CircuitInputs{Dequeued: 1}, Circuit{Victim: true, IRC: 10}, "the dequeue that reaches it"},
		{CircuitInputs{Dequeued: 200}, Circuit{Victim: true, IRC: 10}, "it saturates"},
		{CircuitInputs{WindowEnd: true, Dequeued: 3}, Circuit{Victim: true, IRC: 3},
			"held; the dequeue counts in the new window"},
		{CircuitInputs{WindowEnd: true}, Circuit{}, "3 were not enough"},
		{CircuitInputs{WindowEnd: true, Dequeued: 10}, Circuit{Victim: true, IRC: 10}, "the new window's first dequeue is"},
		{CircuitInputs{Pause: true, Dequeued: 1}, Circuit{Paused: true, IRC: 10}, "PAUSE dominates"},
		{CircuitInputs{Dequeued: 5}, Circuit{Paused: true, IRC: 10}, "reset is held"},
		{CircuitInputs{Resume: true}, Circuit{Victim: true, IRC: 10}, "the count is still reached"},
		{CircuitInputs{Pause: true, WindowEnd: true}, Circuit{Paused: true}, "PAUSE, then the window"},
		{CircuitInputs{WindowEnd: true, Dequeued: 4}, Circuit{Paused: true, IRC: 4}, ""},
		{CircuitInputs{Resume: true, Dequeued: 5}, Circuit{IRC: 9}, "resumed below the count"},
		{CircuitInputs{Pause: true, Resume: true}, Circuit{Paused: true, IRC: 9}, "both: paused"},
		{CircuitInputs{Resume: true, Dequeued: 1}, Circuit{Victim: true, IRC: 10}, "the dequeue and the RESUME at once"},
		{CircuitInputs{Pause: true}, Circuit{Paused: true, IRC: 10}, ""},
		{CircuitInputs{Resume: true, WindowEnd: true}, Circuit{}, "the window ends first"},
	} {
		c.Step(cfg, s.in)
		require.Equal(t, s.want, c, "edge %d: %s", edge, s.why)
	}
}

// naiveState is a port by the prose of §IV.B and §V.A, without registers: the bytes dequeued in this window, whether
// the last one was fast, and the effect of PAUSE and RESUME.
type naiveState struct {
	paused, victim bool
	count          int
}

func (s naiveState) after(limit int, pause, resume, end bool, cells int) naiveState {
	if end {
		s.victim = s.count >= limit && !s.paused
		s.count = 0
	}
	s.count = min(s.count+cells, limit)
	if resume {
		s.paused = false
	}
	if pause {
		s.paused = true
	}
	if s.count >= limit {
		s.victim = true
	}
	if s.paused {
		s.victim = false
	}
	return s
}

// pair is a row of the truth table of Figure 10: the registers' values, and the inputs.
type pair struct {
	paused, victim, over bool
	pause, resume, end   bool
	cells                string // "none", "below", "reaches": what the dequeued cells do to the count
}

// reachablePairs walks every state and input of a circuit with a small count.
func reachablePairs() map[pair]bool {
	const limit = 4
	pairs := map[pair]bool{}
	seen := map[naiveState]bool{{}: true}
	for todo := []naiveState{{}}; len(todo) > 0; todo = todo[1:] {
		s := todo[0]
		for in := range 8 * (limit + 1) {
			pause, resume, end, cells := in&1 != 0, in&2 != 0, in&4 != 0, in/8
			next := s.after(limit, pause, resume, end, cells)
			pairs[newPair(s, limit, next.count >= limit, pause, resume, end, cells)] = true
			if !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
	}
	return pairs
}

func newPair(s naiveState, limit int, reached, pause, resume, end bool, cells int) pair {
	p := pair{s.paused, s.victim, s.count >= limit, pause, resume, end, "none"}
	switch {
	case cells > 0 && reached:
		p.cells = "reaches"
	case cells > 0:
		p.cells = "below"
	}
	return p
}

// The golden vectors have every reachable pair of state and input of Figure 10's truth table, and give for each the
// result of the prose.
func TestGoldenVectorsHaveTheWholeTruthTable(t *testing.T) {
	u, err := Units().Find("spfc/state_decision")
	require.NoError(t, err)
	const rows = 4096 // as many as the golden file's
	set, err := vectors.Capture(u, rows, 1)
	require.NoError(t, err)
	at := func(k int, field string) int {
		column := set.Column(field)
		require.GreaterOrEqual(t, column, 0, field)
		return int(set.Rows[k][column])
	}
	missing := reachablePairs()
	total := len(missing)
	require.Equal(t, 5*8*3-2*4, total,
		"five states, three input bits, three kinds of dequeue; a count that is reached stays so unless the window ends")
	s, tc, limit := naiveState{}, 0, 1
	for k := range rows - 1 {
		end := tc == 0
		over := at(k, "out_over") == 1
		require.Equal(t, []bool{s.paused, s.victim}, []bool{at(k, "out_paused") == 1, at(k, "out_victim") == 1}, "row %d", k)
		require.Equal(t, s.count, at(k, "out_count"), "row %d", k)
		require.Equal(t, s.count >= limit, over, "row %d", k)
		cells := at(k, "events_cells")
		before, old := s, limit
		tc--
		if end {
			s.victim = s.count >= limit && !s.paused
			s.count = 0
			tc, limit = max(at(k, "config_window"), 1)-1, max(at(k, "config_threshold"), 1)
		}
		s = s.after(limit, at(k, "events_pause") == 1, at(k, "events_resume") == 1, false, cells)
		delete(missing, newPair(before, old, s.count >= limit, at(k, "events_pause") == 1,
			at(k, "events_resume") == 1, end, cells))
	}
	require.Empty(t, missing, "of %d pairs", total)
}

// The events of one instant give the same registers one after the other, whatever the order, if the window ends first.
// The packet-level model applies them so.
func TestCircuitOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := &CircuitConfig{Threshold: rapid.Uint32Range(1, 6).Draw(t, "threshold")}
		cfg.Latch = rapid.Bool().Draw(t, "latch")
		cfg.SampleOnly = rapid.Bool().Draw(t, "sample only")
		var at, by Circuit
		for range rapid.IntRange(1, 40).Draw(t, "edges") {
			in := CircuitInputs{WindowEnd: rapid.Bool().Draw(t, "end"), Dequeued: rapid.Uint32Range(0, 7).Draw(t, "dequeued")}
			if rapid.Bool().Draw(t, "pauses") {
				in.Pause = rapid.Bool().Draw(t, "pause")
				in.Resume = !in.Pause
			}
			at.Step(cfg, in)
			parts := []CircuitInputs{{Pause: in.Pause}, {Resume: in.Resume}}
			for left := in.Dequeued; left > 0; {
				d := rapid.Uint32Range(1, left).Draw(t, "part")
				left -= d
				parts = append(parts, CircuitInputs{Dequeued: d})
			}
			by.Step(cfg, CircuitInputs{WindowEnd: in.WindowEnd})
			for _, p := range rapid.Permutation(parts).Draw(t, "order") {
				by.Step(cfg, p)
			}
			require.Equal(t, at, by)
		}
	})
}
