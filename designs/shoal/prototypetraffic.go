package shoal

import "math/rand/v2"

// SendRandom hands cells of random words for node "to" to the NIC of node "from".
func (p *Prototype) SendRandom(rng *rand.Rand, from, to, cells int) error {
	data := make([]uint64, cells*(CellBytes/8-1))
	for k := range data {
		data[k] = rng.Uint64()
	}
	return p.NICs[from].Send(to, data)
}

// ArrivedCells counts the cells that have reached their destinations.
func (p *Prototype) ArrivedCells() (cells uint64) {
	for _, nic := range p.NICs {
		cells += nic.Node.Counts.Delivered
	}
	return cells
}

// Damaged counts the frames and headers that came wrong to nodes from the first one on, and the cells in a wrong slot.
func (p *Prototype) Damaged(first int) (n uint64) {
	for _, nic := range p.NICs[first:] {
		n += nic.Damaged + nic.Misrouted
	}
	return n
}

// LostFrames counts damaged frames, and the slots in which nodes from the first one on missed a cell of each other.
func (p *Prototype) LostFrames(first int) uint64 {
	n := p.Damaged(first)
	for _, nic := range p.NICs[first:] {
		for _, k := range nic.Node.events[:nic.Node.failed] {
			if int(k) >= first {
				n++
			}
		}
	}
	return n
}
