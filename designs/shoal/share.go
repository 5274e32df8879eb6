package shoal

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// share is the nodes that one worker runs, and their results since the shares were last collected.
type share struct {
	from, to  int // nodes
	done      []Completion
	completed int
	fault     fault
	touched   uint16   // a sum that nobody reads, see touch
	_         [64]byte // no two workers write to the same line of a cache

	settles, takes, forwards places `state:"none"` // of one step
	rows                     places `state:"none"` // to which they forward
}

// fault is the first invariant that did not hold: in the order of slots, channels, nodes.
type fault struct {
	text          string
	slot          uint64
	channel, node int
}

func (s *share) found(slot uint64, channel, node int, text string) {
	if f := (fault{text, slot, channel, node}); f.before(&s.fault) {
		s.fault = f
	}
}

// before tells whether it was found earlier; one without text was not found.
func (f *fault) before(g *fault) bool {
	switch {
	case f.text == "" || g.text == "":
		return f.text != ""
	case f.slot != g.slot:
		return f.slot < g.slot
	case f.channel != g.channel:
		return f.channel < g.channel
	}
	return f.node < g.node
}

// shareNodes gives each worker neighbouring nodes.
func shareNodes(nodes, workers int) ([]share, error) {
	if workers < 0 || workers > nodes {
		return nil, fmt.Errorf("%d workers for %d nodes, want 0 to %d", workers, nodes, nodes)
	}
	workers = max(workers, 1)
	shares := make([]share, workers)
	for k := range shares {
		s := &shares[k]
		s.from, s.to = nodes*k/workers, nodes*(k+1)/workers
	}
	return shares, nil
}

// collect takes the results of the shares.
func (r *Rack) collect() {
	var first fault
	for k := range r.shares {
		s := &r.shares[k]
		if len(s.done) > 0 {
			r.done = append(r.done, s.done...)
			s.done = s.done[:0]
		}
		if s.completed > 0 {
			r.pending, r.busy = r.pending-s.completed, r.slot
			s.completed = 0
		}
		if s.fault.before(&first) {
			first = s.fault
		}
	}
	if r.broken == nil && first.text != "" {
		r.broken = fmt.Errorf("slot %d: %s", first.slot, first.text)
	}
}

// runShared runs slots with a goroutine a share. A node needs the others' cells of a flight ago, so that all meet once
// every flight; without a flight they meet in every slot, between sending and receiving.
func (r *Rack) runShared(slots uint64) {
	meeting := newMeeting(len(r.shares))
	var wait sync.WaitGroup
	for k := range r.shares[1:] {
		wait.Go(func() { r.runShare(&r.shares[k+1], slots, meeting) })
	}
	r.runShare(&r.shares[0], slots, meeting)
	wait.Wait()
	r.slot += slots
	r.collect()
}

func (r *Rack) runShare(s *share, slots uint64, m *meeting) {
	flight := uint64(r.Times.flight)
	for k := range slots {
		slot := r.slot + k
		if flight > 0 && k > 0 && k%flight == 0 {
			m.meet()
		}
		r.send(s, slot)
		if flight == 0 {
			m.meet()
		}
		if slot >= flight {
			r.receive(s, slot)
		}
	}
}

// meeting lets nobody go on before all have come.
type meeting struct {
	all   int
	mutex sync.Mutex
	moved sync.Cond
	come  int
	round atomic.Uint32
}

func newMeeting(all int) *meeting {
	m := &meeting{all: all}
	m.moved.L = &m.mutex
	return m
}

func (m *meeting) meet() {
	round := m.round.Load()
	m.mutex.Lock()
	if m.come++; m.come == m.all {
		m.come = 0
		m.round.Add(1)
		m.mutex.Unlock()
		m.moved.Broadcast()
		return
	}
	m.mutex.Unlock()
	for range 1000 { // about a microsecond, less than it takes to sleep and wake up
		if m.round.Load() != round {
			return
		}
	}
	m.mutex.Lock()
	for m.round.Load() == round {
		m.moved.Wait()
	}
	m.mutex.Unlock()
}
