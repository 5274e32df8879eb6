package cosim

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
	return s.dut.(*process).word(slot, wordDone).Load() == 1
}

// Outcome of a run of a mutant.
var Outcome = outcome

// KillRTL kills the process of a session's RTL under Verilator, as the system does when memory is short.
func KillRTL(s *Session) error { return s.dut.(*process).cmd.Process.Kill() }
