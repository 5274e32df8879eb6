package cosim

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/vectors"
)

// Shrunk is a short stimulus on which model and RTL part.
type Shrunk struct {
	Set        *vectors.Set // its rows are the model's: an RTL that agrees with them has the bug no longer
	Divergence *Divergence
	From       int // cycles that the stimulus had up to its divergence
	Runs       int // how many stimuli were tried
}

// Limits of the search.
const (
	// shrinkHistory is how many cycles before the divergence are looked at.
	shrinkHistory = 1 << 18
	// shrinkRuns bounds the stimuli that are tried.
	shrinkRuns = 3000
)

// Shrink makes the stimulus of a divergence short: the fewest last cycles that still show one, then delta debugging
// (Zeller and Hildebrandt, 2002) on the cycles left, then zeros for values that do not matter. A stimulus is not tried if
// it breaks a handshake of the unit that the original one keeps: a beat taken back before it was ready.
//
// What is left may show another difference than the one it began with; its own divergence is in the result.
func (s *Session) Shrink(ctx context.Context, st Stimulus, d *Divergence) (*Shrunk, error) {
	rows, err := s.history(st, d.Cycle+1)
	if err != nil {
		return nil, err
	}
	k := &shrinker{s: s, ctx: ctx, polite: true}
	k.handshakes()
	k.polite = k.keepsHandshakes(rows)
	found := false
	for n := 1; !found; n *= 2 {
		n = min(n, len(rows))
		if found, err = k.try(rows[len(rows)-n:]); err != nil {
			return nil, err
		}
		if n == len(rows) {
			break
		}
	}
	if !found {
		return nil, fmt.Errorf("the last %d cycles from reset do not show the divergence again: it needs a longer past", len(rows))
	}
	if err := k.minimise(); err != nil {
		return nil, err
	}
	set, err := vectors.Replay(s.opt.Unit, &vectors.Set{
		Unit: s.opt.Unit.Name, Doc: s.opt.Unit.Doc, Ref: s.opt.Unit.Ref, Latency: s.opt.Unit.Latency, Clock: s.opt.Unit.Clock, Seed: st.Seed,
		Fields: s.fields, Rows: k.best,
	})
	if err != nil {
		return nil, err
	}
	return &Shrunk{Set: set, Divergence: k.divergence, From: d.Cycle + 1, Runs: k.runs}, nil
}

// history runs the model alone and returns the inputs of the cycles before n, at most shrinkHistory of them.
func (s *Session) history(st Stimulus, n int) ([][]uint64, error) {
	m, err := s.model(st)
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

type shrinker struct {
	s          *Session
	ctx        context.Context
	runs       int
	best       [][]uint64 // the shortest stimulus so far
	divergence *Divergence

	polite bool // the stimulus keeps the handshakes
	shakes []handshake
}

// handshake is a stream into the unit: what has to stand still while valid and not ready.
type handshake struct {
	valid, ready int
	fields       []int
}

// handshakes finds the unit's own.
func (k *shrinker) handshakes() {
	for port, ready := range k.s.opt.Unit.Ready {
		h := handshake{valid: -1, ready: -1}
		for c, f := range k.s.fields {
			switch {
			case f.Port == port && f.Name == port+"_valid":
				h.valid = c
			case f.Name == ready:
				h.ready = c
			}
			if f.Port == port {
				h.fields = append(h.fields, c)
			}
		}
		if h.valid >= 0 && h.ready >= 0 {
			k.shakes = append(k.shakes, h)
		}
	}
}

// keepsHandshakes runs the model and tells whether each beat stands until it is ready.
func (k *shrinker) keepsHandshakes(rows [][]uint64) bool {
	if len(k.shakes) == 0 {
		return true
	}
	m, err := k.s.model(Stimulus{Rows: rows})
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

// try runs a stimulus from reset. If the sides part it becomes the best, without what is behind the divergence.
func (k *shrinker) try(rows [][]uint64) (bool, error) {
	if len(rows) == 0 || k.runs >= shrinkRuns && k.best != nil {
		return false, nil
	}
	rows = k.repair(rows)
	if k.polite && len(k.shakes) > 0 && k.best != nil && !k.keepsHandshakes(rows) {
		return false, nil
	}
	k.runs++
	r, err := k.s.Run(k.ctx, Stimulus{Rows: rows}, nil)
	if err != nil || r.Divergence == nil {
		return false, err
	}
	rows = rows[:min(len(rows), r.Divergence.Cycle+1)]
	k.best, k.divergence = rows, r.Divergence
	return true, nil
}

// repair makes rows follow from each other as the unit demands. The rows given stay as they are.
func (k *shrinker) repair(rows [][]uint64) [][]uint64 {
	repair := k.s.opt.Unit.Repair
	if repair == nil {
		return rows
	}
	fixed := make([][]uint64, len(rows))
	var last *vectors.Values
	for i, row := range rows {
		now := &vectors.Values{Fields: k.s.fields, Row: append([]uint64(nil), row...)}
		repair(last, now)
		fixed[i], last = now.Row, now
	}
	return fixed
}

// minimise leaves out what is not needed until nothing more can go.
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

// cut is delta debugging: chunks of cycles are left out, halves at first, single cycles at last.
func (k *shrinker) cut() error {
	for chunk := (len(k.best) + 1) / 2; chunk >= 1; {
		smaller := false
		for from := 0; from < len(k.best); {
			to := min(from+chunk, len(k.best))
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
	before, divergence := k.best, k.divergence
	ok, err := k.try(rows)
	if ok && len(k.best) > len(before) { // it parts later than it did
		k.best, k.divergence, ok = before, divergence, false
	}
	return ok, err
}
