package pcs

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// LoopConfig describes a loop: one transmitter, a line, one receiver.
type LoopConfig struct {
	Clock clock.Freq // block rate; Block25G if it is not set
	Width int        // bits of the line per cycle, 1 to 66; 0 means 66. Below 66 the clock ticks once a line word
	Delay int        // of the line, in cycles
	Skew  int        // bits of the line that the receiver misses at the start

	BER   float64  // probability of a bit error on the line
	Flips []uint64 // planned bit errors, as bit positions counted from the first block of the first frame's idle lead

	Seed uint64     // of the bit errors
	Sim  rtl.Config `state:"none"` // how to simulate
}

// Loop is frames through a whole transmit path, a line, and a whole receive path.
type Loop struct {
	Sim   *rtl.Sim
	Clock *rtl.Clock

	Source   FrameSource
	Framer   Framer
	Tx       Tx
	Channel  *Channel
	Rx       Rx
	Deframer Deframer
	Sink     FrameSink

	// Flips are the positions of the line's bit errors so far, counted from the first bit sent. A reader may remove
	// positions that it has accounted for.
	Flips  []uint64
	Config LoopConfig
}

// NewLoop wires a loop and elaborates it.
func NewLoop(cfg LoopConfig) (*Loop, error) {
	if cfg.Clock == (clock.Freq{}) {
		cfg.Clock = clock.Block25G
	}
	if cfg.Width == 0 {
		cfg.Width = BlockBits
	}
	if cfg.Width < 1 || cfg.Width > BlockBits {
		return nil, fmt.Errorf("line width of %d bits, want 1 to %d", cfg.Width, BlockBits)
	}
	if cfg.Delay < 0 || cfg.Skew < 0 {
		return nil, fmt.Errorf("delay of %d cycles and skew of %d bits, want none below 0", cfg.Delay, cfg.Skew)
	}
	loss, err := blocks.NewLossy(cfg.BER, cfg.Seed)
	if err != nil {
		return nil, err
	}
	if err := loss.SetFlips(cfg.Flips); err != nil {
		return nil, err
	}
	l := &Loop{Config: cfg, Sim: rtl.New(cfg.Sim)}
	monitor := &BERMonitor{Window: BERWindow25G, Limit: BERLimit25G}
	if cfg.Clock == clock.Block10G {
		monitor.Window, monitor.Limit = BERWindow10G, BERLimit10G
	}
	l.Tx.Gearbox = NewTxGearbox(cfg.Width)
	l.Channel = NewChannel(cfg.Width, cfg.Delay, loss, &l.Flips)
	l.Rx.Gearbox, l.Rx.BERMonitor = NewRxGearbox(cfg.Width, cfg.Skew), monitor

	name, rate := "block_clk", cfg.Clock
	if cfg.Width != BlockBits {
		name, rate = "line_clk", cfg.Clock.Times(BlockBits, int64(cfg.Width))
	}
	l.Clock = l.Sim.Clock(name, rate)
	tx, line, rx := l.Sim.Scope("tx").On(l.Clock), l.Sim.Scope("line").On(l.Clock), l.Sim.Scope("rx").On(l.Clock)
	tx.Add("source", &l.Source)
	tx.Add("framer", &l.Framer)
	l.Tx.Add(tx)
	line.Add("channel", l.Channel)
	l.Rx.Add(rx)
	rx.Add("deframer", &l.Deframer)
	rx.Add("sink", &l.Sink)

	rtl.ConnectStream(l.Source.Output(), l.Framer.Input())
	rtl.Connect(&l.Tx.Gearbox.Enable, &l.Framer.Enable)
	rtl.Connect(&l.Framer.Out, &l.Tx.Encoder.In)
	rtl.Connect(&l.Tx.Gearbox.Out, &l.Channel.In)
	rtl.Connect(&l.Channel.Out, &l.Rx.Gearbox.In)
	rtl.Connect(&l.Rx.Decoder.Out, &l.Deframer.In)
	rtl.Connect(&l.Deframer.Out, &l.Sink.In)
	return l, l.Sim.Elaborate()
}

// lockLimit is how many cycles WaitForLock allows: 66 slips, each after a few headers that are valid by chance, take
// some hundred blocks; a narrow line has many cycles a block, and the first bit arrives after the line's delay.
func (l *Loop) lockLimit() uint64 {
	return uint64(l.Config.Delay + l.Config.Skew + 20_000*BlockBits/l.Config.Width)
}

// WaitForLock sends idle until the receiver has found the blocks.
func (l *Loop) WaitForLock() error {
	ok, err := l.Clock.RunUntil(l.lockLimit(), l.Rx.BlockSync.Lock.Get)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("no block lock within %d cycles", l.lockLimit())
	}
	return nil
}

// Send hands frames, without FCS, to the source. They go out after those it has.
func (l *Loop) Send(frames [][]byte) {
	l.Source.Frames = append(l.Source.Frames, frames...)
}

// Drain is how many cycles the last bit needs at most from the source to the sink.
func (l *Loop) Drain() uint64 {
	return uint64(64 + l.Config.Delay + 8*BlockBits/l.Config.Width)
}

// SendAll sends the frames and runs until all have had the time to arrive, or the context ends.
func (l *Loop) SendAll(ctx context.Context, frames [][]byte) error {
	l.Send(frames)
	var until uint64
	return l.Finish(ctx, &until, func() error { return nil })
}

// Finish runs until all frames have had the time to arrive. Until is the cycle at which it ends, 0 while that is not
// known. Between is called every few thousand cycles; its error ends the run.
func (l *Loop) Finish(ctx context.Context, until *uint64, between func() error) error {
	const together = 4096 // cycles until the context is looked at
	for *until == 0 || l.Clock.Cycle() < *until {
		if err := ctx.Err(); err != nil {
			return err
		}
		step := uint64(together)
		switch now := l.Clock.Cycle(); {
		case *until > 0:
			step = min(step, *until-now)
		case l.Source.Done():
			*until = now + l.Drain()
			continue
		}
		if err := l.Clock.Run(step); err != nil {
			return err
		}
		if err := between(); err != nil {
			return err
		}
	}
	return nil
}
