package symbolic

import (
	"golang.org/x/tools/go/ssa"
)

// joins finds for each block that branches the block where its sides meet again: its immediate post-dominator.
// Blocks from which only a panic follows do not count. Where a side returns, so that they meet at the end of the
// function only, it is the post-dominator of the sides that go on: a returned value is kept aside until the
// function ends.
func joins(fn *ssa.Function) map[*ssa.BasicBlock]*ssa.BasicBlock {
	n := len(fn.Blocks)
	panics, returns := make([]bool, n), make([]bool, n)
	for i, b := range fn.Blocks {
		last := end(b)
		switch last.Instrs[len(last.Instrs)-1].(type) {
		case *ssa.Panic:
			panics[i], returns[i] = true, true
		case *ssa.Return:
			returns[i] = true
		}
	}
	at := immediate(fn, panics)
	for b, join := range immediate(fn, returns) {
		if at[b] == nil {
			at[b] = join
		}
	}
	return at
}

// end follows jumps to the block that ends otherwise.
func end(b *ssa.BasicBlock) *ssa.BasicBlock {
	for range 16 {
		if len(b.Succs) != 1 {
			break
		}
		b = b.Succs[0]
	}
	return b
}

// immediate returns the immediate post-dominators in the graph without the blocks that are left out, except from
// each other.
func immediate(fn *ssa.Function, without []bool) map[*ssa.BasicBlock]*ssa.BasicBlock {
	sets := make([]map[int]bool, len(fn.Blocks)) // nil: all of them, until it is known
	for changed := true; changed; {
		changed = false
		for i := len(fn.Blocks) - 1; i >= 0; i-- {
			var s map[int]bool
			follows := false
			for _, q := range fn.Blocks[i].Succs {
				if without[q.Index] && !without[i] {
					continue
				}
				follows = true
				t := sets[q.Index]
				switch {
				case t == nil:
				case s == nil:
					s = map[int]bool{}
					for k := range t {
						s[k] = true
					}
				default:
					for k := range s {
						if !t[k] {
							delete(s, k)
						}
					}
				}
			}
			if s == nil && follows {
				continue
			}
			if s == nil {
				s = map[int]bool{}
			}
			s[i] = true
			if sets[i] == nil || len(s) != len(sets[i]) {
				sets[i], changed = s, true
			}
		}
	}
	at := map[*ssa.BasicBlock]*ssa.BasicBlock{}
	for i, b := range fn.Blocks {
		best, size := -1, -1
		for k := range sets[i] { // the nearest has the largest set
			if k != i && len(sets[k]) > size {
				best, size = k, len(sets[k])
			}
		}
		if best >= 0 {
			at[b] = fn.Blocks[best]
		}
	}
	return at
}
