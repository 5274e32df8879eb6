package p4

import "fmt"

// Program is a P4 program as BMv2's JSON describes it, with names resolved to indices. It is not changed once it is read.
type Program struct {
	// Name is the file it came from.
	Name string
	// Headers are all headers and metadata structs, in the file's order.
	Headers []Header
	// Fields are the fields of all headers one after the other, each header's validity bit (named "$valid$") last. What runs a
	// program holds one value for each.
	Fields []Field
	// States are the parser's states; the first state of a packet is States[Start].
	States []State
	Start  int
	// Actions are all actions, in the order of their ids.
	Actions []Action
	// Ingress and Egress are the two pipelines of v1model. An empty one has First == Accept.
	Ingress, Egress Pipeline
	// Checksums are computed after egress, in order, before the headers are put together again.
	Checksums []Checksum
	// Deparse lists the headers that are written to the wire, in order, if valid.
	Deparse []int
	// Standard are the fields of v1model's standard_metadata that mean something to a switch.
	Standard Standard
}

// Header is a packet header, or a struct of metadata, which is always valid and never on the wire.
type Header struct {
	Name     string
	Metadata bool
	// Fields are indices into the program's Fields, first on the wire first, without Valid.
	Fields []int
	// Valid is the index of the validity bit, -1 for metadata.
	Valid int
	// Bits is the width of all fields together; a header on the wire has a multiple of 8.
	Bits int
}

// Field is a field of a header: "ipv4.ttl", 8 bits.
type Field struct {
	Name   string
	Header int
	Bits   int
}

// Standard holds indices of fields, -1 where a program's standard_metadata lacks them.
type Standard struct {
	IngressPort, EgressSpec, EgressPort, PacketLength int
}

// DropPort is the value of egress_spec that drops a packet: mark_to_drop writes it (v1model: nine ones).
const DropPort = 511

// Accept, as the number of a next state or of a next node, ends the parser or the pipeline.
const Accept = -1

// State is a parser state: it extracts headers, sets fields, and selects the next state.
type State struct {
	Name string
	// Ops are done in order.
	Ops []ParserOp
	// Key are the fields the next state is selected by, together the value that transitions are compared with, first field
	// uppermost. Lookahead and header stacks are not supported.
	Key []int
	// Transitions are tried in order; a packet that none takes ends in a parser error and is dropped.
	Transitions []Transition
}

// ParserOp extracts Header, or, if that is -1, sets Field to Value.
type ParserOp struct {
	Header int
	Field  int
	Value  *Expr
}

// Transition goes to state Next, or Accept, if key & Mask == Value.
type Transition struct {
	Value, Mask uint64
	Next        int
}

// Action is a compound action: its primitives run in order, each seeing what the ones before it wrote.
type Action struct {
	ID   int
	Name string
	// Params are the parameters that come with a table entry as action data.
	Params []Param
	Ops    []Primitive
}

// Param is an action's parameter.
type Param struct {
	Name string
	Bits int
}

// Op is a primitive action.
type Op uint8

const (
	// Assign writes Value to Field, cut to the field's width.
	Assign Op = iota + 1
	// AddHeader makes Header valid, all its fields 0 unless it was valid before.
	AddHeader
	// RemoveHeader makes Header invalid.
	RemoveHeader
	// Drop writes DropPort to standard_metadata.egress_spec: mark_to_drop.
	Drop
)

var opNames = [...]string{Assign: "assign", AddHeader: "add_header", RemoveHeader: "remove_header", Drop: "mark_to_drop"}

func (o Op) String() string {
	if o < Assign || o > Drop {
		return fmt.Sprintf("Op(%d)", uint8(o))
	}
	return opNames[o]
}

// Primitive is one step of an action.
type Primitive struct {
	Op Op
	// Field is what Assign and Drop write; -1 for the others.
	Field int
	// Header is what AddHeader and RemoveHeader change; -1 for the others.
	Header int
	// Value is what Assign writes.
	Value *Expr
}

// ExprKind is what an expression is.
type ExprKind uint8

const (
	// Constant is Const.
	Constant ExprKind = iota + 1
	// FieldValue is the value of Field, a validity bit included.
	FieldValue
	// ParamValue is action parameter number Param.
	ParamValue
	// Operation applies Operator to Left and Right, or to Right alone if it is unary.
	Operation
	// Choice is Left where Cond is not 0, else Right.
	Choice
)

// Expr is an expression. Truth values are 1 and 0. Arithmetic has no width of its own, as in BMv2: a sum of 8-bit fields can be
// 256, and a difference below 0 wraps at 64 bits; p4c puts the masks that P4 wants around it.
type Expr struct {
	Kind  ExprKind
	Const uint64
	// Wide says that a constant needs more than 64 bits; what runs programs refuses it, graphs do not care.
	Wide              bool
	Field, Param      int
	Operator          Operator
	Left, Right, Cond *Expr
}

// Operator is an operator of BMv2's expressions.
type Operator uint8

const (
	Add Operator = iota + 1 // +
	Sub                     // -
	Mul                     // *
	ShiftLeft
	ShiftRight
	And // bitwise
	Or
	Xor
	Not // ~, bitwise, unary
	Equal
	NotEqual
	Less
	LessEqual
	Greater
	GreaterEqual
	LogicalAnd
	LogicalOr
	LogicalNot // unary
	Same       // d2b and b2d, unary: truth values are numbers here, not 0 is true
)

// Pipeline is ingress or egress: tables and conditions, and who follows whom.
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
)

var matchNames = [...]string{Exact: "exact", LPM: "lpm", Ternary: "ternary"}

func (k MatchKind) String() string {
	if k < Exact || k > Ternary {
		return fmt.Sprintf("MatchKind(%d)", uint8(k))
	}
	return matchNames[k]
}

// KeyField is a field of a table's key.
type KeyField struct {
	Match MatchKind
	Field int
}

// Table is a match-action table.
type Table struct {
	Name string
	// Key is empty for a table that only runs its default action.
	Key []KeyField
	// Match is the kind of the whole table: ternary if any field is, else LPM if one is, else exact.
	Match MatchKind
	// Size is max_size: how many entries it must hold.
	Size int
	// Actions are indices of the program's actions that an entry may name.
	Actions []int
	// Next is the next node for each of Actions. Hit and Miss replace it where the program asks whether the table was hit.
	Next             []int
	HitOrMiss        bool
	Hit, Miss        int
	Default          int
	DefaultData      []uint64
	ConstantDefault  bool
	ConstantEntries  []Entry
	ImmutableEntries bool
}

// KeyBits is the width of the key.
func (p *Program) KeyBits(t *Table) int {
	bits := 0
	for _, k := range t.Key {
		bits += p.Fields[k.Field].Bits
	}
	return bits
}

// Checksum computes the Internet checksum (RFC 1071, csum16) over Input and writes it to Target, if If is nil or not 0.
type Checksum struct {
	Name   string
	Target int
	Input  []*Expr
	// Bits is the width of each input.
	Bits []int
	If   *Expr
	// Verify and Update say where it is done: after parsing (the result is not used by this package), before deparsing.
	Verify, Update bool
}

// Entry is an entry of a table.
type Entry struct {
	Table string
	// Key has one element for each field of the table's key.
	Key []KeyValue
	// Priority decides between ternary entries that match alike: the lowest number wins, as in BMv2.
	Priority int
	Action   int
	Data     []uint64
}

// KeyValue matches a field f if f&Mask == Value. An exact match has a mask of ones, a prefix one of leading ones.
type KeyValue struct {
	Value, Mask uint64
	// PrefixLen is the number of leading ones for an LPM field.
	PrefixLen int
}
