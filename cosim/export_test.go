package cosim

import "encoding/binary"

// SlotRows is how many rows a whole batch has.
const SlotRows = slotRows

// ResetRTL resets the RTL alone.
func (s *Session) ResetRTL() error { return s.dut.reset(0) }

// BeginBatch hands rows to the RTL alone.
func (s *Session) BeginBatch(slot, rows int) { s.dut.begin(slot, rows) }

// EndBatch waits for the oldest batch.
func (s *Session) EndBatch() (int, error) { return s.dut.end() }

// Copied tells whether the program says that a slot of Verilator's RTL has the outputs of its batch.
func (s *Session) Copied(slot int) bool {
	return binary.NativeEndian.Uint32(s.dut.(*process).line(slot)[4:]) == 1
}
