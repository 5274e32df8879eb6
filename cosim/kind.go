package cosim

import (
	"fmt"
	"math/bits"
	"slices"
)

// kindOfTransfer says what became of the transfer that differs: it came as another transfer of the model.
type kindOfTransfer struct {
	how  happening
	came int // the transfer of the model that came
}

type happening int

const (
	noKind   happening = iota
	skipped            // those between are lost: a later one follows
	again              // an earlier one came once more
	inserted           // the wanted one and those after it follow
	goneBack           // the RTL gives all once more since transfer came
	replaced           // the transfer after the wanted one follows
	swapped            // nothing is known of the next transfer
)

// farKind is how many transfers around the differing one are looked at; fewBits, or more, do not agree by chance.
const (
	farKind = 1024
	fewBits = 16
)

// kindOf looks for the RTL's latest transfer among the model's. It follows compare, which has taken it from the lists.
func (f *flight) kindOf(l *lane) (k kindOfTransfer) {
	payload := 0
	for _, o := range l.fields {
		if o != l.valid {
			payload += bits.OnesCount64(f.s.mask[o])
		}
	}
	same := func(model []uint64, got moment) bool {
		for _, o := range l.fields {
			if (model[o]^got.rtl[o])&f.s.mask[o] != 0 || got.unknown != nil && got.unknown[o]&f.s.mask[o] != 0 {
				return false
			}
		}
		return true
	}
	now := len(l.past) - 1
	wanted := func(n int) []uint64 { // the model's transfer n after the differing one
		switch at := now + n; {
		case at < 0 || n > len(l.wants):
			return nil
		case n <= 0:
			return l.past[at].model
		default:
			return l.wants[n-1].model
		}
	}
	follows := func(n int) bool { w := wanted(n); return w != nil && len(l.gots) > 0 && same(w, l.gots[0]) }
	var found []int
	for n := -farKind; n <= farKind; n++ {
		if w := wanted(n); n != 0 && w != nil && same(w, l.past[now]) {
			found = append(found, n)
		}
	}
	next := wanted(1)
	switch {
	case len(found) == 1:
	case len(found) == 0 && len(l.gots) > 1 && next != nil && follows(0) && same(next, l.gots[1]):
		return kindOfTransfer{how: inserted}
	default:
		return k
	}
	n := found[0]
	k.came = l.compared + n
	if n < 0 {
		k.how = again
		if n < -1 && follows(n+1) {
			k.how = goneBack
		}
		return k
	}
	switch {
	case slices.ContainsFunc(later(n), follows):
		k.how = skipped
	case follows(1):
		k.how = replaced
	case payload >= fewBits:
		k.how = swapped
	}
	return k
}

// later are some transfers after transfer n: RTL that loses words may lose the next one too.
func later(n int) (list []int) {
	for k := range 8 {
		list = append(list, n+1+k)
	}
	return list
}

// Kind says in plain words what became of a transfer that differs, "" if it cannot be told.
func (d *Divergence) Kind() string {
	if !d.Transfers || d.Lost != "" {
		return ""
	}
	what, of := "transfer", "of the model"
	if d.found != nil && d.found.echo {
		what, of = "word", "of the inputs"
	}
	n, came := d.Cycle, d.kind.came
	other := fmt.Sprintf("%s %d %s", what, came, of)
	switch d.kind.how {
	case skipped:
		if came == n+1 {
			return fmt.Sprintf("%s %d never left: what came out is %s", what, n, other)
		}
		return fmt.Sprintf("%ss %d to %d never left: what came out is %s", what, n, came-1, other)
	case again:
		if came == n-1 {
			return fmt.Sprintf("%s %d left twice", what, came)
		}
		return fmt.Sprintf("%s %d left once more, before %s %d", what, came, what, n)
	case inserted:
		return fmt.Sprintf("a %s too many came before %s %d. If the RTL gives its data an edge after they are taken, "+
			"the stream's latency: 1 says so", what, what, n)
	case goneBack:
		return fmt.Sprintf("%s and those after it leave once more, in place of %s %d", other, what, n)
	case replaced:
		return fmt.Sprintf("%s came in place of %s %d, and %s %d after it", other, what, n, what, n+1)
	case swapped:
		return fmt.Sprintf("%s came in place of %s %d", other, what, n)
	}
	bad := (d.Want^d.Got|d.Unknown)&d.mask() | d.Unknown
	lo, hi := bits.TrailingZeros64(bad), 63-bits.LeadingZeros64(bad)
	if bad == 0 || hi-lo+1 >= d.Width {
		return ""
	}
	if hi == lo {
		return fmt.Sprintf("bit %d of %s differs", lo, d.Field)
	}
	return fmt.Sprintf("bits %d:%d of %s differ", hi, lo, d.Field)
}

// mask has the bits of the differing field that are compared.
func (d *Divergence) mask() uint64 {
	if d.view == nil || d.output >= len(d.view.mask) {
		return ^uint64(0)
	}
	return d.view.mask[d.output]
}

// payload are the fields of a stream without its valid bit.
func (x *stream) payload() []int {
	return slices.DeleteFunc(slices.Clone(x.fields), func(i int) bool { return i == x.valid })
}
