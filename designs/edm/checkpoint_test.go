package edm

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload"
)

// A checkpoint has which ports are busy, also where several are freed in one cycle: all go on as without it.
func TestCheckpointWhilePortsAreFreedTogether(t *testing.T) {
	type network struct {
		*Network
		roots []any
	}
	build := func() (built network) {
		var messages []workload.Message
		for source := range 4 {
			messages = append(
				messages,
				workload.Message{ID: uint64(source), Type: workload.Write, Source: source, Dest: 4 + source, Bytes: 2000},
			)
		}
		stop := errors.New("built")
		_, err := Run(t.Context(), Config{Nodes: 8, Memory: 8192}, messages, Options{Watch: func(w Watched) error {
			built = network{w.Network, w.Roots}
			return stop
		}})
		require.ErrorIs(t, err, stop)
		return built
	}
	together := func(s *Scheduler) (most int) {
		for _, p := range s.due {
			length := 0
			for ; p >= 0 && length < len(s.dueAfter); p = s.dueAfter[p] {
				length++
			}
			most = max(most, length)
		}
		return most
	}
	save := func(n network) []byte {
		var file bytes.Buffer
		require.NoError(t, n.Sim.Save(&file, n.roots...))
		return file.Bytes()
	}
	from, to := build(), build()
	for from.Clock.Cycle() < 1000 && together(from.Scheduler) < 4 {
		require.NoError(t, from.Clock.Run(1))
	}
	require.Equal(t, 4, together(from.Scheduler))
	require.NoError(t, to.Sim.Restore(bytes.NewReader(save(from)), to.roots...))
	for _, n := range []network{from, to} {
		require.NoError(t, n.Clock.Run(600))
		require.Zero(t, together(n.Scheduler), "all is granted")
	}
	require.Equal(t, save(from), save(to))
}

// The load changes for messages not yet asked for, to the cycle.
func TestLoadAfterAFork(t *testing.T) {
	n, err := NewNetwork(Config{Nodes: 2})
	require.NoError(t, err)
	require.NoError(t, n.Clock.Run(WarmUp+1000))
	now := n.Clock.Cycle()
	a := &account{
		offered: 0.5, of: []int32{0, 1, 2},
		Result: &Result{Messages: make([]workload.Result, 3), Monitor: &Monitor{period: 640}},
	}
	n.Hosts[0].App.Requests = []Timed{
		{now - 10, Request{Tag: 0}}, {now + 100, Request{Tag: 1}}, {now + 301, Request{Tag: 2}},
	}
	n.Hosts[0].App.next = 0
	a.offer(n, 0.25)
	q := n.Hosts[0].App.Requests
	require.Equal(t, []uint64{now - 10, now + 200, now + 602}, []uint64{q[0].Cycle, q[1].Cycle, q[2].Cycle})
	require.Equal(
		t, []int64{0, 1200 * 640, 1602 * 640},
		[]int64{a.Result.Messages[0].Start, a.Result.Messages[1].Start, a.Result.Messages[2].Start},
	)
	a.offer(n, 0.5)
	require.Equal(t, now+301, q[2].Cycle)
}

// built is a run before its first edge, with messages to send.
func built(t *testing.T, sim rtl.Config) Watched {
	var w Watched
	stop := errors.New("built")
	_, err := Run(
		t.Context(),
		Config{Nodes: 4, Sim: sim},
		mixed(4, 4, 60, 256, 10_000),
		Options{Watch: func(of Watched) error {
			w = of
			return stop
		}},
	)
	require.ErrorIs(t, err, stop)
	return w
}

// Workers lock the monitor's queues of words, and nobody else, whichever mode a checkpoint was made in.
func TestLocksAfterACheckpointOfAnotherMode(t *testing.T) {
	for _, parallel := range []bool{false, true} {
		from, to := built(t, rtl.Config{}), built(t, rtl.Config{Mode: rtl.Parallel, Workers: 2})
		if !parallel {
			from, to = to, from
		}
		var saved bytes.Buffer
		require.NoError(t, from.Network.Sim.Save(&saved, from.Roots...))
		require.NoError(t, to.Network.Sim.Restore(&saved, to.Roots...))
		for _, q := range to.Roots[0].(*account).Result.Monitor.expected {
			require.Equal(t, parallel, q.shared)
		}
	}
}
