package drmt

import (
	"math/bits"

	"github.com/goldwire/goldwire/rtl"
)

// KeyEntry is an entry of the key configuration table: what a processor needs in one cycle of the period.
type KeyEntry [Segments]SegmentConfig

// KeyConfiguration is the central copy of the key configuration (§5.1): a table of one entry for each cycle of the
// period, and a tree of two levels of registers that brings each processor the entry of its cycle just in time. The
// table is read two cycles ahead.
//
// Entry s of processor p is Out[p*Segments+s].
type KeyConfiguration struct {
	Out []rtl.Out[SegmentConfig]

	table  []KeyEntry
	change []uint8 // by entry: the segments that differ from the entry before
	offset []int   // of the processors: the cycle of the period in which each takes packets
	branch []int   // by processor: which entry stands in the first level
	read   []int   // by processor: which entry is read next
}

// NewKeyConfiguration returns the table of a machine whose processors take packets at these cycles of the period.
func NewKeyConfiguration(table []KeyEntry, offset []int) *KeyConfiguration {
	n := len(offset)
	k := &KeyConfiguration{
		Out: make([]rtl.Out[SegmentConfig], n*Segments), table: table, change: make([]uint8, len(table)), offset: offset,
		branch: make([]int, n), read: make([]int, n),
	}
	for i := range table {
		before := &table[(i+len(table)-1)%len(table)]
		for s := range table[i] {
			if table[i][s] != before[s] {
				k.change[i] |= 1 << s
			}
		}
	}
	return k
}

// Reset has the tree filled: the entries of the first cycle stand at the leaves.
func (k *KeyConfiguration) Reset() {
	period := len(k.table)
	for p, o := range k.offset {
		phase := (period - o%period) % period
		for s := range k.table[phase] {
			k.Out[p*Segments+s].Set(k.table[phase][s])
		}
		k.branch[p], k.read[p] = (phase+1)%period, (phase+2)%period
	}
}

// Tick moves the entries down the tree. A leaf that keeps its value is not driven again.
func (k *KeyConfiguration) Tick() {
	for p := range k.offset {
		entry := k.branch[p]
		for change := k.change[entry]; change != 0; change &= change - 1 {
			s := bits.TrailingZeros8(change)
			k.Out[p*Segments+s].Set(k.table[entry][s])
		}
		k.branch[p] = k.read[p]
		if k.read[p]++; k.read[p] == len(k.table) {
			k.read[p] = 0
		}
	}
}
