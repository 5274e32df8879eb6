package shoal

// colourer colours the edges of a bipartite multigraph, leaf to leaf, so that no leaf has two edges of one colour on
// the same side. König's theorem gives as many colours as the largest degree; the way there is the alternating path of
// its proof, which takes one edge after the other and never more than a walk over all leaves for each.
type colourer struct {
	colours int
	left    []int32 // by leaf*colours + colour: the edge that leaves there, -1 for none
	right   []int32 // by leaf*colours + colour: the edge that arrives there
	edges   []edge
}

type edge struct {
	from, to int32 // leaves
	colour   int32
}

func newColourer(leaves, colours int) *colourer {
	c := &colourer{colours: colours, left: make([]int32, leaves*colours), right: make([]int32, leaves*colours)}
	return c
}

func (c *colourer) reset() {
	c.edges = c.edges[:0]
	for i := range c.left {
		c.left[i], c.right[i] = -1, -1
	}
}

// free returns a colour that a leaf does not have on a side, -1 if it has all.
func (c *colourer) free(side []int32, leaf int32) int32 {
	for k, e := range side[int(leaf)*c.colours : (int(leaf)+1)*c.colours] {
		if e < 0 {
			return int32(k)
		}
	}
	return -1
}

// add colours one more edge, and returns whether there was room for it.
func (c *colourer) add(from, to int32) bool {
	a, b := c.free(c.left, from), c.free(c.right, to)
	if a < 0 || b < 0 {
		return false
	}
	if a != b {
		// from lacks a, to lacks b: the path from `to` whose edges have a, b, a, … cannot end at `from`; swap its colours
		c.flip(to, a, b)
	}
	id := int32(len(c.edges))
	c.edges = append(c.edges, edge{from, to, a})
	c.set(id, a)
	return true
}

func (c *colourer) set(id, colour int32) {
	e := &c.edges[id]
	e.colour = colour
	c.left[int(e.from)*c.colours+int(colour)] = id
	c.right[int(e.to)*c.colours+int(colour)] = id
}

func (c *colourer) flip(to, a, b int32) {
	var path []int32
	at, side, colour, other := to, c.right, a, b
	for {
		id := side[int(at)*c.colours+int(colour)]
		if id < 0 {
			break
		}
		path = append(path, id)
		if e := c.edges[id]; len(path)%2 == 1 {
			at, side = e.from, c.left
		} else {
			at, side = e.to, c.right
		}
		colour, other = other, colour
	}
	for _, id := range path {
		e := c.edges[id]
		c.left[int(e.from)*c.colours+int(e.colour)] = -1
		c.right[int(e.to)*c.colours+int(e.colour)] = -1
	}
	for _, id := range path {
		c.set(id, a+b-c.edges[id].colour)
	}
}
