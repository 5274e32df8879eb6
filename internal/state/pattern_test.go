package state_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/state"
)

//lint:file-ignore U1000 the fields here are read by their types alone

// odd is 12 bytes, of which some are padding, and one is left out beside one that is kept.
type odd struct {
	a    uint8
	kept uint8 `state:"none"`
	b    uint16
	flag bool
	c    uint32
}

// wide has an omitted field in the middle, and a broken word at the end.
type wide struct {
	list [70]odd // more than is made part of its owner's pattern
	kept func()  `state:"none"`
	some [3]odd
	mem  [1201]byte
	last uint8
}

// Values with padding and fields that are left out come back, whatever their number is, and leave other bytes alone.
// What padding has does not count.
func TestOnlyStateComesBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	fill := func(o []odd, kept uint8) {
		for i := range o {
			*(*[unsafe.Sizeof(odd{})]byte)(unsafe.Pointer(&o[i])) = [unsafe.Sizeof(odd{})]byte{
				5: uint8(rng.Uint32()), 6: uint8(rng.Uint32()),
			}
			o[i].a, o[i].b, o[i].c, o[i].kept = uint8(i), uint16(i*i), uint32(i)<<20, kept
			o[i].flag = i%3 == 0
		}
	}
	type owner struct {
		odds  []odd
		wides []wide
	}
	for n := range 30 {
		made := func(kept uint8) *owner {
			o := &owner{make([]odd, n*n), make([]wide, n%3)}
			fill(o.odds, kept)
			for i := range o.wides {
				w := &o.wides[i]
				fill(w.list[:], kept)
				fill(w.some[:], kept)
				copy(w.mem[:], bytes.Repeat([]byte{0, 0, 7, byte(n)}, 300))
				w.last = byte(i)
			}
			return o
		}
		a, again, b := made(1), made(2), made(3)
		file, err := state.Save(a)
		require.NoError(t, err)
		other, err := state.Save(again)
		require.NoError(t, err)
		require.Equal(t, file, other, "padding, or what is left out, was written")
		want := fmt.Sprint(b.odds, b.wides)
		for i := range b.odds {
			b.odds[i] = odd{kept: 3}
		}
		for i := range b.wides {
			for _, list := range [][]odd{b.wides[i].list[:], b.wides[i].some[:]} {
				for j := range list {
					list[j] = odd{kept: 3}
				}
			}
			b.wides[i].mem, b.wides[i].last = [1201]byte{}, 0xff
		}
		require.NoError(t, state.Restore(bytes.NewReader(file), b))
		require.Equal(t, want, fmt.Sprint(b.odds, b.wides))
	}
}
