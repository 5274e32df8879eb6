package mutation

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

const (
	holdTries = 16     // rows whose inputs are held
	holdFirst = 512    // cycles that one is held before something new is shown
	mostHeld  = 70_000 // cycles in all: a counter of 16 bits comes round
)

// hold adds rows that repeat the inputs of one of the stimulus, as long as that shows mutants: faults in the high bits of counters and timers, which
// are too many cycles away for a solver. Inputs that have rules are left alone.
func (s *search) hold(ctx context.Context, left []int) (still []int, err error) {
	if len(left) == 0 || len(s.unit.Ready) > 0 || len(s.mutated.netlist.assumes) > 0 || len(s.unit.Clocks) > 0 {
		return left, nil
	}
	c, err := s.simulate(ctx, s.rows, left)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(s.Seed, holdTries))
	held := 0
	for try := range holdTries {
		row := slices.Clone(s.rows[random.IntN(s.own)])
		s.Progress(fmt.Sprintf("%d cycles: inputs held, try %d of %d", len(s.rows), try+1, holdTries))
		rows, err := c.trial().hold(ctx, row, min(mostHeld-held, s.Limit-len(s.rows)))
		if err != nil {
			return nil, err
		}
		for range rows {
			next := slices.Clone(row)
			c.answer(next)
			c.row(next)
			s.rows = append(s.rows, next)
		}
		held += rows
		c.pack()
	}
	return c.alive(), c.err
}

// hold runs a row again and again and returns the number of the last that shows a mutant.
func (c *campaign) hold(ctx context.Context, row []uint64, most int) (last int, err error) {
	for k := 0; k < min(most, 3*last+holdFirst); k++ {
		if k%between == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		shown := len(c.killed)
		c.answer(row)
		c.row(row)
		if len(c.killed) > shown {
			last = k + 1
		}
	}
	return last, c.err
}

// trial returns a campaign that goes on from here beside this one.
func (c *campaign) trial() *campaign {
	t := *c
	t.killed = maps.Clone(c.killed)
	all := make([]int, len(c.lanes.mutants))
	for lane := range all {
		all[lane] = lane
	}
	t.use(c.lanes.keep(all))
	return &t
}
