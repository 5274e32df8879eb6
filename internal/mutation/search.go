package mutation

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/vectors"
)

// Options bound a search.
type Options struct {
	Mutants int           // most mutants; Yosys finds fewer in small RTL
	Seed    uint64        // of the mutants and of the stimulus
	Cycles  int           // most rows of the unit's own stimulus
	Limit   int           // most rows in all
	Time    time.Duration // of the processor, for a proof or a search for inputs; as a limit in whole seconds
	Memory  int64         // bytes that a program may have; 0 for no limit
	// Late, if not 0, is how many searches of a kind may end by their time before no more of the kind are made.
	Late int
	// Within, if not 0, bounds the time of the whole search. When it is over the search stops, and the mutants left stay
	// open.
	Within time.Duration
	// Progress, if not nil, is called with a description of each step.
	Progress func(what string)

	whole bool              // all rows of the stimulus stay
	known *vectors.Campaign // an earlier campaign, or nil
}

// Defaults.
const (
	DefaultMutants = 200
	DefaultTime    = 30 * time.Second
	// MostMutants bounds Options.Mutants: Yosys plants them one by one.
	MostMutants = 1000
)

// search is what a search has found so far.
type search struct {
	Options
	unit    vectors.Unit
	fields  []vectors.Field
	mutated *mutated
	rows    [][]uint64
	own     int             // how many rows, from the first on, are of the unit's stimulus
	reasons map[int]string  // why a mutant is open
	limited map[int]bool    // mutants that more rows would show than the limit has left
	equal   map[int]bool    // mutants that are proved equal
	runs    [][][]uint64    // more rows, each from the reset on
	fixed   map[int]literal // the constant values of registers of the reference after the reset
	shows   []int           // mutants of which a proof says that inputs from the reset on show them
	ended   string          // why the search ended before it was through, empty if it did not
}

// Capture returns rows that kill the mutants of a unit's reference RTL. It begins with the unit's own stimulus, up to
// the last row that kills a mutant. Then, for each mutant that is left and not proved equal to the reference, it adds
// the shortest inputs that show it from there. The returned set counts killed, equal and open mutants.
//
// The same seeds give the same rows, except where the time ended a search. If the context ends after some rows have
// been run, Capture returns the findings so far and an error.
func Capture(ctx context.Context, u vectors.Unit, opt Options) (*vectors.Set, error) {
	s, err := opt.search(u)
	if err != nil {
		return nil, err
	}
	set, _, err := s.all(ctx)
	return set, err
}

// search makes one that has found nothing yet.
func (opt Options) search(u vectors.Unit) (*search, error) {
	if err := opt.check(u); err != nil {
		return nil, err
	}
	if opt.Progress == nil {
		opt.Progress = func(string) {}
	}
	return &search{Options: opt, unit: u, reasons: map[int]string{}, limited: map[int]bool{}, equal: map[int]bool{}}, nil
}

// check wants a unit with RTL, and options within their bounds.
func (opt Options) check(u vectors.Unit) error {
	switch {
	case u.RTL == "":
		return fmt.Errorf("unit %s: there is no reference RTL to mutate", u.Name)
	case u.Repair != nil && u.Environment == "":
		return fmt.Errorf("unit %s: its inputs follow from each other, and the unit does not say it in Verilog", u.Name)
	case opt.Mutants < 1 || opt.Mutants > MostMutants:
		return fmt.Errorf("%d mutants, want 1 to %d", opt.Mutants, MostMutants)
	case opt.Cycles < 1 || opt.Limit < 1:
		return fmt.Errorf("%d cycles of a limit of %d, want at least 1", opt.Cycles, opt.Limit)
	}
	return formal.Available(formal.PDR)
}

// plant makes the mutants.
func (s *search) plant(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "goldwire-mutation-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s.Progress("planting mutants")
	if s.mutated, err = plant(ctx, dir, s.unit, s.Mutants, s.Seed, s.Memory); err != nil {
		return fmt.Errorf("unit %s: %w", s.unit.Name, err)
	}
	return nil
}

// everyone returns all mutants.
func (s *search) everyone() []int {
	all := make([]int, s.count())
	for i := range all {
		all[i] = i + 1
	}
	return all
}

// all returns the rows, and further runs from the reset on.
func (s *search) all(ctx context.Context) (set *vectors.Set, runs []*vectors.Set, err error) {
	within := ctx
	if s.Within > 0 {
		var cancel context.CancelFunc
		within, cancel = context.WithTimeout(ctx, s.Within)
		defer cancel()
	}
	set, left, err := s.first(within)
	if err == nil {
		err = s.rest(within, left)
	}
	switch {
	case ctx.Err() != nil:
		s.ended, err = "interrupted", fmt.Errorf("interrupted: %w", ctx.Err())
	case within.Err() != nil:
		s.ended = fmt.Sprintf("not searched for any more after %v in all", s.Within)
		if err = nil; set == nil {
			return nil, nil, fmt.Errorf("unit %s: %v were over before all rows of the stimulus were run", s.unit.Name, s.Within)
		}
	}
	if set == nil || err != nil && s.ended == "" {
		return nil, nil, err
	}
	set, runs, failed := s.result(context.WithoutCancel(ctx), set)
	if failed != nil {
		return nil, nil, failed
	}
	return set, runs, err
}

// first plants the mutants and runs the stimulus, and returns it with the mutants that it does not show.
func (s *search) first(ctx context.Context) (set *vectors.Set, left []int, err error) {
	if err := s.plant(ctx); err != nil {
		return nil, nil, err
	}
	set, err = vectors.Capture(s.unit, min(s.Limit, s.Cycles), s.Seed)
	if err != nil {
		return nil, nil, err
	}
	s.fields = set.Fields
	if s.known != nil {
		if left, err = s.resume(ctx, set); err != nil {
			return nil, nil, err
		} else if left != nil {
			return set, left, nil
		}
	}
	c, err := s.simulate(ctx, set.Rows, s.everyone())
	if err != nil {
		return nil, nil, err
	}
	latest := 0
	if s.whole {
		latest = len(set.Rows) - 1
	}
	for _, row := range c.killed {
		latest = max(latest, row)
	}
	s.rows, s.own = slices.Clip(set.Rows[:latest+1]), latest+1
	return set, c.alive(), nil
}

// rest decides the mutants that the stimulus does not show. It can end at any time; its findings up to then hold.
func (s *search) rest(ctx context.Context, left []int) (err error) {
	if len(left) > 0 {
		if err := s.fix(ctx); err != nil {
			return err
		}
	}
	for _, step := range []func(context.Context, []int) ([]int, error){s.proveFolded, s.proveInduced, s.walk,
		s.proveTogether, s.hold} {
		if left, err = step(ctx, left); err != nil {
			return err
		}
	}
	for _, p := range []proof{reachedProof, quickProof} {
		if left, err = s.prove(ctx, left, p); err != nil {
			return err
		}
	}
	if left, err = s.direct(ctx, left); err != nil {
		return err
	}
	if s.whole {
		if left, err = s.restart(ctx, left, shortest()); err != nil {
			return err
		}
	}
	left, err = s.prove(ctx, left, wholeProof)
	if err != nil || !s.whole {
		return err
	}
	_, err = s.restart(ctx, slices.DeleteFunc(left, func(m int) bool { return !slices.Contains(s.shows, m) }), anyDepth())
	return err
}

// count is how many mutants there are.
func (s *search) count() int { return len(s.mutated.names) - 1 }

// simulate runs rows through mutants, until all are killed.
func (s *search) simulate(ctx context.Context, rows [][]uint64, mutants []int) (*campaign, error) {
	c, err := newCampaign(s.unit, s.fields, s.mutated.netlist, mutants, s.Seed)
	if err != nil {
		return nil, err
	}
	for k, row := range rows {
		if k%between == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			c.pack()
			left := len(mutants) - len(c.killed)
			s.Progress(fmt.Sprintf("row %d: %d of %d mutants are not shown yet", k, left, s.count()))
		}
		c.row(row)
	}
	return c, c.err
}

// between is how many rows are run before the context is looked at.
const between = 256

// proveTogether proves mutants equal, many in one graph, so that facts about the reference are found once. The first
// proof is about mutants that are equal in each step from the reference's registers (most of the equal ones); the
// second about mutants that are equal with registers of their own.
func (s *search) proveTogether(ctx context.Context, alive []int) (left []int, err error) {
	left = alive
	for _, p := range together {
		if left, err = s.proveInParts(ctx, left, p); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// mostNodes is the size from which on a graph gets no more mutants.
var mostNodes = 200_000

// proveInParts asks about mutants in as few graphs as their size allows. It returns the mutants not found equal.
func (s *search) proveInParts(ctx context.Context, list []int, p proof) (left []int, err error) {
	late := 0
	for done := 0; done < len(list); {
		s.Progress(fmt.Sprintf("%d cycles: which of %d mutants are equal to the reference, %s", len(s.rows),
			len(list)-done, p.commands))
		m := newMiter(s.unit, s.fields, s.mutated.netlist, nil, s.fixed)
		var apart []literal
		var asked []int
		for ; done < len(list) && (len(apart) == 0 || len(m.nodes) < mostNodes); done++ {
			x := m.partsFrom(list[done], p.oneStep)
			if x == literalFalse {
				s.equal[list[done]] = true
				continue
			}
			apart, asked = append(apart, x), append(asked, list[done])
		}
		if len(asked) == 0 || s.Late > 0 && late == s.Late {
			left = append(left, asked...)
			continue
		}
		never, swept, err := m.constants(ctx, s.Time, s.Memory, p.commands, apart)
		if err != nil {
			return nil, err
		}
		if !swept {
			late++
		}
		for i, mutant := range asked {
			if never[i] {
				s.equal[mutant] = true
			} else {
				left = append(left, mutant)
			}
		}
	}
	return left, nil
}

// prove sorts out the mutants that are equal to the reference. It returns the others.
func (s *search) prove(ctx context.Context, alive []int, p proof) (left []int, err error) {
	late := 0
	for i, mutant := range alive {
		s.Progress(fmt.Sprintf("%d cycles: is mutant %d of %d equal to the reference", len(s.rows), i+1, len(alive)))
		if s.Late > 0 && late == s.Late {
			if s.reasons[mutant] == "" {
				s.reasons[mutant] = fmt.Sprintf("not searched for: %d other searches ended after %v", late, s.Time)
			}
			left = append(left, mutant)
			continue
		}
		m := newMiter(s.unit, s.fields, s.mutated.netlist, nil, s.fixed)
		v, err := m.equal(ctx, m.partsFrom(mutant, p.oneStep), s.Time, s.Memory, p.commands)
		if err != nil {
			return nil, err
		}
		switch {
		case v == never:
			s.equal[mutant] = true
			delete(s.reasons, mutant)
			continue
		case v == unknown:
			late++
			s.reasons[mutant] = fmt.Sprintf("neither proved equal nor shown in %v", s.Time)
		case v == reached && !p.oneStep && len(s.unit.Clocks) > 0:
			s.reasons[mutant] = anyOrder
		case v == reached && !p.oneStep:
			s.shows = append(s.shows, mutant)
			s.reasons[mutant] = fmt.Sprintf("inputs from reset show it; in %d cycles after cycle %d none were found in %v",
				mostDirected, len(s.rows)-1, s.Time)
		}
		left = append(left, mutant)
	}
	return left, nil
}

// anyOrder is the reason of mutants of units with several clocks.
const anyOrder = "edges of the clocks in some order show it; inputs for the unit's own clocks are not searched for"

// direct adds rows for the mutants that are left. It returns the mutants for which it found none.
func (s *search) direct(ctx context.Context, left []int) (still []int, err error) {
	if len(left) == 0 || len(s.unit.Clocks) > 0 {
		return left, nil
	}
	c, err := s.simulate(ctx, s.rows, left)
	if err != nil {
		return nil, err
	}
	late := 0
	for i, mutant := range left {
		if c.dead(mutant) || s.Late > 0 && late == s.Late {
			continue
		}
		s.Progress(fmt.Sprintf("%d cycles: inputs that show mutant %d of %d", len(s.rows), i+1, len(left)))
		rows, done, err := s.shown(ctx, c, mutant, s.rows[len(s.rows)-1], shortest())
		if err != nil {
			return nil, err
		}
		if !done {
			late++
		}
		if len(s.rows)+len(rows) > s.Limit {
			s.limited[mutant] = true
			s.reasons[mutant] = fmt.Sprintf("%d more cycles would show it, the limit is %d in all", len(rows), s.Limit)
			continue
		}
		for _, row := range rows {
			c.answer(row)
			c.row(row)
			s.rows = append(s.rows, row)
		}
		if c.err != nil {
			return nil, c.err
		}
	}
	for _, mutant := range left {
		if !c.dead(mutant) && !s.limited[mutant] {
			still = append(still, mutant)
		}
	}
	return still, nil
}

// restart adds runs from the reset on for the mutants that are left: some show only with other inputs in the reset
// than row 0 has, or only soon after it. It returns the mutants for which it found none.
func (s *search) restart(ctx context.Context, left []int, commands string) (still []int, err error) {
	if len(s.unit.Clocks) > 0 {
		return left, nil
	}
	late := 0
	for len(left) > 0 {
		c, err := newCampaign(s.unit, s.fields, s.mutated.netlist, left, s.Seed)
		if err != nil {
			return nil, err
		}
		s.Progress(fmt.Sprintf("%d runs from the reset: inputs that show one of %d mutants", len(s.runs), len(left)))
		if s.Late > 0 && late == s.Late {
			return append(still, left...), nil
		}
		mutant := left[0]
		rows, done, err := s.shown(ctx, c, mutant, nil, commands)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			c.answer(row) // with the inputs of the reset before the first
			c.row(row)
		}
		if c.err != nil {
			return nil, c.err
		}
		if !done {
			late++
		}
		if len(c.killed) > 0 {
			s.runs = append(s.runs, rows)
		}
		if !c.dead(mutant) {
			still = append(still, mutant)
		}
		left = slices.DeleteFunc(c.alive(), func(m int) bool { return m == mutant })
	}
	return still, nil
}

// shown looks for inputs that show a mutant after the last row, nil for from the reset on, in the first of its lanes,
// then in the second.
func (s *search) shown(ctx context.Context, c *campaign, mutant int, last []uint64,
	commands string) (rows [][]uint64, done bool, err error) {
	first, second := c.state(mutant, 0, last), c.state(mutant, 1, last)
	for _, from := range []*state{first, second} {
		if from == second && first.same(second) && len(s.mutated.netlist.open) == 0 {
			break
		}
		m := newMiter(s.unit, s.fields, s.mutated.netlist, from, nil)
		rows, done, err = m.find(ctx, m.apart(mutant), s.Time, s.Memory, commands)
		if err != nil || rows != nil || !done {
			break
		}
	}
	return rows, done, err
}

// result runs all rows through the model and all mutants once more, and counts.
func (s *search) result(ctx context.Context, set *vectors.Set) (rows *vectors.Set, runs []*vectors.Set, err error) {
	alive, killed := s.everyone(), 0
	replay := func(rows [][]uint64) (*vectors.Set, error) {
		directed := *set
		directed.Rows = rows
		answered, err := vectors.Replay(s.unit, &directed)
		if err != nil {
			return nil, err
		}
		c, err := s.simulate(ctx, answered.Rows, alive)
		if err != nil {
			return nil, err
		}
		alive = c.alive()
		killed += len(c.killed)
		return answered, nil
	}
	if rows, err = replay(s.rows); err != nil {
		return nil, nil, err
	}
	for _, run := range s.runs {
		answered, err := replay(run)
		if err != nil {
			return nil, nil, err
		}
		runs = append(runs, answered)
	}
	m := &vectors.Mutants{Of: s.count(), Killed: killed, Equal: len(s.equal), Open: []vectors.OpenMutant{},
		Directed: len(s.rows) - s.own}
	for _, mutant := range slices.Sorted(maps.Keys(s.equal)) {
		if !slices.Contains(alive, mutant) {
			return nil, nil, fmt.Errorf("unit %s: mutant %s is proved equal, and rows show it", s.unit.Name,
				s.mutated.names[mutant])
		}
	}
	for _, mutant := range alive {
		// a reason from before may speak of searches that were still to come
		if s.ended != "" && !s.equal[mutant] && !s.limited[mutant] {
			s.reasons[mutant] = s.ended
		}
		reason, open := s.reasons[mutant]
		if open == s.equal[mutant] {
			return nil, nil, fmt.Errorf("unit %s: of mutant %s, which no row shows, it is not known why", s.unit.Name,
				s.mutated.names[mutant])
		}
		if open {
			m.Open = append(m.Open, vectors.OpenMutant{Mutant: s.mutated.names[mutant], Reason: reason})
		}
	}
	rows.Mutants = m
	return rows, runs, nil
}
