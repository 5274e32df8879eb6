package packetnet

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/workload"
)

// markAll is DCQCN without any delay except the time of bytes on links, in which every frame is marked and no timer
// expires.
func markAll(nodes int) Config {
	c := DefaultConfig(DCQCN)
	c.Nodes, c.HostDelay, c.LinkDelay, c.SwitchDelay = nodes, 0, 0, 0
	c.MarkBytes, c.MarkMost = 0, 0
	c.DCQCN.AlphaInterval, c.DCQCN.IncreaseEvery, c.DCQCN.CNPInterval = 1e12, 1e12, 1e12
	return c
}

// The first frame is at the receiver after 2 × 1526 = 3052 byte times; its CNP, 86 bytes on the line, is back after 2
// × 86 more, at 3224, and halves the rate. The third frame began at 3076 and the fourth follows at 4614 as it would
// have; from then on a frame of 1538 begins every 3076. Ten frames end 2 × 1526 after the tenth began.
func TestFirstCNPHalvesTheRate(t *testing.T) {
	message := workload.Message{Type: workload.Write, Source: 0, Dest: 1, Bytes: 10*1456 - 8}
	r, err := Run(context.Background(), markAll(2), []workload.Message{message})
	require.NoError(t, err)
	require.EqualValues(t, 4614+6*3076+3052, r.Finish[0]/80)
	require.EqualValues(t, []uint64{10, 1, 10}, []uint64{r.Marks, r.CNPs, r.Acks})

	c := markAll(2)
	c.DCQCN.CNPInterval = 0 // one for each mark
	r, err = Run(context.Background(), c, []workload.Message{message})
	require.NoError(t, err)
	require.EqualValues(t, 10, r.CNPs)

	// One in 3076 byte times, and alpha stays 1, so that each halves the rate again. Frames are there 3052 after they
	// began, at 3052, 4590 and 6128: the first and the third bring CNPs. The fourth began at 4614, is too early at 7666,
	// and the fifth follows at half the rate at 7690. From it on each brings a CNP, which is back before the next one
	// begins: that begins 4 × 1538 after the fifth, the next 8 × 1538 after it, and so on.
	c.DCQCN.CNPInterval = 3076 * 80
	r, err = Run(context.Background(), c, []workload.Message{message})
	require.NoError(t, err)
	require.EqualValues(t, 8, r.CNPs)
	require.EqualValues(t, 7690+(4+8+16+32+64)*1538+3052, r.Finish[0]/80)
}

// The rate that the CNP at 3224 has halved rises by the timer, 10,000 byte times later, to 0.75 of the line, and again
// to 0.875; or by bytes, once five frames of 1456 are sent. Frames follow in 1538 over the rate, to the nearest byte
// time: 3076, 2051, 1758.
func TestHalvedRatesRise(t *testing.T) {
	send := func(c Config, frames int) int64 {
		message := workload.Message{Type: workload.Write, Source: 0, Dest: 1, Bytes: frames*1456 - 8}
		r, err := Run(context.Background(), c, []workload.Message{message})
		require.NoError(t, err)
		return r.Finish[0]/80 - 3052 // when the last frame began
	}
	c := markAll(2)
	c.DCQCN.IncreaseEvery = 10_000 * 80
	// the fourth to seventh begin at 4614, 7690, 10766 and 13842, which is after 13224; the twelfth after 23224
	require.EqualValues(t, 13842, send(c, 7))
	require.EqualValues(t, 13842+5*2051, send(c, 12))
	require.EqualValues(t, 13842+5*2051+1758, send(c, 13))

	c = markAll(2)
	c.DCQCN.ByteCounter = 5 * 1456
	// the fourth to eighth are counted, since the cut starts the counter anew
	require.EqualValues(t, 4614+4*3076, send(c, 8))
	require.EqualValues(t, 4614+4*3076+2*2051, send(c, 10))
}

// Below MarkBytes nothing is marked, at MarkMost a share of MarkShare, half way half of it, above all; only data.
func TestMarksAreRandomBetweenTheThresholds(t *testing.T) {
	c := DefaultConfig(DCQCN)
	c.MarkBytes, c.MarkMost, c.MarkShare = 100_000, 200_000, 0.2
	f := &fabric{cfg: c, rng: rand.New(rand.NewPCG(1, 1)), result: &Result{}}
	for queued, share := range map[int64]float64{0: 0, 99_999: 0, 100_000: 0, 150_000: 0.1, 200_000: 0.2, 200_001: 1} {
		const n = 40_000
		marks := 0
		for range n {
			k := packet{kind: data}
			f.mark(&k, queued)
			if k.marked {
				marks++
			}
		}
		require.InDelta(t, share, float64(marks)/n, 0.008, queued) // four standard deviations of 0.2
	}
	k := packet{kind: ack}
	f.mark(&k, 1<<40)
	require.False(t, k.marked)
}

// Pauses go from hop to hop: seven senders to one node of a Clos, on whose way is a spine. No switch has more of one
// link than the threshold and what can come until its pause is obeyed: the frame that passes it, a frame in whose
// middle the pause must wait, the pause, and a frame that has just begun.
func TestPausesGoFromHopToHop(t *testing.T) {
	for _, s := range []Scheme{DCQCN, PFC} {
		c := DefaultConfig(s)
		c.HostDelay, c.LinkDelay, c.SwitchDelay = 0, 0, 0
		c.Topology, c.Nodes, c.Ports, c.MarkBytes, c.MarkMost = Clos, 8, 4, 1<<30, 1<<30
		c.PauseBytes, c.ResumeBytes, c.MaxWindow = 8_000, 6_000, 1<<20
		if s == PFC {
			c.InitialWindow = c.MaxWindow
		}
		var msgs []workload.Message
		for k := 1; k < 8; k++ {
			msgs = append(msgs, workload.Message{Type: workload.Write, Source: k, Dest: 0, Bytes: 300_000})
		}
		r, err := Run(context.Background(), c, msgs)
		require.NoError(t, err)
		require.Empty(t, r.Unfinished)
		require.Zero(t, r.Drops)
		require.Greater(t, r.Pauses, uint64(20))
		require.LessOrEqual(t, r.MaxIngress, int64(8_000+1518+1538+84+1538), s)
		require.Greater(t, r.MaxIngress, int64(8_000))
		// the destination's link has been busy all the time
		require.LessOrEqual(t, r.End/80, int64(7*206*1538+7*178+20_000))
	}
}
