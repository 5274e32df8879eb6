package engine

import (
	"reflect"
	"unsafe"

	"github.com/goldwire/goldwire/internal/edgecalls"
	"github.com/goldwire/goldwire/rtl/layout"
)

// Node is a module in its place.
type Node struct {
	Index  int // in the order of adding
	Path   string
	Module edgecalls.Ticker
	Comber edgecalls.Comber // nil if the module has no Comb
	Clock  int
	Length *int   // of a delay, which the engine moves: its edges, 1 or more; nil of other modules
	Moved  *Moved // of a delay: the engine writes here how generated code moves it
	Ports  int    // how many it has
	Ins    []*Input
	Outs   []*Output // its registers
	Wires  []*Output

	line   line    // of a delay
	column int     // its place among the delays of the line
	level  int     // of its part: see flow
	weight float64 // about how much work it is: its ports, which it looks at, in a second
	shard  *shard
}

// UnderWay returns the place of the value that a delay read a number of edges ago, from 0 to its edges - 1.
func (n *Node) UnderWay(age int) unsafe.Pointer { return n.line.underWay(n.column, age) }

// Delay returns the length of a delay, 0 of another module.
func (n *Node) Delay() int {
	if n.Length == nil {
		return 0
	}
	return *n.Length
}

// Pin is where the fields of a port lie.
type Pin struct {
	Kind Kind
	Cur  *unsafe.Pointer // points to the value before the edge; of an input, to its source's
	Next *unsafe.Pointer // points to the value after the edge; nil unless the port is a register
	Used *bool           // set by a Get of an input, by a Set of an output; nil of an input outside of strict mode
}

// Place returns where the port's value lies, nil before elaboration.
func (p *Pin) Place() unsafe.Pointer { return *p.Cur }

// NextPlace returns where the value lies that a register has after the edge.
func (p *Pin) NextPlace() unsafe.Pointer { return *p.Next }

// bind gives the port's value a place.
func (p *Pin) bind(place unsafe.Pointer) { *p.Cur = place }

// Input is an input of a module.
type Input struct {
	Node *Node
	Name string
	Pin
	IsAsync  bool
	From     *Output        // its source, nil if that is a constant
	Constant unsafe.Pointer // the place of the constant
}

// Output is a register or a wire of a module.
type Output struct {
	Node *Node
	Name string
	Pin
	IsWire bool
	Driven bool          // of a register: by Reset or a Tick
	Comb   *string       // of a wire: its comb tag, nil if it has none
	Leaves []layout.Leaf // of its type
}

// Path returns the full path of an input.
func (p *Input) Path() string { return p.Node.Path + "." + p.Name }

// Path returns the full path of an output.
func (p *Output) Path() string { return p.Node.Path + "." + p.Name }

// size is how many bytes its value has.
func (p *Output) size() uintptr { return p.Kind.Type().Size() }

// WasDriven tells whether a register has ever been driven, by Reset or a Tick.
func (p *Output) WasDriven() bool { return p.Driven || *p.Used }

// source returns the node that drives an input, nil for a constant.
func (p *Input) source() *Node {
	if p.From == nil {
		return nil
	}
	return p.From.Node
}

// Kind is a signal type. It makes the engine's parts that move values of the type.
type Kind interface {
	Type() reflect.Type
	newLine(ins []*Input, cur, next unsafe.Pointer, edges, rows int) line
	newPassage(ins []*Input, columns []int, window int) passage
}

// KindOf returns a signal type. Kinds of the same type are equal.
func KindOf[T any]() Kind { return kind[T]{} }

type kind[T any] struct{}

func (kind[T]) Type() reflect.Type { return reflect.TypeFor[T]() }

func (kind[T]) newLine(ins []*Input, cur, next unsafe.Pointer, edges, rows int) line {
	return newDelayLine[T](ins, cur, next, edges, rows)
}

func (kind[T]) newPassage(ins []*Input, columns []int, window int) passage {
	return newPassage[T](ins, columns, window)
}
