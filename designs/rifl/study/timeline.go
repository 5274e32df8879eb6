package study

import (
	"fmt"

	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/rifl"
)

// flipTimeline is what both ends send from the frame in which the first of them leaves NORMAL until all is as before.
type flipTimeline struct {
	Frames [2][rifl.NumStates]int // by end and state
	Idles  [2]int                 // of NORMAL: frames that carry nothing because of the error
	Passes [2]int                 // times that an end went into RETRANS
	Trace  [][2]sentFrame         // frame by frame, by end
}

// sentFrame is a frame as far as the protocol goes.
type sentFrame struct {
	State rifl.State
	Data  bool
	Again bool // a retransmitted one
}

// In returns the frames that an end spent in a state.
func (t *flipTimeline) In(end int, s rifl.State) int { return t.Frames[end][s] }

// newTimeline cuts the rows before and after the events of a trace, and counts.
func newTimeline(trace [][2]sentFrame) (t flipTimeline) {
	rest := sentFrame{rifl.Normal, true, false}
	for len(trace) > 0 && trace[0] == [2]sentFrame{rest, rest} {
		trace = trace[1:]
	}
	for n := len(trace); n > 0 && trace[n-1] == [2]sentFrame{rest, rest}; n = len(trace) {
		trace = trace[:n-1]
	}
	t.Trace = trace
	for i, pair := range trace {
		for e, f := range pair {
			t.Frames[e][f.State]++
			if f.State == rifl.Normal && !f.Data {
				t.Idles[e]++
			}
			if f.State == rifl.Retrans && (i == 0 || trace[i-1][e].State != rifl.Retrans) {
				t.Passes[e]++
			}
		}
	}
	return t
}

// flipRun is a run of runFlips.
type flipRun struct {
	link    *rifl.Link
	flipped bool
	trace   [][2]sentFrame
}

// runFlips runs a link at rest under full load and flips one bit of each frame named, counted from a moment: frames
// that arrive at end 0, and frames that arrive at end 1. It returns what both ends do about it in the given number of
// frames. Run, if not nil, records the link, keeps it and takes it up again.
func runFlips(cfg rifl.LinkConfig, flips [2][]int, frames int, run *experiment.Run) (flipTimeline, error) {
	for e := range 2 {
		cfg.Send[e], cfg.Expect[1-e] = rifl.Packets(uint64(e), 3000, 3000), rifl.Packets(uint64(e), 3000, 3000)
	}
	l, err := rifl.NewLink(cfg)
	if err != nil {
		return flipTimeline{}, err
	}
	x := &flipRun{link: l}
	between, touched := func() error { return nil }, func() error { return nil }
	if run != nil {
		between, touched = run.Between, run.Touched
		s := experiment.Simulation{
			Sim: l.Sim, Clock: l.Ends[0].Frame, Faulty: func() bool { return l.Err() != nil }, Roots: []any{x},
		}
		if err := run.Simulate(s); err != nil {
			return flipTimeline{}, err
		}
	}
	if !x.flipped {
		if err := x.flip(flips); err != nil {
			return flipTimeline{}, err
		}
		if err := touched(); err != nil {
			return flipTimeline{}, err
		}
	}
	for len(x.trace) < frames {
		if err := l.Ends[0].Frame.Run(1); err != nil {
			return flipTimeline{}, err
		}
		var pair [2]sentFrame
		for e, end := range l.Ends {
			s := end.Lanes[0].Transmitter.State.Get()
			pair[e] = sentFrame{rifl.State(s.Value), s.Data, s.Again}
		}
		x.trace = append(x.trace, pair)
		if err := between(); err != nil {
			return flipTimeline{}, err
		}
	}
	if err := l.Err(); err != nil {
		return flipTimeline{}, wrongAtUser{err}
	}
	return newTimeline(x.trace), nil
}

// wrongAtUser is the error of a run in which a user got a wrong byte.
type wrongAtUser struct{ error }

// flip waits until the link is at rest and plans the flips.
func (x *flipRun) flip(flips [2][]int) error {
	l := x.link
	if err := l.Ends[0].Frame.Run(l.Config.Settle()); err != nil {
		return err
	}
	for e, list := range flips {
		line := l.Ends[e].Lanes[0].Line
		if err := line.Flip(flipBits(frameStart(l.Config.Config, line.Position()), l.Config.FrameBits, list)...); err != nil {
			return err
		}
	}
	x.flipped = true
	return nil
}

// frameStart returns the position on a line, at or after another, at which a frame begins: its first word is at the
// line's input in the cycles 4 + nR, and a cycle is 64 bits.
func frameStart(c rifl.Config, position uint64) uint64 {
	words := uint64(c.Words())
	phase := (uint64(rifl.FloorCycles(c.LineTime().In(c.WordTime()), 1)) + 2) % words
	word := (position + 63) / 64
	return 64 * (word + (phase+words-word%words)%words)
}

// flipBits returns a bit in the payload of each frame, from a position on.
func flipBits(from uint64, frameBits int, frames []int) (bits []uint64) {
	for _, f := range frames {
		bits = append(bits, from+uint64(f*frameBits)+100)
	}
	return bits
}

// runFlipsByFrames is runFlips on a [FrameLink].
func runFlipsByFrames(cfg rifl.FrameLinkConfig, flips [2][]int, frames int) (flipTimeline, error) {
	var trace [][2]sentFrame
	settle := cfg.Settle()
	cfg.Watch = func(cycle uint64, end, _ int, e rifl.Emission) {
		if cycle < settle {
			return
		}
		if end == 0 {
			trace = append(trace, [2]sentFrame{})
		}
		trace[len(trace)-1][end] = sentFrame{e.State, e.Data, e.Source == rifl.FromBuffer}
	}
	l, err := rifl.NewFrameLink(cfg)
	if err != nil {
		return flipTimeline{}, err
	}
	l.Run(settle)
	for e, list := range flips {
		if err := l.Flip(e, 0, flipBits(l.Ends[e].Lanes[0].Loss.Position(), cfg.FrameBits, list)...); err != nil {
			return flipTimeline{}, err
		}
	}
	l.Run(uint64(frames))
	for e := range 2 {
		if r := l.Report(e); !r.Lossless() {
			return flipTimeline{}, fmt.Errorf("end %d: %d frames wrong, %d lost", e, r.Wrong, r.Overflow)
		}
	}
	return newTimeline(trace), nil
}
