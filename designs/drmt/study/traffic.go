package study

import (
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// traffic makes packets for a program: their headers follow a way through its parser, and the fields that tables match
// on often have an entry's values, whole. The same seed gives the same packets.
type traffic struct {
	program *p4.Program `state:"none"` // as built
	rng     *rand.Rand
	tables  []tableEntries `state:"none"` // as built
	wanted  []p4.KeyValue  // by field: the values that entries want of this packet
	buffer  []byte
	left    int
}

// tableEntries are a table's entries, with the fields of its key.
type tableEntries struct {
	key     []p4.KeyField
	entries []p4.Entry
}

const (
	maxPayload = 64
	maxHeaders = 16 // a way through a parser that goes round ends
)

// NewTraffic returns a number of packets.
func NewTraffic(p *p4.Program, entries []p4.Entry, count int, seed uint64) *traffic {
	t := &traffic{
		program: p, rng: rand.New(rand.NewPCG(seed, 0x64524d54)), wanted: make([]p4.KeyValue, len(p.Fields)), left: count,
	}
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range pipe.Nodes {
			if n.Table == nil {
				continue
			}
			x := tableEntries{key: n.Table.Key, entries: slices.Clone(n.Table.ConstantEntries)}
			for _, e := range entries {
				if e.Table == n.Table.Name {
					x.entries = append(x.entries, e)
				}
			}
			if len(x.entries) > 0 && len(x.key) > 0 {
				t.tables = append(t.tables, x)
			}
		}
	}
	return t
}

// Next implements drmt.Source.
func (t *traffic) Next() (packet []byte, port uint16, ok bool) {
	if t.left == 0 {
		return nil, 0, false
	}
	t.left--
	p := t.program
	clear(t.wanted)
	for _, x := range t.tables {
		if t.rng.IntN(3) > 0 {
			e := &x.entries[t.rng.IntN(len(x.entries))]
			for i, k := range x.key {
				t.wanted[k.Field] = e.Key[i]
			}
		}
	}
	t.buffer = t.buffer[:0]
	state := p.Start
	var bits uint64
	n := 0
	for range maxHeaders {
		if state == p4.Accept {
			break
		}
		s := &p.States[state]
		// the transition is chosen first, since the fields that it wants are in headers of this state, or of one before
		next := p4.Accept
		want := make([]uint64, 0, 8)[:0]
		if len(s.Transitions) > 0 {
			x := s.Transitions[t.rng.IntN(len(s.Transitions))]
			next = x.Next
			v, m := x.Value, x.Mask
			if s.Parts != nil {
				v, m = 0, 0
			}
			key := t.rng.Uint64()&^m | v
			for i := len(s.Key) - 1; i >= 0; i-- {
				b := p.Fields[s.Key[i]].Bits
				want = append(want, key&p4.Ones(b))
				key = shift(key, b)
			}
		}
		for _, op := range s.Ops {
			h := op.Header
			if op.Kind == p4.ExtractNext {
				h = p.Stacks[op.Object].Headers[0]
			}
			if h < 0 || op.Kind > p4.ExtractNext {
				continue
			}
			for _, f := range p.Headers[h].Fields {
				v := t.value(f)
				for i, k := range s.Key {
					if k == f {
						v = want[len(s.Key)-1-i]
					}
				}
				b := p.Fields[f].Bits
				for b > 0 {
					w := min(b, 32)
					b -= w
					bits = bits<<w | v>>b&p4.Ones(w)
					for n += w; n >= 8; n -= 8 {
						t.buffer = append(t.buffer, byte(bits>>(n-8)))
					}
				}
			}
		}
		state = next
	}
	for range t.rng.IntN(maxPayload) {
		t.buffer = append(t.buffer, byte(t.rng.Uint32()))
	}
	if t.rng.IntN(200) == 0 { // cut short
		t.buffer = t.buffer[:t.rng.IntN(len(t.buffer)+1)]
	}
	in := p.Standard.IngressPort
	if in >= 0 {
		port = uint16(t.value(in))
	}
	return t.buffer, port, true
}

// value is a random one, but for the values that an entry wants.
func (t *traffic) value(f int) uint64 {
	w := t.wanted[f]
	return t.rng.Uint64()&p4.Ones(t.program.Fields[f].Bits)&^w.Mask | w.Value
}

func shift(v uint64, bits int) uint64 {
	if bits >= 64 {
		return 0
	}
	return v >> bits
}
