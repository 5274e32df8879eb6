package mutation

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

const (
	holdTries = 16            // rows whose inputs are held
	holdFirst = 8192          // most cycles that one is held before something new is shown
	holdWork  = 1_000_000_000 // gates, of 64 lanes, that are simulated meanwhile
	mostHeld  = 70_000        // cycles in all: a counter of 16 bits comes round
)

// hold adds rows that repeat the inputs of one of the stimulus, as long as that shows mutants: faults in the high bits
// of counters and timers, which are too many cycles away for a solver. A beat that waits is held until it is taken.
func (s *search) hold(ctx context.Context, left []int) (still []int, err error) {
	if len(left) == 0 || len(s.unit.Clocks) > 0 {
		return left, nil
	}
	c, err := s.simulate(ctx, s.rows, left)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(s.Seed, holdTries))
	rules := s.handshakes()
	held := 0
	for try := range holdTries {
		row, last := s.rows[random.IntN(s.own)], s.rows[len(s.rows)-1]
		s.Progress(fmt.Sprintf("%d cycles: inputs held, try %d of %d", len(s.rows), try+1, holdTries))
		rows, err := c.trial().hold(ctx, rules, last, row, min(mostHeld-held, s.Limit-len(s.rows)))
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			c.row(row)
		}
		s.rows, held = append(s.rows, rows...), held+len(rows)
		c.pack()
	}
	return c.alive(), c.err
}

// hold repeats a row after the last one, and returns the repeated rows up to the last that shows a mutant. It ends
// when no mutant was shown for long, when all registers hold the same values as some rows ago, or when the row breaks
// the unit's Environment.
func (c *campaign) hold(ctx context.Context, rules handshakes, last, row []uint64,
	most int) (rows [][]uint64, err error) {
	first := min(holdFirst, max(between, holdWork/(1+c.lanes.words*len(c.lanes.n.gates))))
	var before []uint64 // what all registers held some rows ago
	shows, look := 0, 1
	for k := 0; k < min(most, 3*shows+first); k++ {
		if k%between == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		next := slices.Clone(row)
		rules.stand(last, next)
		if c.answer(next); !c.assumed() {
			break
		}
		shown := len(c.killed)
		c.row(next)
		if rows = append(rows, next); len(c.killed) > shown {
			shows = len(rows)
		}
		last = next
		if now := c.lanes.next; before != nil && slices.Equal(before, now) {
			break
		} else if k == look {
			before, look = slices.Clone(now), 2*look
		}
	}
	return rows[:shows], c.err
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
