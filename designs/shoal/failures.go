package shoal

import "fmt"

// Failures are components that are dead from the first slot on, or from a later one.
type Failures struct {
	From  uint64 // slot
	Nodes []int
	Links []int // of a node to its leaf, by node
	// The fabric, for leaves, spines and links between them.
	Clos   *Clos
	Leaves []int
	Spines []int
	Uplink [][2]int // leaf, spine
}

// failing is a rack's failures at work.
type failing struct {
	from uint64   // slot
	dead []bool   // nodes
	path []bool   // by row*N + sender: no cell comes through
	lost []uint64 // cells on dead paths, by sender
}

func newFailing(f *Failures, s *Schedule) (*failing, error) {
	n := s.nodes
	g := &failing{from: f.From, dead: make([]bool, n), path: make([]bool, s.Rows()*n), lost: make([]uint64, n)}
	link := make([]bool, n)
	for what, list := range map[string][]int{"node": f.Nodes, "link": f.Links} {
		for _, i := range list {
			if i < 0 || i >= n {
				return nil, fmt.Errorf("failed %s %d, want 0 to %d", what, i, n-1)
			}
		}
	}
	for _, i := range f.Nodes {
		g.dead[i] = true
	}
	for _, i := range f.Links {
		link[i] = true
	}
	if f.Clos == nil && len(f.Leaves)+len(f.Spines)+len(f.Uplink) > 0 {
		return nil, fmt.Errorf("failed switches without a fabric")
	}
	leaf, spine := make([]bool, n), make([]bool, n)
	up := make(map[[2]int]bool)
	if c := f.Clos; c != nil {
		if c.Schedule != s {
			return nil, fmt.Errorf("the failed switches are of another schedule's fabric")
		}
		for _, l := range f.Leaves {
			if l < 0 || l >= c.Leaves {
				return nil, fmt.Errorf("failed leaf %d, want 0 to %d", l, c.Leaves-1)
			}
			leaf[l] = true
		}
		for _, sp := range f.Spines {
			if sp < 0 || sp >= c.Spines {
				return nil, fmt.Errorf("failed spine %d, want 0 to %d", sp, c.Spines-1)
			}
			spine[sp] = true
		}
		for _, u := range f.Uplink {
			if u[0] < 0 || u[0] >= c.Leaves || u[1] < 0 || u[1] >= c.Spines {
				return nil, fmt.Errorf(
					"failed link of leaf %d and spine %d, want 0 to %d and 0 to %d", u[0], u[1], c.Leaves-1, c.Spines-1,
				)
			}
			up[u] = true
		}
	}
	for r := range s.Rows() {
		for i := range n {
			j := s.To(r, i)
			if j == Idle {
				continue
			}
			dead := link[i] || link[j]
			if c := f.Clos; c != nil {
				sp, a, b := c.Spine(r, i), i/c.Spines, j/c.Spines
				dead = dead || leaf[a] || leaf[b] || spine[sp] || up[[2]int{a, sp}] || up[[2]int{b, sp}]
			}
			g.path[r*n+i] = dead
		}
	}
	return g, nil
}

// silence takes the cells that cannot come through off the wire, among the cells of a share's nodes in a slot, from its
// first row on.
func (g *failing) silence(r *Rack, s *share, slot uint64, row int, out []Cell) {
	if slot < g.from {
		return
	}
	n := len(g.dead)
	for c := range r.Times.channels {
		for i := s.from; i < s.to; i++ {
			j := r.Times.Schedule.To(row+c, i)
			if j == Idle || !(g.dead[i] || g.dead[j] || g.path[(row+c)*n+i]) {
				continue
			}
			if cell := out[c*n+i]; cell != silence && !cell.Dummy() {
				g.lost[i]++
			}
			out[c*n+i] = silence
		}
	}
}

// FailedSlots returns how many of an epoch's connections between living nodes do not come through, as a share of them.
func (r *Rack) FailedSlots() float64 {
	g := r.failures
	if g == nil {
		return 0
	}
	failed, all := 0, 0
	n := len(g.dead)
	for row := range r.Times.Rows {
		for i := range n {
			j := r.Times.Schedule.To(row, i)
			if j == Idle {
				continue
			}
			all++
			if g.dead[i] || g.dead[j] || g.path[row*n+i] {
				failed++
			}
		}
	}
	return float64(failed) / float64(all)
}
