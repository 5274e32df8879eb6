package rtl

import "slices"

// beat is what a team calls at instants that have edges of the same clocks.
type beat struct {
	ticks   []Module
	commits []commit
	combs   []Comber
}

// commit makes what was set in registers that lie together what they are.
type commit struct{ cur, next []uint64 }

func (b *beat) tick() {
	for _, m := range b.ticks {
		m.Tick()
	}
}

func (b *beat) commit() {
	for _, c := range b.commits {
		copy(c.cur, c.next)
	}
}

func (b *beat) comb() {
	for _, m := range b.combs {
		m.Comb()
	}
}

// team is shards that one goroutine runs, instant by instant.
type team struct {
	clocks []*beat // by clock, for instants that are not in the table
	table  []*beat // by place in the pattern of the schedule; nil if that is not known
	due    []*beat // what beats returned
}

// newTeam returns a team of these parts.
func newTeam(clocks int, parts ...*part) *team {
	t := &team{}
	for c := range clocks {
		b := &beat{}
		for i := 0; i < len(parts); {
			first := parts[i].shards[c]
			end := first.lo
			for ; i < len(parts) && parts[i].shards[c].lo == end; i++ { // one commit for what lies together
				sh := parts[i].shards[c]
				b.ticks, b.combs = append(b.ticks, sh.ticks...), append(b.combs, sh.combs...)
				end = sh.hi
			}
			if end > first.lo {
				b.commits = append(b.commits, commit{first.slab.cur[first.lo:end], first.slab.next[first.lo:end]})
			}
		}
		t.clocks = append(t.clocks, b)
	}
	return t
}

// beats returns what to call at an instant: one beat if its place in the schedule's pattern is known, else one a clock. The list is
// overwritten by the next call.
func (t *team) beats(edges Edges, place int) []*beat {
	if t.table != nil && place >= 0 {
		return t.table[place : place+1]
	}
	t.due = t.due[:0]
	for _, c := range edges {
		t.due = append(t.due, t.clocks[c])
	}
	return t.due
}

// instant runs all that a team has to do at an instant. The wires of its clocks are settled before and after it.
func (t *team) instant(edges Edges, place int) {
	due := t.beats(edges, place)
	for _, b := range due {
		b.tick()
	}
	for _, b := range due {
		b.commit()
	}
	for _, b := range due {
		b.comb()
	}
}

// settle brings the wires of all clocks to what the registers now say.
func (t *team) settle() {
	for _, b := range t.clocks {
		b.comb()
	}
}

// plan makes the table for a pattern of the schedule: the calls of all clocks that are due together, in one list. Instants with the same
// clocks share it. It makes none if the lists would be long beside those of the clocks.
func (t *team) plan(pattern [][]int) {
	const most = 32 // times the clocks' lists
	size, bound := 0, 0
	for _, b := range t.clocks {
		bound += most * (b.size() + 1)
	}
	t.table = nil
	if len(pattern) == 0 {
		return
	}
	known := map[string]*beat{}
	table := make([]*beat, len(pattern))
	for i, due := range pattern {
		key := setKey(due)
		b := known[key]
		if b == nil {
			b = t.join(due)
			if size += b.size() + 1; size > bound {
				return
			}
			known[key] = b
		}
		table[i] = b
	}
	t.table = table
}

func (b *beat) size() int { return len(b.ticks) + len(b.commits) + len(b.combs) }

// join returns the beat of clocks that are due together.
func (t *team) join(due []int) *beat {
	if len(due) == 1 {
		return t.clocks[due[0]]
	}
	j := &beat{}
	for _, c := range due {
		b := t.clocks[c]
		j.ticks, j.commits, j.combs = append(j.ticks, b.ticks...), append(j.commits, b.commits...), append(j.combs, b.combs...)
	}
	j.ticks, j.commits, j.combs = slices.Clip(j.ticks), slices.Clip(j.commits), slices.Clip(j.combs)
	return j
}

// setKey is a set of clocks as the key of a map.
func setKey(due []int) string {
	key := make([]byte, 0, 2*len(due))
	for _, c := range due {
		key = append(key, byte(c), byte(c>>8))
	}
	return string(key)
}
