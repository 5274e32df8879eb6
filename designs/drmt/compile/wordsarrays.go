package compile

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// divideRegisters divides registers of more than 64 bits: the array keeps their lowest 32 bits, arrays of its own have
// the others. An access becomes one to each.
func (w *divided) divideRegisters() {
	p := w.l.p
	w.registers = map[int][]int{}
	p.Registers = slices.Clone(p.Registers)
	for n := range w.l.given.Registers {
		r := p.Registers[n]
		if r.Bits <= 64 {
			continue
		}
		for k, x := range slices.Backward(wordsOf(r.Bits)) {
			if x.from == 0 {
				p.Registers[n].Bits, w.registers[n] = x.bits, []int{n}
				continue
			}
			w.registers[n] = append(w.registers[n], len(p.Registers))
			p.Registers = append(p.Registers, p4.Register{
				Name: wordName(r.Name, len(wordsOf(r.Bits))-1-k), Bits: x.bits, Size: r.Size,
			})
		}
	}
}

// wordName is the name of the array with a word of an array's registers.
func wordName(array string, word int) string { return fmt.Sprintf("%s$%d", array, word) }

// registerWords returns the arrays of a lowered program that have the words of an array's registers, the lowest first.
func registerWords(p *p4.Program, n int) (all []int) {
	all = []int{n}
	for i := n + 1; i < len(p.Registers); i++ {
		if p.Registers[i].Name == wordName(p.Registers[n].Name, len(all)) {
			all = append(all, i)
		}
	}
	return all
}

// access divides an access to a register. A read goes to words of its own first, which the field's words are made of.
func (w *divided) access(o *p4.Primitive) (all []p4.Primitive, ok bool) {
	p := w.l.p
	arrays := w.registers[o.Object]
	index := w.narrow(o.Args[0])
	if o.Op == p4.WriteRegister {
		for k, n := range arrays {
			e, ok := w.bits(o.Args[1], word{32 * k, p.Registers[n].Bits})
			if !ok {
				return nil, false
			}
			x := *o
			x.Object, x.Args = n, []*p4.Expr{index, e}
			all = append(all, x)
		}
		return all, true
	}
	if arrays == nil {
		arrays = []int{o.Object}
	}
	width, words, read := p.Fields[o.Field].Bits, w.fields[o.Field], []*p4.Expr(nil)
	within := isConst(index) && index.Const < uint64(p.Registers[o.Object].Size)
	old := func(k int) *p4.Expr {
		switch {
		case words == nil && k == 0:
			return binary(p4.And, fieldExpr(o.Field), constant(p4.Ones(32)))
		case words == nil:
			return binary(p4.ShiftRight, fieldExpr(o.Field), constant(32))
		}
		return fieldExpr(words[len(words)-1-k])
	}
	for k, n := range arrays {
		if len(arrays) > 1 && 32*k >= width {
			break // the field has no room for more
		}
		x := *o
		x.Object, x.Args = n, []*p4.Expr{index}
		x.Field = w.l.field(fmt.Sprintf("%s$read%d", p.Registers[n].Name, len(p.Fields)), p.Registers[n].Bits)
		if !within { // beyond the array's end nothing is read, and the field keeps its value
			all = append(all, assignment(x.Field, old(k)))
		}
		read, all = append(read, fieldExpr(x.Field)), append(all, x)
	}
	if n := len(read); !within && (n > 1 && len(words) > n || n == 1 && len(words) > 2) {
		return nil, false
	}
	word := func(k int) *p4.Expr {
		switch {
		case len(arrays) == 1 && k == 1: // a register of up to 64 bits
			return binary(p4.ShiftRight, read[0], constant(32))
		case k < len(read):
			return read[k]
		}
		return constant(0)
	}
	if words != nil {
		for i, f := range words {
			all = append(all, assignment(f, word(len(words)-1-i)))
		}
		return all, true
	}
	e := word(0)
	if width > 32 {
		e = binary(p4.Or, binary(p4.ShiftLeft, word(1), constant(32)), e)
	}
	return append(all, assignment(o.Field, e)), true
}
