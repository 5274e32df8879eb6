package blocks

import (
	"fmt"
	"math/bits"
)

// CRCMatrix is a CRC's step for a word of DataWidth bits as combinational logic: each bit of the next state is the XOR
// of some bits of the state and some of the word. A generator of Verilog prints it; to compute a CRC use CRC.
type CRCMatrix struct {
	StateWidth int // bits of state: the CRC's width
	DataWidth  int // bits taken a step
	Rows       []CRCRow
}

// CRCRow lists the inputs of the XOR that makes one bit of the next state.
type CRCRow struct {
	State uint64   // bit j: bit j of the state is an input
	Data  []uint64 // bit j%64 of Data[j/64]: bit j of the word is an input
}

// Fanin returns the number of inputs of the XOR.
func (r CRCRow) Fanin() int {
	n := bits.OnesCount64(r.State)
	for _, w := range r.Data {
		n += bits.OnesCount64(w)
	}
	return n
}

// Matrix returns the step for words of w bits, w >= 1 without upper limit. The state's and the word's bits are numbered
// as in UpdateBits: with RefIn bit 0 of the word goes first; without, bit w-1 does. It panics if w is less than 1.
func (c *CRC) Matrix(w int) *CRCMatrix {
	if w < 1 {
		panic(fmt.Sprintf("blocks: CRC matrix for words of %d bits, want at least 1", w))
	}
	m := &CRCMatrix{StateWidth: c.p.Width, DataWidth: w, Rows: make([]CRCRow, c.p.Width)}
	for i := range m.Rows {
		m.Rows[i].Data = make([]uint64, (w+63)/64)
	}
	for j, column := range c.dataColumns(w) {
		for i := range m.Rows {
			m.Rows[i].Data[j/64] |= column >> i & 1 << (j % 64)
		}
	}
	for j := range c.p.Width {
		column := uint64(1) << j
		for range w {
			column = c.UpdateBit(column, 0)
		}
		for i := range m.Rows {
			m.Rows[i].State |= column >> i & 1 << j
		}
	}
	return m
}

// Next evaluates the logic: the state after the word. Bit j of the word is bit j%64 of data[j/64]; data holds at least
// DataWidth bits, of which those above are ignored.
func (m *CRCMatrix) Next(state uint64, data []uint64) uint64 {
	var next uint64
	for i, r := range m.Rows {
		sum := state & r.State
		for k, w := range r.Data {
			sum ^= data[k] & w
		}
		next |= uint64(bits.OnesCount64(sum)&1) << i
	}
	return next
}
