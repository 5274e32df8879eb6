package journey

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/clock"
)

// Stage is a piece of a way: from the edge at which the stage before ended to the edge at which its own end was seen.
type Stage struct {
	Place string // the box or link; stages of one place have one colour
	What  string // the action there; may be empty
	From  clock.Time
	To    clock.Time
}

// Name is the place and the action there.
func (s Stage) Name() string {
	if s.What == "" {
		return s.Place
	}
	if s.Place == "" {
		return s.What
	}
	return s.Place + ": " + s.What
}

// Time is how long the stage took.
func (s Stage) Time() clock.Time { return s.To.Sub(s.From) }

// Journey is the way of one message.
type Journey struct {
	Name   string
	Stages []Stage // at least one
}

// Total is the time from the first edge to the last.
func (j *Journey) Total() clock.Time { return j.end().Sub(j.start()) }

func (j *Journey) start() clock.Time { return j.Stages[0].From }
func (j *Journey) end() clock.Time   { return j.Stages[len(j.Stages)-1].To }

// Log holds a recorder's journeys.
type Log struct {
	Title    string
	Cycle    clock.Time // of the columns
	Journeys []Journey  // in the order of their first edges
	Missed   int        // journeys that began when there was no room
}

// Recorder keeps journeys. Its methods may be called on nil. It is used by one goroutine at a time.
type Recorder struct {
	title string
	cycle clock.Time
	most  int

	under  map[uint64]*Journey   // journeys under way, by key
	at     map[uint64]clock.Time // the edge at which the last stage of each has ended, or the journey has begun
	done   []*Journey
	missed int
}

// NewRecorder returns a recorder of the journeys that begin first; most is how many it keeps.
func NewRecorder(most int) *Recorder {
	return &Recorder{most: most, under: map[uint64]*Journey{}, at: map[uint64]clock.Time{}}
}

// Describe gives the log a title and the cycle of its columns.
func (r *Recorder) Describe(title string, cycle clock.Time) {
	if r != nil {
		r.title, r.cycle = title, cycle
	}
}

// Begin starts a journey at an edge. The key tells journeys apart that are under way; one that was used is free after
// [Recorder.End].
func (r *Recorder) Begin(key uint64, name string, now clock.Time) {
	if r == nil {
		return
	}
	if len(r.done)+len(r.under) >= r.most {
		r.missed++
		return
	}
	r.under[key], r.at[key] = &Journey{Name: name}, now
}

// Follows tells whether a journey is under way and kept.
func (r *Recorder) Follows(key uint64) bool {
	if r == nil {
		return false
	}
	_, ok := r.under[key]
	return ok
}

// Reach ends a stage at an edge: it began where the one before ended. A key that is not under way is ignored.
func (r *Recorder) Reach(key uint64, place, what string, now clock.Time) {
	if r == nil {
		return
	}
	if j, ok := r.under[key]; ok {
		j.Stages = append(j.Stages, Stage{place, what, r.at[key], now})
		r.at[key] = now
	}
}

// End ends a journey with its last stage.
func (r *Recorder) End(key uint64) {
	if r == nil {
		return
	}
	if j, ok := r.under[key]; ok && len(j.Stages) > 0 {
		r.done = append(r.done, j)
	}
	delete(r.under, key)
	delete(r.at, key)
}

// Add adds a whole journey.
func (r *Recorder) Add(j Journey) {
	if r == nil || len(j.Stages) == 0 {
		return
	}
	if len(r.done)+len(r.under) >= r.most {
		r.missed++
		return
	}
	kept := j // not the parameter: a call on nil would allocate it too
	r.done = append(r.done, &kept)
}

// Log returns the journeys that have ended. It returns an error for a stage that ends before it begins, or does not
// begin where the one before ended.
func (r *Recorder) Log() (*Log, error) {
	l := &Log{Title: r.title, Cycle: r.cycle, Missed: r.missed}
	for _, j := range r.done {
		for i, s := range j.Stages {
			switch {
			case s.To.Cmp(s.From) < 0:
				return nil, fmt.Errorf("%s: stage %q ends at %v, before its begin at %v", j.Name, s.Name(), s.To, s.From)
			case i > 0 && s.From.Cmp(j.Stages[i-1].To) != 0:
				return nil, fmt.Errorf("%s: stage %q begins at %v, the one before ended at %v", j.Name, s.Name(),
					s.From, j.Stages[i-1].To)
			}
		}
		l.Journeys = append(l.Journeys, *j)
	}
	slices.SortStableFunc(l.Journeys, func(a, b Journey) int { return a.start().Cmp(b.start()) })
	if len(l.Journeys) == 0 {
		return nil, fmt.Errorf("no journey was recorded to its end")
	}
	if l.Cycle.Cmp(clock.Time{}) <= 0 {
		return nil, fmt.Errorf("%s: the length of a cycle is not known", l.Title)
	}
	return l, nil
}

// Join returns one log of several recorders, the runs of an experiment: in their order, each with its first edge at
// time 0, so that they can be compared. Title and cycle come from the first. It returns nil if no journey was followed
// to its end.
func Join(recorders ...*Recorder) (*Log, error) {
	var all *Log
	missed := 0
	for _, r := range recorders {
		missed += r.missed
		if len(r.done) == 0 {
			continue // a run of another kind, or one that was too short
		}
		l, err := r.Log()
		if err != nil {
			return nil, err
		}
		zero, _ := l.span()
		for i := range l.Journeys {
			stages := slices.Clone(l.Journeys[i].Stages)
			for k := range stages {
				stages[k].From, stages[k].To = stages[k].From.Sub(zero), stages[k].To.Sub(zero)
			}
			l.Journeys[i].Stages = stages
		}
		if all == nil {
			all = l
			continue
		}
		all.Journeys = append(all.Journeys, l.Journeys...)
	}
	if all != nil {
		all.Missed = missed
	}
	return all, nil
}

// span is the time from the first edge of all to the last.
func (l *Log) span() (from, to clock.Time) {
	from, to = l.Journeys[0].start(), l.Journeys[0].end()
	for i := range l.Journeys {
		if s := l.Journeys[i].start(); s.Cmp(from) < 0 {
			from = s
		}
		if e := l.Journeys[i].end(); e.Cmp(to) > 0 {
			to = e
		}
	}
	return from, to
}

// kind is a stage's name with the time of all stages of that name.
type kind struct {
	name, place string
	n           int
	sum         clock.Time
}

// kinds are the names of stages in the order in which they are met.
func (l *Log) kinds() (list []kind, index map[string]int) {
	index = map[string]int{}
	for _, j := range l.Journeys {
		for _, s := range j.Stages {
			i, known := index[s.Name()]
			if !known {
				i = len(list)
				index[s.Name()] = i
				list = append(list, kind{name: s.Name(), place: s.Place})
			}
			list[i].n++
			list[i].sum = list[i].sum.Add(s.Time())
		}
	}
	return list, index
}

// places are the places in the order in which they are met: their colours.
func (l *Log) places() map[string]int {
	index := map[string]int{}
	for _, j := range l.Journeys {
		for _, s := range j.Stages {
			if _, known := index[s.Place]; !known {
				index[s.Place] = len(index)
			}
		}
	}
	return index
}

// letters mark kinds of stages. From the 63rd kind on they are used again.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

func letter(i int) byte { return letters[i%len(letters)] }

// nanoseconds is a time for a reader.
func nanoseconds(t clock.Time) string {
	f, _ := t.In(clock.Nanosecond).Float64()
	return fmt.Sprintf("%.2f ns", f)
}
