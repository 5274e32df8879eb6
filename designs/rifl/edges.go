package rifl

import "encoding/binary"

// edges are edges of a clock in ascending order, kept as runs of consecutive ones. A user that takes a beat with most
// edges has long runs, so a link that is full for a billion cycles needs little memory for its stamps, and adding one
// touches none but the set itself.
//
// A run that has ended is two numbers of variable length, a byte each below 128.
type edges struct {
	// runs that have ended, a pair of numbers each: edges left out since the run before (or edge 0), and edges of the run
	runs        []byte
	closed      int    // how many edges these runs have in all
	end         uint64 // the edge after the last of these runs
	first, next uint64 // the run that goes on: its first edge, and the edge after its last
}

// add adds an edge, later than those before it.
func (e *edges) add(edge uint64) {
	if edge != e.next {
		e.close()
		e.first = edge
	}
	e.next = edge + 1
}

// close ends the run.
func (e *edges) close() {
	n := e.next - e.first
	if n == 0 {
		return // there was none
	}
	e.runs = binary.AppendUvarint(e.runs, e.first-e.end)
	e.runs = binary.AppendUvarint(e.runs, n)
	e.closed += int(n)
	e.end, e.first = e.next, e.next
}

// len returns how many edges there are.
func (e *edges) len() int { return e.closed + int(e.next-e.first) }

// list returns all edges.
func (e *edges) list() []uint64 {
	all := make([]uint64, 0, e.len())
	extend := func(from, to uint64) {
		for edge := from; edge < to; edge++ {
			all = append(all, edge)
		}
	}
	at := uint64(0)
	for rest := e.runs; len(rest) > 0; {
		gap, bytes := binary.Uvarint(rest)
		n, more := binary.Uvarint(rest[bytes:])
		rest = rest[bytes+more:]
		extend(at+gap, at+gap+n)
		at += gap + n
	}
	extend(e.first, e.next)
	return all
}
