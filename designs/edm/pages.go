package edm

import "encoding/binary"

// pages is a memory of bytes that is zero at first. A page of it has memory of this machine from its first write on.
type pages struct {
	bytes int
	page  []*[pageBytes]byte // nil for one that is zero
	spare [][pageBytes]byte  `state:"none"` // for the next ones, which so lie beside each other in memory
}

const (
	pageBytes  = 128
	sparePages = 16
)

// newPages returns a memory of a multiple of 8 bytes.
func newPages(bytes int) pages {
	return pages{bytes: bytes, page: make([]*[pageBytes]byte, (bytes+pageBytes-1)/pageBytes)}
}

// word returns the eight bytes at a multiple of 8, the first in the lowest bits.
func (p *pages) word(address uint64) uint64 {
	q := p.page[address/pageBytes]
	if q == nil {
		return 0
	}
	return binary.LittleEndian.Uint64(q[address%pageBytes:])
}

// write sets the first n bytes of a word.
func (p *pages) write(address, x uint64, n int) {
	q := p.page[address/pageBytes]
	if q == nil {
		if len(p.spare) == 0 {
			p.spare = make([][pageBytes]byte, sparePages)
		}
		q, p.spare = &p.spare[0], p.spare[1:]
		p.page[address/pageBytes] = q
	}
	at := q[address%pageBytes:]
	if n == 8 {
		binary.LittleEndian.PutUint64(at, x)
		return
	}
	for i := range n {
		at[i] = byte(x >> (8 * i))
	}
}
