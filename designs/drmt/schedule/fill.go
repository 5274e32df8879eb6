package schedule

import (
	"math/rand/v2"
	"slices"
)

// fillTries is how many orders [bins.fill] tries.
const fillTries = 300

// fill puts operations into RMT's stages one after the other, each into the first stage that has room: operations on
// the longest ways first, and large ones before small ones, in orders that chance changes a little. It returns the
// fewest stages that it finds, nil if dependencies go round between the parts of tables.
func (b *bins) fill(g *Graph, l Limits) *Pipeline {
	f := newFilling(b, g, l)
	rng := rand.New(rand.NewPCG(1, uint64(len(g.Nodes))))
	var best *Pipeline
	for try := range fillTries {
		stage, ok := f.run(rng, float64(try)/fillTries)
		if !ok {
			return nil
		}
		p := &Pipeline{Graph: g, Limits: l, Coarse: b.coarse, Stage: stage}
		if (best == nil || p.Stages() < best.Stages()) && p.Validate() == nil {
			best = p
		}
	}
	return best
}

// filling is the operations that [bins.fill] moves together, a table's match and action if they must share a stage.
type filling struct {
	limits   Limits
	item     []int // by operation
	segments []int // by item
	fields   []int
	way      []float64 // by item: the stages on the longest way from it
	out      [][]itemEdge
	before   []int // by item: how many edges lead to it
}

type itemEdge struct{ to, lag int }

func newFilling(b *bins, g *Graph, l Limits) *filling {
	n := len(g.Nodes)
	f := &filling{limits: l, item: make([]int, n)}
	for v := range n {
		f.item[v] = v
	}
	if b.coarse {
		for _, e := range g.Edges {
			if e.SameTable {
				f.item[e.To] = e.From
			}
		}
	}
	f.segments, f.fields, f.way = make([]int, n), make([]int, n), make([]float64, n)
	f.out, f.before = make([][]itemEdge, n), make([]int, n)
	for v := range n {
		i := f.item[v]
		if node := &g.Nodes[v]; node.Kind == Match {
			f.segments[i] += (node.KeyBits + l.SegmentBits - 1) / l.SegmentBits
		} else {
			f.fields[i] += node.Fields
		}
		for _, e := range b.m.out[v] {
			if j := f.item[e.to]; j != i {
				f.out[i] = append(f.out[i], itemEdge{j, b.stageLag(e)})
				f.before[j]++
			}
			f.way[i] = max(f.way[i], float64(b.longestFrom(v)))
		}
	}
	return f
}

// longestFrom is the most stages that must lie after an operation's.
func (b *bins) longestFrom(v int) int {
	return max(slices.Max(b.lag[v]), 0)
}

// run tries one order; ok is false if dependencies go round.
func (f *filling) run(rng *rand.Rand, noise float64) (stage []int, ok bool) {
	n := len(f.item)
	rank, before := make([]float64, n), slices.Clone(f.before)
	var ready []int
	items := 0
	for i := range n {
		if f.item[i] != i {
			continue
		}
		items++
		size := max(float64(f.segments[i])/float64(f.limits.Segments), float64(f.fields[i])/float64(f.limits.Fields))
		rank[i] = f.way[i] + size*(1+noise*rng.Float64())
		if before[i] == 0 {
			ready = append(ready, i)
		}
	}
	earliest, at := make([]int, n), make([]int, n)
	var segments, fields []int // in use, by stage
	for ; len(ready) > 0; items-- {
		next := 0
		for k := range ready {
			if rank[ready[k]] > rank[ready[next]] {
				next = k
			}
		}
		i := ready[next]
		ready = slices.Delete(ready, next, next+1)
		s := earliest[i]
		for ; ; s++ {
			for s >= len(segments) {
				segments, fields = append(segments, 0), append(fields, 0)
			}
			if segments[s]+f.segments[i] <= f.limits.Segments && fields[s]+f.fields[i] <= f.limits.Fields {
				break
			}
		}
		segments[s], fields[s], at[i] = segments[s]+f.segments[i], fields[s]+f.fields[i], s
		for _, e := range f.out[i] {
			earliest[e.to] = max(earliest[e.to], s+e.lag)
			if before[e.to]--; before[e.to] == 0 {
				ready = append(ready, e.to)
			}
		}
	}
	stage = make([]int, n)
	for v := range n {
		stage[v] = at[f.item[v]]
	}
	return stage, items == 0
}
