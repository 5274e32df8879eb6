package study

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"

	"github.com/goldwire/goldwire/designs/rifl"
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

// A framer and a collector face to face give a user back what the other one sent, long enough for both to move the
// bytes that they hold to the front again and again: all frame sizes, narrow and wide interfaces. Neither takes
// something in each cycle.
func TestFramerAndCollectorKeepBytes(t *testing.T) {
	for _, f := range frameSizes {
		for _, lanes := range []int{1, 3} {
			for _, width := range []int{1, 8, 32, 128, 512, 2048} {
				flit := lanes * (f/8 - 2)
				most := 3*width + flit/4
				words, cycles := f/64, uint64(min(600, 150+30*max(flit/width, width/flit)))
				framer, err := rifl.NewFramer(width, lanes, words)
				require.NoError(t, err)
				collector, err := rifl.NewCollector(rifl.Core, 6, width, lanes, 1, words)
				require.NoError(t, err)
				g := rifl.NewGenerator(width, rifl.Packets(1, 1, most))
				v := rifl.NewValidator(width, rifl.Packets(1, 1, most), func(cycle uint64) bool { return cycle%7 == 0 })
				accept := &lulls{}
				between := &segments{
					make([]rtl.In[uint64], lanes*words), make([]rtl.In[bool], lanes), make([]rtl.Out[uint64], lanes*words),
					make([]rtl.Out[bool], lanes),
				}
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
