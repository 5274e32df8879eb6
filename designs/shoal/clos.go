package shoal

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"
)

// Clos is a fabric of k-port circuit switches in two folded stages (Fig. 2), with every switch's setting in every row
// of the fabric's schedule. A leaf has k/2 ports to nodes and one to each of k/2 spines; a spine has one port to each
// leaf. A cell crosses leaf, spine and leaf even between nodes of one leaf, so that all pairs are the same distance
// apart (§3.2).
//
// Leaf ports 0 to k/2-1 go to its nodes, k/2 to k-1 to the spines; spine port l goes to leaf l. With several channels
// each channel has a fabric of its own, and the rows of a channel are every Channels-th.
type Clos struct {
	Schedule *Schedule
	Ports    int // k
	Leaves   int
	Spines   int // k/2

	spine [][]uint8 // by row, then sender: the spine its cell crosses
	leaf  [][]int16 // by row, then leaf*k + egress port: the ingress port that it selects, or Idle
	mid   [][]int16 // by row, then spine*k + egress port
}

// FewestPorts returns the least even k with k²/2 >= nodes.
func FewestPorts(nodes int) int {
	k := 2
	for k*k/2 < nodes {
		k += 2
	}
	return k
}

func newClos(s *Schedule, ports int) (*Clos, error) {
	if ports < 2 || ports%2 != 0 || ports > 256 {
		return nil, fmt.Errorf("switches of %d ports, want an even number from 2 to 256", ports)
	}
	if s.nodes > ports*ports/2 {
		return nil, fmt.Errorf("%d nodes on switches of %d ports, want at most k²/2 = %d", s.nodes, ports, ports*ports/2)
	}
	m := ports / 2
	return &Clos{Schedule: s, Ports: ports, Leaves: (s.nodes + m - 1) / m, Spines: m}, nil
}

// Decompose finds the schedules of the fabric's switches for any schedule, by colouring the edges of each row: leaves
// are the vertices of both sides, cells the edges, spines the colours.
func Decompose(s *Schedule, ports int) (*Clos, error) {
	c, err := newClos(s, ports)
	if err != nil {
		return nil, err
	}
	m := int32(c.Spines)
	col := newColourer(c.Leaves, c.Spines)
	for r, row := range s.to {
		col.reset()
		for i, j := range row {
			if j != Idle && !col.add(int32(i)/m, int32(j)/m) {
				return nil, fmt.Errorf("row %d: no spine is left for node %d", r, i) // NewSchedule refuses such rows
			}
		}
		spine, e := make([]uint8, s.nodes), 0
		for i, j := range row {
			if j != Idle {
				spine[i] = uint8(col.edges[e].colour)
				e++
			}
		}
		c.spine = append(c.spine, spine)
	}
	c.configure()
	return c, nil
}

// DecomposeShifts is the closed form for rows that send every node, or some of the nodes, the same number of places on:
// node i goes by spine i mod k/2, whatever the row. So the leaves' uplinks never move. It fails for other rows, and
// unless k/2 divides the number of nodes: shifts round the end would meet at a spine.
func DecomposeShifts(s *Schedule, ports int) (*Clos, error) {
	c, err := newClos(s, ports)
	if err != nil {
		return nil, err
	}
	if s.nodes%c.Spines != 0 {
		return nil, fmt.Errorf("%d nodes on leaves of %d, want full leaves", s.nodes, c.Spines)
	}
	spine := make([]uint8, s.nodes)
	for i := range spine {
		spine[i] = uint8(i % c.Spines)
	}
	for r, row := range s.to {
		first := -1
		for i, j := range row {
			if j == Idle {
				continue
			}
			t := (int(j) - i + s.nodes) % s.nodes
			if first >= 0 && t != first {
				return nil, fmt.Errorf("row %d is no shift: node %d goes %d places on, nodes before it %d", r, i, t, first)
			}
			first = t
		}
		c.spine = append(c.spine, spine)
	}
	c.configure()
	return c, nil
}

// configure fills the switches' select registers from the spines of the cells.
func (c *Clos) configure() {
	m, k := c.Spines, c.Ports
	for r, row := range c.Schedule.to {
		leaf, mid := idleRow(c.Leaves*k), idleRow(m*k)
		for i, j := range row {
			if j == Idle {
				continue
			}
			s := int(c.spine[r][i])
			leaf[i/m*k+m+s] = int16(i % m)
			mid[s*k+int(j)/m] = int16(i / m)
			leaf[int(j)/m*k+int(j)%m] = int16(m + s)
		}
		c.leaf, c.mid = append(c.leaf, leaf), append(c.mid, mid)
	}
}

// Spine returns the spine that a sender's cell crosses in a row.
func (c *Clos) Spine(row, sender int) int { return int(c.spine[row][sender]) }

// LeafSelect returns the ingress port that an egress port of a leaf selects in a row, or Idle.
func (c *Clos) LeafSelect(row, leaf, egress int) int { return int(c.leaf[row][leaf*c.Ports+egress]) }

// SpineSelect returns the same of a spine.
func (c *Clos) SpineSelect(row, spine, egress int) int { return int(c.mid[row][spine*c.Ports+egress]) }

// Check walks every cell of every row through the select registers alone and proves that each switch has a partial
// permutation, that every walk crosses leaf, spine and leaf, and that the walks together are the fabric's schedule. The
// error names the first row and switch that differ.
func (c *Clos) Check() error {
	for r := range c.Schedule.to {
		for l := range c.Leaves {
			if err := c.partialPermutation(c.leaf[r], l, fmt.Sprintf("row %d, leaf %d", r, l)); err != nil {
				return err
			}
		}
		for s := range c.Spines {
			if err := c.partialPermutation(c.mid[r], s, fmt.Sprintf("row %d, spine %d", r, s)); err != nil {
				return err
			}
		}
		for j := range c.Schedule.nodes {
			i, err := c.walkBack(r, j)
			if err != nil {
				return err
			}
			if want := c.Schedule.From(r, j); i != want {
				return fmt.Errorf("row %d: node %d receives from %d, want %d", r, j, i, want)
			}
		}
	}
	return nil
}

func (c *Clos) partialPermutation(config []int16, sw int, where string) error {
	var taken [256]bool
	for e := range c.Ports {
		in := config[sw*c.Ports+e]
		if in == Idle {
			continue
		}
		if in < 0 || int(in) >= c.Ports || taken[in] {
			return fmt.Errorf(
				"%s: egress %d selects ingress %d, want one of %d that no other egress selects", where, e, in, c.Ports,
			)
		}
		taken[in] = true
	}
	return nil
}

// walkBack follows a receiver's circuit to its sender, Idle if there is none.
func (c *Clos) walkBack(r, receiver int) (int, error) {
	m := c.Spines
	down := c.LeafSelect(r, receiver/m, receiver%m)
	if down == Idle {
		return Idle, nil
	}
	if down < m {
		return Idle, fmt.Errorf(
			"row %d: leaf %d turns port %d back to port %d without a spine", r, receiver/m, down, receiver%m,
		)
	}
	from := c.SpineSelect(r, down-m, receiver/m)
	if from == Idle || from >= c.Leaves {
		return Idle, fmt.Errorf("row %d: spine %d has no ingress for leaf %d", r, down-m, receiver/m)
	}
	up := c.LeafSelect(r, from, down)
	if up == Idle || up >= m {
		return Idle, fmt.Errorf("row %d: leaf %d has no node for spine %d", r, from, down-m)
	}
	return from*m + up, nil
}

// WriteImage writes the schedule of a switch for the rows of one channel as a $readmemh image: one slot a line, the
// selects of all egress ports side by side, egress 0 in the low bits. A select is SelectBits wide; its highest bit says
// that there is a circuit. Switches are the leaves, then the spines.
func (c *Clos) WriteImage(w io.Writer, sw, channel int) error {
	b := bufio.NewWriter(w)
	for r := channel; r < len(c.Schedule.to); r += c.Schedule.channels {
		word := make([]byte, c.Ports*c.SelectBits())
		for e := range c.Ports {
			in := c.selects(r, sw, e)
			if in == Idle {
				continue
			}
			v := in | 1<<(c.SelectBits()-1)
			for k := range c.SelectBits() {
				word[e*c.SelectBits()+k] = byte(v >> k & 1)
			}
		}
		for d := (len(word) - 1) / 4; d >= 0; d-- {
			nibble := 0
			for k := min(4*d+4, len(word)) - 1; k >= 4*d; k-- {
				nibble = nibble<<1 | int(word[k])
			}
			fmt.Fprintf(b, "%x", nibble)
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}

// selects is LeafSelect or SpineSelect of a switch counted through.
func (c *Clos) selects(row, sw, egress int) int {
	if sw < c.Leaves {
		return c.LeafSelect(row, sw, egress)
	}
	return c.SpineSelect(row, sw-c.Leaves, egress)
}

// SelectBits is the width of a select register: a port and a bit that says that there is a circuit.
func (c *Clos) SelectBits() int { return bits.Len(uint(c.Ports-1)) + 1 }
