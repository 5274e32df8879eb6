package edm

import (
	"math"

	"github.com/goldwire/goldwire/workload"
)

// account is what a run knows of its messages.
type account struct {
	Result    *Result
	left      []int32 // pieces of each message
	of        []int32 // the message of each request, by tag
	completed []bool  // by tag
	ended     []tally // by host
	until     uint64  // the cycle at which the run ends, 0 while it is not known
	offered   float64 // Options.Offered
}

// tally counts a host's ended messages. Each counts for itself: in parallel mode hosts run at the same time.
type tally struct {
	finished int      // messages whose last byte has come to it
	nulls    int      // of its own that were answered by their timers
	twice    []uint32 // tags that its application was told of more than once
	_        [64]byte // on a cache line of its own
}

// newAccount returns the account of a run of messages that are not asked for yet, with the network's monitor.
func newAccount(n *Network, messages []workload.Message, o Options) *account {
	a := &account{Result: &Result{Messages: make([]workload.Result, len(messages))}, left: make([]int32, len(messages)),
		ended: make([]tally, n.Config.Nodes), offered: o.Offered}
	a.Result.Monitor = newMonitor(n, o.Lossy, a.finish)
	return a
}

// ask puts the requests of messages, in an order, into the lists of their hosts, each with room for its pieces, and
// tells the monitor of each: tags, the lists and what the monitor expects are in one order.
func (a *account) ask(n *Network, messages []workload.Message, order, pieces []int) {
	all := 0
	for host, p := range pieces {
		n.Hosts[host].App.Requests = make([]Timed, 0, p)
		all += p
	}
	m := a.Result.Monitor
	m.expect(all)
	a.of, a.completed = make([]int32, 0, all), make([]bool, all)
	places := make([]int, n.Config.Nodes) // next of a response in the local memory, around and around
	for _, i := range order {
		msg := messages[i]
		a.Result.Messages[i].Message = msg
		for at := 0; at < msg.Bytes; at += MostPiece {
			size := min(MostPiece, msg.Bytes-at)
			q := Timed{
				Cycle:   WarmUp + uint64((msg.Start+m.period-1)/m.period),
				Request: request(msg, at, size, n.Config.Memory, uint32(len(a.of))),
			}
			q.Rest = uint32(msg.Bytes - at - size)
			if place := &places[msg.Source]; q.Kind != WREQ {
				if *place+words(int(q.Bytes)) > n.Config.Local {
					*place = 0
				}
				q.Local = uint64(*place)
				*place += words(int(q.Bytes))
			}
			n.Hosts[msg.Source].App.Requests = append(n.Hosts[msg.Source].App.Requests, q)
			m.add(msg.Source, q.Request)
			a.of = append(a.of, int32(i))
			a.left[i]++
		}
	}
}

// offer changes the load of messages not yet asked for: the time to it, and between its messages, is longer or shorter
// from now on.
func (a *account) offer(n *Network, load float64) {
	if load == a.offered {
		return
	}
	now, ratio := n.Clock.Cycle(), a.offered/load
	for _, h := range n.Hosts {
		for i := range h.App.Requests[h.App.next:] {
			q := &h.App.Requests[h.App.next+i]
			if q.Cycle <= now { // it waits for its host
				continue
			}
			q.Cycle = now + uint64(math.Ceil(float64(q.Cycle-now)*ratio))
			m := &a.Result.Messages[a.of[q.Tag]]
			m.Start = int64(q.Cycle-WarmUp) * a.Result.Monitor.period
		}
	}
	a.offered = load
}

// last is when the last message starts.
func (a *account) last() (at int64) {
	for i := range a.Result.Messages {
		at = max(at, a.Result.Messages[i].Start)
	}
	return at
}

// pending is how many messages have not ended.
func (a *account) pending() int {
	p := len(a.left)
	for i := range a.ended {
		p -= a.ended[i].finished + a.ended[i].nulls
	}
	return p
}

// finish takes a request whose last byte has come to a host.
func (a *account) finish(host int, tag uint32, picoseconds int64) {
	i := a.of[tag]
	if a.left[i]--; a.left[i] == 0 {
		w := &a.Result.Messages[i]
		w.Finished, w.Finish = true, picoseconds
		a.ended[host].finished++
	}
}

// complete takes what a host tells its application.
func (a *account) complete(host int, c Completion) {
	e := &a.ended[host]
	if a.completed[c.Tag] {
		e.twice = append(e.twice, c.Tag)
	}
	a.completed[c.Tag] = true
	if i := a.of[c.Tag]; c.Null && a.left[i] > 0 {
		e.nulls++
		a.left[i] = 0
	}
}
