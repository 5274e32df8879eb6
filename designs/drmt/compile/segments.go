package compile

import "github.com/goldwire/goldwire/designs/drmt"

// segments are the key segments that each cluster has given away. In each cycle every processor stands at another cycle
// of the period, so that a cluster has all its keys at once. A machine of a single processor has the keys of one cycle
// of the period: then each cycle has all segments.
type segments struct {
	single bool
	period int
	class  []int       // by node: the cycle of the period in which its key leaves
	array  []int       // by node: the array that it accesses, 0 for none
	arrays map[int]use // the segments of all accesses to an array, which go to one cluster
	taken  []int       // by cluster and side
}

// use has a number of segments by side.
type use map[int]int

func (l *linker) newSegments(order []int) *segments {
	s := &segments{
		single: l.single, period: l.period, class: make([]int, len(l.operations)), array: make([]int, len(l.operations)),
		arrays: map[int]use{},
	}
	for _, x := range order {
		m := l.operations[x].match
		s.class[x], s.array[x] = l.class(l.at[x].match), m.table.Array
		if a := m.table.Array; a > 0 {
			if s.arrays[a] == nil {
				s.arrays[a] = use{}
			}
			s.arrays[a][s.side(x)] += segmentsOf(m.keyBytes)
		}
	}
	s.taken = make([]int, l.image.Clusters*s.sides())
	return s
}

// sides is how many sets of segments a cluster has.
func (s *segments) sides() int {
	if s.single {
		return s.period
	}
	return 1
}

// side is the set that a node's key takes segments of.
func (s *segments) side(x int) int { return s.class[x] % s.sides() }

// wants is what a node's table takes: an array takes the segments of all accesses to it.
func (s *segments) wants(x, width int) use {
	u := use{s.side(x): width}
	for side, n := range s.arrays[s.array[x]] {
		u[side] = max(u[side], n)
	}
	return u
}

// most is the greatest number of segments that a node's table takes in a cycle.
func (s *segments) most(x, width int) (most int) {
	for _, n := range s.wants(x, width) {
		most = max(most, n)
	}
	return most
}

// has tells whether a cluster has the segments left.
func (s *segments) has(cluster, x, width int) bool {
	for side, n := range s.wants(x, width) {
		if s.taken[cluster*s.sides()+side]+n > drmt.Segments {
			return false
		}
	}
	return true
}

// take takes them.
func (s *segments) take(cluster, x, width int) {
	for side, n := range s.wants(x, width) {
		s.taken[cluster*s.sides()+side] += n
	}
}
