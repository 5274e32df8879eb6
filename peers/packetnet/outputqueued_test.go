package packetnet_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/peers/packetnet"
	"github.com/goldwire/goldwire/workload"
)

// oracle is the output-queued switch as two rows of queues in order of arrival (Lindley's recursion): a frame starts
// when it is there and the one before it and its gap are over. Times are in byte times; each message is one frame. If
// two frames come to a queue at the same time, their order is not defined: then it is not clear.
func oracle(nodes int, msgs []workload.Message, delay int64) (finish []int64, clear bool) {
	type frame struct {
		msg  int
		at   int64
		wire int64
	}
	frames := make([]frame, len(msgs))
	for k, m := range msgs {
		frames[k] = frame{k, m.Start / byteTime, line(int64(m.Bytes) + 8)}
	}
	clear = true
	pass := func(link func(m workload.Message) int, more int64) {
		free := make([]int64, nodes)
		slices.SortFunc(frames, func(a, b frame) int { return cmp.Compare(a.at, b.at) })
		for k := range frames {
			to := link(msgs[frames[k].msg])
			for o := k + 1; o < len(frames) && frames[o].at == frames[k].at; o++ {
				clear = clear && link(msgs[frames[o].msg]) != to
			}
			l := &free[to]
			start := max(*l, frames[k].at)
			*l = start + frames[k].wire + 12
			frames[k].at = start + frames[k].wire + more
		}
	}
	pass(func(m workload.Message) int { return m.Source }, delay)
	pass(func(m workload.Message) int { return m.Dest }, 0)
	finish = make([]int64, len(msgs))
	for _, f := range frames {
		finish[f.msg] = f.at
	}
	return finish, clear
}

// The ideal switch's finish times equal the times that its definition gives, exactly.
func TestOutputQueuedSwitchAgainstItsDefinition(t *testing.T) {
	compared := 0
	for seed := uint64(0); compared < 20; seed++ {
		rng := rand.New(rand.NewPCG(seed, 1))
		nodes := 2 + rng.IntN(6)
		var msgs []workload.Message
		for k := range 100 {
			m := workload.Message{ID: uint64(k), Type: workload.Write, Source: rng.IntN(nodes), Bytes: 1 + rng.IntN(1448),
				Start: int64(rng.IntN(25_000)) * byteTime}
			m.Dest = (m.Source + 1 + rng.IntN(nodes-1)) % nodes
			msgs = append(msgs, m)
		}
		want, clear := oracle(nodes, msgs, 1000)
		if !clear {
			continue
		}
		compared++
		cfg := immediate(packetnet.OutputQueued, nodes)
		cfg.SwitchDelay = 1000 * byteTime
		require.Equal(t, want, finishes(finished(t, cfg, msgs)), "seed %d", seed)
	}
}

// Whichever nodes send to it, an egress that has frames sends: an incast is over when the link has carried all its
// bytes, and a node's messages take turns frame by frame.
func TestOutputQueuedSwitchIsWorkConserving(t *testing.T) {
	var msgs []workload.Message
	for k := 1; k < 8; k++ {
		msgs = append(msgs, write(k, 0, 10))
	}
	at := finishes(finished(t, immediate(packetnet.OutputQueued, 8), msgs))
	slices.Sort(at)
	require.EqualValues(t, full+70*1538-12, at[6])

	// from one node: turns of a frame, so that ten, ten and one frames end with the third, and the 20th and 21st
	r := finished(t, immediate(packetnet.OutputQueued, 4),
		[]workload.Message{write(0, 1, 10), write(0, 2, 10), write(0, 3, 1)})
	require.Equal(t, []int64{19*1538 + 2*full, 20*1538 + 2*full, 2*1538 + 2*full}, finishes(r))
}

// Eight nodes in pairs across the spines: sprayed frames of all of them leave no spine idle, so each pair gets its
// whole link but for a few frames. Pairs that keep their paths collide, and some get half.
func TestSprayingFillsTheSpines(t *testing.T) {
	var msgs []workload.Message
	for k := range 8 {
		msgs = append(msgs, write(k, (k+2)%8, 300))
	}
	cfg := onClos(immediate(packetnet.OutputQueued, 8))
	cfg.Spray = true
	last := slices.Max(finishes(finished(t, cfg, msgs)))
	require.GreaterOrEqual(t, last, int64(299*1538+4*full))
	require.LessOrEqual(t, last, int64(310*1538+4*full))
	cfg.Spray = false
	require.GreaterOrEqual(t, slices.Max(finishes(finished(t, cfg, msgs))), int64(600*1538))
}
