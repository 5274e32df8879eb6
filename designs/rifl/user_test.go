package rifl

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// segments has a register between a framer and a collector.
type segments struct {
	In    []rtl.In[uint64]
	Valid []rtl.In[bool]
	Out   []rtl.Out[uint64]
	Came  []rtl.Out[bool]
}

// Tick passes them on.
func (s *segments) Tick() {
	for i := range s.In {
		s.Out[i].Set(s.In[i].Get())
	}
	for i := range s.Valid {
		s.Came[i].Set(s.Valid[i].Get())
	}
}

// A framer and a collector face to face give a user back what the other one sent, long enough for both to move the bytes that they hold to the
// front again and again: all frame sizes, narrow and wide interfaces. Neither takes something in each cycle.
func TestFramerAndCollectorKeepBytes(t *testing.T) {
	for _, f := range frameSizes {
		for _, lanes := range []int{1, 3} {
			for _, width := range []int{1, 8, 32, 128, 512, 2048} {
				flit := lanes * (f/8 - 2)
				most := 3*width + flit/4
				words, cycles := f/64, uint64(min(600, 150+30*max(flit/width, width/flit)))
				framer, err := newFramer(width, lanes, words)
				require.NoError(t, err)
				collector, err := newCollector(Core, 6, width, lanes, 1, words)
				require.NoError(t, err)
				g := newGenerator(width, Packets(1, 1, most))
				v := newValidator(width, Packets(1, 1, most), func(cycle uint64) bool { return cycle%7 == 0 })
				accept := &lulls{}
				between := &segments{make([]rtl.In[uint64], lanes*words), make([]rtl.In[bool], lanes), make([]rtl.Out[uint64], lanes*words), make([]rtl.Out[bool], lanes)}
				sim := rtl.New(rtl.Config{})
				clk := sim.Clock("user", clock.MHz(100))
				top := sim.Scope("top").On(clk)
				top.Add("generator", g)
				top.Add("framer", framer)
				top.Add("accept", accept)
				top.Add("between", between)
				top.Add("collector", collector)
				top.Add("validator", v)
				rtl.ConnectStream(g.Output(), framer.Input())
				rtl.ConnectStream(collector.Output(), v.Input())
				for i := range lanes {
					rtl.Connect(&accept.Out, &framer.Accept[i])
					rtl.Connect(&framer.Valid[i], &between.Valid[i])
					rtl.Connect(&between.Came[i], &collector.Valid[i])
				}
				for i := range framer.Segment {
					rtl.Connect(&framer.Segment[i], &between.In[i])
					rtl.Connect(&between.Out[i], &collector.Frame[i])
				}
				require.NoError(t, sim.Elaborate())
				require.NoError(t, clk.Run(cycles))
				name := fmt.Sprintf("%d bits, %d lanes, %d bytes", f, lanes, width)
				require.NoError(t, v.Err(), name)
				require.Zero(t, collector.Overflow.Get(), name)
				require.Greater(t, v.Beats(), 1, name)
			}
		}
	}
}

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
	collector, err := newCollector(Core, 6, width, len(lanes), groups, words)
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
	encode(frame, make([]byte, bytes), last)
	return frame
}

// A frame that ends a packet and has no bytes, which no framer sends, ends the bytes that are held, and leaves nothing if there are none.
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
	require.Equal(t, []BeatControl{beat}, collected(t, width, 2, words, full, full, nil, full), "the second group misses one")
	require.Equal(t, []BeatControl{beat, beat, beat}, collected(t, width, 2, words, full, full, full, full))
	require.Equal(t, []BeatControl{beat, beat, {Bytes: 1, Last: true, Valid: true}}, collected(t, width, 2, words, full, full, nil, end))
}
