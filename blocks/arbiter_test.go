package blocks_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/blocks"
)

func TestArbiterCycles(t *testing.T) {
	a := blocks.NewArbiter(4)
	require.Equal(t, 4, a.Len())
	for cycle, c := range []struct {
		req    uint64
		grant  int
		accept bool
		next   int
	}{
		{req: 0b0000, grant: -1, next: 0},
		{req: 0b1010, grant: 1, accept: false, next: 0}, // not accepted: given again
		{req: 0b1010, grant: 1, accept: true, next: 2},
		{req: 0b1010, grant: 3, accept: true, next: 0},
		{req: 0b1010, grant: 1, accept: true, next: 2},
		{req: 0b0010, grant: 1, accept: true, next: 2}, // wraps around to the only one
		{req: 0b1010, grant: 3, accept: false, next: 2},
		{req: 0b1110, grant: 2, accept: true, next: 3}, // a nearer request wins over a grant not accepted
		{req: 0b110000, grant: -1, next: 3},            // beyond the last requester
	} {
		require.Equal(t, c.grant, a.Grant([]uint64{c.req}), "cycle %d", cycle)
		require.Equal(t, c.grant, a.Grant64(c.req), "cycle %d", cycle)
		if c.accept {
			a.Accept(c.grant)
		}
		require.Equal(t, c.next, a.Next(), "cycle %d", cycle)
	}
	a.Reset()
	require.Zero(t, a.Next())
}

// drawRequests draws a request vector that is sparse as often as dense, since only a sparse one spans words.
func drawRequests(t *rapid.T, words int) []uint64 {
	req := make([]uint64, words)
	for _, i := range rapid.SliceOfN(rapid.IntRange(0, max(64*words-1, 0)), 0, 6).Draw(t, "set") {
		if words > 0 {
			req[i/64] |= 1 << (i % 64)
		}
	}
	if words > 0 && rapid.Bool().Draw(t, "dense") {
		req[rapid.IntRange(0, words-1).Draw(t, "word")] |= rapid.Uint64().Draw(t, "bits")
	}
	return req
}

func requested(req []uint64, i int) bool { return i/64 < len(req) && req[i/64]>>(i%64)&1 == 1 }

func TestPriorityAgainstLoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.IntRange(0, 5).Draw(t, "words")
		req := drawRequests(t, words)
		from := rapid.IntRange(0, 64*words+70).Draw(t, "from")
		lowest, highest, next := -1, -1, -1
		for i := range 64 * words {
			if !requested(req, i) {
				continue
			}
			if lowest < 0 {
				lowest = i
			}
			if next < 0 && i >= from {
				next = i
			}
			highest = i
		}
		require.Equal(t, lowest, blocks.LowestSetWide(req))
		require.Equal(t, highest, blocks.HighestSetWide(req))
		require.Equal(t, next, blocks.NextSetWide(req, from))
		if words == 1 {
			require.Equal(t, lowest, blocks.LowestSet(req[0]))
			require.Equal(t, highest, blocks.HighestSet(req[0]))
		}
	})
	require.PanicsWithValue(t, "blocks: NextSetWide from a negative index", func() { blocks.NextSetWide(nil, -1) })
}

func TestArbiterAgainstLoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		a := blocks.NewArbiter(n)
		next := 0
		for range 20 {
			req := drawRequests(t, rapid.IntRange(0, n/64+1).Draw(t, "words"))
			want := -1
			for k := n - 1; k >= 0; k-- {
				if i := (next + k) % n; requested(req, i) {
					want = i
				}
			}
			require.Equal(t, want, a.Grant(req))
			if n <= 64 && len(req) == 1 {
				require.Equal(t, want, a.Grant64(req[0]))
			}
			if want >= 0 && rapid.Bool().Draw(t, "accept") {
				a.Accept(want)
				next = (want + 1) % n
			}
			require.Equal(t, next, a.Next())
		}
	})
}

// A requester that holds its request is served after at most n-1 accepted grants to others, whatever the others do.
func TestArbiterIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 64).Draw(t, "n")
		a := blocks.NewArbiter(n)
		a.Accept(rapid.IntRange(0, n-1).Draw(t, "last"))
		patient := rapid.IntRange(0, n-1).Draw(t, "patient")
		for grants := 0; ; grants++ {
			require.Less(t, grants, n)
			g := a.Grant64(rapid.Uint64().Draw(t, "others") | 1<<patient)
			a.Accept(g)
			if g == patient {
				break
			}
		}
	})
}

func TestArbiterPanicsAndAllocs(t *testing.T) {
	require.PanicsWithValue(t, "blocks: arbiter of 0 requesters, want at least 1", func() { blocks.NewArbiter(0) })
	a := blocks.NewArbiter(200)
	require.PanicsWithValue(t, "blocks: grant to 200 accepted, of 200 requesters", func() { a.Accept(200) })
	require.PanicsWithValue(t, "blocks: grant to -1 accepted, of 200 requesters", func() { a.Accept(-1) })
	req := []uint64{0, 1 << 7, 0, 1}
	require.Zero(t, testing.AllocsPerRun(100, func() { a.Accept(a.Grant(req)) }))
}

func ExampleLowestSet() {
	fmt.Println("request   lowest  highest")
	for _, req := range []uint64{0b00000000, 0b00101000, 0b10000001} {
		fmt.Printf("%08b  %6d  %7d\n", req, blocks.LowestSet(req), blocks.HighestSet(req))
	}
	// Output:
	// request   lowest  highest
	// 00000000      -1       -1
	// 00101000       3        5
	// 10000001       0        7
}

// Requesters 0, 2 and 3 hold their requests; the grant of cycle 1 is not accepted.
func ExampleArbiter() {
	a := blocks.NewArbiter(4)
	fmt.Println("cycle  next  grant  accepted")
	for cycle := range 5 {
		next, grant := a.Next(), a.Grant64(0b1101)
		accepted := cycle != 1
		if accepted {
			a.Accept(grant)
		}
		fmt.Printf("%5d  %4d  %5d  %v\n", cycle, next, grant, accepted)
	}
	// Output:
	// cycle  next  grant  accepted
	//     0     0      0  true
	//     1     1      2  false
	//     2     1      2  true
	//     3     3      3  true
	//     4     0      0  true
}

func BenchmarkArbiterGrant64(b *testing.B) {
	a := blocks.NewArbiter(64)
	for b.Loop() {
		a.Accept(a.Grant64(0x8000_0100_0010_0001))
	}
}

func BenchmarkArbiterGrant512(b *testing.B) {
	a := blocks.NewArbiter(512)
	req := make([]uint64, 8)
	req[0], req[7] = 1, 1<<63
	for b.Loop() {
		a.Accept(a.Grant(req))
	}
}
