package rifl

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// framePlayer sends frames of one lane, one a cycle.
type framePlayer struct {
	Frame []rtl.Out[uint64]
	Valid rtl.Out[bool]

	frames [][]uint64
}

func (p *framePlayer) Tick() {
	p.Valid.Set(len(p.frames) > 0)
	if len(p.frames) == 0 {
		return
	}
	for i, w := range p.frames[0] {
		p.Frame[i].Set(w)
	}
	p.frames = p.frames[1:]
}

// collected returns the beats of a collector that gets each lane's frames, one a cycle of the frame clock.
func collected(t *testing.T, width, groups, words int, lanes ...[][]uint64) (beats []BeatControl) {
	t.Helper()
	collector, err := NewCollector(Core, 6, width, len(lanes), groups, words)
	require.NoError(t, err)
	sim := rtl.New(rtl.Config{})
	user := sim.Clock("user", clock.MHz(float64(100*groups)))
	top := sim.Scope("top")
	top.On(user).Add("collector", collector)
	frame := top.On(sim.Clock("frame", clock.MHz(100)))
	for k, frames := range lanes {
		player := &framePlayer{Frame: make([]rtl.Out[uint64], words), frames: frames}
		frame.Add(fmt.Sprintf("player%d", k), player)
		for i := range player.Frame {
			rtl.Connect(&player.Frame[i], &collector.Frame[k*words+i])
		}
		rtl.Connect(&player.Valid, &collector.Valid[k])
	}
	rtl.Tie(true, &collector.Ready)
	require.NoError(t, sim.Elaborate())
	for range 12 * groups {
		require.NoError(t, user.Run(1))
		if c := collector.Control.Get(); c.Valid {
			beats = append(beats, c)
		}
	}
	return beats
}

// frameOf returns a frame of that many bytes.
func frameOf(words, bytes int, last bool) []uint64 {
	frame := make([]uint64, words)
	Encode(frame, make([]byte, bytes), last)
	return frame
}

// A frame that ends a packet and has no bytes, which no framer sends, ends the bytes that are held, and leaves nothing
// if there are none.
func TestCollectorTakesAnEndWithoutBytes(t *testing.T) {
	const width, words = 32, 4
	end := frameOf(words, 1, true)
	end[words-1] = 0 // the count
	beats := collected(t, width, 1, words, [][]uint64{end, frameOf(words, 30, false), end, end, frameOf(words, 5, true)})
	require.Equal(t, []BeatControl{{Bytes: 30, Last: true, Valid: true}, {Bytes: 5, Last: true, Valid: true}}, beats)
}

// A flit waits for the lanes of its own group only, those up to the end of the packet.
func TestCollectorTakesGroupByGroup(t *testing.T) {
	const width, words = 32, 4
	full, end := [][]uint64{frameOf(words, 30, false)}, [][]uint64{frameOf(words, 5, true)}
	beat := BeatControl{Bytes: width, Valid: true}
	require.Empty(t, collected(t, width, 2, words, nil, full, full, full), "the first group misses a segment")
	require.Equal(t, []BeatControl{beat}, collected(t, width, 2, words, full, full, nil, full),
		"the second group misses one")
	require.Equal(t, []BeatControl{beat, beat, beat}, collected(t, width, 2, words, full, full, full, full))
	require.Equal(t, []BeatControl{beat, beat, {Bytes: 1, Last: true, Valid: true}},
		collected(t, width, 2, words, full, full, nil, end))
}
