package drmt

import "github.com/goldwire/goldwire/rtl"

// Result is what a match brings back: 96 bits of action data, byte 0 in the least significant bits of Lo, and the instruction pointer (§5.1).
type Result struct {
	Lo      uint64
	Hi      uint32
	Pointer uint16 `bits:"10"`
}

// The scratch pad's size (§5.1).
const (
	ScratchEntries = 64
	ScratchPorts   = 8 // read ports; there are eight write ports, too
)

// ScratchPad keeps results that are used later than they come back (§5.1). The paper's entry has 96 bits; here the instruction pointer
// waits with the data. A read in the cycle of a write sees the old entry.
type ScratchPad struct {
	entries [ScratchEntries]Result
}

// Read returns an entry.
func (s *ScratchPad) Read(entry uint8) Result { return s.entries[entry%ScratchEntries] }

// Write replaces an entry.
func (s *ScratchPad) Write(entry uint8, r Result) { s.entries[entry%ScratchEntries] = r }

// ScratchWrite is a write port.
type ScratchWrite struct {
	Result Result
	Entry  uint8 `bits:"6"`
	Valid  bool
}

// ScratchPadModule is the scratch pad with its 8 read and 8 write ports. Latency 1 cycle. Clash tells that two ports wrote the same
// entry in a cycle: the higher port's result is kept.
type ScratchPadModule struct {
	Write [ScratchPorts]rtl.In[ScratchWrite]
	Read  [ScratchPorts]rtl.In[ScratchRead]
	Out   [ScratchPorts]rtl.Out[Result]
	Clash rtl.Out[bool]

	pad ScratchPad
}

// ScratchRead is a read port's address.
type ScratchRead struct {
	Entry uint8 `bits:"6"`
}

// Reset empties the pad.
func (s *ScratchPadModule) Reset() {
	s.pad = ScratchPad{}
	for i := range s.Out {
		s.Out[i].Set(Result{})
	}
	s.Clash.Set(false)
}

// Tick reads, then writes.
func (s *ScratchPadModule) Tick() {
	for i := range s.Read {
		s.Out[i].Set(s.pad.Read(s.Read[i].Get().Entry))
	}
	var written uint64
	clash := false
	for i := range s.Write {
		if w := s.Write[i].Get(); w.Valid {
			clash = clash || written>>w.Entry&1 != 0
			written |= 1 << w.Entry
			s.pad.Write(w.Entry, w.Result)
		}
	}
	s.Clash.Set(clash)
}
