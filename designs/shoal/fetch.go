package shoal

// fetchTargets looks at the queues that the cells of a row will join, which the nodes of a share need out of order, so that the processor waits
// for all of them at once and not for one after the other. Nothing else comes of it; the sum keeps the compiler from leaving the loads out.
func (r *Rack) fetchTargets(s *share, row int, in []Cell) {
	n := len(r.nodes)
	queues, f := r.links.queues, r.times
	from := f.schedule.from[row]
	sum := uint16(0)
	for j := s.from; j < s.to; j++ {
		if from[j] < 0 {
			continue
		}
		dest := in[from[j]].Dest()
		if dest >= n { // silence
			dest = j
		}
		at := 0 // a cell for the node itself joins none
		if f.shifts != nil {
			at = f.shifts.row(j, dest)*n + j
		} else if dest != j {
			at = int(f.pair[j*n+dest])*n + j
		}
		sum += queues[at].last
	}
	s.fetched += sum
}
