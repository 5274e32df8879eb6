package p4

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
	// Elsewhere says that the value comes another way. No program that is read has it: compilers make it of data that a
	// result cannot hold.
	Elsewhere bool
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
	// Drop writes DropPort to standard_metadata.egress_spec, and 0 to the multicast group: mark_to_drop.
	Drop
	// AssignVariable copies a field of variable length from the field Object.
	AssignVariable
	// MarkValid makes Header valid and leaves its fields alone.
	MarkValid
	// AssignHeader copies Header from Source, whose validity it takes.
	AssignHeader
	// AssignUnion, AssignStack and AssignUnionStack copy the one numbered Object from the one numbered From.
	AssignUnion
	AssignStack
	AssignUnionStack
	// Push moves the stack Object's elements away from its first by Args[0], Pop towards it.
	Push
	Pop
	PushUnions
	PopUnions
	// Exit ends the pipeline after this table.
	Exit
	// Jump goes on with primitive Args[0], JumpIfZero if Args[0] is 0 with primitive Args[1].
	Jump
	JumpIfZero
	// NoOp does nothing: no_op, and log_msg, whose text nobody reads.
	NoOp
	// Assert stops the switch unless Args[0] is true.
	Assert
	// Count counts the packet at index Args[0] of the counter array Object.
	Count
	// ExecuteMeter writes the color of meter Args[0] of the array Object.
	ExecuteMeter
	// ReadRegister reads register Args[0] of the array Object; WriteRegister writes Args[1] to it.
	ReadRegister
	WriteRegister
	// Hash writes Args[0] + calculation Object modulo Args[1].
	Hash
	// Random writes a number from Args[0] to Args[1]. Object is the number of the place in the program, counted from 0.
	Random
	// Digest sends a digest of the learn list Args[1] to the control plane.
	Digest
	// CloneIngress and CloneEgress make a copy at the pipeline's end, for mirroring session Args[0], with the field list
	// Args[1].
	CloneIngress
	CloneEgress
	// Resubmit and Recirculate let the packet come again, with the field list Args[0].
	Resubmit
	Recirculate
	// Truncate cuts the packet to Args[0] bytes.
	Truncate
)

var opNames = [...]string{
	Assign: "assign", AddHeader: "add_header", RemoveHeader: "remove_header", Drop: "mark_to_drop",
	AssignVariable: "assign_VL", MarkValid: "add_header_fast", AssignHeader: "assign_header",
	AssignUnion: "assign_union", AssignStack: "assign_header_stack", AssignUnionStack: "assign_union_stack",
	Push: "push", Pop: "pop", PushUnions: "push", PopUnions: "pop", Exit: "exit", Jump: "_jump",
	JumpIfZero: "_jump_if_zero", NoOp: "no_op", Assert: "assert", Count: "count", ExecuteMeter: "execute_meter",
	ReadRegister: "register_read", WriteRegister: "register_write", Hash: "modify_field_with_hash_based_offset",
	Random: "modify_field_rng_uniform", Digest: "generate_digest", CloneIngress: "clone_ingress_pkt_to_egress",
	CloneEgress: "clone_egress_pkt_to_egress", Resubmit: "resubmit", Recirculate: "recirculate", Truncate: "truncate",
}

// Primitive is one step of an action.
type Primitive struct {
	Op Op
	// Field is what Assign, Drop and others write; -1 for primitives that write no field, or a field that Dest finds.
	Field int
	// Header is what AddHeader, RemoveHeader and others change; -1 for the others, or where Dest finds it.
	Header int
	// Value is what Assign writes.
	Value *Expr
	// Dest finds the field or header that is written, where it is known only when the action runs: an element of a stack.
	Dest *Expr
	// Source is the header that AssignHeader copies.
	Source *Expr
	// Object is the number of the array, stack, union or calculation that the primitive works on, From the copied one.
	Object, From int
	// Args are the other operands.
	Args []*Expr
	// If, if not nil, says when it is done. No program that is read has it: compilers make it of jumps.
	If *Expr
}

// OfUnions, as Param of a StackSize or LastIndex, says that Field is the number of a stack of unions.
const OfUnions = 1

// ExprKind is what an expression is.
type ExprKind uint8

const (
	// Constant is Const, or Number if Wide.
	Constant ExprKind = iota + 1
	// FieldValue is the value of Field, a validity bit included.
	FieldValue
	// ParamValue is action parameter number Param.
	ParamValue
	// Operation applies Operator to Left and Right, or to Right alone if it is unary.
	Operation
	// Choice is Left where Cond is not 0, else Right.
	Choice
	// Member is the field at place Param of the header Left.
	Member
	// RegisterValue is register Right of the array Field.
	RegisterValue
	// StackSize is the number of elements that the stack Field holds, LastIndex that number less one. Param is OfUnions
	// for a stack of unions.
	StackSize
	LastIndex
	// Valid is 1 if the header or union Right is valid.
	Valid
	// SameHeader is 1 if the headers or unions Left and Right are valid and equal.
	SameHeader
	// HeaderValue is the header Field, StackElement the element Right of the stack Field, LastElement its last one.
	HeaderValue
	StackElement
	LastElement
	// UnionValue is the union Field, UnionElement the element Right of the stack of unions Field.
	UnionValue
	UnionElement
	// UnionMember is the header at place Param of the union Left.
	UnionMember
	// Limb is 32 bits of Field, those from bit 32*Param on, and Join is Left above the 32 bits of Right. No program that
	// is read has them: compilers make them of arithmetic with many bits.
	Limb
	Join
)

// Expr is an expression. Truth values are 1 and 0. Arithmetic is exact, as in BMv2: a sum of 8-bit fields can be 256,
// and a difference can be below 0; p4c puts the masks that P4 wants around it.
type Expr struct {
	Kind  ExprKind
	Const uint64
	// Wide says that a constant is below 0 or needs more than 64 bits, and is Number.
	Wide              bool
	Number            Number
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
	Div
	Mod
	TwoComplement   // Left as a signed number of Right bits
	SaturateSigned  // the signed number of Right bits that is nearest to Left
	SaturateNatural // the unsigned one
)
