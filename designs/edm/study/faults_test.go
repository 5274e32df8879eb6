package study

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
)

// mirrored draws a network with two switches.
func mirrored(t *rapid.T) edm.Config {
	cfg := edm.Config{
		Nodes:    rapid.IntRange(2, 8).Draw(t, "nodes"),
		Lanes:    rapid.SampledFrom([]int{1, 4}).Draw(t, "lanes"),
		Chunk:    8 * rapid.IntRange(1, 40).Draw(t, "chunk words"),
		Active:   rapid.IntRange(1, 4).Draw(t, "active"),
		Policy:   rapid.SampledFrom([]edm.Policy{edm.SRPT, edm.FCFS}).Draw(t, "policy"),
		Equalise: rapid.Bool().Draw(t, "equalise"),
		Memory:   8192,
		Queue:    rapid.IntRange(1, 20).Draw(t, "queue"),
		Slack:    edm.SlackRMW,
		Batch:    rapid.SampledFrom([]int{0, 300}).Draw(t, "batch"),
		Mirror:   true,
	}
	for range cfg.Nodes {
		cfg.Phases = append(cfg.Phases, clock.MustTime("0.04ns").Times(int64(rapid.IntRange(0, 15).Draw(t, "phase"))))
	}
	return cfg
}

// A switch may die at any time, in the middle of any message, or a link from it, or one to it if it then stops:
// everything arrives whole, once and in order.
func TestMirror(t *testing.T) { checkMirror(t, 16) }

func checkMirror(t *testing.T, count int) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := mirrored(t)
		most := rapid.SampledFrom([]int{8, 64, 700, 4000}).Draw(t, "most bytes")
		messages := mixed(
			rapid.Uint64().Draw(t, "seed"), cfg.Nodes, count, most,
			int64(rapid.SampledFrom([]int{0, 2000, 50_000}).Draw(t, "interval")),
		)
		dies, at := rapid.IntRange(0, 1).Draw(t, "dies"), uint64(rapid.IntRange(1, 3000).Draw(t, "at"))
		fault := rapid.SampledFrom([]mirrorCase{switchDies, linkDownDies, linkUpFailStop}).Draw(t, "fault")
		node := rapid.IntRange(0, cfg.Nodes-1).Draw(t, "node")
		if fault.alter != nil {
			fault.alter(&cfg)
		}
		r, err := edm.Run(
			t.Context(), cfg, messages,
			edm.Options{Prepare: func(n *edm.Network) { require.NoError(t, fault.plan(n, dies, node, at)) }},
		)
		require.NoError(t, err)
		finished(t, r)
	})
}

// Timers of several hosts run out at the same time: what each counts is the same in all modes.
func TestModesOfTimers(t *testing.T) {
	var messages []workload.Message
	for i := range 30 {
		messages = append(messages, workload.Message{ID: uint64(i), Type: workload.Read, Source: i % 3, Dest: 3, Bytes: 64})
	}
	var want *edm.Result
	for _, sim := range modes {
		r, err := edm.Run(
			t.Context(),
			edm.Config{Nodes: 4, Timeout: period(500), Sim: sim},
			messages,
			edm.Options{Lossy: true, Limit: 20_000_000,
				Prepare: func(n *edm.Network) { require.NoError(t, n.KillNode(3, edm.WarmUp+150)) }},
		)
		require.NoError(t, err)
		if want == nil {
			want = r
			require.Greater(t, r.Nulls, 10)
		}
		require.Equal(t, want.Nulls, r.Nulls, "%v", sim)
		require.Equal(t, want.Messages, r.Messages, "%v", sim)
		require.Equal(t, want.Cycles, r.Cycles, "%v", sim)
	}
}

// visible tells whether a flipped bit of a message between idle blocks makes a block that cannot be: everything that
// EDM can see. The descrambler passes it on three times.
func visible(bit, blocks int) bool {
	if bit%66 < 2 {
		return true // sync header
	}
	for _, further := range []int{0, 39, 58} {
		at := bit%66 - 2 + further
		switch block := bit/66 + at/64; {
		case block == blocks: // idle
			return true
		case block == 0 || block == blocks-1: // control: its type
			if at%64 < 8 {
				return true
			}
		}
	}
	return false
}

func TestWhichBitErrorsAreSeen(t *testing.T) {
	const step = 7
	r, err := corruption(t.Context(), 64, step, 6, 1)
	require.NoError(t, err)
	names := ""
	for _, s := range r.Sweeps {
		names += s.Message + " " + s.Link + ", "
		want := 0
		for bit := 0; bit < 66*s.Blocks; bit += step {
			if visible(bit, s.Blocks) {
				want++
			}
		}
		require.Equal(t, want, s.Seen, "%s %s", s.Message, s.Link)
		require.Zero(t, s.Unseen.Whole, "%s %s: what is not seen does harm", s.Message, s.Link)
		all := s.Unseen
		all.add(s.IfSeen)
		require.Equal(t, s.Flips.Flips, all.Whole+all.Corrupt+all.Null+all.Silent+all.Stuck)
		if s.Message == "RREQ" || s.Message == "RRES" {
			require.Zero(t, all.Stuck, "a read has a timer")
		}
	}
	require.Equal(t, "RREQ up, RREQ down, RRES up, RRES down, /N/ up, /G/ down, WREQ up, WREQ down, ", names)
	require.Equal(t, 6, r.Busy.Seen+r.Busy.Harmful+r.Busy.Harmless)
}

func TestMirroredSwitches(t *testing.T) {
	for _, c := range []struct {
		mirrorCase
		runs int
		well bool
	}{{switchDies, 4, true}, {linkDownDies, 4, true}, {linkUpFailStop, 6, true}, {longerLinksDies, 3, true},
		{linkUpDies, 6, false}, {nearlyEqual, 8, false}, {unevenLinks, 4, false}} {
		m, err := c.run(t.Context(), c.runs, 1)
		require.NoError(t, err)
		require.Equal(t, c.well, m.wrong() == 0, "%+v", m)
		require.Equal(t, c.runs*60, m.Messages)
	}
}

// With the only switch dead, answered and unanswered messages add up, and only reads are answered.
func TestSwitchAlone(t *testing.T) {
	a, err := alone(t.Context(), 2, false, 1)
	require.NoError(t, err)
	require.Equal(t, a.Messages, a.Finished+a.Null+a.Silent+a.blocked())
	require.Positive(t, a.Null)
	require.Positive(t, a.Stuck)

	a, err = alone(t.Context(), 2, true, 1)
	require.NoError(t, err)
	require.Positive(t, a.Null)
	require.Zero(t, a.blocked(), "with timers for writes too nobody waits in vain")
}

func TestDeadNode(t *testing.T) {
	r, err := deadNode(t.Context(), 4, 1)
	require.NoError(t, err)
	require.Positive(t, r.Reads.Null)
	require.Zero(t, r.Reads.Hung)
	require.Less(
		t, r.Reads.MostNullNS, r.TimeoutNS+600,
		"a NULL response comes with the timer, which starts when the request leaves",
	)
	require.Positive(t, r.Others)
	require.Zero(t, r.Lost)
	require.Zero(t, r.Waiting)
	require.Positive(t, r.CircuitsFrom)
	require.LessOrEqual(
		t, r.CircuitsFrom, r.Runs*(r.Nodes-1)*3*3, "at most X reads a pair, chunks of 256 of at most 600 bytes",
	)
}

// A node that dies in the middle of a response gives the reader's port back: another's response comes through.
func TestSenderDiesWithinChunk(t *testing.T) {
	broken := 0
	for cycle := uint64(edm.WarmUp + 60); cycle < edm.WarmUp+160; cycle += 3 {
		var net *edm.Network
		messages := []workload.Message{
			{ID: 0, Type: workload.Read, Source: 0, Dest: 2, Bytes: 256},
			{ID: 1, Type: workload.Read, Source: 0, Dest: 1, Bytes: 256, Start: 1_000_000},
		}
		r, err := edm.Run(
			t.Context(),
			edm.Config{Nodes: 3, Timeout: period(1000)},
			messages,
			edm.Options{Lossy: true, Prepare: func(n *edm.Network) {
				net = n
				require.NoError(t, n.KillNode(2, cycle))
			}},
		)
		require.NoError(t, err)
		require.True(t, r.Messages[1].Finished, "cycle %d", cycle)
		require.Empty(t, r.Monitor.Violations)
		if sent := net.Ports[0].Mux.Sent().Data; !r.Messages[0].Finished && sent > 34 { // of the second: 34
			broken++
		}
	}
	require.Greater(t, broken, 5, "deaths in the middle of the chunk")
}

// An interrupted run of the experiment shows its finished points.
func TestFaultReport(t *testing.T) {
	done := []experiment.Result[faultPoint, faultResult]{
		{
			Value: faultResult{
				Corruption: &corruptionReport{
					Bytes: 64, Sweeps: []sweep{{Message: "/N/", Link: "up", Blocks: 1, Flips: Flips{Flips: 66, Seen: 33}}},
				},
			},
		},
		{
			Value: faultResult{Mirrored: &mirrorRuns{Case: "one switch dies"}},
		}, {Value: faultResult{Node: &nodeReport{Nodes: 6}}},
	}
	for n, want := range []string{"33 (50.0 %)", "one switch dies", "6 nodes"} {
		r, err := reportFaults(nil, done[:n+1])
		require.NoError(t, err)
		var b strings.Builder
		require.NoError(t, r.WriteText(&b, 0))
		require.Contains(t, b.String(), want)
	}
	_, err := claims.NewSet(faultClaims())
	require.NoError(t, err)
}
