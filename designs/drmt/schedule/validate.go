package schedule

import (
	"errors"
	"fmt"
)

// longest bounds periods, start times and lengths in cycles; the longest program of the paper takes 245.
const longest = 1 << 20

// Validate checks the schedule against its graph and limits and reports everything it breaks, one line each. It replays
// what one processor does, packet by packet and cycle by cycle, over enough periods that all packets a processor ever
// holds at once are there: by definition, not by classes.
func (s *Schedule) Validate() error {
	g, l := s.Graph, s.Limits
	if err := g.Check(); err != nil {
		return err
	}
	if err := l.check(); err != nil {
		return err
	}
	if len(s.Start) != len(g.Nodes) {
		return fmt.Errorf("schedule of %s: %d start times for %d operations", g.Name, len(s.Start), len(g.Nodes))
	}
	if s.Period < 1 || s.Period > longest {
		return fmt.Errorf("schedule of %s: a period of %d cycles, expected 1 to %d", g.Name, s.Period, longest)
	}
	for v, t := range s.Start { // before anything is computed with them
		if t < -longest || t > longest {
			return fmt.Errorf(
				"schedule of %s: %s starts at %d, expected %d to %d", g.Name, g.Nodes[v].Name, t, -longest, longest,
			)
		}
	}
	if s.Length() > longest {
		return fmt.Errorf("schedule of %s: %d cycles long, at most %d are accepted", g.Name, s.Length(), longest)
	}
	var broken []error
	report := func(format string, args ...any) {
		broken = append(broken, fmt.Errorf("schedule of "+g.Name+": "+format, args...))
	}
	if l.MaxPeriod > 0 && s.Period > l.MaxPeriod {
		report("a period of %d, the hardware has %d", s.Period, l.MaxPeriod)
	}
	if l.Threads > 0 && s.Threads() > l.Threads {
		report(
			"%d packets in a processor at once (%d cycles, one packet every %d), the hardware has %d threads", s.Threads(),
			s.Length(), s.Period, l.Threads,
		)
	}
	for _, e := range g.Edges {
		if wait := l.Latency(e.Delay); s.Start[e.To]-s.Start[e.From] < wait {
			report(
				"%s starts at %d, %s at %d, expected %d cycles or more between them", g.Nodes[e.From].Name, s.Start[e.From],
				g.Nodes[e.To].Name, s.Start[e.To], wait,
			)
		}
	}
	replay(s, report)
	return errors.Join(broken...)
}

// replay runs one processor in steady state for a period and looks at every cycle.
func replay(s *Schedule, report func(string, ...any)) {
	g, l := s.Graph, s.Limits
	first, last := s.Start[0], s.Start[0]
	for _, t := range s.Start {
		first, last = min(first, t), max(last, t)
	}
	startsAt := map[int][]int{}
	for v, t := range s.Start {
		startsAt[t] = append(startsAt[t], v)
	}
	// A result is held from when it comes back to the start of the last operation that reads it.
	until := map[int]int{}
	selected := map[int]bool{}
	for _, e := range g.Edges {
		if e.Delay == AfterMatch {
			end, known := until[e.From]
			if end = max(end, s.Start[e.To]); !known {
				end = s.Start[e.To] // which may be before 0
			}
			until[e.From] = end
		}
		if e.SameTable {
			selected[e.To] = true
		}
	}
	held := map[int]int{}
	for v, end := range until {
		for t := s.Start[v] + l.MatchLatency; t < end; t++ {
			held[t]++
		}
	}
	// Packets arrive at 0, P, 2P, ...; from cycle last-first on, as many are in flight as ever will be.
	for now := last; now < last+s.Period; now++ {
		var segments, fields, pointers, waiting int
		fixed := false
		var matching, acting []int // packets
		for packet := 0; now-packet*s.Period >= first; packet++ {
			age := now - packet*s.Period
			waiting += held[age]
			matches, acts := false, false
			for _, v := range startsAt[age] {
				n := g.Nodes[v]
				switch {
				case n.Kind == Match:
					matches = true
					segments += (n.KeyBits + l.SegmentBits - 1) / l.SegmentBits
					continue
				case n.Kind == Action && selected[v]:
					pointers++
				default:
					fixed = true
				}
				acts = true
				fields += n.Fields
			}
			if matches {
				matching = append(matching, packet)
			}
			if acts {
				acting = append(acting, packet)
			}
		}
		if fixed {
			pointers++
		}
		class := ((now % s.Period) + s.Period) % s.Period
		for _, x := range []struct {
			what       string
			used, have int
			hardware   bool
		}{
			{"key segments", segments, l.Segments, false},
			{"fields modified", fields, l.Fields, false},
			{"packets starting matches", len(matching), l.IPC, false},
			{"packets starting actions", len(acting), l.IPC, false},
			{"distinct actions", pointers, l.Actions, true},
			{"results in the scratch pad", waiting, l.ScratchPad, true},
		} {
			if x.used > x.have && (!x.hardware || x.have > 0) {
				report("cycle %d of %d: %d %s, a processor has %d", class, s.Period, x.used, x.what, x.have)
			}
		}
	}
}
