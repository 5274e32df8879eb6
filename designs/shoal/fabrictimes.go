package shoal

import (
	"fmt"
	"math/bits"
)

// fabricTimes is what all nodes of a rack know: the schedule, and how many slots a cell takes from node to node.
type fabricTimes struct {
	Schedule  *Schedule
	nodes     int
	pair      []uint16 // by sender*N + receiver: the row
	reply     []uint16 // by row*N + receiver: the row in which the receiver sends to the row's sender
	Rows      int
	shifts    *shifts     // nil unless all rows are shifts or idle
	stretches [][]stretch // by row
	slots     []uint16    // by row: its slot in the epoch
	rings     []ring      // by row: of the cells whose feedback may be out
	outs      int         // entries of all rings
	classes   int
	lanes     int    // rows times classes: a class has a queue for each row
	sequence  uint32 // mask of the sequence number
	Epoch     int    // slots
	channels  int
	flight    int // a cell sent in slot t is received at the end of slot t + flight
	options   Options
}

func newFabricTimes(s *Schedule, flight int, o Options) (*fabricTimes, error) {
	if flight < 0 || flight > 1<<15 {
		return nil, fmt.Errorf("a flight of %d slots, want 0 to %d", flight, 1<<15)
	}
	pair, err := s.PairRows()
	if err != nil {
		return nil, err
	}
	f := &fabricTimes{
		Schedule: s, nodes: s.nodes, pair: pair, Rows: s.Rows(), Epoch: s.Epoch(), channels: s.Channels(), flight: flight,
		options: o, classes: max(o.Classes, 1),
	}
	if o.Classes < 0 || o.Classes > MaxClasses || f.classes > 1 && s.nodes*f.classes > FeedbackMax || o.Limit < 0 ||
		o.Limit > FeedbackMax {
		return nil, fmt.Errorf(
			"%d traffic classes of %d nodes, with room for %d cells, want 1 to %d, at most %d together with the nodes, and "+
				"0 to %d",
			o.Classes, s.nodes, o.Limit, MaxClasses, FeedbackMax, FeedbackMax,
		)
	}
	if o.WholeEpochs && o.Counters {
		return nil, fmt.Errorf("Equation 2 by whole epochs and by epoch counters, want one of them")
	}
	if f.classes > 1 && o.LessOne {
		return nil, fmt.Errorf("Equation 6 to the letter with %d traffic classes, want one", f.classes)
	}
	f.lanes, f.sequence = f.Rows*f.classes, sequenceMask
	if f.classes > 1 {
		f.sequence = 1<<classShift - 1
	}
	f.reply = make([]uint16, f.Rows*s.nodes)
	for r, from := range s.from {
		for j, i := range from {
			if i != Idle {
				f.reply[r*s.nodes+j] = pair[j*s.nodes+int(i)]
			}
		}
	}
	f.shifts = newShifts(f)
	for r := range f.Rows {
		f.stretches = append(f.stretches, f.stretchesOf(r))
		f.slots = append(f.slots, uint16(r/f.channels))
		entries := f.outstanding(r)
		f.rings = append(f.rings, ring{first: f.outs, mask: int32(entries - 1)})
		f.outs += entries
	}
	return f, nil
}

// ring is where the last cells of a row are kept.
type ring struct {
	first int
	mask  int32
}

// sentAt is which entry of all rings the cell of a row and an epoch has.
func (f *fabricTimes) sentAt(row int, epoch int32) int {
	r := &f.rings[row]
	return r.first + int(epoch&r.mask)
}

// stretch is receivers of a row that stand side by side and answer in the same row, and so after the same lag.
type stretch struct {
	from, to int
	back     int   // the row in which they send to their senders
	lag      int32 // epochs from sending a cell in that row to the sending of its feedback
}

func (f *fabricTimes) stretchesOf(row int) (all []stretch) {
	for j, i := range f.Schedule.from[row] {
		if i == Idle {
			continue
		}
		back := f.row(j, int(i))
		if k := len(all) - 1; k >= 0 && all[k].to == j && all[k].back == back {
			all[k].to++
			continue
		}
		all = append(all, stretch{j, j + 1, back, int32(f.lag(back, j, int(i)))})
	}
	return all
}

// lag is how many epochs after a cell of a row the header with its feedback is sent: the neighbour's header of slot t
// tells of the latest cell that had come before t, sent at t - 1 - flight or earlier.
func (f *fabricTimes) lag(row, sender, receiver int) int {
	to, back := row/f.channels, f.row(receiver, sender)/f.channels
	return -floorDiv(back-1-f.flight-to, f.Epoch)
}

// outstanding is how many cells a node may have sent in a row when the feedback for the first of them comes, rounded up
// to a power of two. Feedback that comes in a slot is read after the slot's cell has gone out.
func (f *fabricTimes) outstanding(row int) int {
	cells := 1
	for i := range f.nodes {
		if j := f.Schedule.To(row, i); j != Idle {
			slots := f.lag(row, i, j)*f.Epoch + f.row(j, i)/f.channels + f.flight - row/f.channels
			cells = max(cells, slots/f.Epoch+1)
		}
	}
	return 1 << bits.Len(uint(cells-1))
}

// row is the row in which one node sends to another.
func (f *fabricTimes) row(from, to int) int {
	if f.shifts != nil {
		return f.shifts.row(from, to)
	}
	return int(f.pair[from*f.nodes+to])
}

// replyRow is the row in which the receiver of a row sends to its sender.
func (f *fabricTimes) replyRow(row, receiver int) int {
	if f.shifts != nil {
		return int(f.shifts.reply[row])
	}
	return int(f.reply[row*f.nodes+receiver])
}

// shifts stands for the tables of pairs and replies if each row adds the same number to every sender's, as in Figure 3.
// A rack reads the tables at another place for every cell; these few numbers stay in a processor's nearest cache.
type shifts struct {
	nodes int
	rows  []uint16 // by the number that is added modulo N: the row. No row adds 0; row 0 stands there
	reply []uint16 // by row
}

// newShifts returns nil if a row is no shift.
func newShifts(f *fabricTimes) *shifts {
	n := f.nodes
	x := &shifts{nodes: n, rows: make([]uint16, n), reply: make([]uint16, f.Rows)}
	for r, to := range f.Schedule.to {
		if to[0] == Idle { // an idle row, if the others are shifts: those have all pairs, and each stands in one row only
			continue
		}
		for i, j := range to {
			if int(j) != (i+int(to[0]))%n {
				return nil
			}
		}
		x.rows[to[0]], x.reply[r] = uint16(r), f.reply[r*n+int(to[0])]
	}
	return x
}

func (x *shifts) row(from, to int) int {
	d := to - from
	return int(x.rows[d+d>>(bits.UintSize-1)&x.nodes])
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && a < 0 {
		q--
	}
	return q
}
