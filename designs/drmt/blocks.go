package drmt

import "fmt"

// Blocks are memory blocks of a cluster, or of an RMT stage: SRAM of 1K x 112 bits, TCAM of 2K x 40 bits.
type Blocks struct{ SRAM, TCAM int }

// The memory of an RMT stage (Bosshart et al., SIGCOMM 2013, §5.1), which a cluster has too (dRMT §5.2): 106 and 16
// blocks, which are the 11 Mbit of SRAM and 1.25 Mbit of TCAM of dRMT §1.
var ClusterBlocks = Blocks{SRAM: 106, TCAM: 16}

const (
	sramRows, sramBits = 1024, 112
	tcamRows, tcamBits = 2048, 40
	pointerBits        = 10
)

// BlocksFor returns the blocks of a table by its number of entries and the bits of its keys and action data. Blocks
// side by side make wider words, one after another deeper ones. An exact table has key, pointer and data in a word of
// SRAM; a ternary table has its keys in TCAM and the rest in SRAM. A table takes at least one row.
func BlocksFor(kind MatchKind, entries, keyBits, dataBits int) Blocks {
	entries = max(entries, 1)
	if kind == Exact {
		return Blocks{SRAM: ceil(keyBits+pointerBits+dataBits, sramBits) * ceil(entries, sramRows)}
	}
	return Blocks{
		SRAM: ceil(pointerBits+dataBits, sramBits) * ceil(entries, sramRows),
		TCAM: ceil(keyBits, tcamBits) * ceil(entries, tcamRows),
	}
}

// EntriesIn is the inverse of [BlocksFor]: how many entries of a table fit.
func EntriesIn(have Blocks, kind MatchKind, keyBits, dataBits int) int {
	if kind == Exact {
		return have.SRAM / ceil(keyBits+pointerBits+dataBits, sramBits) * sramRows
	}
	return min(have.SRAM/ceil(pointerBits+dataBits, sramBits)*sramRows, have.TCAM/ceil(keyBits, tcamBits)*tcamRows)
}

func ceil(a, b int) int { return (a + b - 1) / b }

// Add adds blocks up.
func (b Blocks) Add(c Blocks) Blocks { return Blocks{b.SRAM + c.SRAM, b.TCAM + c.TCAM} }

// Within tells whether c has room for b.
func (b Blocks) Within(c Blocks) bool { return b.SRAM <= c.SRAM && b.TCAM <= c.TCAM }

func (b Blocks) String() string {
	return fmt.Sprintf("%d SRAM and %d TCAM blocks", b.SRAM, b.TCAM)
}
