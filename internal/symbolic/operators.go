package symbolic

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/goldwire/goldwire/internal/netlist"
)

func (x *Machine) unary(h *heap, in *ssa.UnOp, v Value) Value {
	switch in.Op {
	case token.MUL:
		return x.load(h, v)
	case token.NOT, token.XOR:
		return x.G.Not(bit(v))
	case token.SUB:
		n := bit(v)
		return x.G.Binary(netlist.Sub, x.G.Const(0, n.W), n)
	}
	refuse("a receive from a channel")
	return nil
}

var operators = map[token.Token]netlist.Op{
	token.ADD: netlist.Add, token.SUB: netlist.Sub, token.MUL: netlist.Mul, token.AND: netlist.And,
	token.OR: netlist.Or, token.XOR: netlist.Xor, token.EQL: netlist.Eq, token.SHL: netlist.Shl}

func (x *Machine) binary(in *ssa.BinOp, a, b Value) Value {
	if _, is := a.(*netlist.Node); !is {
		return x.compare(in, a, b)
	}
	_, isSigned := width(in.X.Type())
	p, q := bit(a), bit(b)
	pick := func(signed, unsigned netlist.Op) netlist.Op {
		if isSigned {
			return signed
		}
		return unsigned
	}
	less := pick(netlist.Slt, netlist.Ult)
	switch in.Op {
	case token.QUO:
		return x.G.Binary(pick(netlist.SDiv, netlist.UDiv), p, q)
	case token.REM:
		return x.G.Binary(pick(netlist.SRem, netlist.URem), p, q)
	case token.AND_NOT:
		return x.G.Binary(netlist.And, p, x.G.Not(q))
	case token.SHR:
		return x.G.Binary(pick(netlist.Ashr, netlist.Lshr), p, q)
	case token.NEQ:
		return x.G.Not(x.G.Binary(netlist.Eq, p, q))
	case token.LSS:
		return x.G.Binary(less, p, q)
	case token.GTR:
		return x.G.Binary(less, q, p)
	case token.LEQ:
		return x.G.Not(x.G.Binary(less, q, p))
	case token.GEQ:
		return x.G.Not(x.G.Binary(less, p, q))
	}
	return x.G.Binary(operators[in.Op], p, q)
}

// compare compares texts, pointers, slices, structs and interfaces.
func (x *Machine) compare(in *ssa.BinOp, a, b Value) Value {
	switch {
	case in.Op == token.ADD && isText(a) && isText(b):
		return x.concatenate(texts(a), texts(b))
	case in.Op == token.ADD:
		return nil // an error's text
	case isText(a) && isText(b):
		return x.compareTexts(in.Op, texts(a), texts(b))
	case isText(a) || isText(b):
		refuse("a comparison with a text that is not known")
	case in.Op == token.EQL:
		return x.equal(a, b)
	case in.Op == token.NEQ:
		return x.G.Not(x.equal(a, b))
	}
	refuse("%s of %s", in.Op, describe(a))
	return nil
}

func (x *Machine) concatenate(p, q text) Value {
	if len(p.Of)*len(q.Of) > 1024 {
		refuse("one of more than 1024 texts")
	}
	var all []string
	for _, a := range p.Of {
		for _, b := range q.Of {
			all = append(all, a+b)
		}
	}
	of := x.G.Binary(netlist.Mul, x.G.Extend(x.textIndex(p), 16, false), x.G.Const(uint64(len(q.Of)), 16))
	return text{all, x.G.Binary(netlist.Add, of, x.G.Extend(x.textIndex(q), 16, false))}
}

func (x *Machine) compareTexts(op token.Token, p, q text) *netlist.Node {
	r := x.G.Bit(false)
	at := func(t text, k int) *netlist.Node {
		n := x.textIndex(t)
		return x.G.Binary(netlist.Eq, n, x.G.Const(uint64(k), n.W))
	}
	for i, a := range p.Of {
		for j, b := range q.Of {
			if constant.Compare(constant.MakeString(a), op, constant.MakeString(b)) {
				r = x.G.Binary(netlist.Or, r, x.G.Binary(netlist.And, at(p, i), at(q, j)))
			}
		}
	}
	return r
}

func (x *Machine) equal(a, b Value) *netlist.Node {
	switch p := a.(type) {
	case *netlist.Node:
		return x.G.Binary(netlist.Eq, p, bit(b))
	case Agg:
		r := x.G.Bit(true)
		for i := range p {
			r = x.G.Binary(netlist.And, r, x.equal(p[i], b.(Agg)[i]))
		}
		return r
	case Slice: // with nil
		return x.G.Bit(len(p.Of) == 0)
	case Ptr:
		q, isPtr := b.(Ptr)
		if !isPtr {
			q = Ptr{Of: []*Cell{nil}}
		}
		return x.samePlace(p, q)
	case nil:
		switch q := b.(type) {
		case Ptr:
			return x.samePlace(Ptr{Of: []*Cell{nil}}, q)
		case Slice:
			return x.G.Bit(len(q.Of) == 0)
		}
		return x.G.Bit(b == nil)
	case Iface:
		if q, both := b.(Iface); both && types.Identical(p.Type, q.Type) {
			return x.equal(p.V, q.V)
		}
		return x.G.Bit(false)
	case Func: // with nil
		return x.G.Bit(false)
	}
	return x.G.Bit(same(a, b))
}

func (x *Machine) samePlace(p, q Ptr) *netlist.Node {
	r := x.G.Bit(false)
	for i, c := range p.choices() {
		for j, d := range q.choices() {
			if c != d {
				continue
			}
			both := x.G.Bit(true)
			for _, at := range []struct {
				n *netlist.Node
				k int
			}{{p.Index, i}, {q.Index, j}} {
				if at.n != nil {
					both = x.G.Binary(netlist.And, both, x.G.Binary(netlist.Eq, at.n, x.G.Const(uint64(at.k), at.n.W)))
				}
			}
			r = x.G.Binary(netlist.Or, r, both)
		}
	}
	return r
}
