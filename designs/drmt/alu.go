package drmt

import (
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// ALUs is how many operations on fields a processor does in a cycle (§5.1).
const ALUs = 32

// Opcode is what an ALU does with its operands a and b, of 32 bits, unsigned.
type Opcode uint8

// Opcodes. The paper names arithmetic, shifts, comparisons and logic (§5.1); Select is for P4's conditional
// expressions.
const (
	Nop          Opcode = iota // nothing is written
	Move                       // a
	Add                        // a + b
	Subtract                   // a - b
	And                        // a & b
	Or                         // a | b
	Xor                        // a ^ b
	AndNot                     // a & ^b
	ShiftLeft                  // a << b, 0 from 32 on
	ShiftRight                 // a >> b, 0 from 32 on
	Equal                      // a == b
	NotEqual                   // a != b
	Less                       // a < b
	LessEqual                  // a <= b
	Greater                    // a > b
	GreaterEqual               // a >= b
	Select                     // b if a is not 0; else nothing is written
	opcodes
)

var opcodeNames = [...]string{
	"nop", "move", "add", "subtract", "and", "or", "xor", "andnot", "shl", "shr", "eq", "ne", "lt", "le", "gt", "ge",
	"select",
}

func (o Opcode) String() string {
	if o >= opcodes {
		return fmt.Sprintf("Opcode(%d)", uint8(o))
	}
	return opcodeNames[o]
}

// Compute returns what an ALU gives out, and whether it is written.
func (o Opcode) Compute(a, b uint32) (value uint32, write bool) {
	switch o {
	case Move:
		return a, true
	case Add:
		return a + b, true
	case Subtract:
		return a - b, true
	case And:
		return a & b, true
	case Or:
		return a | b, true
	case Xor:
		return a ^ b, true
	case AndNot:
		return a &^ b, true
	case ShiftLeft:
		return a << b, true // Go's shifts by 32 and more give 0
	case ShiftRight:
		return a >> b, true
	case Equal:
		return bit(a == b), true
	case NotEqual:
		return bit(a != b), true
	case Less:
		return bit(a < b), true
	case LessEqual:
		return bit(a <= b), true
	case Greater:
		return bit(a > b), true
	case GreaterEqual:
		return bit(a >= b), true
	case Select:
		return b, a != 0
	}
	return 0, false
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// ALUInput is an ALU's opcode and operands.
type ALUInput struct {
	A, B uint32
	Op   Opcode `bits:"5"`
}

// ALUOutput is its output.
type ALUOutput struct {
	Value uint32
	Write bool
}

// ALU is one ALU as a module. Latency 1 cycle.
type ALU struct {
	In  rtl.In[ALUInput]
	Out rtl.Out[ALUOutput]

	most uint32 // of an operand, and of the result
}

// aluBits is the width of the paper's ALUs (§5.1).
const aluBits = 32

// NewALU returns an ALU of 1 to 32 bits: of wider operands the low bits count.
func NewALU(width int) (*ALU, error) {
	if width < 1 || width > aluBits {
		return nil, fmt.Errorf("ALU of %d bits, want 1 to %d", width, aluBits)
	}
	return &ALU{most: 1<<width - 1}, nil
}

// Tick computes.
func (u *ALU) Tick() {
	in := u.In.Get()
	v, w := in.Op.Compute(in.A&u.most, in.B&u.most)
	if !w {
		v = 0
	}
	u.Out.Set(ALUOutput{v & u.most, w})
}
