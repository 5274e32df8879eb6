package experiment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Monitor is how a long run is looked at from outside, by [Options.Monitor]. Its knowledge comes with [Run.Progress],
// so it costs nothing between. Its methods may be called from any goroutine.
type Monitor struct {
	// Stall ends a point of which nothing was done for this long in simulated time, with a [Stalled]; zero: never. The
	// simulation must have been passed to [Run.Watch].
	Stall clock.Time

	mu       sync.Mutex
	start    time.Time
	asked    int
	finished int
	running  map[int]*watched
}

var microsecond = clock.MustTime("1us")

// watched is the state of a point that is under way.
type watched struct {
	sim   *rtl.Sim // nil if there is none
	clock *rtl.Clock

	look        atomic.Bool // the queues are asked for
	done, total uint64
	cycle       uint64
	simulated   clock.Time
	since       time.Time // when the clock was first seen, at cycle from
	from        uint64
	queues      []Queue
	moved       clock.Time // when done last grew
}

// State is what a monitor knows at one moment. It is printed as JSON.
type State struct {
	Seconds  float64      `json:"seconds"` // since the run began
	Points   int          `json:"points"`
	Finished int          `json:"finished"`
	Running  []PointState `json:"running"`
}

// PointState is the state of a point that is under way. Without a simulation on clocks there are only Done, Total and
// Left.
type PointState struct {
	Point     int     `json:"point"`
	Done      uint64  `json:"done"` // in the experiment's own unit: messages, frames, cycles
	Total     uint64  `json:"total"`
	Left      uint64  `json:"left"`
	Clock     string  `json:"clock,omitempty"`
	Cycle     uint64  `json:"cycle,omitempty"`
	Simulated float64 `json:"simulated_us,omitempty"`
	Speed     float64 `json:"cycles_per_second,omitempty"`
	Queues    []Queue `json:"queues,omitempty"` // the fullest ones, if they were asked for
}

// begin and end tell of the points of a run.
func (m *Monitor) begin(point int) *watched {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	w := &watched{}
	m.running[point] = w
	return w
}

func (m *Monitor) end(point int, finished bool) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.running, point)
	if finished {
		m.finished++
	}
}

func (m *Monitor) reset(points int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.start, m.asked, m.finished, m.running = time.Now(), points, 0, map[int]*watched{}
}

// stalls tells whether a point may be ended because nothing moves.
func (m *Monitor) stalls() bool { return m.Stall.Cmp(clock.Time{}) > 0 }

// attach tells of a point's simulation. A point with several has the last one.
func (m *Monitor) attach(w *watched, sim *rtl.Sim, clk *rtl.Clock) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w.sim, w.clock, w.since, w.from, w.moved = sim, clk, time.Now(), clk.Cycle(), clk.Time()
}

// progress is called by the goroutine that runs the simulation. It returns an error once nothing has moved for too
// long.
func (m *Monitor) progress(w *watched, done, total uint64) *Stalled {
	m.mu.Lock()
	defer m.mu.Unlock()
	grown := done != w.done
	w.done, w.total = done, total
	if w.sim == nil {
		return nil
	}
	w.cycle, w.simulated = w.clock.Cycle(), w.clock.Time()
	if w.look.Swap(false) {
		w.queues = fullest(w.sim)
	}
	if grown {
		w.moved = w.simulated
	}
	if !m.stalls() || w.simulated.Sub(w.moved).Cmp(m.Stall) < 0 {
		return nil
	}
	return &Stalled{For: m.Stall, Clock: w.clock.Name(), Cycle: w.cycle, Done: done, Total: total, Queues: fullest(w.sim)}
}

// State returns the states of all points, after it has waited up to patience for the simulations to tell their queues;
// zero does without queues.
func (m *Monitor) State(patience time.Duration) State {
	if patience > 0 {
		m.mu.Lock()
		for _, w := range m.running {
			w.queues = nil
			w.look.Store(w.sim != nil)
		}
		m.mu.Unlock()
		for end := time.Now().Add(patience); time.Now().Before(end) && m.looking(); {
			time.Sleep(5 * time.Millisecond)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s := State{Points: m.asked, Finished: m.finished, Running: []PointState{}}
	if m.start.IsZero() {
		return s
	}
	s.Seconds = time.Since(m.start).Seconds()
	for i, w := range m.running {
		p := PointState{Point: i, Done: w.done, Total: w.total, Left: w.total - min(w.done, w.total)}
		if w.sim != nil {
			p.Clock, p.Cycle = w.clock.Name(), w.cycle
			p.Simulated, _ = w.simulated.In(microsecond).Float64()
			if seconds := time.Since(w.since).Seconds(); seconds > 0 && w.cycle > w.from {
				p.Speed = float64(w.cycle-w.from) / seconds
			}
			if patience > 0 {
				p.Queues = w.queues
			}
		}
		s.Running = append(s.Running, p)
	}
	slices.SortFunc(s.Running, func(a, b PointState) int { return cmp.Compare(a.Point, b.Point) })
	return s
}

// looking tells whether a simulation has not told its queues yet.
func (m *Monitor) looking() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, w := range m.running {
		if w.look.Load() {
			return true
		}
	}
	return false
}

// Stalled is the error of a run in which nothing moved for too long.
type Stalled struct {
	For         clock.Time
	Clock       string
	Cycle       uint64
	Done, Total uint64
	Queues      []Queue // the fullest first
	Recorded    string  // where the last cycles are, empty for nowhere
}

func (s *Stalled) Error() string {
	var b strings.Builder
	fmt.Fprintf(
		&b, "nothing moved for %v, at cycle %d of %s, with %d of %d done", s.For, s.Cycle, s.Clock, s.Done, s.Total,
	)
	if len(s.Queues) > 0 {
		fmt.Fprintf(&b, "; the fullest queue is %v", s.Queues[0])
	} else {
		b.WriteString("; all queues are empty")
	}
	if s.Recorded != "" {
		fmt.Fprintf(&b, "; the last cycles are in %s", s.Recorded)
	}
	return b.String()
}
