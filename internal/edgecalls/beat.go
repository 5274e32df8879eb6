// Package edgecalls keeps the calls of a clock edge in lists: modules whose Tick is called, registers that take their
// next values, modules whose Comb settles wires. It knows neither ports nor connections, and no state but the
// registers' memory.
package edgecalls

import "slices"

// Ticker is called at each edge of its clock.
type Ticker interface{ Tick() }

// Comber settles wires after the edges of its clock.
type Comber interface{ Comb() }

// Beat lists the calls of instants that have edges of the same clocks. A beat run by itself makes them in this order:
//
//	Ticks    modules compute the next values of their registers
//	commits  registers take their next values
//	Gives    values come in from other beats
//	Combs    modules settle their wires
//	Takes    values are kept for other beats
type Beat struct {
	Ticks []Ticker
	Combs []Comber
	// Only a beat run by itself has these: Gives bring in values from other beats before wires are settled, Takes keep
	// values for other beats after that.
	Gives, Takes []Ticker

	commits []commit
}

// commit copies the next values of registers that lie side by side in memory to their current ones.
type commit struct{ cur, next []uint64 }

// AddCommit adds registers that lie side by side in memory: their current values, and their values after the edge.
func (b *Beat) AddCommit(cur, next []uint64) { b.commits = append(b.commits, commit{cur, next}) }

// Empty tells whether there is nothing to call.
func (b *Beat) Empty() bool { return b.size() == 0 }

func (b *Beat) size() int {
	return len(b.Ticks) + len(b.commits) + len(b.Combs) + len(b.Gives) + len(b.Takes)
}

// Run runs an instant that has no other beats.
func (b *Beat) Run() {
	b.Tick()
	b.Commit()
	for _, g := range b.Gives {
		g.Tick()
	}
	b.Comb()
	for _, t := range b.Takes {
		t.Tick()
	}
}

// Tick runs all ticks.
func (b *Beat) Tick() {
	for _, m := range b.Ticks {
		m.Tick()
	}
}

// Commit gives all registers their next values.
func (b *Beat) Commit() {
	for i := range b.commits { // by place: a copy of both slices would be stored and loaded again
		c := &b.commits[i]
		copy(c.cur, c.next)
	}
}

// Comb settles all wires.
func (b *Beat) Comb() {
	for _, m := range b.Combs {
		m.Comb()
	}
}

// Team is beats that one goroutine runs, instant by instant.
type Team struct {
	Clocks []*Beat // by clock, for instants that are not in the table
	Table  []*Beat // by place in the pattern of the schedule; nil if that is not known

	due []*Beat // what Due returned
}

// Due returns what to call at an instant with edges of these clocks: one beat if its place in the schedule's pattern
// is known, else one a clock. The list is overwritten by the next call.
func (t *Team) Due(edges []int, place int) []*Beat {
	if t.Table != nil && place >= 0 {
		return t.Table[place : place+1]
	}
	t.due = t.due[:0]
	for _, c := range edges {
		t.due = append(t.due, t.Clocks[c])
	}
	return t.due
}

// Run makes all calls of a team at an instant. The wires of its clocks are settled before and after it.
func (t *Team) Run(edges []int, place int) {
	due := t.Due(edges, place)
	for _, b := range due {
		b.Tick()
	}
	for _, b := range due {
		b.Commit()
	}
	for _, b := range due {
		b.Comb()
	}
}

// Settle computes the wires of all clocks from the registers.
func (t *Team) Settle() {
	for _, b := range t.Clocks {
		b.Comb()
	}
}

// Plan makes the table for a pattern of the schedule: for each instant one list with the calls of all its clocks. It
// makes no table if the lists together would be longer than 32 times the clocks' own.
func (t *Team) Plan(pattern [][]int) {
	const most = 32 // times the clocks' lists
	size, bound := 0, 0
	for _, b := range t.Clocks {
		bound += most * (b.size() + 1)
	}
	t.Table = nil
	if len(pattern) == 0 {
		return
	}
	table := Table(pattern, func(due []int) *Beat {
		if size > bound {
			return nil
		}
		b := t.join(due)
		size += b.size() + 1
		return b
	})
	if size <= bound {
		t.Table = table
	}
}

// join returns the beat of clocks that are due together.
func (t *Team) join(due []int) *Beat {
	if len(due) == 1 {
		return t.Clocks[due[0]]
	}
	j := &Beat{}
	for _, c := range due {
		b := t.Clocks[c]
		j.Ticks, j.commits, j.Combs = append(j.Ticks, b.Ticks...), append(j.commits, b.commits...),
			append(j.Combs, b.Combs...)
		j.Gives, j.Takes = append(j.Gives, b.Gives...), append(j.Takes, b.Takes...)
	}
	j.Ticks, j.commits, j.Combs = slices.Clip(j.Ticks), slices.Clip(j.commits), slices.Clip(j.Combs)
	return j
}

// Table returns what there is for each instant of a pattern. Instants with the same clocks share it.
func Table[T any](pattern [][]int, of func(due []int) T) []T {
	table := make([]T, len(pattern))
	first := map[string]int{} // the first instant with the clocks
	for i, due := range pattern {
		key := make([]byte, 0, 2*len(due))
		for _, c := range due {
			key = append(key, byte(c), byte(c>>8))
		}
		j, known := first[string(key)]
		if !known {
			j, first[string(key)], table[i] = i, i, of(due)
		}
		table[i] = table[j]
	}
	return table
}
