package mutation

import (
	"math/bits"
	"math/rand/v2"
)

// lanes simulates a netlist many times at once: bit i of word w of a net is its value in lane 64w+i. All lanes have
// the same inputs, but for the selector, which says which mutant a lane is.
type lanes struct {
	n       *netlist
	mutants []int    // [lane]: the selector's value
	words   int      // of 64 lanes
	value   []uint64 // [net*words+word]
	next    []uint64 // [register*words+word]
}

// newLanes makes lanes whose registers hold noise. Lanes 2i and 2i+1 hold complements.
func newLanes(n *netlist, mutants []int, seed uint64) *lanes {
	l := &lanes{n: n, mutants: mutants, words: (len(mutants) + 63) / 64}
	l.start()
	random := rand.New(rand.NewPCG(seed, 0))
	for _, r := range n.regs {
		noise := -(random.Uint64() & 1) // all bits
		for w := range l.words {
			l.value[int(r.q)*l.words+w] = noise ^ even
		}
	}
	return l
}

// even has a 1 for each lane that is the first of two.
const even uint64 = 0x5555_5555_5555_5555

// start sets constants, the selector and the bits that the RTL leaves open: these are 0 in even lanes and 1 in odd
// lanes.
func (l *lanes) start() {
	l.value = make([]uint64, l.n.nets*l.words)
	l.next = make([]uint64, len(l.n.regs)*l.words)
	l.fill(1, 1)
	for _, net := range l.n.open {
		for w := range l.words {
			l.value[int(net)*l.words+w] = ^even
		}
	}
	for bit, net := range l.n.ports[selector] {
		for lane, m := range l.mutants {
			l.value[int(net)*l.words+lane/64] |= uint64(m>>bit&1) << (lane % 64)
		}
	}
	l.run(l.n.gates[:l.n.steady])
}

// fill gives a net the same value in all lanes.
func (l *lanes) fill(net int32, bit uint64) {
	for w := range l.words {
		l.value[int(net)*l.words+w] = -(bit & 1)
	}
}

// input gives a port a value in all lanes.
func (l *lanes) input(port string, x uint64) {
	for i, net := range l.n.ports[port] {
		l.fill(net, x>>i)
	}
}

// settle computes all gates from the registers and inputs.
func (l *lanes) settle() { l.run(l.n.gates[l.n.steady:]) }

func (l *lanes) run(gates []gate) {
	v, words := l.value, l.words
	for i := range gates {
		g := &gates[i]
		y := v[int(g.y)*words:][:words]
		a := v[int(g.a)*words:][:words]
		b := v[int(g.b)*words:][:words]
		switch g.kind {
		case gateBuf:
			copy(y, a)
		case gateNot:
			for w := range y {
				y[w] = ^a[w]
			}
		case gateAnd:
			for w := range y {
				y[w] = a[w] & b[w]
			}
		case gateOr:
			for w := range y {
				y[w] = a[w] | b[w]
			}
		case gateXor:
			for w := range y {
				y[w] = a[w] ^ b[w]
			}
		case gateMux:
			s := v[int(g.s)*words:][:words]
			for w := range y {
				y[w] = a[w] ^ s[w]&(a[w]^b[w])
			}
		}
	}
}

// edge is a rising edge of the clocks whose bit is set.
func (l *lanes) edge(clocks uint64) {
	for i, r := range l.n.regs {
		copy(l.next[i*l.words:][:l.words], l.value[int(r.d)*l.words:])
	}
	for i, r := range l.n.regs {
		if clocks>>r.clock&1 == 1 {
			copy(l.value[int(r.q)*l.words:][:l.words], l.next[i*l.words:])
		}
	}
}

// differ adds to each word of diff the lanes in which a port does not have the value.
func (l *lanes) differ(port string, want uint64, diff []uint64) {
	for i, net := range l.n.ports[port] {
		bit := -(want >> i & 1)
		for w := range diff {
			diff[w] |= l.value[int(net)*l.words+w] ^ bit
		}
	}
}

// output returns a port in lane 0.
func (l *lanes) output(port string) (x uint64) {
	for i, net := range l.n.ports[port] {
		x |= l.value[int(net)*l.words] & 1 << i
	}
	return x
}

// bit is a net's value in a lane.
func (l *lanes) bit(net int32, lane int) uint64 {
	return l.value[int(net)*l.words+lane/64] >> (lane % 64) & 1
}

// registers returns all registers of a lane, a bit each.
func (l *lanes) registers(lane int) []uint64 {
	bits := make([]uint64, len(l.n.regs))
	for i, r := range l.n.regs {
		bits[i] = l.value[int(r.q)*l.words+lane/64] >> (lane % 64) & 1
	}
	return bits
}

// keep leaves out the lanes that are not listed. The registers stay as they are.
func (l *lanes) keep(list []int) *lanes {
	k := &lanes{n: l.n, words: (len(list) + 63) / 64}
	for _, lane := range list {
		k.mutants = append(k.mutants, l.mutants[lane])
	}
	k.start()
	for _, r := range l.n.regs {
		for to, from := range list {
			bit := l.value[int(r.q)*l.words+from/64] >> (from % 64) & 1
			k.value[int(r.q)*k.words+to/64] |= bit << (to % 64)
		}
	}
	return k
}

// each calls f for each lane whose bit is set.
func each(set []uint64, f func(lane int)) {
	for w, x := range set {
		for ; x != 0; x &= x - 1 {
			f(64*w + bits.TrailingZeros64(x))
		}
	}
}
