package rtl

import (
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/internal/checkpoint"
	"github.com/goldwire/goldwire/internal/state"
)

// Kinds of strict mode's section in a checkpoint.
const (
	savedFast   = iota // fast or parallel mode: nothing
	savedStrict        // random numbers, and the order of the ticks, which each instant shuffles further
	savedJitter        // that, and what jitter holds back
)

func (s *Sim) savedAs() uint64 {
	switch {
	case s.strict == nil:
		return savedFast
	case !s.cfg.Jitter:
		return savedStrict
	}
	return savedJitter
}

// saveStrict returns strict mode's own state.
func (s *Sim) saveStrict() []byte {
	e := state.NewEncoder(plans)
	e.Uint(s.savedAs())
	t := s.strict
	if t == nil {
		return e.Bytes()
	}
	if err := e.Object("random numbers", t.rng); err != nil {
		panic(err) // a random source is plain fields
	}
	for _, ticks := range t.ticks {
		for _, n := range ticks {
			e.Uint(uint64(n.index))
		}
	}
	for _, j := range t.late {
		e.Memory(j.see)
		e.Uint(checkpoint.Bit(j.held))
	}
	return e.Bytes()
}

// restoreStrict reads it, where this simulation is in strict mode too. Jitter changes the bits, so it must be as it
// was.
func (s *Sim) restoreStrict(data []byte) error {
	d := state.NewDecoder(plans, data)
	saved, err := d.Uint()
	switch is := s.savedAs(); {
	case err != nil:
		return err
	case saved > savedJitter:
		return fmt.Errorf("a section of kind %d, want at most %d", saved, savedJitter)
	case saved == savedJitter && is != savedJitter:
		return errors.New("it was saved with jitter, and goes on without")
	case saved != savedJitter && is == savedJitter:
		return errors.New("it was saved without jitter, and goes on with it")
	case saved == savedFast || is == savedFast:
		return nil // the seed decides the order of the ticks, which changes nothing else
	}
	if err := d.Object("random numbers", s.strict.rng); err != nil {
		return err
	}
	for c, ticks := range s.strict.ticks {
		if err := s.restoreOrder(d, ticks); err != nil {
			return fmt.Errorf("clock %s: %w", s.clocks[c].Name(), err)
		}
	}
	for _, j := range s.strict.late {
		if err := d.Memory(j.see); err != nil {
			return err
		}
		held, err := d.Uint()
		if err != nil {
			return err
		}
		j.held = held != 0
	}
	return d.Close()
}

// restoreOrder reads an order of the nodes that are there.
func (s *Sim) restoreOrder(d *state.Decoder, ticks []*node) error {
	left := map[*node]bool{}
	for _, n := range ticks {
		left[n] = true
	}
	for i := range ticks {
		x, err := d.Uint()
		if err != nil {
			return err
		}
		if x >= uint64(len(s.nodes)) || !left[s.nodes[x]] {
			return errors.New("its order of ticks has what it does not tick, or twice")
		}
		ticks[i] = s.nodes[x]
		delete(left, ticks[i])
	}
	return nil
}
