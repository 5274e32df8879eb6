package ethernet

import (
	"fmt"

	"github.com/goldwire/goldwire/blocks"
)

// ExactMatch is an exact-match table of 48-bit keys, as switches keep it in SRAM: two ways, each with a hash of its
// own and buckets of four. It takes no new key when both buckets of it are full; nothing is moved.
type ExactMatch struct {
	ways [2][]matchEntry // buckets in a row
	mask uint64
}

type matchEntry struct {
	key   uint64
	port  uint8
	valid bool
}

const bucket = 4

// matchHash are the hashes of the two ways.
var matchHash = [2]*blocks.CRC{blocks.MustCRC(blocks.CRC32Ethernet), blocks.MustCRC(blocks.CRC32C)}

// NewExactMatch returns an empty table for at least that many entries if the hashes are fair.
func NewExactMatch(entries int) *ExactMatch {
	buckets := 1
	for buckets*bucket < entries { // half full with two ways
		buckets *= 2
	}
	t := &ExactMatch{mask: uint64(buckets - 1)}
	for w := range t.ways {
		t.ways[w] = make([]matchEntry, buckets*bucket)
	}
	return t
}

// slots returns a key's bucket in a way.
func (t *ExactMatch) slots(way int, key uint64) []matchEntry {
	at := bucket * (matchHash[way].Update64(matchHash[way].Init(), key) & t.mask)
	return t.ways[way][at : at+bucket]
}

// Insert adds a key, to the emptier of its buckets, or changes its port.
func (t *ExactMatch) Insert(key uint64, port int) error {
	var free *matchEntry
	most := 0
	for w := range t.ways {
		s := t.slots(w, key)
		empty, last := 0, 0
		for i := range s {
			switch {
			case s[i].valid && s[i].key == key:
				s[i].port = uint8(port)
				return nil
			case !s[i].valid:
				empty, last = empty+1, i
			}
		}
		if empty > most {
			free, most = &s[last], empty
		}
	}
	if free == nil {
		return fmt.Errorf("exact-match table: no room for %012x, both its buckets are full", key)
	}
	*free = matchEntry{key, uint8(port), true}
	return nil
}

// Lookup returns the port of a key.
func (t *ExactMatch) Lookup(key uint64) (port int, ok bool) {
	for w := range t.ways {
		for _, e := range t.slots(w, key) {
			if e.valid && e.key == key {
				return int(e.port), true
			}
		}
	}
	return 0, false
}
