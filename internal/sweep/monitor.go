package sweep

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/goldwire/goldwire/experiment"
)

// Monitor is how a sweep is looked at while it runs, by [Options.Monitor]. No result depends on it. Its methods may be
// called from any goroutine; the zero value is ready for use.
type Monitor struct {
	mu       sync.Mutex
	start    time.Time
	points   int
	finished int
	failed   int
	running  map[int]*experiment.Monitor // by the point's number
}

// State is what a monitor knows at one moment. It is printed as JSON.
type State struct {
	Seconds  float64      `json:"seconds"`  // since the run began
	Points   int          `json:"points"`   // to be measured by this run, as far as it is known
	Finished int          `json:"finished"` // points with a result, failed ones too
	Failed   int          `json:"failed"`
	Running  []PointState `json:"running"`
}

// PointState is the progress of a point under way: its number in the plan, and its experiment's state.
type PointState struct {
	Number int `json:"number"`
	experiment.State
}

func (m *Monitor) expect(points int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.start.IsZero() {
		m.start = time.Now()
	}
	m.points = points
}

// begin and end tell of a point. An interrupted one has no result: r is nil.
func (m *Monitor) begin(pt *Point) *experiment.Monitor {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.running == nil {
		m.running = map[int]*experiment.Monitor{}
	}
	inner := &experiment.Monitor{}
	m.running[pt.Number] = inner
	return inner
}

func (m *Monitor) end(pt *Point, r *Result) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.running, pt.Number)
	if r == nil {
		return
	}
	m.finished++
	if !r.ok() {
		m.failed++
	}
}

// State returns the sweep's progress. It waits up to patience for the simulations to report their queues; with zero it
// does without queues.
func (m *Monitor) State(patience time.Duration) State {
	m.mu.Lock()
	s := State{Points: m.points, Finished: m.finished, Failed: m.failed, Running: []PointState{}}
	if !m.start.IsZero() {
		s.Seconds = time.Since(m.start).Seconds()
	}
	monitors := make(map[int]*experiment.Monitor, len(m.running))
	for number, inner := range m.running {
		monitors[number] = inner
		s.Running = append(s.Running, PointState{Number: number})
	}
	m.mu.Unlock()
	slices.SortFunc(s.Running, func(a, b PointState) int { return cmp.Compare(a.Number, b.Number) })
	var wg sync.WaitGroup
	for i := range s.Running {
		p := &s.Running[i]
		wg.Go(func() { p.State = monitors[p.Number].State(patience) })
	}
	wg.Wait()
	return s
}
