package compile

import (
	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// computed returns the table of a hash, or of a random number from a range that the packet says.
func (c *compiler) computed(m *match) *drmt.Table {
	t, o := m.table, m.table.Computes
	parts := c.keyParts(t)
	layout, pointer := m.layouts[t.Actions[0]], m.choice(t.Actions[0], true).pointer
	result := func(v uint64) drmt.Result { return layout.result1(pointer, v) }
	if o.Op == p4.Random {
		word, low, high := parts[t.Key[0].Field], partOf(parts, o.Args[0]), partOf(parts, o.Args[1])
		return drmt.NewFunction(func(key, _ []byte) drmt.Result {
			from, to := low.Of(key), high.Of(key)
			if to <= from {
				return result(from)
			}
			return result(from + word.Of(key)%(to-from+1))
		}, segmentsOf(m.keyBytes))
	}
	x := &c.program.Calculations[o.Object]
	base, size := partOf(parts, o.Args[0]), partOf(parts, o.Args[1])
	type input struct {
		part, valid drmt.KeyPart
		bits        int
	}
	var inputs []input
	for i, e := range o.Args[2:] {
		in := input{part: drmt.KeyPart{Const: e.Const}, valid: drmt.KeyPart{Const: 1}, bits: 0}
		if i < len(x.Bits) {
			in.bits = x.Bits[i]
		}
		if e.Kind == p4.FieldValue {
			in.part, in.bits = parts[e.Field], c.program.Fields[e.Field].Bits
			if v := c.program.Headers[c.program.Fields[e.Field].Header].Valid; v >= 0 {
				in.valid = parts[v]
			}
		}
		inputs = append(inputs, in)
	}
	algorithm := x.Algorithm
	return drmt.NewFunction(func(key, scratch []byte) drmt.Result {
		var rest uint64 // bits that make no whole byte yet
		n := 0
		for i := range inputs {
			in := &inputs[i]
			if in.valid.Of(key) == 0 {
				continue
			}
			v := in.part.Of(key)
			for left := in.bits; left > 0; {
				w := min(left, 8)
				left -= w
				b := uint64(0)
				if left < 64 {
					b = v >> left & (1<<w - 1)
				}
				rest = rest<<w | b
				if n += w; n >= 8 {
					n -= 8
					scratch = append(scratch, byte(rest>>n))
				}
			}
		}
		if n > 0 {
			scratch = append(scratch, byte(rest<<(8-n)))
		}
		return result(p4.Digested(algorithm, scratch)%max(size.Of(key), 1) + base.Of(key))
	}, segmentsOf(m.keyBytes))
}

// result1 is the result of an action with one parameter. It makes nothing new.
func (l layout) result1(pointer uint16, v uint64) drmt.Result {
	r := drmt.Result{Pointer: pointer}
	pieces := l.pieces[0]
	for k := len(pieces) - 1; k >= 0; k-- {
		r.Lo |= v & (1<<pieces[k].bits - 1) << (8 * pieces[k].at)
		v >>= pieces[k].bits
	}
	return r
}

// constantRange tells whether a random number's range is known.
func constantRange(o *p4.Primitive) bool {
	return o.Op == p4.Random && o.Dest == nil && isConst(substitute(o.Args[0], nil)) && isConst(substitute(o.Args[1], nil))
}

// draws makes the random numbers that the parser gives each packet.
func (c *compiler) draws(x *drmt.Parser) {
	p := c.program
	for _, d := range p.Draws {
		pieces := c.fields.pieces[d.Field]
		if pieces == nil {
			continue
		}
		number := func(packet uint64) uint64 { return p4.DrawWord(0, packet, d.Place) }
		if d.Ranged {
			number = func(packet uint64) uint64 { return p4.Draw(0, packet, d.Place, d.Low, d.High) }
		}
		x.Draws = append(x.Draws, drmt.RandomDraw{Pieces: pieces, Number: number})
	}
}
