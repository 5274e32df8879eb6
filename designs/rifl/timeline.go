package rifl

import (
	"fmt"
)

// Timeline is what both ends send from the frame in which the first of them leaves NORMAL until all is as before.
type Timeline struct {
	Frames [2][numStates]int // by end and state
	Idles  [2]int            // of NORMAL: frames that carry nothing because of the error
	Passes [2]int
	Length int // frames in all
}

// In returns the frames that an end spent in a state.
func (t *Timeline) In(end int, s State) int { return t.Frames[end][s] }

// timelineEnd takes the frames that an end sends.
type timelineEnd struct {
	state State
	data  bool
	again bool
}

// timeline collects frames of both ends, pairwise, and trims what lies before and behind.
type timeline struct {
	seen [][2]timelineEnd
}

func (t *timeline) sum() (sum Timeline) {
	first, last := -1, -1
	for i, pair := range t.seen {
		if pair[0] != (timelineEnd{Normal, true, false}) || pair[1] != (timelineEnd{Normal, true, false}) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return sum
	}
	for _, pair := range t.seen[first : last+1] {
		sum.Length++
		for e, f := range pair {
			sum.Frames[e][f.state]++
			if f.state == Normal && !f.data {
				sum.Idles[e]++
			}
		}
	}
	for e := range 2 {
		in := false
		for _, pair := range t.seen[first : last+1] {
			now := pair[e].state == Retrans
			if now && !in {
				sum.Passes[e]++
			}
			in = now
		}
	}
	return sum
}

const timelineFrames = 2000 // more than a few passes of S = 8

// SingleFlip runs a link at rest under full load, flips one bit on the way to each of the ends named, and returns what both
// ends do about it.
func SingleFlip(cfg LinkConfig, to ...int) (Timeline, error) {
	for e := range 2 {
		cfg.Send[e], cfg.Expect[1-e] = Packets(uint64(e), 3000, 3000), Packets(uint64(e), 3000, 3000)
	}
	l, err := NewLink(cfg)
	if err != nil {
		return Timeline{}, err
	}
	if err := l.Ends[0].Frame.Run(2000); err != nil {
		return Timeline{}, err
	}
	for _, e := range to {
		line := l.Ends[e].Lanes[0].Line
		if err := line.Flip(line.Position() + 64*uint64(cfg.Words())*20 + 100); err != nil {
			return Timeline{}, err
		}
	}
	t := &timeline{}
	for range timelineFrames {
		if err := l.Ends[0].Frame.Run(1); err != nil {
			return Timeline{}, err
		}
		var pair [2]timelineEnd
		for e, end := range l.Ends {
			s := end.Lanes[0].Transmitter.State.Get()
			pair[e] = timelineEnd{State(s.Value), s.Data, s.Again}
		}
		t.seen = append(t.seen, pair)
	}
	for e, end := range l.Ends {
		if err := end.Validator.Err(); err != nil {
			return Timeline{}, fmt.Errorf("end %d: %w", e, err)
		}
	}
	return t.sum(), nil
}

// SingleFlipByFrames is SingleFlip on a [FrameLink].
func SingleFlipByFrames(cfg FrameLinkConfig, to ...int) (Timeline, error) {
	t := &timeline{}
	const settle = 2000
	cfg.Watch = func(cycle uint64, end, _ int, e Emission) {
		if cycle < settle {
			return
		}
		if end == 0 {
			t.seen = append(t.seen, [2]timelineEnd{})
		}
		t.seen[len(t.seen)-1][end] = timelineEnd{e.State, e.Data, e.Source == FromBuffer}
	}
	l, err := NewFrameLink(cfg)
	if err != nil {
		return Timeline{}, err
	}
	l.Run(settle)
	for _, e := range to {
		if err := l.Flip(e, 0, (settle+20)*uint64(cfg.FrameBits)+100); err != nil {
			return Timeline{}, err
		}
	}
	l.Run(timelineFrames)
	return t.sum(), nil
}
