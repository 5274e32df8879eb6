package drmt

import "github.com/goldwire/goldwire/rtl"

// KeyEntry is an entry of the key configuration table: what a processor needs in one cycle of the period.
type KeyEntry [Segments]SegmentConfig

// KeyConfiguration is the central copy of the key configuration (§5.1): a table of one entry for each cycle of the period, and a tree of
// two levels of registers that brings each processor the entry of its cycle just in time. The table is read two cycles ahead.
//
// Entry s of processor p is Out[p*Segments+s].
type KeyConfiguration struct {
	Out []rtl.Out[SegmentConfig]

	table  []KeyEntry
	offset []int // of the processors: the cycle of the period in which each takes packets
	branch []int // by processor: which entry stands in the first level
	read   []int // by processor: which entry is read next
}

// NewKeyConfiguration returns the table of a machine whose processors take packets at these cycles of the period.
func NewKeyConfiguration(table []KeyEntry, offset []int) *KeyConfiguration {
	n := len(offset)
	return &KeyConfiguration{Out: make([]rtl.Out[SegmentConfig], n*Segments), table: table, offset: offset, branch: make([]int, n), read: make([]int, n)}
}

// Reset has the tree filled: the entries of the first cycle stand at the leaves.
func (k *KeyConfiguration) Reset() {
	period := len(k.table)
	for p, o := range k.offset {
		phase := (period - o%period) % period
		k.drive(p, phase)
		k.branch[p], k.read[p] = (phase+1)%period, (phase+2)%period
	}
}

// Tick moves the entries down the tree.
func (k *KeyConfiguration) Tick() {
	for p := range k.offset {
		k.drive(p, k.branch[p])
		k.branch[p] = k.read[p]
		if k.read[p]++; k.read[p] == len(k.table) {
			k.read[p] = 0
		}
	}
}

func (k *KeyConfiguration) drive(p, entry int) {
	for s := range k.table[entry] {
		k.Out[p*Segments+s].Set(k.table[entry][s])
	}
}
