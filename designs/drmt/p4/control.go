package p4

import "fmt"

// Pipeline is ingress or egress: tables and conditions, and their order.
type Pipeline struct {
	Name string
	// First is the node every packet starts at, or Accept.
	First int
	Nodes []Node
}

// Node is a table or a condition of a pipeline; the other pointer is nil.
type Node struct {
	Name      string
	Table     *Table
	Condition *Condition
}

// Condition goes to node True where If is not 0, else to False.
type Condition struct {
	If          *Expr
	True, False int
}

// MatchKind is how a key field is compared with an entry.
type MatchKind uint8

const (
	Exact MatchKind = iota + 1
	LPM
	Ternary
	Range
)

var matchNames = [...]string{Exact: "exact", LPM: "lpm", Ternary: "ternary", Range: "range"}

func (k MatchKind) String() string {
	if k < Exact || k > Range {
		return fmt.Sprintf("MatchKind(%d)", uint8(k))
	}
	return matchNames[k]
}

// KeyField is a field of a table's key.
type KeyField struct {
	// Name is the name that the source gives the field, hdr.ipv4.dstAddr say; empty if the file has none.
	Name  string
	Match MatchKind
	Field int
	// Mask, if Masked, is put on the field and on the entries before they are compared.
	Masked bool
	Mask   Number
}

// Table is a match-action table.
type Table struct {
	Name string
	// Key is empty for a table that only runs its default action.
	Key []KeyField
	// Match is the kind of the whole table: range if any field is, else ternary, else LPM if one is, else exact.
	Match MatchKind
	// Size is max_size: how many entries it must hold.
	Size int
	// Actions are indices of the program's actions that an entry may name.
	Actions []int
	// Next is the next node for each of Actions. Hit and Miss replace it where the program asks whether the table was hit.
	Next      []int
	HitOrMiss bool
	Hit, Miss int
	// Apart says that a hit goes on at Next, but a miss at Miss, whatever the default action. No program that is read has
	// it: compilers make it of tables that ask for a hit and whose actions have steps of their own.
	Apart bool
	// Default is the action of a miss, -1 for none; then a miss goes on at Miss.
	Default     int
	DefaultData []uint64
	DefaultWide []Number
	// ConstantAction says that the default action cannot be another one, ConstantDefault that its data cannot change,
	// either.
	ConstantAction   bool
	ConstantDefault  bool
	ConstantEntries  []Entry
	ImmutableEntries bool
	// Profile is 1 + the index of the action profile that entries refer to, 0 if they name actions themselves.
	Profile int
	// Array is 1 + the number of an array that the table is an access to, registers first, then meters, then counters; 0
	// for a match. No program that is read has it: compilers make it of primitives that read and write state. The key has
	// the operation, the index and the value.
	Array int
	// Accesses is the primitive that an access to an array does: Args are the index, and the value that is written, each a
	// constant or a field of the key.
	Accesses *Primitive
	// Computes, if not nil, is the hash or the random number that the table stands for: its key has the operands. No
	// program that is read has it.
	Computes *Primitive
	// Counters says that each entry counts its packets. Meter is 1 + the index of the direct meter, 0 without.
	Counters bool
	Meter    int
}

// KeyBits is the width of the key.
func (p *Program) KeyBits(t *Table) int {
	bits := 0
	for _, k := range t.Key {
		bits += p.Fields[k.Field].Bits
	}
	return bits
}

// next returns all nodes that can follow.
func (n *Node) next() []int {
	if n.Condition != nil {
		return []int{n.Condition.True, n.Condition.False}
	}
	if n.Table.HitOrMiss {
		return []int{n.Table.Hit, n.Table.Miss}
	}
	if n.Table.Default < 0 || n.Table.Apart {
		return append([]int{n.Table.Miss}, n.Table.Next...)
	}
	return n.Table.Next
}

// Errors are the numbers that a program's parser errors have.
type Errors struct {
	None, PacketTooShort, StackOutOfBounds, HeaderTooShort, Timeout, InvalidArgument uint64
}

// State is a parser state: it extracts headers, sets fields, and selects the next state.
type State struct {
	Name string
	// Ops are done in order.
	Ops []ParserOp
	// Key are the fields the next state is selected by, together the value that transitions are compared with, first field
	// uppermost.
	Key []int
	// Parts stand in for Key if not nil: where a part is no field, or the key has more than 64 bits.
	Parts []KeyPart
	// Transitions are tried in order; the parser ends where none is taken.
	Transitions []Transition
}

// KeyPart is a part of the key that the next state is selected by: Field, or, if that is -1, of the last element of
// stack Stack, or of the last union of stack of unions UnionStack the member Member, the field Offset; or, if those are
// -1 too, bits of the packet ahead.
type KeyPart struct {
	Field, Stack, UnionStack, Member, Offset int
	// Ahead is the distance in bits from the parser's place to the bits, Bits their number.
	Ahead, Bits int
}

// ParserOpKind is a parser's operation.
type ParserOpKind uint8

const (
	// Basic extracts Header, or, if that is -1, sets Field to Value.
	Basic ParserOpKind = iota
	// ExtractNext extracts the next element of the stack Object.
	ExtractNext
	// ExtractUnion extracts the member Header of the next element of the stack of unions Object.
	ExtractUnion
	// Lookahead sets Field to Bits bits of the packet, Ahead bits from the parser's place.
	Lookahead
	// Verify ends the parser with the error number Error, unless Value is true.
	Verify
	// Advance passes over Value bits of the packet.
	Advance
	// Call runs the primitive Call.
	Call
)

// ParserOp is one operation of a parser's state.
type ParserOp struct {
	Kind   ParserOpKind
	Header int
	Field  int
	Object int
	// Value is the value to set or verify, or the bits to skip. For an extraction it computes the bits of the field of
	// variable length.
	Value       *Expr
	Error       *Expr
	Ahead, Bits int
	Call        *Primitive
}

// Transition goes to state Next, or Accept, if key & Mask == Value.
type Transition struct {
	Value, Mask uint64
	Next        int
	// WideValue and WideMask stand for Value and Mask where the state has Parts.
	WideValue, WideMask Number
	// Set is 1 + the index of a value set: the transition is taken if the key under the mask is in it.
	Set int
}
