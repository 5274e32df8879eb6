package rifl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/tb"
)

// lulls is a transmitter that takes no segment in two cycles of five.
type lulls struct {
	Out   rtl.Out[bool]
	cycle int
}

func (l *lulls) Tick() {
	l.cycle++
	l.Out.Set(l.cycle%5 > 1)
}

// The user's beats stand, words and all, until the framer takes them: the monitor and the generator agree on when it
// does.
func TestUserBeatsAreAStream(t *testing.T) {
	const width = 32 // bytes of a beat
	cfg := Default()
	f, err := NewFramer(width, cfg.Lanes, cfg.Words())
	require.NoError(t, err)
	g, accept := NewGenerator(width, Packets(1, 1, 600)), &lulls{}
	m := tb.NewMonitor[BeatControl](len(g.Data))
	sim := rtl.New(rtl.Config{Mode: rtl.Strict, Seed: 1})
	clk := sim.Clock("user", clock.MHz(100))
	top := sim.Scope("top").On(clk)
	top.Add("generator", g)
	top.Add("framer", f)
	top.Add("accept", accept)
	top.Add("monitor", m)
	rtl.ConnectStream(g.Output(), f.Input(), m.Tap())
	for i := range f.Accept {
		rtl.Connect(&accept.Out, &f.Accept[i])
	}
	require.NoError(t, sim.Elaborate())
	require.NoError(t, clk.Run(1000))
	require.NoError(t, m.Err())
	require.Greater(t, m.Waits(), 100)
	taken := g.Taken()
	require.Greater(t, len(taken), 400)
	for i, b := range m.Beats()[:len(taken)] {
		require.Equal(t, taken[i], b.Cycle+1, "beat %d: the generator counts the edge after the cycle", i)
	}
}

// An end of a packet without bytes, which AXI4-Stream calls a null beat, is taken and leaves nothing; the next packet
// goes on. A cycle without a beat ends nothing, whatever its other bits.
func TestEmptyPacketLeavesNothing(t *testing.T) {
	f, err := NewFramer(32, 1, 4)
	require.NoError(t, err)
	beats := []BeatControl{{Bytes: 0, Last: true, Valid: true}, {Bytes: 0, Last: true, Valid: true},
		{Bytes: 7, Last: true, Valid: true},
		{Bytes: 9, Valid: true}, {Bytes: 3, Last: true}, {Bytes: 4, Last: true, Valid: true}}
	in := &beatPlayer{beats: beats}
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("user", clock.MHz(100))
	top := sim.Scope("top").On(clk)
	top.Add("in", in)
	top.Add("framer", f)
	rtl.Connect(&in.Out, &f.Control)
	rtl.Connect(&f.Ready, &in.Ready)
	rtl.Tie(true, &f.Accept[0])
	for i := range f.Data {
		rtl.Tie(0, &f.Data[i])
	}
	require.NoError(t, sim.Elaborate())
	var bytes []int // of the frame in each cycle
	for range 8 {
		require.NoError(t, clk.Run(1))
		bytes = append(bytes, 0)
		if f.Valid[0].Get() {
			require.EqualValues(t, MetaPartial, f.Segment[0].Get()>>metaShift&3)
			bytes[len(bytes)-1] = int(f.Segment[3].Get() >> CodeBits & 255)
		}
	}
	require.Equal(t, []int{0, 0, 7, 0, 0, 13, 0, 0}, bytes)
}

// With temporal bonding, too, an empty packet is taken and leaves nothing: the next flit is for the same group. A beat
// whose flit has no slot is not taken.
func TestEmptyPacketTakesNoTurn(t *testing.T) {
	const words = 4
	f, err := newTemporalFramer(32, 2, 2, words)
	require.NoError(t, err)
	in := &beatPlayer{
		beats: []BeatControl{
			{Bytes: 0, Last: true, Valid: true},
			{Bytes: 7, Last: true, Valid: true},
			{Bytes: 0, Last: true, Valid: true},
			{
				Bytes: 9, Valid: true,
			},
			{Bytes: 0, Last: true, Valid: true},
			{Bytes: 32, Last: true, Valid: true},
			{Bytes: 0, Last: true, Valid: true},
			{Bytes: 5, Last: true, Valid: true},
		},
	}
	taken := &player[uint8]{}
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("user", clock.MHz(100))
	top := sim.Scope("top").On(clk)
	top.Add("in", in)
	top.Add("framer", f)
	top.Add("taken", taken) // of the first lane
	rtl.Connect(&in.Out, &f.Control)
	rtl.Connect(&f.Ready, &in.Ready)
	rtl.Connect(&taken.Out, &f.Taken[0])
	rtl.Tie(0, &f.Taken[1])
	for i := range f.Data {
		rtl.Tie(0, &f.Data[i])
	}
	require.NoError(t, sim.Elaborate())
	require.NoError(t, clk.Run(30))
	counts := func() []uint8 { return []uint8{f.Count[0].Get(), f.Count[1].Get()} }
	require.Equal(t, []uint8{2, 2}, counts())
	require.Equal(t, BeatControl{Bytes: 5, Last: true, Valid: true}, in.Out.Get(), "not taken")
	taken.next = 1
	require.NoError(t, clk.Run(30))
	require.Equal(t, []uint8{3, 2}, counts())
	var bytes []uint64 // of lane 0's slots, then of lane 1's
	for slot := range 2 * slotsPerLane {
		bytes = append(bytes, f.Slot[slot*words+words-1].Get()>>CodeBits&255)
	}
	require.Equal(t, []uint64{5, 0, 9, 2}, bytes) // the flit of 30 bytes has no count
}

// beatPlayer offers beats one by one.
type beatPlayer struct {
	Out   rtl.Out[BeatControl]
	Ready rtl.In[bool]

	beats []BeatControl
}

func (p *beatPlayer) Tick() {
	if p.Out.Get().Valid && !p.Ready.Get() {
		return
	}
	if len(p.beats) == 0 {
		p.Out.Set(BeatControl{})
		return
	}
	p.Out.Set(p.beats[0])
	p.beats = p.beats[1:]
}
