package edm

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/tb"
	"github.com/goldwire/goldwire/vectors"
)

// An application that asks faster than the host can send waits for its ready, and its requests are taken once each, in
// order. The requester's own stream and one with pauses keep the rules.
func TestRequestsAreAStream(t *testing.T) {
	var requests []Request
	for i := range 40 {
		requests = append(requests, Request{Valid: true, Kind: RREQ, Dest: uint16(i % 3), Bytes: 64, Tag: uint32(i)})
	}
	app := &Requester{}
	for _, q := range requests {
		app.Requests = append(app.Requests, Timed{Request: q})
	}
	left := requests
	sender := &vectors.Sender[Request]{Next: func(cycle uint64) Request {
		if len(left) == 0 || cycle%8 == 3 {
			return Request{}
		}
		q := left[0]
		left = left[1:]
		return q
	}}
	for name, p := range map[string]struct {
		module rtl.Module
		out    rtl.Producer[Request]
	}{"requester": {app, app.Output()}, "sender": {sender, sender.Output()}} {
		host := &HostTx{Types: DefaultTypes, Node: 3, Nodes: 4, Active: 16, Chunk: 256, Queue: 4}
		monitor := &tb.Monitor[Request]{}
		runModules(t, 400, func(s *rtl.Scope) {
			s.Add("app", p.module)
			s.Add("host", host)
			s.Add("monitor", monitor)
			rtl.ConnectStream(p.out, host.Input(), monitor.Tap())
			if p.module == app {
				rtl.Connect(&host.Done, &app.Done)
			}
			rtl.Tie(Event{}, &host.Event)
			rtl.Tie(Word{}, &host.Word)
			rtl.Tie(0, &host.Loaded)
			rtl.Tie(false, &host.Arrived, &host.Written, &host.HoldControl, &host.HoldData)
		})
		require.NoError(t, monitor.Err(), name)
		require.Positive(t, monitor.Waits(), name)
		var taken []Request
		for _, b := range monitor.Beats() {
			taken = append(taken, b.Data)
		}
		require.Equal(t, requests, taken, name)
	}
}
