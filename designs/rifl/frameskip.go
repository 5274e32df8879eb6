package rifl

// lookForQuiet is how often it is worth looking whether a clean stretch has begun.
const lookForQuiet = 16

// Run steps the given cycles.
func (l *FrameLink) Run(cycles uint64) { l.Advance(l.cycle+cycles, cycles) }

// Advance runs to a cycle, or for a number of cycles that are not skipped.
func (l *FrameLink) Advance(until, steps uint64) {
	for ; l.cycle < until && steps > 0; steps-- {
		if l.Config.Skip && l.cycle%lookForQuiet == 0 && l.quiet() {
			l.skip(until - l.cycle)
			if l.cycle == until {
				return
			}
		}
		l.Step()
	}
}

// quiet tells whether nothing but user data is under way anywhere and nothing is left to do.
func (l *FrameLink) quiet() bool {
	for e := range l.Ends {
		end := &l.Ends[e]
		if !end.shows {
			return false
		}
		for _, lane := range end.Lanes {
			c := &lane.ctl
			if c.state != Normal || c.resume > 0 || c.start > 0 || c.pass > 0 || c.full || lane.level.Full ||
				lane.flow.Len != 1 ||
				!lane.calm || lane.rest < len(lane.flags) ||
				lane.remote {
				return false
			}
			for i := range lane.wire {
				if f := &lane.wire[i]; !f.data || !f.ofUser() {
					return false
				}
			}
			for i := range lane.due {
				if !lane.due[i].ofUser() && i != l.place(l.dueAt, l.lags.data, len(lane.due)) {
					return false
				}
			}
			for i := range lane.sent {
				if !lane.sent[i].ofUser() {
					return false
				}
			}
		}
	}
	return true
}

// skip passes whole rounds of the ID space, at most the given number of frames, and stops before the frame with the
// next error.
func (l *FrameLink) skip(most uint64) {
	frame := uint64(l.Config.FrameBits)
	clean := most
	for _, d := range l.damage {
		switch {
		case l.cycle >= d.To:
		case l.cycle >= d.From:
			return
		default:
			clean = min(clean, d.From-l.cycle)
		}
	}
	for e := range l.Ends {
		for _, lane := range l.Ends[e].Lanes {
			loss := lane.Loss
			if next, ok := loss.NextError(); ok {
				clean = min(clean, (next-loss.Position())/frame)
			}
		}
	}
	n := clean >> l.Config.S() << l.Config.S()
	if n == 0 {
		return
	}
	lanes := uint64(l.Config.Lanes)
	later := func(list []parcel) {
		for i := range list {
			list[i].seq += n * lanes
			list[i].at += n
		}
	}
	for e := range l.Ends {
		end := &l.Ends[e]
		for _, lane := range end.Lanes {
			lane.Loss.Skip(n * frame)
			lane.counts[Normal] += n
			lane.align.skip(n)
			later(lane.sent)
			later(lane.due)
			later(lane.queue[lane.head : lane.head+1])
			for i := range lane.wire {
				lane.wire[i].seq += n * lanes
				lane.wire[i].at += n
			}
		}
		later(end.shown)
		end.next += n * lanes
		end.due += n * lanes
		end.delivered += n * lanes
		late := uint64(l.lags.data + userEdges)
		end.late.Add(late, n*lanes)
		end.packets.stream(l.cycle, n, late)
	}
	l.cycle += n
}
