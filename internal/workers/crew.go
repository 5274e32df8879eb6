package workers

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Crew is workers that run something together, and may wait for each other. If one of them panics, nobody waits for it
// for ever.
type Crew struct {
	size   int
	failed atomic.Pointer[Panic] // the first
}

// NewCrew makes a crew of n workers, numbered from 0, for one run.
func NewCrew(n int) *Crew { return &Crew{size: n} }

// Failed tells whether a worker has panicked. A worker that waits for no other should ask now and then, and end. The
// call is a load of a word that is written at most once.
func (c *Crew) Failed() bool { return c.failed.Load() != nil }

// Panic is what a worker panicked with.
type Panic struct {
	Value any    // nil if its goroutine was ended, as by a test that fails
	Stack []byte // of its goroutine, if that is another one than the panic comes out on
	Where string // the module and the cycle, if they are known
}

// Unwrap returns the value if that is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Error shows both, as the run time does.
func (p *Panic) Error() string {
	value := p.Value
	if value == nil {
		value = "a worker's goroutine was ended"
	}
	text := fmt.Sprint(value)
	if p.Where != "" {
		text = p.Where + ": " + text
	}
	if p.Stack != nil {
		text += "\n\n" + string(p.Stack)
	}
	return text
}

// deserted is the panic of a worker that waits for one that panicked. Nobody sees it.
type deserted struct{}

// Run has each worker do its work, the first on this goroutine, the others beside it, all on processors of their own.
// It returns when all have ended. If one panics, Run panics with a *[Panic].
func (c *Crew) Run(work func(worker int)) {
	var all, placed sync.WaitGroup
	placed.Add(c.size - 1)
	for w := 1; w < c.size; w++ {
		all.Go(func() {
			defer Spread(w)()
			placed.Done()
			c.watched(work, w)
		})
	}
	placed.Wait() // a worker that is not running yet would wait for this one's processor
	func() {
		defer all.Wait()
		defer Spread(0)()
		c.watched(work, 0)
	}()
	if p := c.failed.Load(); p != nil {
		panic(p)
	}
}

// watched runs a worker's function, and keeps the first panic: panics of workers that were left waiting come later.
func (c *Crew) watched(work func(worker int), worker int) {
	ended := false
	defer func() {
		if ended {
			return
		}
		c.failed.CompareAndSwap(nil, &Panic{Value: recover(), Stack: debug.Stack()})
	}()
	work(worker)
	ended = true
}
