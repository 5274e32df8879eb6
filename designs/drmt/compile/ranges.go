package compile

import (
	"fmt"
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

// mostPrefixes is the most entries that the ranges of one entry may become: two ports of 16 bits need up to 900.
const mostPrefixes = 10_000

// withMasks returns the entries with masks that match as an entry does in the table that was given: several for a
// range.
func withMasks(p *p4.Program, given *p4.Table, e p4.Entry) ([]p4.Entry, error) {
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
			if len(next) > mostPrefixes {
				return nil, fmt.Errorf(
					"%s: an entry of table %s: its ranges are more than %d prefixes: want fewer or shorter ranges", p.Name,
					e.Table, mostPrefixes,
				)
			}
		}
		all = next
	}
	return all, nil
}

// keysOf returns the values with masks that match as a value does in a field of the given table's key.
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
	own := p4.Ones(width)
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
		for n == 64 || n > 0 && (p4.Ones(n) > high-low) {
			n--
		}
		if low == 0 && high == p4.Ones(width) {
			n = width
		}
		all = append(all, p4.KeyValue{Value: low, Mask: p4.Ones(width) &^ p4.Ones(n)})
		if high-low <= p4.Ones(n) {
			return all
		}
		low += p4.Ones(n) + 1
	}
}
