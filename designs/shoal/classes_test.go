package shoal

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A cell in a queue has nothing of the header that it came with but who it is from and for, its place, and its packet's bounds.
func TestBareCell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := NewCell(rapid.IntRange(0, 1023).Draw(t, "source"), rapid.IntRange(0, 1023).Draw(t, "dest"), rapid.Uint32Range(0, sequenceMask).Draw(t, "sequence"), rapid.Bool().Draw(t, "start"),
			rapid.Bool().Draw(t, "end"))
		require.Equal(t, c, c.withFeedback(rapid.IntRange(0, feedbackMask).Draw(t, "feedback")).withDropped().Seal().bare())
	})
}

// The two racks do the same with several classes and queues that are too short: the same cell with the same feedback on every link in every slot, and
// every word arrives.
func TestClassesOnBothLevels(t *testing.T) {
	for _, o := range []Options{{Classes: 2}, {Classes: 4, Limit: 2}, {Classes: 1, Limit: 1}} {
		s, err := Cyclic(8, 1)
		require.NoError(t, err)
		p, err := NewPrototype(PrototypeConfig{Schedule: s, Options: o, Log: true})
		require.NoError(t, err)
		r := newTestRack(t, s, p.Flight(), o)
		rng := rand.New(rand.NewPCG(8, uint64(o.Classes)))
		require.NoError(t, p.Clock.Run(p.Start))
		for slot := range 900 {
			if slot < 200 && slot%3 == 0 {
				from, to, class, cells := 1+rng.IntN(7), 0, rng.IntN(o.Classes), 1+rng.IntN(6)
				require.NoError(t, p.nics[from].SendClass(to, class, packet(rng, cells, 8)))
				require.NoError(t, r.OfferClass(uint64(slot), from, to, class, uint32(cells)))
			}
			require.NoError(t, p.Run(1))
			r.Step()
			require.NoError(t, r.Broken())
			for i, nic := range p.nics {
				require.Equal(t, r.sentIn(uint64(slot))[i], nic.log[slot], "slot %d, node %d, %+v", slot, i, o)
			}
		}
		require.NoError(t, r.Conservation())
		require.Zero(t, r.Pending())
		dropped := uint64(0)
		for i, nic := range p.nics {
			require.Equal(t, r.nodes[i].Counts, nic.node.Counts)
			require.Zero(t, nic.node.Counts.Duplicate)
			for k, n := range nic.node.Counts.Tail {
				dropped += n
				require.True(t, n == 0 || k < o.Classes)
			}
			for k, words := range nic.host {
				class, to := k/8, k%8
				require.Equal(t, words, append([]uint64(nil), p.nics[to].arrived[class*8+i]...), "class %d from %d to %d", class, i, to)
			}
		}
		require.Equal(t, o.Limit > 0, dropped > 0)
	}
}

// The feedback for a cell counts what waits in its class and those before it (Equation 6 with the sum of Appendix C).
func TestClassFeedback(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	f, err := newFabricTimes(s, 0, Options{Classes: 3})
	require.NoError(t, err)
	n := newNode(0, f, newLinks(1, f), 0)
	const dest = 5
	waiting := []int{2, 0, 1} // by class
	from := 1
	for class, k := range waiting {
		for range k {
			n.Receive(int(f.pair[from*8]), NewCell(from, dest, uint32(class)<<classShift, true, true), 0)
			from++
			if from == dest {
				from++
			}
		}
	}
	for class, want := range []int{2, 2, 3} {
		require.Equal(t, want, n.classFeedback(0, uint16(dest|class<<lastClass)).Feedback())
	}
	require.False(t, n.classFeedback(0, dest).Dropped())
	require.True(t, n.classFeedback(0, dest|lastTail).Dropped())
	row := int(n.rowOf[dest])
	for _, class := range []int{0, 0, 2} {
		require.Equal(t, class, f.classOf(n.Transmit(row, 1)), "the first class goes first")
	}
}

func TestClassesRefuse(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	for _, o := range []Options{{Classes: 5}, {Classes: -1}, {Limit: -1}, {Limit: 5000}, {Classes: 2, LessOne: true}} {
		_, err := NewRack(RackConfig{Schedule: s, Options: o})
		require.Error(t, err, "%+v", o)
	}
	r, err := NewRack(RackConfig{Schedule: s})
	require.NoError(t, err)
	require.ErrorContains(t, r.OfferClass(1, 0, 1, 1, 1), "class 1, want one of 0 to 0")
}
