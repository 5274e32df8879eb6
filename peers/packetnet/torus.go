package packetnet

// torus is nodes in three dimensions, as many along each, and a ring along each line. Node x + y·side + z·side² has a
// router with six links, which share the node's bandwidth equally. Packets go along x first, then y, then z, each the
// shorter way round; half way round, they go up from even places and down from odd ones, so that both ways carry the
// same.
type torus struct {
	side, n int
}

// torusPorts is the number of a router's ports: one to its node, and for each dimension one up and one down.
const torusPorts = 7

func (t torus) join(l *links) {
	for i := range t.n {
		l.add(t.n+i, t.port(i, 0), 0)
	}
	for i := range t.n {
		l.add(i, i, 0)
		for d := 1; d < torusPorts; d++ {
			there := t.neighbour(i, d)
			l.add(t.n+there, t.port(there, (d-1)^1+1), torusPorts-1)
		}
	}
}

func (t torus) port(router, direction int) int { return t.n + router*torusPorts + direction }

// neighbour is where a direction leads: 1 and 2 are up and down along x, 3 and 4 along y, 5 and 6 along z.
func (t torus) neighbour(node, direction int) int {
	stride := 1
	for range (direction - 1) / 2 {
		stride *= t.side
	}
	at := node / stride % t.side
	to := (at + 1) % t.side
	if direction%2 == 0 {
		to = (at + t.side - 1) % t.side
	}
	return node + (to-at)*stride
}

func (t torus) path(*packet) int32 { return 0 }

func (t torus) egress(sw int, k *packet) int { return t.port(sw, t.direction(sw, int(k.to))) }

// direction is the next one from a router to a node, 0 at the node itself.
func (t torus) direction(at, to int) int {
	for d := 1; d < torusPorts; d += 2 {
		here, there := at%t.side, to%t.side
		at, to = at/t.side, to/t.side
		up := (there - here + t.side) % t.side
		switch {
		case up == 0:
			continue
		case 2*up < t.side, 2*up == t.side && here%2 == 0:
			return d
		}
		return d + 1
	}
	return 0
}

// course appends the routers' ports on a packet's way from one node to another, without the last router's port to the
// node.
func (t torus) course(ports []int32, from, to int) []int32 {
	for at := from; at != to; {
		d := t.direction(at, to)
		ports = append(ports, int32(t.port(at, d)))
		at = t.neighbour(at, d)
	}
	return ports
}
