package edm

import "github.com/goldwire/goldwire/rtl"

// Requester is the application of a node: it asks its host for memory accesses in order, each not before its cycle, and
// collects the completions.
type Requester struct {
	Ready rtl.In[bool]
	Done  rtl.In[Completion]
	Out   rtl.Out[Request]

	Requests []Timed // in the order of their cycles; a testbench may append between runs
	// Finished, if not nil, is called at the edge that takes a completion. It looks at no port, and a checkpoint does not
	// see its changes.
	Finished func(Completion) `state:"none" ports:"none"`

	Now  uint64
	next int
}

// Timed is a request and the cycle in which it may come.
type Timed struct {
	Cycle uint64
	Request
}

// Output is the stream of requests.
func (r *Requester) Output() rtl.Producer[Request] {
	return rtl.Producer[Request]{Beat: &r.Out, Ready: &r.Ready}
}

// Reset asks for nothing yet.
func (r *Requester) Reset() {
	r.Now, r.next = 0, 0
	r.Out.Set(Request{})
}

// Tick asks for the next access when the last was taken.
func (r *Requester) Tick() {
	r.Now++
	if c := r.Done.Get(); c.Valid && r.Finished != nil {
		r.Finished(c)
	}
	if r.Out.Get().Valid && !r.Ready.Get() {
		return
	}
	if r.next < len(r.Requests) && r.Requests[r.next].Cycle <= r.Now {
		q := r.Requests[r.next].Request
		q.Valid = true
		r.Out.Set(q)
		r.next++
		return
	}
	r.Out.Set(Request{})
}

// Asked returns how many requests have been offered.
func (r *Requester) Asked() int { return r.next }
