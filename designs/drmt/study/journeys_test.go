package study_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/study"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload/journey"
)

// ways runs the experiment program and returns the packets' ways, and the counts.
func ways(t *testing.T, settings map[string]string) (*journey.Log, study.RunResult) {
	t.Helper()
	p := study.RunExperiment.Params()
	for flag, value := range settings {
		require.NoError(t, p.Find(flag).Set(value), flag)
	}
	out, err := study.RunExperiment.Run(t.Context(), p, experiment.Options{Seed: 1, Journeys: 20})
	require.NoError(t, err)
	return out.Journeys, out.Points[0].Result.(study.RunResult)
}

// A packet's time in its processor is the schedule's length, as the monitor counts it for the claims; then the egress
// takes an edge. A packet enters each cycle, and the processors take turns.
func TestJourneysAreTheLatency(t *testing.T) {
	log, r := ways(t, map[string]string{"program": "l2l3", "packets": "12"})
	require.Len(t, log.Journeys, 12)
	designtest.CheckTraceEvents(t, log)
	for i, j := range log.Journeys {
		require.Equal(t, fmt.Sprintf("packet %d", i), j.Name)
		require.Len(t, j.Stages, 2)
		require.Equal(t, fmt.Sprint(r.Length), j.Stages[0].Time().In(log.Cycle).RatString())
		require.EqualValues(t, r.MinLatency, r.Length)
		require.Equal(t, "1", j.Stages[1].Time().In(log.Cycle).RatString())
		require.Equal(t, fmt.Sprint(i), j.Stages[0].From.In(log.Cycle).RatString())
		require.Equal(t, log.Journeys[i%r.Units].Stages[0].Place, j.Stages[0].Place)
	}
}

// A lone packet shows its keys and results; the stages still add up to the schedule's length.
func TestJourneyOfALonePacket(t *testing.T) {
	log, r := ways(t, map[string]string{"program": "l2l3", "packets": "1"})
	require.Len(t, log.Journeys, 1)
	j := log.Journeys[0]
	seen := map[string]int{}
	for _, s := range j.Stages {
		seen[s.What]++
	}
	require.Positive(t, seen["to the next key"])
	require.Positive(t, seen["key to result"])
	require.Equal(t, 1, seen["to the output"])
	require.Equal(t, fmt.Sprint(r.Length+1), j.Total().In(log.Cycle).RatString())
}

// In RMT a packet takes 20 cycles a stage, one less in the first, since it counts from the edge that takes the packet.
func TestJourneysThroughStages(t *testing.T) {
	log, r := ways(t, map[string]string{"program": "rewriter", "machine": "rmt", "packets": "5"})
	require.Len(t, log.Journeys, 5)
	for _, j := range log.Journeys {
		require.Len(t, j.Stages, r.Units+1)
		for i, s := range j.Stages[:r.Units] {
			want := drmt.StageLatency
			if i == 0 {
				want--
			}
			require.Equal(t, fmt.Sprint(want), s.Time().In(log.Cycle).RatString(), s.Name())
		}
		require.Equal(t, fmt.Sprint(r.MinLatency+1), j.Total().In(log.Cycle).RatString())
	}
}

// A packet that is recirculated passes the stages again, and all of it is one way.
func TestJourneysOfRecirculatedPackets(t *testing.T) {
	log, r := ways(t, map[string]string{"program": "l2l3", "machine": "rmt", "processors": "3", "packets": "3"})
	passes := (r.Needed + 2) / 3
	require.Greater(t, passes, 1)
	require.Len(t, log.Journeys, 3)
	for _, j := range log.Journeys {
		require.Len(t, j.Stages, 3*passes+1)
		require.Equal(t, fmt.Sprint(r.MinLatency+1), j.Total().In(log.Cycle).RatString())
	}
}
