package edm

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// asking has what a memory is asked for, cycle by cycle.
type asking struct {
	Word    rtl.Out[Word]
	Written rtl.Out[bool]
	Event   rtl.Out[Event]
	Arrived rtl.Out[bool]
	Read    rtl.Out[MemoryRead]

	words  []Word
	events []Event
	reads  []MemoryRead
}

// Tick asks for the next thing of each kind.
func (a *asking) Tick() {
	if a.Written.Set(len(a.words) > 0); len(a.words) > 0 {
		a.Word.Set(a.words[0])
		a.words = a.words[1:]
	}
	if a.Arrived.Set(len(a.events) > 0); len(a.events) > 0 {
		a.Event.Set(a.events[0])
		a.events = a.events[1:]
	}
	a.Read.Set(MemoryRead{})
	if len(a.reads) > 0 {
		a.Read.Set(a.reads[0])
		a.reads = a.reads[1:]
	}
}

// A word is eight bytes at a multiple of 8 (§2.3). Whatever asks for one elsewhere, or beyond the end, is counted,
// changes nothing and reads as zero.
func TestPlacesOutsideOfAMemory(t *testing.T) {
	const bytes = 128
	for offset := range uint64(8) {
		for _, base := range []uint64{64, bytes - 8, bytes} {
			address := base + offset
			outside := offset != 0 || base == bytes
			m := &Memory{Bytes: bytes, Local: bytes, Nodes: 2, Active: 1}
			a := &asking{
				words: []Word{
					{Kind: WREQ, Address: address, Data: 1, Bytes: 8}, {Kind: RRES, Address: address, Data: 1, Bytes: 8},
				},
				events: []Event{{Request: true, Header: Header{Kind: RMWREQ}, Address: address, Operation: FetchAdd, First: 1}},
				reads:  []MemoryRead{{}, {}, {}, {Valid: true, Address: address}},
			}
			sim := rtl.New(rtl.Config{})
			clk := sim.Clock("clk", clock.Block25G)
			scope := sim.Scope("node").On(clk)
			scope.Add("asking", a)
			scope.Add("memory", m)
			rtl.Connect(&a.Word, &m.Word)
			rtl.Connect(&a.Written, &m.Written)
			rtl.Connect(&a.Event, &m.Event)
			rtl.Connect(&a.Arrived, &m.Arrived)
			rtl.Connect(&a.Read, &m.Read)
			require.NoError(t, sim.Elaborate())
			before := m.Content()
			require.NoError(t, clk.Run(8))
			if outside {
				require.EqualValues(t, 4, m.Faults.Get(), "%d: two words, an operation and a read", address)
				require.Zero(t, m.Data.Get(), address)
				require.Equal(t, before, m.Content(), address)
				for at := uint64(0); at < bytes; at += 8 {
					require.Zero(t, m.LocalAt(at), address)
				}
			} else {
				require.Zero(t, m.Faults.Get(), address)
				require.EqualValues(t, 2, m.Data.Get(), "1 was written, 1 added")
				require.EqualValues(t, 1, m.LocalAt(address))
			}
		}
	}
}
