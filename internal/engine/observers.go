package engine

import (
	"slices"

	"github.com/goldwire/goldwire/internal/fusedcode"
)

// Observer is called after each instant with the clocks that had an edge.
type Observer interface{ Observe(edges []int) }

// watcher is an observer and its modules.
type watcher struct {
	Observer
	part   *part // nil if it looks at several, or all
	clocks []int // nil for all
}

// due tells whether the observer is called after an instant.
func (w *watcher) due(edges []int) bool {
	return w.clocks == nil || slices.ContainsFunc(edges, func(c int) bool { return slices.Contains(w.clocks, c) })
}

// Observe adds an observer of the whole design.
func (e *Engine) Observe(o Observer) { e.addWatcher(watcher{Observer: o}) }

// Watch adds an observer of these modules.
func (e *Engine) Watch(o Observer, nodes []*Node) {
	w := watcher{Observer: o, clocks: []int{}}
	for i, n := range nodes {
		if i == 0 {
			w.part = n.shard.part
		} else if w.part != n.shard.part {
			w.part = nil
		}
		if !slices.Contains(w.clocks, n.Clock) {
			w.clocks = append(w.clocks, n.Clock)
		}
	}
	e.addWatcher(w)
}

func (e *Engine) addWatcher(w watcher) {
	e.observers = append(e.observers, w)
	e.planned = false // the islands' tables are made anew
}

// Unobserve takes an observer away, between runs.
func (e *Engine) Unobserve(o Observer) {
	e.observers = slices.DeleteFunc(e.observers, func(w watcher) bool { return w.Observer == o })
	e.planned = false
}

// observed tells whether there are observers.
func (e *Engine) observed() bool { return len(e.observers) > 0 }

// observe calls the observers.
func (e *Engine) observe(edges []int) {
	for i := range e.observers {
		if w := &e.observers[i]; w.due(edges) {
			w.Observe(edges)
		}
	}
}

// several are observers one after another.
type several []Observer

// watch returns the function that calls them after an instant with these edges.
func (s several) watch(edges []int) fusedcode.Watch {
	switch len(s) {
	case 0:
		return fusedcode.Watch{}
	case 1:
		o := s[0]
		return fusedcode.NewWatch(func() { o.Observe(edges) })
	}
	return fusedcode.NewWatch(func() {
		for _, o := range s {
			o.Observe(edges)
		}
	})
}
