package p4

import "fmt"

// Program is a P4 program as BMv2's JSON describes it, with names resolved to indices. It is not changed once it is
// read.
type Program struct {
	// Name is the file it came from.
	Name string
	// Headers are all headers and metadata structs, in the file's order.
	Headers []Header
	// Fields are the fields of all headers one after the other, each header's validity bit (named "$valid$") last. An
	// interpreter or a machine holds one value for each.
	Fields []Field
	// Stacks are the header stacks, Unions the header unions, UnionStacks the stacks of header unions.
	Stacks      []Stack
	Unions      []Union
	UnionStacks []UnionStack
	// States are the parser's states; the first state of a packet is States[Start].
	States []State
	Start  int
	// Errors are the numbers of the parser's errors.
	Errors Errors
	// ValueSets are sets of values that a parser compares with and that a control plane fills.
	ValueSets []ValueSet
	// Actions are all actions, in the order of their ids.
	Actions []Action
	// Ingress and Egress are the two pipelines of v1model. An empty one has First == Accept.
	Ingress, Egress Pipeline
	// Calculations are hashes and checksums over fields.
	Calculations []Calculation
	// Checksums are verified after the parser and computed after egress, in order, before the headers are put together
	// again.
	Checksums []Checksum
	// Deparse lists the headers that are written to the wire, in order, if valid.
	Deparse []int
	// Registers, Counters and Meters are the arrays that outlive a packet.
	Registers []Register
	Counters  []Counter
	Meters    []Meter
	// Profiles are action profiles: actions with data that entries of several tables may share.
	Profiles []Profile
	// FieldLists are the fields that a clone, a resubmitted or a recirculated packet keeps.
	FieldLists []FieldList
	// Draws are random numbers that packets get when they come. No program that is read has them: compilers make them of
	// Random.
	Draws []RandomPlace
	// Standard are the fields of v1model's standard_metadata that mean something to a switch.
	Standard Standard
}

// Header is a packet header, or a struct of metadata, which is always valid and never on the wire.
type Header struct {
	Name     string
	Metadata bool
	// Type is the name of its header type.
	Type string
	// Fields are indices into the program's Fields, first on the wire first, without Valid.
	Fields []int
	// Valid is the index of the validity bit, -1 for metadata.
	Valid int
	// Bits is the width of all fields together, without a field of variable length; a header on the wire has a multiple of
	// 8.
	Bits int
	// Union is 1 + the index of the union that the header is a member of, 0 for none. Of a union's headers one at most is
	// valid.
	Union int
	// Variable is 1 + the place among Fields of the field of variable length, 0 for none. MaxBytes is the most that the
	// header can have with it, 0 if the program does not say. Length, if not nil, computes its width in bits from fields
	// before it.
	Variable, MaxBytes int
	Length             *Expr
}

// member is the field at a place: the validity bit comes after the others.
func (h *Header) member(place int) int {
	if place == len(h.Fields) {
		return h.Valid
	}
	return h.Fields[place]
}

// Field is a field of a header: "ipv4.ttl", 8 bits.
type Field struct {
	Name   string
	Header int
	// Bits is its width, the greatest one for a field of variable length.
	Bits int
	// Signed fields are in two's complement. A Saturating one takes the nearest value that it can hold.
	Signed, Saturating bool
}

// Stack is a header stack: Headers[0] is the first element.
type Stack struct {
	Name    string
	Headers []int
}

// Union is a header union, with its members.
type Union struct {
	Name    string
	Headers []int
}

// UnionStack is a stack of header unions.
type UnionStack struct {
	Name   string
	Unions []int
}

// Standard holds indices of fields, -1 where a program's standard_metadata lacks them. Others has simple_switch's
// further ones by their names there, such as "intrinsic_metadata.mcast_grp".
type Standard struct {
	IngressPort, EgressSpec, EgressPort, PacketLength int
	Others                                            map[string]int
}

// Other returns the index of one of Others, -1 if the program lacks it.
func (s *Standard) Other(name string) int {
	if f, ok := s.Others[name]; ok {
		return f
	}
	return -1
}

// DropPort is the value of egress_spec that drops a packet: mark_to_drop writes it (v1model: nine ones).
const DropPort = 511

// Accept, as the number of a next state or of a next node, ends the parser or the pipeline.
const Accept = -1

// Register is an array of registers of Bits bits, all 0 at first.
type Register struct {
	Name       string
	Size, Bits int
}

// Counter is an array of counters of packets and bytes. A direct one has a counter for each entry of a table.
type Counter struct {
	Name   string
	Size   int
	Direct bool
}

// Meter is an array of meters. A direct one has a meter for each entry of a table, and writes the color to Target when
// the entry is hit.
type Meter struct {
	Name          string
	Size, Rates   int
	Bytes, Direct bool
	Target        int
}

// Profile is an action profile. With a Selector, an entry may name a group, and the calculation chooses one of its
// members.
type Profile struct {
	Name     string
	Selector int // the calculation, -1 without
}

// FieldList is the fields that outlast a clone, a resubmission or a recirculation.
type FieldList struct {
	ID     int
	Fields []int
}

// ValueSet is a parser's value set.
type ValueSet struct {
	Name string
	Bits int
}

// Algorithm is a hash function.
type Algorithm uint8

const (
	// CSum16 is the Internet checksum (RFC 1071).
	CSum16 Algorithm = iota
	CRC16
	CRC32
	CRCCCITT
	XOR16
	XOR32
	Identity
	CRC8Custom
	CRC64Custom
	RoundRobin
	RoundRobinConsistent
)

var algorithms = map[string]Algorithm{
	"csum16": CSum16, "cksum16": CSum16, "crc16": CRC16,
	"crc32": CRC32, "crcCCITT": CRCCCITT, "xor16": XOR16,
	"xor32": XOR32, "identity": Identity, "crc8_custom": CRC8Custom,
	"crc16_custom": CRC16, "crc32_custom": CRC32, "crc64_custom": CRC64Custom,
	"round_robin": RoundRobin, "round_robin_consistent": RoundRobinConsistent,
}

// Calculation is a hash function over Input. Fields and headers that are not valid are left out.
type Calculation struct {
	Name      string
	Algorithm Algorithm
	// Input and Bits, the width of each, are the inputs. An element of kind HeaderValue is a whole header.
	Input []*Expr
	Bits  []int
	// Payload says that the rest after the parsed headers follows.
	Payload bool
}

// Checksum computes a calculation and writes it to Target, or compares it with Target, if If is nil or not 0.
type Checksum struct {
	Name   string
	Target int
	// Calculation is 1 + its index; 0 stands for the Internet checksum over Input, of which each has a width of Bits.
	Calculation int
	Input       []*Expr
	Bits        []int
	If          *Expr
	// Verify and Update say where it is done: after parsing, before deparsing.
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
	// Data has a value for each of the action's parameters. Wide, if not nil, has values of more than 64 bits, whose Data
	// is 0.
	Data []uint64
	Wide []Number
	// Group says that Member is a group of the table's action profile, not a member. Indirect says that either is meant.
	Indirect, Group bool
	Member          int
}

// KeyValue matches a field f if f&Mask == Value. An exact match has a mask of ones, a prefix one of leading ones. A
// range matches if Value <= f <= Mask.
type KeyValue struct {
	Value, Mask uint64
	// PrefixLen is the number of leading ones for an LPM field.
	PrefixLen int
	// WideValue and WideMask stand for Value and Mask for a field of more than 64 bits.
	WideValue, WideMask Number
}

func (o Op) String() string {
	if o < Assign || int(o) >= len(opNames) {
		return fmt.Sprintf("Op(%d)", uint8(o))
	}
	return opNames[o]
}
