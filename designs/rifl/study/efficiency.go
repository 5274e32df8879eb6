package study

import (
	"context"

	"github.com/goldwire/goldwire/rtl"

	"github.com/goldwire/goldwire/designs/rifl"
)

// packetFrames counts the frames that packets of 1 to most bytes take, by size, back to back through the framer of a
// link whose lanes always accept: all lanes together, including the bytes that a packet's last flit leaves empty.
func packetFrames(ctx context.Context, cfg rifl.Config, width, most int) ([]int, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	f, err := rifl.NewFramer(width, cfg.Lanes, cfg.Words())
	if err != nil {
		return nil, err
	}
	sizes := make([]int, most+1) // and one more, so that the last is followed as the others are
	for i := range sizes {
		sizes[i] = i + 1
	}
	g := rifl.NewGenerator(width, rifl.Packets(1, 1, 1, sizes...))
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("user", cfg.LaneRate.Times(1, int64(cfg.FrameBits)))
	top := sim.Scope("framing").On(clk)
	top.Add("generator", g)
	top.Add("framer", f)
	rtl.ConnectStream(g.Output(), f.Input())
	for i := range f.Accept {
		rtl.Tie(true, &f.Accept[i])
	}
	if err := sim.Elaborate(); err != nil {
		return nil, err
	}
	frames := make([]int, most+1)
	frame := make([]uint64, cfg.Words())
	n := 1
	for n <= most {
		if clk.Cycle()%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := clk.Run(1); err != nil {
			return nil, err
		}
		if !f.Valid[cfg.Lanes-1].Get() { // the highest lane has the first segment
			continue
		}
		frames[n] += cfg.Lanes
		for k := range cfg.Lanes {
			for i := range frame {
				frame[i] = f.Segment[k*len(frame)+i].Get()
			}
			if f.Valid[k].Get() && rifl.MetaOf(frame)&rifl.MetaPartial != 0 {
				n++
				break
			}
		}
	}
	return frames, nil
}
