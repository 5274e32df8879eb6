package rtl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
)

// wide has leaves of every size.
type wide struct {
	Flag bool
	Byte uint8
	Half uint16 `bits:"12"`
	Word uint32
	Long uint64
}

// spreader counts in leaves of every size, and its wire follows in the same cycle.
type spreader struct {
	Out  rtl.Out[wide]
	Seen rtl.Wire[uint64]
	n    uint64
}

func (s *spreader) Comb() { s.Seen.Set(s.Out.Get().Long) }
func (s *spreader) Tick() {
	s.n++
	s.Out.Set(wide{s.n&1 == 1, uint8(s.n), uint16(s.n & 0xfff), uint32(3 * s.n), s.n << 40})
}

// instants counts what an observer is shown.
type instants struct{ n int }

func (i *instants) Observe(rtl.Edges) { i.n++ }

// RunEach shows each cycle settled, whatever the mode and the observers, and taps that are read together have the
// values of taps read one by one.
func TestRunEach(t *testing.T) {
	for _, cfg := range []rtl.Config{{}, {Mode: rtl.Strict, Seed: 1}, {Mode: rtl.Parallel, Workers: 2}} {
		for _, clocks := range []int{1, 2} {
			for _, observed := range []bool{false, true} {
				sim := rtl.New(cfg)
				clk := sim.Clock("clk", clock.MHz(100))
				if clocks == 2 {
					sim.Scope("other").On(sim.Clock("other", clock.MHz(33))).Add("c", &counter{})
				}
				m := &spreader{}
				sim.Scope("top").On(clk).Add("s", m)
				require.NoError(t, sim.Elaborate())
				seen := &instants{}
				if observed {
					sim.Observe(seen)
				}
				ports, err := rtl.Ports(m)
				require.NoError(t, err)
				var taps []layout.Tap
				for p := range ports {
					for l := range ports[p].Leaves {
						taps = append(taps, ports[p].Tap(l))
					}
				}
				together := layout.Join(taps)
				n, row := uint64(0), make([]uint64, len(taps))
				for _, cycles := range []uint64{1, 0, 500} {
					require.NoError(t, clk.RunEach(cycles, func() {
						n++
						together.Read(row)
						require.Equal(t, []uint64{n & 1, n & 0xff, n & 0xfff, 3 * n & 0xffff_ffff, n << 40, n << 40}, row)
						for i := range taps {
							require.Equal(t, taps[i].Value(), row[i])
						}
						require.Equal(t, n, clk.Cycle())
					}))
				}
				require.EqualValues(t, 501, n)
				if observed {
					require.GreaterOrEqual(t, seen.n, 501)
				}
			}
		}
	}
}
