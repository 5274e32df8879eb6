package mutation

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// walkKind is how long walks are at most, and how often they are tried.
type walkKind struct{ rows, times int }

// walks are the kinds of random walks, in the order in which they are tried. Short ones come first: a walk shows most
// mutants early, and fewer rows are added to the file.
var walks = []walkKind{{16, 32}, {64, 32}, {256, 24}, {1024, 12}}

// walkSeeds is how many of the unit's own stimuli, by seed, walks go along.
const walkSeeds = 4

// walk adds rows of random inputs that show mutants: to simulate all mutants costs less than one search of a solver. A
// walk mixes the unit's stimulus of another seed with random bits; each input has its own odds (see path). For a
// golden file there are walks from the reset on, too.
func (s *search) walk(ctx context.Context, left []int) (still []int, err error) {
	if len(left) == 0 || len(s.unit.Clocks) > 0 {
		return left, nil
	}
	w := &walker{search: s, rules: s.handshakes(), random: rand.New(rand.NewPCG(s.Seed, walkSeeds))}
	for k := range uint64(walkSeeds) {
		set, err := vectors.Capture(s.unit, min(s.Cycles, vectors.GoldenCycles), s.Seed+1+k)
		if err != nil {
			return nil, err
		}
		w.stimuli = append(w.stimuli, set.Rows)
	}
	c, err := s.simulate(ctx, s.rows, left)
	if err != nil {
		return nil, err
	}
	last := s.rows[len(s.rows)-1]
	for _, kind := range walks {
		for try := range kind.times {
			if len(c.alive()) == 0 {
				return nil, c.err
			}
			s.Progress(fmt.Sprintf("%d cycles: random inputs, try %d of %d in %d cycles, %d mutants left", len(s.rows), try+1,
				kind.times, kind.rows, len(c.alive())))
			if len(s.rows) >= s.Limit {
				break
			}
			rows, err := w.take(ctx, c.trial(), last, kind.rows, s.Limit-len(s.rows))
			if err != nil {
				return nil, err
			}
			for _, row := range rows {
				c.row(row)
				s.rows, last = append(s.rows, row), row
			}
			c.pack()
		}
	}
	still = c.alive()
	if !s.whole || c.err != nil {
		return still, c.err
	}
	for _, kind := range walks {
		for try := range kind.times {
			if len(still) == 0 {
				return nil, nil
			}
			s.Progress(fmt.Sprintf("%d runs from the reset: random inputs, try %d of %d in %d cycles, %d mutants left",
				len(s.runs), try+1, kind.times, kind.rows, len(still)))
			c, err := newCampaign(s.unit, s.fields, s.mutated.netlist, still, s.Seed)
			if err != nil {
				return nil, err
			}
			rows, err := w.take(ctx, c, nil, kind.rows, kind.rows)
			if err != nil {
				return nil, err
			}
			if len(rows) > 0 {
				s.runs = append(s.runs, rows)
				still = c.alive()
			}
		}
	}
	return still, nil
}

// walker makes random inputs.
type walker struct {
	*search
	random  *rand.Rand
	rules   handshakes
	stimuli [][][]uint64 // by seed: rows
}

// path is how a walk makes its rows: the stimulus that it mixes in, the place in that, and the odds of each field.
type path struct {
	rows [][]uint64
	at   int
	odds []odds // by field
}

// odds are chances in 64. A field first stays as it was with the chance stays. Else it takes the stimulus' value with
// the chance own. Else its bits are random, each 1 with the chance ones.
type odds struct{ stays, own, ones uint32 }

// take takes a random walk of at most most rows. It begins after the row last, or from the reset if last is nil. It
// returns the walk's rows up to the last row that shows a mutant, and never more than room rows.
func (w *walker) take(ctx context.Context, c *campaign, last []uint64, most, room int) (rows [][]uint64, err error) {
	p := w.path()
	shows := 0
	for k := 0; k < most; k++ {
		if k%between == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if k > 0 && w.random.IntN(walkPhase) == 0 {
			p = w.path()
		}
		row := w.row(c, p, last)
		if row == nil {
			break
		}
		shown := len(c.killed)
		c.row(row)
		if c.err != nil {
			return nil, c.err
		}
		if rows = append(rows, row); len(c.killed) > shown && len(rows) <= room {
			shows = len(rows)
		}
		last = row
	}
	return rows[:shows], nil
}

// path draws a stimulus, a place in it, and odds.
func (w *walker) path() *path {
	p := &path{rows: w.stimuli[w.random.IntN(len(w.stimuli))], odds: make([]odds, len(w.fields))}
	p.at = w.random.IntN(len(p.rows))
	some := func(list ...uint32) uint32 { return list[w.random.IntN(len(list))] }
	own := some(0, 0, 32, 64)
	for i := range p.odds {
		p.odds[i] = odds{stays: some(0, 0, 0, 32, 62), own: own, ones: some(0, 2, 8, 32, 32, 56, 62, 64)}
		if own == 64 {
			p.odds[i].own = some(0, 60, 64, 64, 64)
		}
	}
	return p
}

// walkPhase is how many rows a walk keeps its odds on average. They change so that, for example, a queue which fills
// in one phase is drained in a later one.
const walkPhase = 64

// walkTries is how many tries at a row may break the rules of the inputs before the walk ends.
const walkTries = 16

// row makes the inputs of a row that keep the rules after the last, with the outputs of the reference; nil if none was
// found.
func (w *walker) row(c *campaign, p *path, last []uint64) []uint64 {
	own := p.rows[p.at]
	p.at = (p.at + 1) % len(p.rows)
	if last == nil && len(w.mutated.netlist.assumes) > 0 { // an environment's rules hold in the reset too
		row := slices.Clone(p.rows[0])
		c.answer(row)
		return row
	}
	for range walkTries {
		row := make([]uint64, len(w.fields))
		for i, f := range w.fields {
			if f.Dir != rtl.Input {
				continue
			}
			switch o := p.odds[i]; {
			case last != nil && w.random.Uint32N(64) < o.stays:
				row[i] = last[i]
			case w.random.Uint32N(64) < o.own:
				row[i] = own[i]
			default:
				for bit := range f.Width {
					if w.random.Uint32N(64) < o.ones {
						row[i] |= 1 << bit
					}
				}
			}
		}
		w.rules.stand(last, row)
		if c.answer(row); c.assumed() {
			return row
		}
	}
	return nil
}
