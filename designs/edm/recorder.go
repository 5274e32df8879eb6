package edm

import (
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// recorder keeps what a line carries, a block a cycle.
type recorder struct {
	In rtl.In[pcs.Block]

	blocks []pcs.Block
}

// Tick keeps the block that left at the edge before.
func (r *recorder) Tick() { r.blocks = append(r.blocks, r.In.Get()) }

// Recorded returns the blocks that left on a node's link so far, scrambled, one for each cycle of the sender's clock:
// up to the first switch, and down from it. It returns none without [Config.Record].
func (n *Network) Recorded(node int) (up, down []pcs.Block) {
	if !n.Config.Record {
		return nil, nil
	}
	return n.Hosts[node].Interfaces[0].recorder.blocks, n.Ports[node].recorder.blocks
}
