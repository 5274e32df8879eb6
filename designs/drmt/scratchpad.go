package drmt

import (
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// Result is what a match brings back: 96 bits of action data, byte 0 in the least significant bits of Lo, and the
// instruction pointer (§5.1).
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

// ScratchPad keeps results that are used later than they come back (§5.1). The paper's entry has 96 bits; here the
// instruction pointer waits with the data. A read in the cycle of a write sees the old entry.
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

// ScratchPadModule is the scratch pad with as many read as write ports. Latency 1 cycle. Clash tells that two ports
// wrote the same entry in a cycle: the higher port's result is kept.
type ScratchPadModule struct {
	Write []rtl.In[ScratchWrite]
	Read  []rtl.In[ScratchRead]
	Out   []rtl.Out[Result]
	Clash rtl.Out[bool]

	last uint8 // entry
	pad  ScratchPad
}

// NewScratchPadModule returns a pad of 1 to 8 write and as many read ports, and of 1 to 64 entries, a power of two: the
// high bits of a wider address do not count. The paper's has 8 ports and 64 entries.
func NewScratchPadModule(ports, entries int) (*ScratchPadModule, error) {
	if ports < 1 || ports > ScratchPorts || entries < 1 || entries > ScratchEntries || entries&(entries-1) != 0 {
		return nil, fmt.Errorf(
			"scratch pad of %d ports and %d entries, want 1 to %d ports and a power of two of entries, at most %d", ports,
			entries, ScratchPorts, ScratchEntries,
		)
	}
	return &ScratchPadModule{
		Write: make([]rtl.In[ScratchWrite], ports), Read: make([]rtl.In[ScratchRead], ports),
		Out: make([]rtl.Out[Result], ports), last: uint8(entries - 1),
	}, nil
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
		s.Out[i].Set(s.pad.Read(s.Read[i].Get().Entry & s.last))
	}
	var written uint64
	clash := false
	for i := range s.Write {
		if w := s.Write[i].Get(); w.Valid {
			entry := w.Entry & s.last
			clash = clash || written>>entry&1 != 0
			written |= 1 << entry
			s.pad.Write(entry, w.Result)
		}
	}
	s.Clash.Set(clash)
}
