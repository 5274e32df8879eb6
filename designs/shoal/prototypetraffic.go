package shoal

import "math/rand/v2"

// sendRandom hands cells of random words for node "to" to the NIC of node "from".
func (p *Prototype) sendRandom(rng *rand.Rand, from, to, cells int) error {
	data := make([]uint64, cells*(CellBytes/8-1))
	for k := range data {
		data[k] = rng.Uint64()
	}
	return p.nics[from].Send(to, data)
}

// arrivedCells counts the cells that have reached their destinations.
func (p *Prototype) arrivedCells() (cells uint64) {
	for _, nic := range p.nics {
		cells += nic.node.Counts.Delivered
	}
	return cells
}

// damaged counts the frames and headers that came wrong to nodes from the first one on, and the cells in a wrong slot.
func (p *Prototype) damaged(first int) (n uint64) {
	for _, nic := range p.nics[first:] {
		n += nic.Damaged + nic.Misrouted
	}
	return n
}

// lostFrames counts what is damaged, and the slots in which nodes from the first one on missed a cell of each other.
func (p *Prototype) lostFrames(first int) uint64 {
	n := p.damaged(first)
	for _, nic := range p.nics[first:] {
		for _, k := range nic.node.events {
			if int(k) >= first {
				n++
			}
		}
	}
	return n
}
