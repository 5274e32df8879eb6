package rifl

import (
	"math/rand/v2"

	"github.com/goldwire/goldwire/workload/measure"
)

// packets counts the packets among the flits that an end's user receives (§6.C: "mixed length packets"). Flits are
// counted as on a link without temporal bonding: one a frame cycle.
type packets struct {
	least, most int // bytes; most 0: no packets
	flitBytes   int
	rng         *rand.Rand
	flits, left uint64 // of this packet, and those still to come
	at          uint64 // the cycle in which its first flit was taken
	late        measure.Histogram
}

func newPackets(bytes [2]int, flitBytes int, seed uint64) packets {
	p := packets{least: bytes[0], most: bytes[1], flitBytes: flitBytes, rng: rand.New(rand.NewPCG(seed, 0x9ac7))}
	p.draw()
	return p
}

// draw begins a packet.
func (p *packets) draw() {
	if p.most == 0 {
		return
	}
	n := p.least + p.rng.IntN(p.most-p.least+1)
	p.flits = uint64((n + p.flitBytes - 1) / p.flitBytes)
	p.left = p.flits
}

// flit takes a flit that is delivered in a cycle and was taken from the far user in another.
func (p *packets) flit(cycle, taken uint64) {
	if p.most > 0 {
		p.take(cycle, taken)
	}
}

func (p *packets) take(cycle, taken uint64) {
	if p.left == p.flits {
		p.at = taken
	}
	if p.left--; p.left == 0 {
		p.late.Add(cycle-p.at-(p.flits-1), 1)
		p.draw()
	}
}

// stream is n flits in as many cycles, each as late as the others.
func (p *packets) stream(cycle, n, late uint64) {
	if p.most == 0 {
		return
	}
	for n > 0 {
		k := min(n, p.left)
		if p.left == p.flits {
			p.at = cycle - late
		}
		cycle, n, p.left = cycle+k, n-k, p.left-k
		if p.left == 0 {
			p.late.Add(cycle-1-p.at-(p.flits-1), 1)
			p.draw()
		}
	}
}
