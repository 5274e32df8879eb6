package study_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
	"github.com/goldwire/goldwire/designs/drmt/study"
	"github.com/goldwire/goldwire/rtl"
)

// randomSchedule starts each operation at a random cycle that its predecessors and the machine allow, nil if none is
// found. Unlike a search it leaves results waiting for several periods, and actions starting when a result of the same
// table comes back.
func randomSchedule(rng *rand.Rand, g *schedule.Graph, ipc, period int) *schedule.Schedule {
	for range 200 {
		s := &schedule.Schedule{Graph: g, Limits: schedule.DRMT(ipc), Period: period, Start: make([]int, len(g.Nodes))}
		done := make([]bool, len(g.Nodes))
		for left := len(g.Nodes); left > 0; {
			v := rng.IntN(len(g.Nodes))
			ready, at := !done[v], 0
			for _, e := range g.Edges {
				if e.To == v {
					ready = ready && done[e.From]
					at = max(at, s.Start[e.From]+s.Limits.Latency(e.Delay))
				}
			}
			if !ready {
				continue
			}
			switch rng.IntN(4) {
			case 0:
				at += period * rng.IntN(3) // whole periods: a ring of the scratch pad is read and written in one cycle
			case 1:
				at += rng.IntN(2 * period)
			}
			s.Start[v], done[v] = at, true
			left--
		}
		if s.Validate() == nil {
			return s
		}
	}
	return nil
}

// runOnSwitch runs a random program on a random schedule, every fourth one in strict mode, and holds each packet to the
// interpreter's. If no machine runs the program it counts the reason and returns nil.
func runOnSwitch(
	t *testing.T, rng *rand.Rand, seed uint64, program study.Program, opt compile.Options, refused map[string]int,
) *study.Outcome {
	refuse := func(reason string) *study.Outcome {
		refused[reason]++
		return nil
	}
	g, err := compile.Graph(program.P4, opt)
	if err != nil {
		return refuse(err.Error())
	}
	period := 8 + rng.IntN(8)
	s := randomSchedule(rng, g, 1, period)
	if s == nil { // many operations find room in a longer one, at IPC 2
		s = randomSchedule(rng, g, 2, 2*period)
	}
	if s == nil {
		return refuse("no schedule")
	}
	c, err := compile.DRMT(program.P4, s, opt)
	if err != nil {
		return refuse(err.Error())
	}
	mode := rtl.Config{}
	if seed%4 == 0 {
		mode = rtl.Config{Mode: rtl.Strict, Seed: seed}
	}
	source := func() study.Source { return study.NewTraffic(program.P4, program.Entries, randomPackets, seed) }
	most, _ := c.Pace()
	o, err := study.RunSwitch(t.Context(), program, c, 1+rng.IntN(most), randomPackets, source, mode, nil)
	require.NoError(t, err, "seed %d", seed)
	require.Zero(t, o.Faults, "seed %d: %s", seed, o.FirstFault)
	require.EqualValues(t, randomPackets, o.Compared, "seed %d", seed)
	return &o
}

// Random programs on random schedules, at IPC 1 and 2 and on RMT: every packet is the interpreter's, nothing contends,
// each packet takes the schedule's length. Programs that no machine can run are refused; most are not.
func TestRandomPrograms(t *testing.T) {
	ran, refused, hits, slots := 0, 0, uint64(0), 0
	for seed := range uint64(randomPrograms) {
		rng := rand.New(rand.NewPCG(seed, 0x7034))
		p := newRandomProgram(rng)
		program := study.Program{P4: p, Entries: study.RandomEntries(p, 12, seed)}
		source := func() study.Source { return study.NewTraffic(p, program.Entries, randomPackets, seed) }
		opt := compile.Options{Entries: program.Entries}
		stages, err := compile.RMT(p, nil, opt)
		if err != nil {
			refused++
			continue
		}
		n := 1 + rng.IntN(len(stages.Image.Stages))
		o, err := study.RunPipeline(t.Context(), program, stages, n, randomPackets, source, rtl.Config{}, nil)
		require.NoError(t, err, "seed %d, RMT of %d stages", seed, n)
		require.Zero(t, o.Faults, "seed %d, RMT: %s", seed, o.FirstFault)
		g, err := compile.Graph(p, compile.Options{})
		require.NoError(t, err, "seed %d", seed)
		for ipc := 1; ipc <= 2; ipc++ {
			s := randomSchedule(rng, g, ipc, 4+rng.IntN(8))
			if s == nil {
				refused++
				continue
			}
			c, err := compile.DRMT(p, s, opt)
			require.NoError(t, err, "seed %d, IPC %d", seed, ipc)
			mode := rtl.Config{}
			if seed%8 == 0 {
				mode = rtl.Config{Mode: rtl.Strict, Seed: seed}
			}
			o, err := study.RunSwitch(t.Context(), program, c, s.Period, randomPackets, source, mode, nil)
			require.NoError(t, err, "seed %d, IPC %d, period %d, starts %v", seed, ipc, s.Period, s.Start)
			require.Zero(t, o.Faults, "seed %d, IPC %d: %s", seed, ipc, o.FirstFault)
			require.EqualValues(t, s.Length(), o.MinLatency)
			require.EqualValues(t, s.Length(), o.MaxLatency)
			require.LessOrEqual(t, o.Threads, s.Threads())
			hits += o.Hits
			for _, cycle := range c.Image.Slots {
				for i, slot := range cycle {
					if slot.Kind != 0 {
						slots = max(slots, i+1)
					}
				}
			}
			ran++
		}
	}
	t.Logf("%d runs, %d hits, up to %d slots in a cycle; refused: %d", ran, hits, slots, refused)
	require.Greater(t, ran, randomPrograms/2)
	require.Greater(t, hits, uint64(ran*randomPackets/2))
}
