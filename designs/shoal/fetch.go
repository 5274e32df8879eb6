package shoal

// What follows looks at the records that the nodes of a share will need out of order in a slot, so that the processor waits for all of
// them at once and not for one after the other. Nothing else comes of it; the sums keep the compiler from leaving the loads out.

// fetchAnswers looks at the queues whose levels go out as feedback in a row, and at when its flows are due.
func (r *Rack) fetchAnswers(s *share, row int) {
	n := len(r.nodes)
	queues, levels, pair, rows := r.links.queues[row*n:(row+1)*n], r.links.levels, r.times.pair, r.times.rows
	sum := uint16(0)
	for i := s.from; i < s.to; i++ {
		if node := &r.nodes[i]; len(node.active) > 0 {
			sum += uint16(node.due[int(node.active[0])*rows+row])
		}
		if last := int(queues[i].last); last < n {
			sum += levels[int(pair[i*n+last])*n+i].length
		}
	}
	s.fetched += sum
}

// fetchTargets looks at the queues that the cells of a row will join.
func (r *Rack) fetchTargets(s *share, row int, in []Cell) {
	n := len(r.nodes)
	queues, levels, pair := r.links.queues, r.links.levels, r.times.pair
	from := r.times.schedule.from[row]
	sum := uint16(0)
	for j := s.from; j < s.to; j++ {
		if from[j] < 0 {
			continue
		}
		cell := in[from[j]]
		if dest := cell.Dest(); dest != j && dest < n && !cell.Dummy() {
			at := int(pair[j*n+dest])*n + j
			sum += levels[at].length + queues[at].last
		}
	}
	s.fetched += sum
}
