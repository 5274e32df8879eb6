package compile

import (
	"math/big"
	"math/bits"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// ternary lets a table match with masks if it matches ranges, or if its key has masks of its own: a TCAM has the
// prefixes of a range.
func ternary(t *p4.Table) {
	if t.Match == p4.Range {
		t.Match = p4.Ternary
	}
	for i := range t.Key {
		k := &t.Key[i]
		if k.Match == p4.Range {
			k.Match = p4.Ternary
		}
		if k.Masked && t.Match == p4.Exact {
			t.Match = p4.Ternary
		}
		k.Masked, k.Mask = false, nil
	}
}

// withMasks returns the entries with masks that match as an entry does in the table that was given: several for a
// range.
func withMasks(p *p4.Program, given *p4.Table, e p4.Entry) []p4.Entry {
	all := []p4.Entry{e}
	for i, k := range given.Key {
		width := p.Fields[k.Field].Bits
		var next []p4.Entry
		for _, x := range all {
			for _, v := range keysOf(k, x.Key[i], width) {
				y := x
				y.Key = slices.Clone(x.Key)
				y.Key[i] = v
				next = append(next, y)
			}
		}
		all = next
	}
	return all
}

func keysOf(k p4.KeyField, v p4.KeyValue, width int) []p4.KeyValue {
	if width > 64 {
		if k.Masked {
			own := new(big.Int)
			if k.Mask != nil {
				own = k.Mask
			}
			v.WideValue, v.WideMask = new(big.Int).And(v.WideValue, own), new(big.Int).And(v.WideMask, own)
		}
		return []p4.KeyValue{v}
	}
	own := ones(width)
	if k.Masked {
		own = 0
		if k.Mask != nil {
			own = k.Mask.Uint64()
		}
	}
	if k.Match != p4.Range {
		v.Mask &= own
		v.Value &= own
		return []p4.KeyValue{v}
	}
	return prefixes(v.Value, v.Mask, width)
}

// prefixes are the fewest prefixes that together match the values from low to high: each the longest run of values from
// where the last one ended that a prefix can have.
func prefixes(low, high uint64, width int) (all []p4.KeyValue) {
	for {
		n := min(bits.TrailingZeros64(low), width)
		for n == 64 || n > 0 && (ones(n) > high-low) {
			n--
		}
		if low == 0 && high == ones(width) {
			n = width
		}
		all = append(all, p4.KeyValue{Value: low, Mask: ones(width) &^ ones(n)})
		if high-low <= ones(n) {
			return all
		}
		low += ones(n) + 1
	}
}

func ones(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}
