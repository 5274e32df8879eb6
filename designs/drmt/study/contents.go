package study

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// poolSize is how many values a field has in random entries: few, so that what one table's action writes is what
// another's key wants.
const poolSize = 4

// filler makes random entries.
type filler struct {
	program *p4.Program
	rng     *rand.Rand
	pools   [][poolSize]uint64 // by field
}

// RandomEntries fills each table of a program with random entries, up to a number: keys of the table's kinds, actions
// and data at random, of few values a field. No entry is there twice. Tables that take members of action profiles stay
// empty.
func RandomEntries(p *p4.Program, each int, seed uint64) []p4.Entry {
	f := newFiller(p, seed)
	var all []p4.Entry
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range pipe.Nodes {
			t := n.Table
			if t == nil || len(t.Key) == 0 || t.ImmutableEntries || t.Profile > 0 {
				continue
			}
			var list []p4.Entry
			for range min(each, t.Size) - len(t.ConstantEntries) {
				list = append(list, f.entry(t))
			}
			all = append(all, distinctKeys(t, list)...)
		}
	}
	return all
}

// newFiller returns a filler with a pool of random values for each field.
func newFiller(p *p4.Program, seed uint64) *filler {
	f := &filler{program: p, rng: rand.New(rand.NewPCG(seed, 0x656e7472)), pools: make([][poolSize]uint64, len(p.Fields))}
	for i := range f.pools {
		for k := range f.pools[i] {
			f.pools[i][k] = f.rng.Uint64() & p4.Ones(p.Fields[i].Bits)
		}
	}
	return f
}

// distinctKeys leaves out each entry whose key, and priority where the table has one, an earlier entry has.
func distinctKeys(t *p4.Table, list []p4.Entry) (all []p4.Entry) {
	seen := map[string]bool{}
	for _, e := range list {
		id := fmt.Sprint(e.Key)
		if t.Match >= p4.Ternary {
			id = fmt.Sprint(e.Key, e.Priority)
		}
		if !seen[id] {
			seen[id] = true
			all = append(all, e)
		}
	}
	return all
}

// entry is a random one. Actions with data, which do more, are drawn more often than others.
func (f *filler) entry(t *p4.Table) p4.Entry {
	e := p4.Entry{Table: t.Name, Priority: 1 + f.rng.IntN(1000), Action: t.Actions[f.rng.IntN(len(t.Actions))]}
	for range 2 {
		if len(f.program.Actions[e.Action].Params) == 0 {
			e.Action = t.Actions[f.rng.IntN(len(t.Actions))]
		}
	}
	wild := len(t.Key) // of a key of many fields most are wild
	for _, k := range t.Key {
		e.Key = append(e.Key, f.key(k, wild))
	}
	a := &f.program.Actions[e.Action]
	for i, d := range a.Params {
		v := f.rng.Uint64()
		for _, o := range a.Ops {
			if o.Op == p4.Assign && o.Field >= 0 && o.Value.Kind == p4.ParamValue && o.Value.Param == i {
				v = f.pools[o.Field][f.rng.IntN(poolSize)]
			}
		}
		e.Data = append(e.Data, v&p4.Ones(d.Bits))
		if d.Bits > 64 {
			for len(e.Wide) < i {
				e.Wide = append(e.Wide, nil)
			}
			e.Wide = append(e.Wide, new(big.Int).SetUint64(v))
			e.Data[i] = 0
		} else if e.Wide != nil {
			e.Wide = append(e.Wide, nil)
		}
	}
	return e
}

// key matches everything, some, or one value of a field.
func (f *filler) key(k p4.KeyField, fields int) p4.KeyValue {
	bits := f.program.Fields[k.Field].Bits
	v := p4.KeyValue{Value: f.pools[k.Field][f.rng.IntN(poolSize)], Mask: p4.Ones(bits), PrefixLen: bits}
	switch k.Match {
	case p4.LPM:
		v.PrefixLen = f.rng.IntN(bits + 1)
		v.Mask = p4.Ones(bits) &^ p4.Ones(bits-v.PrefixLen)
	case p4.Ternary:
		switch {
		case f.rng.IntN(fields+1) > 1:
			v.Mask = 0
		case f.rng.IntN(2) == 0:
			v.Mask = f.rng.Uint64() & p4.Ones(bits)
		}
	}
	v.Value &= v.Mask
	if bits > 64 {
		widen(&v, k.Match, bits)
	}
	return v
}

// widen makes a key of more than 64 bits of one of 64, which is its lower part: a prefix is cut to where it ends.
func widen(v *p4.KeyValue, kind p4.MatchKind, bits int) {
	all := func(n int) *big.Int {
		x := new(big.Int).Lsh(big.NewInt(1), uint(n))
		return x.Sub(x, big.NewInt(1))
	}
	v.WideValue, v.WideMask = new(big.Int).SetUint64(v.Value), new(big.Int).SetUint64(v.Mask)
	switch kind {
	case p4.LPM:
		v.WideMask = new(big.Int).Lsh(all(v.PrefixLen), uint(bits-v.PrefixLen))
		v.WideValue.And(v.WideValue, v.WideMask)
	case p4.Range:
		v.WideMask = all(bits)
	case p4.Exact:
		v.WideMask = all(bits)
	}
}
