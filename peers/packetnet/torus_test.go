package packetnet

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/workload"
)

func shares(side int, pairs [][2]int) ([]course, torus) {
	cfg := DefaultConfig(R2C2)
	cfg.Side, cfg.Nodes = side, side*side*side
	f, err := newFabric(cfg, nil)
	if err != nil {
		panic(err) // all is constant
	}
	h := newR2C2(f)
	courses := make([]course, 1)
	var active []int32
	for _, p := range pairs {
		active = append(active, int32(len(courses)))
		courses = append(courses, course{path: h.torus.course(nil, p[0], p[1])})
	}
	h.fill.share(courses, active, 1)
	h.fill.share(courses, active, 1) // nothing is left of the first time
	return courses[1:], h.torus
}

// Shares are max-min fair exactly when no link carries more than its capacity and each flow has a link that is full
// and on which nobody has more than it (Bertsekas and Gallager, Data Networks, 6.5.2).
func TestSharesAreMaxMinFair(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var pairs [][2]int
		for range 1 + rng.IntN(300) {
			if a, b := rng.IntN(64), rng.IntN(64); a != b {
				pairs = append(pairs, [2]int{a, b})
			}
		}
		courses, _ := shares(4, pairs)
		sum, most := map[int32]float64{}, map[int32]float64{}
		for _, c := range courses {
			for _, l := range c.path {
				sum[l] += c.rate
				most[l] = max(most[l], c.rate)
			}
		}
		for l := range sum {
			require.LessOrEqual(t, sum[l], 1+1e-9)
		}
		for _, c := range courses {
			bottleneck := false
			for _, l := range c.path {
				bottleneck = bottleneck || sum[l] > 1-1e-9 && c.rate > most[l]-1e-9
			}
			require.True(t, bottleneck)
		}
	}
}

// All nodes send to the one half way round along x: a bisection has 2 side² links each way, and half of the side³
// flows cross each way, so each has 4/side of a link.
func TestBisectionOfATorus(t *testing.T) {
	for _, side := range []int{4, 8} {
		var pairs [][2]int
		for i := range side * side * side {
			pairs = append(pairs, [2]int{i, i - i%side + (i%side+side/2)%side})
		}
		courses, _ := shares(side, pairs)
		for _, c := range courses {
			require.Len(t, c.path, side/2)
			require.InDelta(t, 4/float64(side), c.rate, 1e-9)
		}
	}
}

// A frame of 1526 on the line takes 6 × 1526 byte times a hop, whatever the number of links, and one byte time into
// the first router and out of the last. A lone flow has the rate of a link until rates are first computed, and 1 -
// Headroom of it from then on.
func TestFlowOnATorus(t *testing.T) {
	c := DefaultConfig(R2C2)
	c.HostDelay, c.LinkDelay, c.SwitchDelay = 0, 0, 0
	const far = 4 + 8*4 + 64*4 // twelve hops
	r, err := Run(context.Background(), c, []workload.Message{{Type: workload.Write, Source: 0, Dest: far, Bytes: 1448}})
	require.NoError(t, err)
	require.EqualValues(t, 12*6*1526+2, r.Finish[0]/80)

	c.RateInterval, c.Headroom = 10*6*1538*80, 0.5
	r, err = Run(context.Background(), c, []workload.Message{{Type: workload.Write, Source: 0, Dest: far,
		Bytes: 30*1456 - 8}})
	require.NoError(t, err)
	// frames 0 to 10 begin a frame's time apart, the tenth when rates are computed, the others two frames' times apart
	require.EqualValues(t, 10*6*1538+19*2*6*1538+12*6*1526+2, r.Finish[0]/80)
	// after its beginning and, with its last frame still on the way, after its end
	require.EqualValues(t, 2, r.Allocations)
}

// Two flows over the same link have half of it each, less headroom; when one has ended, the other has all of it.
func TestFlowsShareALinkOfATorus(t *testing.T) {
	c := DefaultConfig(R2C2)
	c.HostDelay, c.LinkDelay, c.SwitchDelay = 0, 0, 0
	r, err := Run(context.Background(), c, []workload.Message{
		{Type: workload.Write, Source: 0, Dest: 2, Bytes: 1_000*1456 - 8},
		{Type: workload.Write, Source: 1, Dest: 2, Bytes: 2_000*1456 - 8}})
	require.NoError(t, err)
	frame := 6 * 1538 / 0.95
	require.InEpsilon(t, 2_000*frame, float64(r.Finish[0]/80), 0.01)
	require.InEpsilon(t, 3_000*frame, float64(r.Finish[1]/80), 0.01)
}
