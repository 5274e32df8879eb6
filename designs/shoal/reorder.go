package shoal

import "math/bits"

// inFlow is what a node keeps of the cells that come from a source: which is expected next, and which have come too
// early (§3.5).
type inFlow struct {
	Expected uint32 // cells in order so far
	Held     uint32 // cells that wait for one before them
	goal     uint32 // cells in order with which a message is complete
	early    []uint64
}

const noFlow = 0xffff

// InFlow is the record of a source and class.
func (n *Node) InFlow(source int) *inFlow {
	i := n.inOf[source]
	if i == noFlow {
		i = uint16(len(n.in))
		n.inOf[source] = i
		n.in = append(n.in, inFlow{})
	}
	return &n.in[i]
}

// deliver takes a cell for this node and returns by how many the cells in order have grown.
func (n *Node) deliver(f *inFlow, c Cell) uint32 {
	ahead := (c.Sequence() - f.Expected) & n.Times.sequence
	if ahead > n.Times.sequence/2 {
		n.Counts.Duplicate++
		return 0
	}
	if ahead == 0 && f.Held == 0 {
		f.Expected++
		n.Counts.Delivered++
		return 1
	}
	if ahead > n.Counts.Ahead {
		n.Counts.Ahead = ahead
	}
	if len(f.early)*64 <= int(ahead) {
		n.widen(f, int(ahead))
	}
	early, expected := f.early, f.Expected
	mask := uint32(len(early))*64 - 1
	at := (expected + ahead) & mask
	word, bit := &early[at>>6], uint64(1)<<(at&63)
	if *word&bit != 0 {
		n.Counts.Duplicate++
		return 0
	}
	n.Counts.Delivered++
	*word |= bit
	f.Held++
	if ahead != 0 {
		return 0
	}
	for { // a word of cells in order at a time
		at = expected & mask
		word := &early[at>>6]
		run := uint32(bits.TrailingZeros64(^(*word >> (at & 63))))
		*word &^= (1<<run - 1) << (at & 63)
		expected += run
		if run == 0 || at&63+run < 64 {
			break
		}
	}
	advance := expected - f.Expected
	f.Expected = expected
	f.Held -= advance
	if f.Held == 0 {
		n.bitmaps = append(n.bitmaps, f.early)
		f.early = nil
	}
	return advance
}

// widen gives a flow a bitmap of more than ahead cells.
func (n *Node) widen(f *inFlow, ahead int) {
	words := max(2, len(f.early))
	for words*64 <= ahead {
		words *= 2
	}
	var wide []uint64
	if k := len(n.bitmaps); k > 0 && len(n.bitmaps[k-1]) >= words { // all zero
		wide = n.bitmaps[k-1]
		n.bitmaps = n.bitmaps[:k-1]
	} else {
		wide = make([]uint64, words)
	}
	if f.Held > 0 {
		for k := range uint32(len(f.early) * 64) {
			from, to := (f.Expected+k)&uint32(len(f.early)*64-1), (f.Expected+k)&uint32(len(wide)*64-1)
			wide[to>>6] |= f.early[from>>6] >> (from & 63) & 1 << (to & 63)
		}
	}
	f.early = wide
}
