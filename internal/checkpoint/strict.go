package checkpoint

import (
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/internal/engine"
	"github.com/goldwire/goldwire/internal/state"
)

// Kinds of strict mode's section in a checkpoint.
const (
	savedFast   = iota // fast or parallel mode: nothing
	savedStrict        // random numbers, and the order of the ticks, which each instant shuffles further
	savedJitter        // that, and what jitter holds back
)

func savedAs(t *engine.StrictState) uint64 {
	switch {
	case t == nil:
		return savedFast
	case !t.Jitter:
		return savedStrict
	}
	return savedJitter
}

// saveStrict returns strict mode's own state.
func (d *Design) saveStrict() []byte {
	e, t := state.NewEncoder(d.Plans), d.Engine.Strict()
	e.Uint(savedAs(t))
	if t == nil {
		return e.Bytes()
	}
	if err := e.Object("random numbers", t.Random); err != nil {
		panic(err) // a random source is plain fields
	}
	for _, ticks := range t.Ticks {
		for _, n := range ticks {
			e.Uint(uint64(n.Index))
		}
	}
	for _, j := range t.Late {
		e.Memory(j.See)
		e.Uint(bit(j.Held))
	}
	return e.Bytes()
}

// restoreStrict reads it, where this simulation is in strict mode too. Jitter changes the bits, so it must be as it
// was.
func (d *Design) restoreStrict(data []byte) error {
	from, t := state.NewDecoder(d.Plans, data), d.Engine.Strict()
	saved, err := from.Uint()
	switch is := savedAs(t); {
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
	if err := from.Object("random numbers", t.Random); err != nil {
		return err
	}
	for c, ticks := range t.Ticks {
		if err := d.restoreOrder(from, ticks); err != nil {
			return fmt.Errorf("clock %s: %w", d.Engine.Clocks()[c].Name, err)
		}
	}
	for _, j := range t.Late {
		if err := from.Memory(j.See); err != nil {
			return err
		}
		held, err := from.Uint()
		if err != nil {
			return err
		}
		j.Held = held != 0
	}
	return from.Close()
}

// restoreOrder reads an order of the nodes that are there.
func (d *Design) restoreOrder(from *state.Decoder, ticks []*engine.Node) error {
	nodes, left := d.Engine.Nodes(), map[*engine.Node]bool{}
	for _, n := range ticks {
		left[n] = true
	}
	for i := range ticks {
		x, err := from.Uint()
		if err != nil {
			return err
		}
		if x >= uint64(len(nodes)) || !left[nodes[x]] {
			return errors.New("its order of ticks has what it does not tick, or twice")
		}
		ticks[i] = nodes[x]
		delete(left, ticks[i])
	}
	return nil
}
