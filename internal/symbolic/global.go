package symbolic

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// global returns a package variable as the package's initialisation leaves it: a table of constants, say. Only
// what the variable's own value needs is run.
func (x *Machine) global(g *ssa.Global) *Cell {
	if c := x.globals[g]; c != nil {
		return c
	}
	c := x.alloc(g.Type().(*types.Pointer).Elem(), g.Name())
	x.globals[g] = c
	if g.Pkg != nil && !x.built[g.Pkg] {
		x.built[g.Pkg] = true
		g.Pkg.Build()
	}
	fn := g.Pkg.Func("init")
	if fn == nil {
		return c
	}
	needed := slice(fn, g)
	if len(needed) == 0 {
		return c
	}
	x.text++
	depth := x.depth
	defer func() { x.text--; x.depth = depth }()
	h := newHeap(nil)
	f := &frame{fn: fn, env: newTable[ssa.Value]()}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if needed[in] {
				x.instruction(f, h, in)
			}
		}
	}
	settle(h, c, map[*Cell]bool{})
	return c
}

// slice returns the instructions of an initialisation that a variable's value follows from.
func slice(init *ssa.Function, g *ssa.Global) map[ssa.Instruction]bool {
	stores := map[ssa.Value][]*ssa.Store{} // by the variable that they store into
	for _, b := range init.Blocks {
		for _, in := range b.Instrs {
			if s, is := in.(*ssa.Store); is {
				stores[root(s.Addr)] = append(stores[root(s.Addr)], s)
			}
		}
	}
	needed := map[ssa.Instruction]bool{}
	var need func(v ssa.Value)
	want := func(in ssa.Instruction) {
		if needed[in] {
			return
		}
		needed[in] = true
		for _, o := range in.Operands(nil) {
			if *o != nil {
				need(*o)
			}
		}
	}
	need = func(v ssa.Value) {
		in, is := v.(ssa.Instruction)
		if !is {
			return
		}
		want(in)
		if _, place := v.(*ssa.Alloc); place {
			for _, s := range stores[v] {
				want(s)
			}
		}
	}
	for _, s := range stores[g] {
		want(s)
	}
	return needed
}

func root(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.IndexAddr:
		return root(v.X)
	case *ssa.FieldAddr:
		return root(v.X)
	case *ssa.Slice:
		return root(v.X)
	}
	return v
}

// settle makes the values in memory the initial values of a cell and of the cells that it leads to.
func settle(h *heap, c *Cell, met map[*Cell]bool) {
	if c == nil || met[c] || c.Port != "" {
		return
	}
	met[c] = true
	for _, k := range c.Kids {
		settle(h, k, met)
	}
	if c.Agg {
		return
	}
	c.Init = h.scalar(c)
	settleValue(h, c.Init, met)
}

func settleValue(h *heap, v Value, met map[*Cell]bool) {
	switch v := v.(type) {
	case Slice:
		for _, p := range v.Of {
			settleValue(h, p, met)
		}
	case Ptr:
		for _, k := range v.choices() {
			settle(h, k, met)
		}
	case Iface:
		settleValue(h, v.V, met)
	case Func:
		for _, f := range v.Free {
			settleValue(h, f, met)
		}
	}
}
