package symbolic

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"

	"golang.org/x/tools/go/ssa"

	"github.com/goldwire/goldwire/internal/netlist"
)

// Limits of a run: no module of the catalogue needs a tenth of them.
const (
	mostSteps  = 4_000_000
	mostDepth  = 200    // of calls
	mostRounds = 20_000 // of a loop
	mostSides  = 400    // of branches inside each other: a loop that a signal ends adds one a round
)

// Machine runs functions of a program.
type Machine struct {
	G    *netlist.Graph
	Prog *ssa.Program

	globals map[*ssa.Global]*Cell
	joins   map[*ssa.Function]map[*ssa.BasicBlock]*ssa.BasicBlock
	built   map[*ssa.Package]bool
	steps   int
	depth   int
	sides   int
	at      token.Pos // of the last instruction that has a line
	text    int       // > 0: a global's initial value is computed
}

// NewMachine returns a machine that makes nodes of a graph.
func NewMachine(g *netlist.Graph, prog *ssa.Program) *Machine {
	return &Machine{G: g, Prog: prog, globals: map[*ssa.Global]*Cell{},
		joins: map[*ssa.Function]map[*ssa.BasicBlock]*ssa.BasicBlock{}, built: map[*ssa.Package]bool{}}
}

// State is what memory holds after calls.
type State struct {
	x *Machine
	h *heap
}

// NewState returns memory in which each cell holds its initial value.
func (x *Machine) NewState() State { return State{x, newHeap(nil)} }

// Child returns memory that begins as s is, and leaves s as it is.
func (s State) Child() State { return State{s.x, s.h.child()} }

// Get returns what a cell holds, and Set stores.
func (s State) Get(c *Cell) Value { return s.h.load(c) }

// Set stores a value.
func (s State) Set(c *Cell, v Value) { s.h.store(c, v) }

// Call runs a function. The error is a refusal if the code is no hardware.
func (s State) Call(fn *ssa.Function, args ...Value) (err error) {
	s.x.at = fn.Pos()
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *refusal:
			if e.Where == "" {
				e.Where = s.x.where(s.x.at)
			}
			err = e
		case dead:
			err = &refusal{s.x.where(s.x.at), "every path ends in a panic"}
		case *netlist.LimitError:
			err = &refusal{s.x.where(s.x.at), e.Error()}
		default:
			panic(e)
		}
	}()
	s.x.depth, s.x.sides = 0, 0
	s.x.call(s.h, fn, args, nil)
	return nil
}

// where returns a position as "file.go:12".
func (x *Machine) where(p token.Pos) string {
	if !p.IsValid() {
		return ""
	}
	at := x.Prog.Fset.Position(p)
	return fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
}

// frame holds the values of a call. A side of a branch has a frame of its own, over the frame in which it began.
type frame struct {
	fn    *ssa.Function
	env   table[ssa.Value]
	up    *frame
	joins map[*ssa.BasicBlock]*ssa.BasicBlock
}

func (f *frame) side() *frame {
	return &frame{fn: f.fn, env: newTable[ssa.Value](), up: f, joins: f.joins}
}

func (x *Machine) get(f *frame, v ssa.Value) Value {
	switch v := v.(type) {
	case *ssa.Const:
		return x.constant(v)
	case *ssa.Function:
		return Func{Fn: v}
	case *ssa.Global:
		return Ptr{To: x.global(v)}
	case *ssa.Builtin:
		return v
	}
	for g := f; g != nil; g = g.up {
		if r, ok := g.env.m[v]; ok {
			return r
		}
	}
	refuse("the value %s of %s is not known", v.Name(), f.fn)
	return nil
}

// returned is a return under a condition: cond decides for it, if none of the earlier returns happens.
type returned struct {
	cond  *netlist.Node
	value Value
	h     *heap
}

// outcome is what a stretch of code does: go on (at the block where it was to stop), or return, or both by
// conditions.
type outcome struct {
	goes bool
	h    *heap // with which it goes on
	phis map[*ssa.Phi]Value
	rets []returned
}

// call runs a function, and leaves its stores in h.
func (x *Machine) call(h *heap, fn *ssa.Function, args, free []Value) Value {
	if v, known := x.intrinsic(h, fn, args); known {
		return v
	}
	x.build(fn)
	if len(fn.Blocks) == 0 {
		refuse("%s has no body in Go", fn)
	}
	if x.depth++; x.depth > mostDepth {
		refuse("calls of %s nest more than %d deep", fn.Name(), mostDepth)
	}
	defer func() { x.depth-- }()
	j := x.joins[fn]
	if j == nil {
		j = joins(fn)
		x.joins[fn] = j
	}
	f := &frame{fn: fn, env: newTable[ssa.Value](), joins: j}
	for i, p := range fn.Params {
		f.env.set(p, args[i])
	}
	for i, p := range fn.FreeVars {
		f.env.set(p, free[i])
	}
	at := x.at
	o := x.run(f, h.child(), fn.Blocks[0], nil, nil)
	x.at = at
	if len(o.rets) == 0 {
		panic(dead{})
	}
	last := o.rets[len(o.rets)-1]
	value, all := last.value, last.h.since(h)
	for i := len(o.rets) - 2; i >= 0; i-- {
		r := o.rets[i]
		value = x.merge(r.cond, r.value, value)
		all = x.join(r.cond, h, r.h.since(h), all)
	}
	for _, c := range all.keys {
		h.set(c, all.m[c])
	}
	return value
}

// build makes the body of a function that belongs to a package not built yet.
func (x *Machine) build(fn *ssa.Function) {
	p := fn.Pkg
	if p == nil && fn.Origin() != nil {
		p = fn.Origin().Pkg
	}
	if p != nil && !x.built[p] {
		x.built[p] = true
		p.Build()
	}
}

// side runs one side of a branch. A panic on every path of it is an outcome that neither goes on nor returns.
func (x *Machine) side(f *frame, h *heap, b, from, stop *ssa.BasicBlock) (o outcome) {
	if x.sides++; x.sides > mostSides {
		refuse("%d branches inside each other: bound the loop of %s by constants", mostSides, f.fn.Name())
	}
	defer func() {
		x.sides--
		if e := recover(); e != nil {
			if _, never := e.(dead); !never {
				panic(e)
			}
			o = outcome{}
		}
	}()
	return x.run(f, h, b, from, stop)
}

// run runs from a block, entered from another, until it meets stop; nil is the function's end.
func (x *Machine) run(f *frame, h *heap, b, from, stop *ssa.BasicBlock) (o outcome) {
	met := (map[*ssa.Phi]Value)(nil) // the phis of b, if sides meet there
	for rounds := 0; ; rounds++ {
		if rounds > mostRounds {
			refuse("a loop in %s goes round more than %d times: bound it by constants", f.fn.Name(), mostRounds)
		}
		phis := map[*ssa.Phi]Value{}
		for _, in := range b.Instrs {
			p, is := in.(*ssa.Phi)
			if !is {
				break
			}
			if met != nil {
				phis[p] = met[p]
			} else {
				phis[p] = x.get(f, p.Edges[edge(b, from)])
			}
		}
		if b == stop {
			o.goes, o.h, o.phis = true, h, phis
			return o
		}
		for _, in := range b.Instrs {
			p, is := in.(*ssa.Phi)
			if !is {
				break
			}
			f.env.set(p, phis[p])
		}
		met = nil
		for _, in := range b.Instrs {
			if x.steps++; x.steps > mostSteps {
				refuse("more than %d steps", mostSteps)
			}
			if p := in.Pos(); p.IsValid() && x.text == 0 {
				x.at = p
			}
			switch in := in.(type) {
			case *ssa.Phi:
			case *ssa.Jump:
				from, b = b, b.Succs[0]
			case *ssa.Return:
				var r tuple
				for _, v := range in.Results {
					r = append(r, x.get(f, v))
				}
				v := Value(r)
				if len(r) == 1 {
					v = r[0]
				}
				o.rets = append(o.rets, returned{x.G.Bit(true), v, h})
				return o
			case *ssa.Panic:
				return o
			case *ssa.If:
				c, isBit := x.get(f, in.Cond).(*netlist.Node)
				if !isBit {
					refuse("a condition that is not known")
				}
				if c.Op == netlist.Const {
					from = b
					b = b.Succs[1-int(c.Val)]
					break
				}
				join := f.joins[b]
				then, other := f.side(), f.side()
				ot := x.side(then, h.child(), b.Succs[0], b, join)
				oe := x.side(other, h.child(), b.Succs[1], b, join)
				for _, r := range ot.rets {
					o.rets = append(o.rets, returned{x.G.Binary(netlist.And, c, r.cond), r.value, r.h})
				}
				for _, r := range oe.rets {
					o.rets = append(o.rets, returned{x.G.Binary(netlist.And, x.G.Not(c), r.cond), r.value, r.h})
				}
				alone := len(ot.rets)+len(oe.rets) == 0 // nobody else needs h as it is
				switch {
				case !ot.goes && !oe.goes:
					return o
				case !oe.goes:
					met = ot.phis
					f.keep(then)
					h = adopt(h, ot.h, alone)
				case !ot.goes:
					met = oe.phis
					f.keep(other)
					h = adopt(h, oe.h, alone)
				default:
					met = map[*ssa.Phi]Value{}
					for _, in := range join.Instrs {
						if p, is := in.(*ssa.Phi); is {
							met[p] = x.merge(c, ot.phis[p], oe.phis[p])
						}
					}
					x.around(c, f, then, other, join)
					h = x.meet(c, h, ot.h, oe.h, alone)
				}
				from, b = nil, join
			default:
				x.instruction(f, h, in)
			}
		}
	}
}

// keep takes the values of the only side that goes on.
func (f *frame) keep(side *frame) {
	for _, k := range side.env.keys {
		f.env.set(k, side.env.m[k])
	}
}

// around joins values that a side of a branch has computed anew by going round a loop: code behind the loop uses
// the values of its head, and each round has its own.
func (x *Machine) around(c *netlist.Node, f, then, other *frame, join *ssa.BasicBlock) {
	again := func(k ssa.Value) (old Value, met bool) {
		if in, is := k.(ssa.Instruction); !is || !in.Block().Dominates(join) {
			return nil, false
		}
		for g := f; g != nil; g = g.up {
			if old, met = g.env.m[k]; met {
				return old, true
			}
		}
		return nil, false
	}
	joined := newTable[ssa.Value]()
	for _, k := range then.env.keys {
		if old, met := again(k); met {
			if w, both := other.env.m[k]; both {
				old = w
			}
			joined.set(k, x.merge(c, then.env.m[k], old))
		}
	}
	for _, k := range other.env.keys {
		if _, both := then.env.m[k]; !both {
			if old, met := again(k); met {
				joined.set(k, x.merge(c, old, other.env.m[k]))
			}
		}
	}
	for _, k := range joined.keys {
		f.env.set(k, joined.m[k])
	}
}

// adopt goes on from h with the stores of one side.
func adopt(h, side *heap, alone bool) *heap {
	if !alone {
		return side
	}
	all := side.since(h)
	for _, c := range all.keys {
		h.set(c, all.m[c])
	}
	return h
}

// meet joins what two sides of h stored.
func (x *Machine) meet(c *netlist.Node, h, a, b *heap, alone bool) *heap {
	joined := x.join(c, h, a.since(h), b.since(h))
	to := h
	if !alone {
		to = h.child()
	}
	for _, k := range joined.keys {
		to.set(k, joined.m[k])
	}
	return to
}

// join is what two lists of stores over h come to, by a condition.
func (x *Machine) join(c *netlist.Node, h *heap, as, bs table[*Cell]) table[*Cell] {
	joined := newTable[*Cell]()
	for _, k := range as.keys {
		w, both := bs.m[k]
		if !both {
			w = h.scalar(k)
		}
		joined.set(k, x.merge(c, as.m[k], w))
	}
	for _, k := range bs.keys {
		if _, both := as.m[k]; !both {
			joined.set(k, x.merge(c, h.scalar(k), bs.m[k]))
		}
	}
	return joined
}

func edge(b, from *ssa.BasicBlock) int {
	for i, p := range b.Preds {
		if p == from {
			return i
		}
	}
	refuse("block %d of %s has no edge from there", b.Index, b.Parent())
	return 0
}

// Method returns a method of a pointer to a named type, nil if there is none.
func (x *Machine) Method(t types.Type, name string) *ssa.Function {
	set := x.Prog.MethodSets.MethodSet(types.NewPointer(t))
	for i := range set.Len() {
		if set.At(i).Obj().Name() == name {
			return x.Prog.MethodValue(set.At(i))
		}
	}
	return nil
}

// isRefusal tells whether an error is a refusal.
func isRefusal(err error) bool {
	var r *refusal
	return errors.As(err, &r)
}
