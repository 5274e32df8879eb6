package mutation

import (
	"context"
	"fmt"
)

// fix proves registers of the reference constant after the reset. Candidates are the registers that never changed in
// the rows; one graph of the reference alone decides them all. If a mutant touches only logic that such constants
// decide, its graph folds to the reference's own, and no solver is needed.
func (s *search) fix(ctx context.Context) error {
	held, err := s.still(ctx)
	if err != nil || len(held) == 0 {
		return err
	}
	s.Progress(fmt.Sprintf("%d cycles: which of %d registers never change", len(s.rows), len(held)))
	m := newMiter(s.unit, s.fields, s.mutated.netlist, nil, nil)
	var asked []int
	var moved []literal
	for i, r := range s.mutated.netlist.regs {
		if x, ok := held[i]; ok {
			asked = append(asked, i)
			moved = append(moved, m.and(m.xor(m.reference[r.q], x), m.legal))
		}
	}
	never, _, err := m.constants(ctx, fixTimes*s.Time, s.Memory, "balance; scorr", moved)
	if err != nil {
		return err
	}
	for k, i := range asked {
		if !never[k] {
			delete(held, i)
		}
	}
	s.fixed = held
	return nil
}

// proveFolded sorts out the mutants whose graph is the reference's own.
func (s *search) proveFolded(ctx context.Context, alive []int) (left []int, err error) {
	m := newMiter(s.unit, s.fields, s.mutated.netlist, nil, s.fixed)
	for _, mutant := range alive {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(m.nodes) > 5*mostNodes {
			m = newMiter(s.unit, s.fields, s.mutated.netlist, nil, s.fixed)
		}
		if m.stepApart(mutant) == literalFalse {
			s.equal[mutant] = true
		} else {
			left = append(left, mutant)
		}
	}
	return left, nil
}

// fixTimes is how many times a search's time the one for registers that never change has: all other proofs gain by it.
const fixTimes = 4

// still returns the registers of the reference that no row changes, and their values, where these are the same for any
// register contents before the reset.
func (s *search) still(ctx context.Context) (map[int]literal, error) {
	c, err := newCampaign(s.unit, s.fields, s.mutated.netlist, nil, s.Seed)
	if err != nil {
		return nil, err
	}
	held := map[int]literal{}
	for k, row := range s.rows {
		if k%between == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c.reset(row)
		for i, r := range s.mutated.netlist.regs {
			pair := c.lanes.value[int(r.q)*c.lanes.words] & 3
			if k == 0 && pair&1 == pair>>1 {
				held[i] = literal(pair & 1)
			}
			if x, ok := held[i]; ok && pair != uint64(x)*3 {
				delete(held, i)
			}
		}
		c.row(row)
	}
	return held, c.err
}
