package engine

import (
	"slices"

	"github.com/goldwire/goldwire/internal/edgecalls"
	"github.com/goldwire/goldwire/internal/fusedcode"
)

// callLists are the calls of generated code.
type callLists struct {
	lists [][]func() // by place in the schedule's pattern
	round []func()   // all of them, one after the other
}

// planCalls makes the lists of calls for the instants of a pattern, nil if there is no generated code or no pattern.
func (p *part) planCalls(pattern [][]int) *callLists {
	if p.code.island == nil || len(pattern) == 0 {
		return nil
	}
	for i := range p.code.island.Domains {
		if d := &p.code.island.Domains[i]; d.InPlace != nil && !p.meetsReaders(d, pattern) {
			d.InPlace()
			d.InPlace, d.Commit = nil, nil // for ever: clocks that never meet in one pattern do in none
		}
	}
	calls, made := edgecalls.Table(pattern, p.callsOf), fusedcode.Functions{}
	planned := &callLists{round: made.Of(slices.Concat(calls...))}
	for _, c := range calls {
		planned.lists = append(planned.lists, made.Of(c))
	}
	return planned
}

// meetsReaders tells whether a clock ever has an edge together with one whose modules read registers that it sets
// aside.
func (p *part) meetsReaders(d *fusedcode.Domain, pattern [][]int) bool {
	return slices.ContainsFunc(pattern, func(due []int) bool {
		return slices.Contains(due, p.code.clocks[d.Clock]) &&
			slices.ContainsFunc(d.Readers, func(r int) bool { return slices.Contains(due, p.code.clocks[r]) })
	})
}

// callsOf lists what an instant with edges of these clocks calls.
func (p *part) callsOf(due []int) (calls []fusedcode.Call) {
	add := func(of func(fusedcode.Domain) []fusedcode.Call) {
		for _, d := range p.code.island.Domains {
			if slices.Contains(due, p.code.clocks[d.Clock]) {
				calls = append(calls, of(d)...)
			}
		}
	}
	all := func(of func(*shard) []mover) {
		for _, c := range due {
			for _, m := range of(p.shards[c]) {
				calls = append(calls, fusedcode.Alone(m.Call()))
			}
		}
	}
	for _, c := range due {
		for _, start := range p.shards[c].starts {
			calls = append(calls, fusedcode.Alone(start))
		}
	}
	add(func(d fusedcode.Domain) []fusedcode.Call { return d.Take })
	add(func(d fusedcode.Domain) []fusedcode.Call { return d.Tick })
	add(func(d fusedcode.Domain) []fusedcode.Call { return d.Commit })
	all(func(sh *shard) []mover { return sh.gives })
	add(func(d fusedcode.Domain) []fusedcode.Call { return d.Comb })
	all(func(sh *shard) []mover { return sh.takes })
	return slices.Clip(calls)
}

// rest gives registers that were set in place the same value after the next edge, as they have in the kernel between
// edges.
func (p *part) rest() {
	for _, sh := range p.shards {
		copy(sh.slab.next[sh.lo:sh.hi], sh.slab.cur[sh.lo:sh.hi])
	}
	p.code.ran = true
}
