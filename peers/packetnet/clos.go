package packetnet

import "math/rand/v2"

// clos is a folded Clos of switches with some number of ports, with full bisection: half of a leaf's ports go to
// nodes, the other half to spines, to each equally many; all ports of a spine go to leaves. 512 nodes need 16 leaves
// and 8 spines of 64 ports, four links between each two of them.
type clos struct {
	nodes, leaves, spines int
	down                  int // of a leaf: ports to nodes, and as many to spines
	parallel              int // links between a leaf and a spine
}

func newClos(c Config) clos {
	g := clos{nodes: c.Nodes, down: c.Ports / 2}
	g.leaves = g.nodes / g.down
	g.spines, g.parallel = g.leaves/2, c.Ports/g.leaves
	return g
}

// closFits tells whether switches with c.Ports ports join c.Nodes nodes with full bisection and leave no port unused.
func (c Config) closFits() bool {
	half := c.Ports / 2
	if c.Ports < 2 || c.Ports%2 != 0 || c.Nodes%half != 0 {
		return false
	}
	leaves := c.Nodes / half
	return leaves >= 2 && leaves%2 == 0 && c.Ports%leaves == 0
}

// The ports of switches: leaf by leaf down, then up; then spine by spine.

func (g *clos) leafDown(leaf, node int) int { return g.nodes + leaf*2*g.down + node }
func (g *clos) leafUp(leaf, up int) int     { return g.nodes + leaf*2*g.down + g.down + up }
func (g *clos) spineDown(spine, leaf, link int) int {
	return 3*g.nodes + (spine*g.leaves+leaf)*g.parallel + link
}

func (g *clos) join(l *links) {
	first, spine := g.nodes, g.nodes+g.leaves
	for i := range g.nodes {
		l.add(first+i/g.down, g.leafDown(i/g.down, i%g.down), 1)
	}
	for leaf := range g.leaves {
		for i := range g.down {
			l.add(leaf*g.down+i, leaf*g.down+i, 1)
		}
		for up := range g.down {
			l.add(spine+up/g.parallel, g.spineDown(up/g.parallel, leaf, up%g.parallel), 1)
		}
	}
	for s := range g.spines {
		for leaf := range g.leaves {
			for e := range g.parallel {
				l.add(first+leaf, g.leafUp(leaf, s*g.parallel+e), 1)
			}
		}
	}
}

// egress takes a packet up by its path if it must go up. A path is a leaf's uplink, and one of the links from its
// spine down.
func (g *clos) egress(sw int, k *packet) int {
	to := int(k.to) / g.down
	up, link := int(k.path)%g.down, int(k.path)/g.down
	switch {
	case sw >= g.leaves:
		return g.spineDown(sw-g.leaves, to, link)
	case sw == to:
		return g.leafDown(to, int(k.to)%g.down)
	}
	return g.leafUp(sw, up)
}

// paths is the number of ways between two leaves.
func (g *clos) paths() int { return g.down * g.parallel }

// closPaths is a Clos and the choice among its paths: a connection keeps one each way, drawn for it (ECMP), or each
// packet takes another one: a node goes through all of them in random order, and again in another order (NDP, SIGCOMM
// 2017, §3.1.1).
type closPaths struct {
	clos
	pairs  bool // connections are of pairs of nodes, not of messages
	seed   uint64
	rng    *rand.Rand
	orders [][]int32 // by node
	at     []int     // by node: in its order
}

func newClosPaths(f *fabric) *closPaths {
	p := &closPaths{clos: newClos(f.cfg), seed: f.cfg.Seed, rng: f.rng, pairs: f.cfg.perPair()}
	if !f.cfg.Spray {
		return p
	}
	p.orders, p.at = make([][]int32, f.n), make([]int, f.n)
	for i := range p.orders {
		p.orders[i] = make([]int32, p.paths())
		for k := range p.orders[i] {
			p.orders[i][k] = int32(k)
		}
		p.at[i] = p.paths()
	}
	return p
}

func (p *closPaths) path(k *packet) int32 {
	if p.orders == nil {
		key := uint64(k.from)<<16 | uint64(k.to)
		if p.pairs {
			key |= uint64(k.class) << 32
		} else {
			key |= uint64(k.flow/2) << 32
		}
		return int32(mix(p.seed, key) % uint64(p.paths()))
	}
	order := p.orders[k.from]
	if p.at[k.from] == len(order) {
		p.at[k.from] = 0
		p.rng.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
	}
	p.at[k.from]++
	return order[p.at[k.from]-1]
}

// mix hashes a number: one step of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) from a seed.
func mix(seed, x uint64) uint64 {
	z := (seed ^ x) + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
