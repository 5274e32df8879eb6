package shoal

import "fmt"

// MaxNodes is what the 10-bit identifiers of the cell header name (Fig. 5).
const MaxNodes = 1024

// Idle stands for no node: the sender sends to nobody in that row.
const Idle = -1

// Schedule says which node each node sends to in every slot (§3.2). It repeats after an epoch. Every slot is a partial
// permutation: no node receives from two. Nodes count from 0; the paper's figures count from 1.
//
// A link of several channels serves several rows at once (§3.4): channel c of slot s has row s*Channels + c, so that
// rows d places apart are served d/Channels slots apart. Rows left over in the last slot are idle.
type Schedule struct {
	name     string
	nodes    int
	channels int
	to       [][]int16 // by row, then sender: the receiver or Idle
	from     [][]int16 // by row, then receiver
}

// NewSchedule makes a schedule of rows, each with the receiver of every sender, or Idle. It fails if a row is no
// partial permutation of the nodes, or connects a node with itself.
func NewSchedule(name string, nodes, channels int, rows [][]int16) (*Schedule, error) {
	switch {
	case nodes < 2 || nodes > MaxNodes:
		return nil, fmt.Errorf("schedule %s: %d nodes, want 2 to %d", name, nodes, MaxNodes)
	case channels < 1 || channels > 16:
		return nil, fmt.Errorf("schedule %s: %d channels, want 1 to 16", name, channels)
	case len(rows) == 0:
		return nil, fmt.Errorf("schedule %s: no slots", name)
	case len(rows) > 4*MaxNodes:
		return nil, fmt.Errorf("schedule %s: %d rows, want at most %d", name, len(rows), 4*MaxNodes)
	}
	s := &Schedule{name: name, nodes: nodes, channels: channels, to: rows}
	for len(s.to)%channels != 0 {
		s.to = append(s.to[:len(s.to):len(s.to)], idleRow(nodes))
	}
	for r, row := range s.to {
		if len(row) != nodes {
			return nil, fmt.Errorf("schedule %s: row %d has %d entries, want one for each of %d nodes", name, r, len(row), nodes)
		}
		back := idleRow(nodes)
		for i, j := range row {
			switch {
			case j == Idle:
				continue
			case j < 0 || int(j) >= nodes:
				return nil, fmt.Errorf("schedule %s: row %d sends node %d to %d, want 0 to %d", name, r, i, j, nodes-1)
			case int(j) == i:
				return nil, fmt.Errorf("schedule %s: row %d sends node %d to itself", name, r, i)
			case back[j] != Idle:
				return nil, fmt.Errorf("schedule %s: row %d sends nodes %d and %d both to node %d", name, r, back[j], i, j)
			}
			back[j] = int16(i)
		}
		s.from = append(s.from, back)
	}
	return s, nil
}

func idleRow(nodes int) []int16 {
	row := make([]int16, nodes)
	for i := range row {
		row[i] = Idle
	}
	return row
}

// shift is the row in which node i sends to node i + offset, modulo the number of nodes.
func shift(nodes, offset int) []int16 {
	row := make([]int16, nodes)
	for i := range row {
		row[i] = int16((i + offset) % nodes)
	}
	return row
}

// Cyclic is the schedule of Figure 3: in row t, counted from 1, node i sends to node i + t.
func Cyclic(nodes, channels int) (*Schedule, error) {
	var rows [][]int16
	for t := 1; t < nodes; t++ {
		rows = append(rows, shift(nodes, t))
	}
	return NewSchedule("cyclic", nodes, channels, rows)
}

// HalfEpoch is the schedule of Appendix A: the reply from j to i comes exactly half an epoch after i sent to j, so that
// the propagation delay has half an epoch. An odd number of nodes needs the N-1 rows of the cyclic schedule in another
// order, an even one N rows, in two of which half of the nodes are idle.
func HalfEpoch(nodes, channels int) (*Schedule, error) {
	half := nodes / 2 // (N-1)/2 for odd N
	var rows [][]int16
	if nodes%2 == 1 {
		for t := 1; t <= half; t++ {
			rows = append(rows, shift(nodes, t))
		}
		for t := nodes - 1; t > half; t-- {
			rows = append(rows, shift(nodes, t))
		}
		return NewSchedule("half-epoch", nodes, channels, rows)
	}
	for t := 1; t < half; t++ {
		rows = append(rows, shift(nodes, t))
	}
	lower, upper := idleRow(nodes), idleRow(nodes)
	for i := range half {
		lower[i], upper[half+i] = int16(half+i), int16(i)
	}
	rows = append(rows, lower)
	for t := nodes - 1; t > half; t-- {
		rows = append(rows, shift(nodes, t))
	}
	return NewSchedule("half-epoch", nodes, channels, append(rows, upper))
}

// Name is how the schedule was made: "cyclic", "half-epoch", or its file.
func (s *Schedule) Name() string { return s.name }

// Nodes is the number of nodes, N in the paper.
func (s *Schedule) Nodes() int { return s.nodes }

// Channels is how many rows a slot has.
func (s *Schedule) Channels() int { return s.channels }

// Rows is the number of rows, idle ones at the end included.
func (s *Schedule) Rows() int { return len(s.to) }

// Epoch is the number of slots after which the schedule repeats.
func (s *Schedule) Epoch() int { return len(s.to) / s.channels }

// To returns the receiver that a row gives a sender, or Idle.
func (s *Schedule) To(row, sender int) int { return int(s.to[row][sender]) }

// From returns the sender that a row gives a receiver, or Idle.
func (s *Schedule) From(row, receiver int) int { return int(s.from[row][receiver]) }

// noRow is the row of a pair of nodes that the schedule never connects.
const noRow = 0xffff

// PairRows returns, by sender*N + receiver, the row that connects a pair. It fails unless every ordered pair of nodes
// is connected exactly once an epoch, which is what congestion control and failure detection rest on (§3.3.2, §3.5).
func (s *Schedule) PairRows() ([]uint16, error) {
	at := make([]uint16, s.nodes*s.nodes)
	for p := range at {
		at[p] = noRow
	}
	for r, row := range s.to {
		for i, j := range row {
			if j == Idle {
				continue
			}
			p := i*s.nodes + int(j)
			if at[p] != noRow {
				return nil, fmt.Errorf(
					"schedule %s: node %d sends to node %d in rows %d and %d, want once an epoch", s.name, i, j, at[p], r,
				)
			}
			at[p] = uint16(r)
		}
	}
	for i := range s.nodes {
		for j := range s.nodes {
			if i != j && at[i*s.nodes+j] == noRow {
				return nil, fmt.Errorf("schedule %s: node %d never sends to node %d, want once an epoch", s.name, i, j)
			}
		}
	}
	return at, nil
}

// ReplyDistance returns how many slots after a cell the reply goes out, from the receiver back to the sender: the least
// and the most of all pairs. 0 means that both send in the same slot, so that the reply cannot answer the cell.
func (s *Schedule) ReplyDistance() (least, most int, err error) {
	at, err := s.PairRows()
	if err != nil {
		return 0, 0, err
	}
	least = s.Epoch()
	for i := range s.nodes {
		for j := range s.nodes {
			if i == j {
				continue
			}
			d := int(at[j*s.nodes+i])/s.channels - int(at[i*s.nodes+j])/s.channels
			d = (d + s.Epoch()) % s.Epoch()
			least, most = min(least, d), max(most, d)
		}
	}
	return least, most, nil
}
