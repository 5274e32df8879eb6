package state

import (
	"cmp"
	"slices"
	"sort"
	"unsafe"
)

// extent is a stretch of memory.
type extent struct{ lo, hi uintptr }

// overlap sorts the extents and returns one that overlaps with the one before it.
func overlap(all []extent) (int, bool) {
	slices.SortFunc(all, func(a, b extent) int { return cmp.Compare(a.lo, b.lo) })
	for i := 1; i < len(all); i++ {
		if all[i].lo < all[i-1].hi {
			return i, true
		}
	}
	return 0, false
}

// objects are the extents of registered objects. Two lie apart, or one inside of the other.
type objects struct {
	all    []objectExtent // sorted by address, an outer one before those inside of it
	sorted bool
}

type objectExtent struct {
	extent
	id    int
	outer int // index of the one around it, or -1
}

func (o *objects) add(p unsafe.Pointer, size uintptr, id int) {
	o.all = append(o.all, objectExtent{extent{uintptr(p), uintptr(p) + size}, id, -1})
	o.sorted = false
}

func (o *objects) sort() {
	slices.SortFunc(o.all, func(a, b objectExtent) int { return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(b.hi, a.hi)) })
	for i := range o.all {
		outer := i - 1
		for outer >= 0 && o.all[outer].hi < o.all[i].hi {
			outer = o.all[outer].outer
		}
		o.all[i].outer = outer
	}
	o.sorted = true
}

// around returns the smallest object that has all of some memory, nil if none has.
func (o *objects) around(p unsafe.Pointer, size uintptr) *objectExtent {
	if !o.sorted {
		o.sort()
	}
	i := sort.Search(len(o.all), func(i int) bool { return o.all[i].lo > uintptr(p) }) - 1
	for end := uintptr(p) + max(size, 1); i >= 0 && o.all[i].hi < end; {
		i = o.all[i].outer
	}
	if i < 0 {
		return nil
	}
	return &o.all[i]
}
