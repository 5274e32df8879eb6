package cosim

import (
	"context"
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/vectors"
)

// Shrunk is a short stimulus on which model and RTL part as they did.
type Shrunk struct {
	Set        *vectors.Set // its rows are the model's: an RTL that agrees with them has the bug no longer
	Divergence *Divergence
	Lead       int    // of the rows: those at the start that bring RTL without a reset to where it is compared
	Seed       uint64 // of transfers: the seed of the pauses with which it shows
	From       int    // cycles that the stimulus had up to its divergence
	Runs       int    // how many stimuli were tried
}

// Limits of the search.
const (
	// shrinkHistory is how many cycles before the divergence are looked at.
	shrinkHistory = 1 << 18
	// shrinkRuns bounds the stimuli that are tried.
	shrinkRuns = 3000
	// shrinkAfter is how many cycles after a transfer may spoil it.
	shrinkAfter = 256
)

// Shrink makes the stimulus of a divergence short: the fewest last cycles that still show it, then delta debugging
// (Zeller and Hildebrandt, 2002) on the cycles left, then zeros for values that do not matter. A stimulus is not tried
// if it breaks a handshake of the unit that the original one keeps: a beat taken back before it was ready.
//
// The remaining rows show the same difference: in the last cycle, of the same field, in the same bytes of every output,
// and none before it. It is the very cycle of the original if that can be: only of faults that add up before they are
// seen another one serves. Of the cycles that the map skips none is needed if the RTL agrees in them; else as many
// cycles of zeros come first.
func (s *Session) Shrink(ctx context.Context, st Stimulus, d *Divergence) (*Shrunk, error) {
	if d.stimulus != nil {
		st = *d.stimulus
	}
	st, err := s.exact(st)
	if err != nil {
		return nil, err
	}
	needed := d.rows() + s.lead
	if d.Transfers { // a later input may spoil it
		needed = min(st.cycles(), needed+shrinkAfter)
	}
	rows, err := s.history(st, needed)
	if err != nil {
		return nil, err
	}
	k := &shrinker{s: s, ctx: ctx, seed: s.opt.Seed, polite: true, shakes: s.handshakes(), like: d}
	k.polite = k.keepsHandshakes(rows)
	if k.leadIn, err = s.needsLead(ctx, st); err != nil {
		return nil, err
	}
	found := false
	if d.Transfers {
		k.rtl = s.dut.(elastic)
		defer func() { s.hurry = false; k.rtl.reseed(s.opt.Seed) }()
		for _, s.hurry = range []bool{true, false} {
			if found, err = k.searchTransfers(rows, d.rows()); found || err != nil {
				break
			}
		}
	} else {
		found, err = k.search(rows)
	}
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, fmt.Errorf(
			"the last %d cycles from reset do not show the divergence again: it needs a longer past", len(rows),
		)
	}
	if err := k.minimise(); err != nil {
		return nil, err
	}
	if s.hurry { // with patience it is the same
		s.hurry = false
		if ok, err := k.try(k.best); err != nil || !ok {
			return nil, errors.Join(err, errors.New("the short stimulus shows no divergence if the RTL is given time"))
		}
	}
	if n := len(d.legs); n > 0 {
		begins := d.legs[n-1].begins
		begins.seed = k.seed
		k.divergence.legs = []leg{{Stimulus{Rows: k.whole(k.best), exact: true}, begins}}
		s.locate(ctx, k.divergence)
	}
	set, err := vectors.Replay(s.opt.Unit, &vectors.Set{
		Unit: s.opt.Unit.Name, Doc: s.opt.Unit.Doc, Ref: s.opt.Unit.Ref, Latency: s.opt.Unit.Latency, Clock: s.opt.Unit.Clock,
		Seed:     st.Seed,
		Settings: s.opt.Unit.Settings, Fields: s.fields, Rows: k.whole(k.best),
		Once: s.opt.Unit.ResetOnce != "" || s.Binding.reset == nil,
	})
	if err != nil {
		return nil, err
	}
	return &Shrunk{Set: set, Divergence: k.divergence, Lead: k.leadIn, From: d.rows(), Runs: k.runs, Seed: k.seed}, nil
}

// search looks for the fewest last rows that show the divergence.
func (k *shrinker) search(rows [][]uint64) (found bool, err error) {
	for _, k.anywhere = range []bool{false, true} {
		for n := 1; ; n *= 2 {
			n = min(n, len(rows))
			if found, err = k.try(rows[len(rows)-n:]); err != nil || found {
				return found, err
			}
			if n == len(rows) {
				break
			}
		}
	}
	return false, nil
}

// shrinkSeeds is how many seeds of the pauses are tried for a stimulus of transfers.
const shrinkSeeds = 8

// searchTransfers looks for few rows around the one whose transfer differs. Whether they show it depends on the pauses,
// which are not a part of them: so each is tried with several seeds.
func (k *shrinker) searchTransfers(rows [][]uint64, differs int) (found bool, err error) {
	for n := 2; ; n *= 2 {
		for _, after := range []int{0, 2, 16, shrinkAfter} {
			to := min(differs+after, len(rows))
			from := max(0, differs-n)
			if after > n && n < len(rows) {
				continue
			}
			for k.seed = k.s.opt.Seed; k.seed < k.s.opt.Seed+shrinkSeeds; k.seed++ {
				if found, err = k.try(rows[from:to]); err != nil || found {
					return found, err
				}
			}
		}
		if n >= len(rows) {
			return false, nil
		}
	}
}

// needsLead returns how many rows have to come before the counting rows: as many as the map skips, unless the RTL
// agrees in them.
func (s *Session) needsLead(ctx context.Context, st Stimulus) (int, error) {
	if s.Binding.skip == 0 {
		return 0, nil
	}
	rows, err := s.history(st, s.Binding.skip)
	if err != nil {
		return 0, err
	}
	d, err := s.run(ctx, Stimulus{Rows: rows, exact: true}, 0, newTally(s.view, nil, false), nil)
	if d == nil || err != nil {
		return 0, err
	}
	return s.Binding.skip, nil
}

// history runs the model alone and returns the inputs of the cycles before n, at most shrinkHistory of them.
func (s *Session) history(st Stimulus, n int) ([][]uint64, error) {
	m, err := s.withoutLead().model(st)
	if err != nil {
		return nil, err
	}
	var rows [][]uint64
	for k := range n {
		if err := m.next(); err != nil {
			return nil, err
		}
		if k < n-shrinkHistory {
			continue
		}
		row := make([]uint64, len(s.fields))
		for _, c := range s.inputs {
			row[c] = m.row[c]
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// rows is how many rows of the stimulus lead to the divergence.
func (d *Divergence) rows() int {
	if d.Transfers {
		return d.row + 1
	}
	return d.Cycle + 1
}

type shrinker struct {
	s          *Session
	ctx        context.Context
	runs       int
	best       [][]uint64 // the shortest stimulus so far
	divergence *Divergence
	rtl        elastic // of transfers
	seed       uint64  // of its pauses

	like     *Divergence // the difference that has to show
	anywhere bool        // in any cycle, not only in the original's
	leadIn   int         // rows of zeros before the tried rows
	polite   bool        // the stimulus keeps the handshakes
	shakes   []handshake
}

// keepsHandshakes runs the model and tells whether each beat stands until it is ready.
func (k *shrinker) keepsHandshakes(rows [][]uint64) bool {
	if len(k.shakes) == 0 {
		return true
	}
	m, err := k.s.withoutLead().model(Stimulus{Rows: rows, exact: true})
	if err != nil {
		return false
	}
	last := make([]uint64, len(k.s.fields))
	for i := range rows {
		if err := m.next(); err != nil {
			return false
		}
		for _, h := range k.shakes {
			if i == 0 || last[h.valid] == 0 || last[h.ready] == 1 {
				continue
			}
			for _, c := range h.fields {
				if m.row[c] != last[c] {
					return false
				}
			}
		}
		copy(last, m.row)
	}
	return true
}

// try runs a stimulus from reset. If the sides part in the same way it becomes the best, without the rows after.
func (k *shrinker) try(rows [][]uint64) (bool, error) {
	if len(rows) <= k.s.lead || k.runs >= shrinkRuns && k.best != nil {
		return false, nil
	}
	rows = k.repair(rows)
	if k.polite && len(k.shakes) > 0 && k.best != nil && !k.keepsHandshakes(rows) {
		return false, nil
	}
	k.runs++
	whole := k.whole(rows)
	t := newTally(k.s.view, k.s.opt.Waivers, false)
	var d *Divergence
	var err error
	if k.like.Transfers {
		k.rtl.reseed(k.seed)
		d, err = k.s.runTransfers(k.ctx, Stimulus{Rows: whole, exact: true}, t, nil)
		if stuck := (errStuck{}); errors.As(err, &stuck) {
			return false, nil
		}
	} else {
		d, err = k.s.run(k.ctx, Stimulus{Rows: whole, exact: true}, k.leadIn, t, nil)
	}
	if err != nil || d == nil || !d.like(k.like) {
		return false, err
	}
	if d.Transfers {
		k.best, k.divergence = rows, d
		return true, nil
	}
	last := d.rows() - 1 + k.s.lead - k.leadIn
	if last < 0 || last >= len(rows) || last != len(rows)-1 && !k.anywhere {
		return false, nil
	}
	k.best, k.divergence = rows[:last+1], d
	return true, nil
}

// whole puts the rows of zeros before the others.
func (k *shrinker) whole(rows [][]uint64) [][]uint64 {
	if k.leadIn == 0 {
		return rows
	}
	all := make([][]uint64, 0, k.leadIn+len(rows))
	for range k.leadIn {
		all = append(all, make([]uint64, len(k.s.fields)))
	}
	return k.repair(append(all, rows...))
}

// repair makes rows follow from each other as the unit demands, and keeps the held values. The rows given stay as they
// are.
func (k *shrinker) repair(rows [][]uint64) [][]uint64 {
	if k.s.opt.Unit.Repair == nil && len(k.s.held) == 0 {
		return rows
	}
	fixed := make([][]uint64, len(rows))
	var last *vectors.Values
	for i, row := range rows {
		fixed[i] = append([]uint64(nil), row...)
		k.s.fix(last, fixed[i])
		last = &vectors.Values{Fields: k.s.fields, Row: fixed[i]}
	}
	return fixed
}

// minimise leaves out needless rows until nothing more can go.
func (k *shrinker) minimise() error {
	for {
		before := len(k.best)
		if err := k.cut(); err != nil {
			return err
		}
		if err := k.zero(); err != nil {
			return err
		}
		if len(k.best) == before {
			return nil
		}
	}
}

// cut is delta debugging: chunks of cycles are left out, halves at first, single cycles at last. The cycle that shows
// the difference stays.
func (k *shrinker) cut() error {
	kept := 1
	if k.like.Transfers { // the row that shows a transfer is not known
		kept = 0
	}
	for chunk := len(k.best) / 2; chunk >= 1; {
		smaller := false
		for from := 0; from < len(k.best)-kept; {
			to := min(from+chunk, len(k.best)-kept)
			rows := append(append([][]uint64(nil), k.best[:from]...), k.best[to:]...)
			ok, err := k.try(rows)
			if err != nil {
				return err
			}
			if !ok {
				from = to
			}
			smaller = smaller || ok
		}
		if !smaller || chunk > len(k.best) {
			chunk /= 2
		}
	}
	return nil
}

// zero sets inputs to zero where that still shows the difference: in all cycles at once, else in one after another.
func (k *shrinker) zero() error {
	const mostRows = 64 // for single values
	for _, c := range k.s.inputs {
		from, to := 0, len(k.best)
		ok, err := k.tryZero(c, from, to)
		if err != nil {
			return err
		}
		for i := 0; !ok && i < len(k.best) && len(k.best) <= mostRows; i++ {
			if _, err := k.tryZero(c, i, i+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (k *shrinker) tryZero(c, from, to int) (bool, error) {
	rows := append([][]uint64(nil), k.best...)
	changed := false
	for i := from; i < to; i++ {
		if rows[i][c] != 0 {
			rows[i] = append([]uint64(nil), rows[i]...)
			rows[i][c] = 0
			changed = true
		}
	}
	if !changed {
		return true, nil
	}
	return k.try(rows)
}
