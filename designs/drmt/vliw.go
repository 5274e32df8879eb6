package drmt

import (
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// The VLIW instruction memory (§5.1, Figure 11).
const (
	Pointers   = 1024 // entries of a slice: actions of the whole program
	Slots      = 8    // distinct actions, and so pointers, in a cycle
	MaxPeriod  = 32   // entries of the select table: the program counter has 5 bits
	selectMask = Slots - 1
)

// OperandKind says where an ALU's operand comes from (§5.1).
type OperandKind uint8

// Kinds of operands.
const (
	Immediate  OperandKind = iota // the instruction's constant
	FromField                     // a field of the packet's header vector
	FromData8                     // a byte of the action's data, or a byte and those above it
	FromData16                    //
	FromData32                    //
)

// Instruction configures one ALU for one action: an entry of its slice.
type Instruction struct {
	Op     Opcode      `bits:"5"`
	AKind  OperandKind `bits:"3"`
	A      uint8       // a field's number, or the first byte of data
	BKind  OperandKind `bits:"3"`
	B      uint8
	Dest   Field // written with the result; NoField: none
	Bits   uint8 // of the result that are written, from the least significant on; the rest of the field becomes 0
	Guard  Predicate
	Second bool   // of the two packets that start actions in this cycle (IPC 2), the second one
	Const  uint32 // what Immediate operands have
	// A condition's outcome: the predicate that becomes true if the result is not 0, and the one if it is; Always for
	// none.
	True, False Predicate
}

// InstructionMemory has a slice for each ALU, and the select table that says which of the eight pointers of a cycle
// addresses a slice. It is the same for all processors, and none writes it.
type InstructionMemory struct {
	Slices [][]Instruction // by ALU and pointer
	Select [][]uint8       // by program counter and ALU: 3 bits each
}

// NewInstructionMemory returns a memory whose instructions do nothing.
func NewInstructionMemory(alus, entries, counters int) *InstructionMemory {
	m := &InstructionMemory{Slices: make([][]Instruction, alus), Select: make([][]uint8, counters)}
	for a := range m.Slices {
		m.Slices[a] = make([]Instruction, entries)
		for i := range m.Slices[a] {
			m.Slices[a][i].Dest = NoField
		}
	}
	for c := range m.Select {
		m.Select[c] = make([]uint8, alus)
	}
	return m
}

// Fetch is the instruction that an ALU gets for the pointers of a cycle.
func (m *InstructionMemory) Fetch(alu, counter int, pointers *[Slots]uint16) *Instruction {
	return &m.Slices[alu][pointers[m.Select[counter][alu]&selectMask]]
}

// Word is an instruction as the fetch module gives it out: plain bits.
type Word struct {
	Bits uint32
}

// Load writes the fetch module's memory: an instruction, or a select of a program counter's entry.
type Load struct {
	Bits   uint32
	Entry  uint16 `bits:"10"` // or the program counter, for a select
	Slice  uint8  `bits:"5"`
	Select bool
	Valid  bool
}

// Pointer is an instruction pointer.
type Pointer struct {
	Entry uint16 `bits:"10"`
}

// Counter is the program counter.
type Counter struct {
	Count uint8 `bits:"5"`
}

// VLIWFetch is the instruction memory as a module (Figure 11): slices with their 8:1 selects, the select table, and a
// port that loads both. Entries that a smaller memory does not have read as 0. Latency 1 cycle; a read in the cycle of
// a load sees the old entry.
type VLIWFetch struct {
	Counter rtl.In[Counter]
	Pointer [Slots]rtl.In[Pointer]
	Load    rtl.In[Load]
	Out     []rtl.Out[Word] // by ALU

	entries int
	slices  [][]uint32
	selects [][MaxPeriod]uint8
}

// NewVLIWFetch returns a memory of 1 to 32 slices with 1 to 1024 entries each.
func NewVLIWFetch(slices, entries int) (*VLIWFetch, error) {
	if slices < 1 || slices > ALUs || entries < 1 || entries > Pointers {
		return nil, fmt.Errorf(
			"instruction memory of %d slices with %d entries, want 1 to %d and 1 to %d", slices, entries, ALUs, Pointers,
		)
	}
	return &VLIWFetch{Out: make([]rtl.Out[Word], slices), entries: entries}, nil
}

// Reset clears the memory.
func (v *VLIWFetch) Reset() {
	v.slices, v.selects = make([][]uint32, len(v.Out)), make([][MaxPeriod]uint8, len(v.Out))
	for i := range v.slices {
		v.slices[i] = make([]uint32, v.entries)
		v.Out[i].Set(Word{})
	}
}

// Tick fetches, then loads.
func (v *VLIWFetch) Tick() {
	counter := v.Counter.Get().Count
	var pointers [Slots]uint16
	for i := range v.Pointer {
		pointers[i] = v.Pointer[i].Get().Entry
	}
	for a := range v.Out {
		var w Word
		if p := int(pointers[v.selects[a][counter]]); p < v.entries {
			w.Bits = v.slices[a][p]
		}
		v.Out[a].Set(w)
	}
	l := v.Load.Get()
	switch {
	case !l.Valid || int(l.Slice) >= len(v.Out):
	case l.Select:
		v.selects[l.Slice][l.Entry%MaxPeriod] = uint8(l.Bits) & selectMask
	case int(l.Entry) < v.entries:
		v.slices[l.Slice][l.Entry] = l.Bits
	}
}
