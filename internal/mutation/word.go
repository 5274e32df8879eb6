package mutation

import "fmt"

// cell is one of Yosys' cells, which work on words.
type cell struct {
	Type        string
	Parameters  struct{ A_SIGNED, B_SIGNED, CLK_POLARITY flag }
	Connections map[string]netBits
}

// words turns cells into gates. Yosys' techmap does the same, but takes minutes for words of some thousand bits, such
// as memories given as plain registers. Each cell computes the value that Yosys' eval gives it, except a $pmux with
// several words selected.
type words struct {
	n     *netlist
	known map[gate]int32 // by gate but for its output
}

// cell returns what the cell's Y is, or false for a cell that is not known here.
func (w *words) cell(c *cell) (y []int32, ok bool) {
	width := len(c.Connections["Y"])
	a, b := c.Connections["A"], c.Connections["B"]
	signed := bool(c.Parameters.A_SIGNED) && (b == nil || bool(c.Parameters.B_SIGNED))
	wide := func(x []int32) []int32 { return extend(x, width, signed) }
	alike := max(len(a), len(b)) // the width in which a comparison takes both
	said := func(x int32) []int32 { return extend([]int32{x}, width, false) }
	switch c.Type {
	case "$pos":
		return wide(a), true
	case "$not":
		return w.invert(wide(a)), true
	case "$neg":
		return w.add(make([]int32, width), w.invert(wide(a)), 1), true
	case "$and":
		return each2(w.and, wide(a), wide(b)), true
	case "$or":
		return each2(w.or, wide(a), wide(b)), true
	case "$xor":
		return each2(w.xor, wide(a), wide(b)), true
	case "$xnor":
		return w.invert(each2(w.xor, wide(a), wide(b))), true
	case "$reduce_and":
		return said(w.all(a)), true
	case "$reduce_or", "$reduce_bool":
		return said(w.any(a)), true
	case "$reduce_xor":
		return said(w.odd(a)), true
	case "$reduce_xnor":
		return said(w.not(w.odd(a))), true
	case "$logic_not":
		return said(w.not(w.any(a))), true
	case "$logic_and":
		return said(w.and(w.any(a), w.any(b))), true
	case "$logic_or":
		return said(w.or(w.any(a), w.any(b))), true
	case "$add":
		return w.add(wide(a), wide(b), 0), true
	case "$sub":
		return w.add(wide(a), w.invert(wide(b)), 1), true
	case "$mul":
		return w.multiply(wide(a), wide(b)), true
	case "$eq", "$eqx", "$ne", "$nex":
		differ := w.any(each2(w.xor, extend(a, alike, signed), extend(b, alike, signed)))
		if c.Type == "$ne" || c.Type == "$nex" {
			return said(differ), true
		}
		return said(w.not(differ)), true
	case "$lt", "$gt", "$le", "$ge":
		if c.Type == "$gt" || c.Type == "$le" {
			a, b = b, a
		}
		less := w.less(extend(a, alike, signed), extend(b, alike, signed), signed)
		if c.Type == "$le" || c.Type == "$ge" {
			less = w.not(less)
		}
		return said(less), true
	case "$mux":
		return w.choose(c.Connections["S"][0], a, b), true
	case "$pmux":
		return w.chooseOne(c.Connections["S"], a, b), true
	case "$shl", "$sshl":
		return w.shiftLeft(extend(a, width, bool(c.Parameters.A_SIGNED)), b), true
	case "$shr", "$sshr":
		x := extend(a, max(width, len(a)), bool(c.Parameters.A_SIGNED))
		fill := int32(0)
		if c.Type == "$sshr" && c.Parameters.A_SIGNED {
			fill = x[len(x)-1]
		}
		return w.shiftRight(x, b, width, fill), true
	case "$shift":
		return w.shift(extend(a, max(width, len(a)), bool(c.Parameters.A_SIGNED)), b, width, bool(c.Parameters.B_SIGNED)),
			true
	case "$shiftx":
		// a bit that is read from outside of a is an x
		y = w.shift(a, b, width, bool(c.Parameters.B_SIGNED))
		inside := make([]int32, len(a))
		for i := range inside {
			inside[i] = 1
		}
		for i, is := range w.shift(inside, b, width, bool(c.Parameters.B_SIGNED)) {
			if is != 1 {
				y[i] = w.mux(is, w.open(), y[i])
			}
		}
		return y, true
	}
	return nil, false
}

// extend makes a word wider, with its highest bit if it is signed, or cuts it.
func extend(x []int32, width int, signed bool) []int32 {
	y := make([]int32, width)
	copy(y, x)
	if signed && len(x) > 0 {
		for i := len(x); i < width; i++ {
			y[i] = x[len(x)-1]
		}
	}
	return y
}

func each2(f func(a, b int32) int32, a, b []int32) []int32 {
	y := make([]int32, len(a))
	for i := range y {
		y[i] = f(a[i], b[i])
	}
	return y
}

func (w *words) invert(a []int32) []int32 {
	y := make([]int32, len(a))
	for i, x := range a {
		y[i] = w.not(x)
	}
	return y
}

// tree joins bits in pairs.
func tree(f func(a, b int32) int32, none int32, list []int32) int32 {
	switch len(list) {
	case 0:
		return none
	case 1:
		return list[0]
	}
	half := len(list) / 2
	return f(tree(f, none, list[:half]), tree(f, none, list[half:]))
}

func (w *words) all(a []int32) int32 { return tree(w.and, 1, a) }
func (w *words) any(a []int32) int32 { return tree(w.or, 0, a) }
func (w *words) odd(a []int32) int32 { return tree(w.xor, 0, a) }

func (w *words) add(a, b []int32, carry int32) []int32 {
	y := make([]int32, len(a))
	for i := range y {
		one := w.xor(a[i], b[i])
		y[i] = w.xor(one, carry)
		carry = w.mux(one, a[i], carry)
	}
	return y
}

func (w *words) multiply(a, b []int32) []int32 {
	sum := make([]int32, len(a))
	for i, bit := range b {
		row := make([]int32, len(a))
		for k := i; k < len(a); k++ {
			row[k] = w.and(bit, a[k-i])
		}
		sum = w.add(sum, row, 0)
	}
	return sum
}

// less tells whether a is less than b.
func (w *words) less(a, b []int32, signed bool) int32 {
	less := int32(0)
	for i := range a {
		high := b[i]
		if signed && i == len(a)-1 {
			high = a[i]
		}
		less = w.mux(w.xor(a[i], b[i]), less, high)
	}
	return less
}

// choose is b if s, else a.
func (w *words) choose(s int32, a, b []int32) []int32 {
	return each2(func(a, b int32) int32 { return w.mux(s, a, b) }, a, b)
}

// chooseOne is a if no bit of s is 1, else the or of the words of b at the bits that are, as Yosys' techmap makes it.
// Eval says x where such words differ. In the RTL one bit is 1 at most, but a mutant may set another.
func (w *words) chooseOne(s, a, b []int32) []int32 {
	y, none := make([]int32, len(a)), w.not(w.any(s))
	for i := range y {
		terms := []int32{w.and(none, a[i])}
		for k, is := range s {
			terms = append(terms, w.and(is, b[k*len(a)+i]))
		}
		y[i] = w.any(terms)
	}
	return y
}

// shift is to the right, or to the left if by is less than 0.
func (w *words) shift(a, by []int32, width int, signed bool) []int32 {
	right := w.shiftRight(a, by, width, 0)
	if !signed || len(by) == 0 {
		return right
	}
	back := w.add(make([]int32, len(by)), w.invert(by), 1)
	return w.choose(by[len(by)-1], right, w.shiftLeft(extend(a, width, false), back))
}

// shiftRight shifts by the highest bit first: of each step only what can still come into the result is computed.
func (w *words) shiftRight(a, by []int32, width int, fill int32) []int32 {
	at := func(x []int32, i int) int32 {
		if i < len(x) {
			return x[i]
		}
		return fill
	}
	for bit := len(by) - 1; bit >= 0; bit-- {
		step := distance(bit, len(a))
		y := make([]int32, min(len(a), width+step-1))
		for i := range y {
			y[i] = w.mux(by[bit], a[i], at(a, i+step))
		}
		a = y
	}
	y := make([]int32, width)
	for i := range y {
		y[i] = at(a, i)
	}
	return y
}

func (w *words) shiftLeft(a, by []int32) []int32 {
	for bit, s := range by {
		step := distance(bit, len(a))
		y := make([]int32, len(a))
		for i := range y {
			from := int32(0)
			if i >= step {
				from = a[i-step]
			}
			y[i] = w.mux(s, a[i], from)
		}
		a = y
	}
	return a
}

// distance is how far a bit of a number shifts a word of width bits: at most width, which empties it.
func distance(bit, width int) int {
	if bit > 30 || 1<<bit > width {
		return width
	}
	return 1 << bit
}

// gate returns the output of a gate. Gates that say the same are one.
func (w *words) gate(g gate) int32 {
	if y, ok := w.known[g]; ok {
		return y
	}
	y := w.n.net()
	w.known[g] = y
	w.n.gates = append(w.n.gates, gate{kind: g.kind, a: g.a, b: g.b, s: g.s, y: y})
	return y
}

// open returns a net that has no value.
func (w *words) open() int32 {
	y := w.n.net()
	w.n.open = append(w.n.open, y)
	return y
}

// net makes a new one.
func (n *netlist) net() int32 {
	n.nets++
	return int32(n.nets - 1)
}

func (w *words) not(a int32) int32 {
	if a <= 1 {
		return 1 - a
	}
	return w.gate(gate{kind: gateNot, a: a})
}

func (w *words) and(a, b int32) int32 {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == 0:
		return 0
	case a == 1 || a == b:
		return b
	}
	return w.gate(gate{kind: gateAnd, a: a, b: b})
}

func (w *words) or(a, b int32) int32 {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == 1 || b == 1:
		return 1
	case a == 0 || a == b:
		return b
	}
	return w.gate(gate{kind: gateOr, a: a, b: b})
}

func (w *words) xor(a, b int32) int32 {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == b:
		return 0
	case a == 0:
		return b
	case a == 1:
		return w.not(b)
	}
	return w.gate(gate{kind: gateXor, a: a, b: b})
}

// mux is b if s, else a.
func (w *words) mux(s, a, b int32) int32 {
	switch {
	case s == 0 || a == b:
		return a
	case s == 1:
		return b
	case a == 0:
		return w.and(s, b)
	case b == 0:
		return w.and(w.not(s), a)
	case a == 1:
		return w.or(w.not(s), b)
	case b == 1:
		return w.or(s, a)
	}
	return w.gate(gate{kind: gateMux, a: a, b: b, s: s})
}

// check wants the pins of a cell to have the widths that go together.
func (c *cell) check() error {
	a, b, s, y := len(c.Connections["A"]), len(c.Connections["B"]), len(c.Connections["S"]), len(c.Connections["Y"])
	fits := true
	switch c.Type {
	case "$mux":
		fits = s == 1 && a == y && b == y
	case "$pmux":
		fits = s > 0 && a == y && b == s*y
	case "$dff":
		fits = len(c.Connections["CLK"]) == 1 && len(c.Connections["D"]) == len(c.Connections["Q"])
	case "$assume", "$assert":
		fits = a == 1 && len(c.Connections["EN"]) == 1
	}
	if !fits {
		return fmt.Errorf("pins of %d, %d, %d and %d bits at A, B, S and Y do not go together", a, b, s, y)
	}
	return nil
}
