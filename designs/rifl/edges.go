package rifl

// edges are edges of a clock in ascending order, kept as runs of consecutive ones. A user that takes a beat with most edges has long runs, so
// a link that is full for a billion cycles needs little memory for its stamps, and adding one touches none but the set itself.
//
// A closed run is one number, so that the set is never larger than with a number for each edge.
type edges struct {
	runs        []uint64 // closed: the first edge << 16 | the number of edges less one
	closed      int      // edges of those
	first, next uint64   // the open run: from first up to but without next
}

// longestRun is the most edges that one number can stand for. A longer run becomes several numbers.
const longestRun = 1 << 16

// add adds an edge, later than those before it.
func (e *edges) add(edge uint64) {
	if edge != e.next {
		e.close()
		e.first = edge
	}
	e.next = edge + 1
}

// close puts the open run to the closed ones.
func (e *edges) close() {
	for from := e.first; from < e.next; {
		n := min(e.next-from, longestRun)
		e.runs = append(e.runs, from<<16|(n-1))
		e.closed += int(n)
		from += n
	}
	e.first = e.next
}

// len returns how many edges there are.
func (e *edges) len() int { return e.closed + int(e.next-e.first) }

// list returns all edges.
func (e *edges) list() []uint64 {
	all := make([]uint64, 0, e.len())
	extend := func(first, n uint64) {
		for i := range n {
			all = append(all, first+i)
		}
	}
	for _, r := range e.runs {
		extend(r>>16, r%longestRun+1)
	}
	extend(e.first, e.next-e.first)
	return all
}
