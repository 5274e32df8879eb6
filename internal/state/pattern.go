package state

import (
	"encoding/binary"
	"reflect"
	"slices"
	"unsafe"
)

const word = 8 // bytes that are looked at together

// pattern says which bits of some memory are state: not padding, not pointers, not fields that are left out.
type pattern struct {
	runs  []run
	words int // of all runs
}

// run is words in a row of which the same bits are state.
type run struct {
	at   uintptr // the first one
	n    int
	mask uint64  // these bits, as the machine loads them
	size uintptr // bytes of each: 8, but for the end of the memory
}

// span is bytes in a row that are all state.
type span struct {
	at, size uintptr
	name     string // of the field
	typ      reflect.Type
}

// patternOf returns the pattern of memory of a size from its spans, which are in order and lie apart.
func patternOf(spans []span, size uintptr) (p pattern) {
	for _, s := range spans {
		for s.size > 0 {
			first := s.at &^ (word - 1)
			x := run{first, 1, ^uint64(0), min(word, size-first)}
			done := word * (s.size / word)
			if first == s.at && done > 0 {
				x.n = int(done / word)
			} else {
				done = min(s.size, first+word-s.at)
				var mask [word]byte
				for i := range done {
					mask[s.at-first+i] = 0xff
				}
				x.mask = binary.NativeEndian.Uint64(mask[:])
			}
			p.add(x)
			s.at, s.size = s.at+done, s.size-done
		}
	}
	for _, x := range p.runs {
		p.words += x.n
	}
	return p
}

func (p *pattern) add(x run) {
	for len(p.runs) > 0 {
		last := p.runs[len(p.runs)-1]
		switch {
		case last.at == x.at: // another part of the word
			x.mask |= last.mask
		case last.at+word*uintptr(last.n) == x.at && last.mask == x.mask && last.size == x.size:
			x.at, x.n = last.at, last.n+x.n
		default:
			p.runs = append(p.runs, x)
			return
		}
		p.runs = p.runs[:len(p.runs)-1]
	}
	p.runs = append(p.runs, x)
}

// repeat returns the spans of a number of values that lie side by side.
func repeat(spans []span, n int, size uintptr) []span {
	var all []span
	for i := range n {
		for _, s := range spans {
			all = append(all, span{s.at + uintptr(i)*size, s.size, s.name, s.typ})
		}
	}
	return all
}

// load returns the word at p.
func (r *run) load(p unsafe.Pointer) uint64 {
	if r.size == word {
		return *(*uint64)(p) & r.mask
	}
	var b [word]byte
	copy(b[:], unsafe.Slice((*byte)(p), r.size))
	return binary.NativeEndian.Uint64(b[:]) & r.mask
}

// store changes the word at p. An equal value is not written again: it may be a table that all simulations of a program
// share.
func (r *run) store(p unsafe.Pointer, x uint64) {
	if r.load(p) == x {
		return
	}
	if r.size == word {
		*(*uint64)(p) = *(*uint64)(p)&^r.mask | x
		return
	}
	var b, mask [word]byte
	binary.NativeEndian.PutUint64(b[:], x)
	binary.NativeEndian.PutUint64(mask[:], r.mask)
	for i, old := range unsafe.Slice((*byte)(p), r.size) {
		*(*byte)(unsafe.Add(p, i)) = old&^mask[i] | b[i]
	}
}

// block is how many words are packed at a time: what the nearest cache has room for.
const block = 512

// pattern writes the memory of n values with a pattern, which lie a number of bytes apart.
func (e *Encoder) pattern(t *pattern, p unsafe.Pointer, n int, apart uintptr) {
	if t.words == 0 {
		return
	}
	words := e.words[:0]
	for v := range n {
		for i := range t.runs {
			r := &t.runs[i]
			at := uintptr(v)*apart + r.at // no pointer to the end of the memory, which may be another's start
			for left := r.n; left > 0; {
				from := len(words)
				k := min(left, block-from)
				if q := unsafe.Add(p, at); r.mask == ^uint64(0) {
					words = append(words, unsafe.Slice((*uint64)(q), k)...)
				} else {
					words = words[:from+k]
					for j := range words[from:] {
						words[from+j] = r.load(unsafe.Add(q, word*j))
					}
				}
				if at, left = at+word*uintptr(k), left-k; len(words) == block {
					e.buf = pack(e.buf, words)
					words = words[:0]
				}
			}
		}
	}
	e.buf = pack(e.buf, words)
}

// pattern reads what [Encoder.pattern] wrote.
func (d *Decoder) pattern(t *pattern, p unsafe.Pointer, n int, apart uintptr) error {
	if t.words == 0 {
		return nil
	}
	var words []uint64
	packed := uint64(n) * uint64(t.words)
	for v := range n {
		for i := range t.runs {
			r := &t.runs[i]
			at := uintptr(v)*apart + r.at
			for left := r.n; left > 0; {
				if len(words) == 0 {
					words = d.words[:min(packed, block)]
					packed -= uint64(len(words))
					var err error
					if d.data, err = unpack(words, d.data); err != nil {
						return err
					}
				}
				k := min(left, len(words))
				if q := unsafe.Add(p, at); r.mask != ^uint64(0) {
					for j, x := range words[:k] {
						r.store(unsafe.Add(q, word*j), x)
					}
				} else if to := unsafe.Slice((*uint64)(q), k); !slices.Equal(to, words[:k]) {
					copy(to, words)
				}
				words, at, left = words[k:], at+word*uintptr(k), left-k
			}
		}
	}
	return nil
}

// Memory writes bytes whose number the reader knows.
func (e *Encoder) Memory(mem []byte) {
	t := bytesOf(len(mem))
	e.pattern(&t, unsafe.Pointer(unsafe.SliceData(mem)), 1, 0)
}

// Memory reads into mem what [Encoder.Memory] wrote.
func (d *Decoder) Memory(mem []byte) error {
	t := bytesOf(len(mem))
	return d.pattern(&t, unsafe.Pointer(unsafe.SliceData(mem)), 1, 0)
}

// bytesOf returns the pattern of bytes that are all state.
func bytesOf(n int) pattern { return patternOf([]span{{size: uintptr(n)}}, uintptr(n)) }
