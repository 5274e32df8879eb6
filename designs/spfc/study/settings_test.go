package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/spfc"
)

// Two flows of 1,000 packets meet at R1. At 120 us neither is through, so each has taken 120 us, against 93.92384 us
// for 1,001 packets and 10 us of wire. Of each flow, half of the sent packets have arrived.
func TestSlowdownOfUnfinishedFlows(t *testing.T) {
	sc := spfc.DefaultScenario(figure3a())
	sc.Flows = []spfc.Flow{{From: 1, To: 30, Bytes: 1_000_000}, {From: 2, To: 30, Bytes: 1_000_000}}
	f := newFabric(t, sc)
	require.NoError(t, f.Run(t.Context(), 120*spfc.Microsecond))
	all := slowdowns(f, func(int) bool { return true })
	got := all[2] // 100 KB to 1 MB
	require.Equal(t, []int{2, 0}, []int{got.Flows, got.Finished})
	require.InDelta(t, 120/93.92384, got.Mean, 1e-9)
	// the line to R1 is busy from 9.08384 us on: in 109.9 us it brings 1,311 packets
	require.InDelta(t, 1311./2*8000/120_000, got.Gbps, 0.1)
	require.Zero(t, all[0].Flows+all[1].Flows+all[3].Flows)
}

// The share of the time that H0 is paused is that in which its NIC may not send, seen every microsecond; and where the
// bursts begin does not matter to when their ports pause.
func TestBurstCountsPausesAndOffsets(t *testing.T) {
	q := closedPoint("dt1", 12)
	q.Lasts = 300 * spfc.Microsecond
	r, err := burst.Measure(t.Context(), q, 1)
	require.NoError(t, err)
	f, err := q.fabric(1)
	require.NoError(t, err)
	paused, begin := 0, spfc.Millisecond+9*spfc.Microsecond
	for at := begin; at < begin+q.Lasts; at += spfc.Microsecond {
		require.NoError(t, f.Net.Run(t.Context(), at))
		if f.Net.Open(0, 0)>>spfc.DataPriority&1 == 0 {
			paused++
		}
	}
	require.Greater(t, paused, 10)
	require.InDelta(t, float64(paused)/300, r.PausedShare, 0.02)

	q.Offset = 50 * spfc.Microsecond
	later, err := burst.Measure(t.Context(), q, 1)
	require.NoError(t, err)
	require.Positive(t, r.BurstPause)
	require.InDelta(t, float64(r.BurstPause), float64(later.BurstPause), 2*spfc.PacketBytes*80)
}

// Hosts H1 to H29 start together, each with a size of its own or all with one; H0 sends to both receivers.
func TestWorkloadBurstsAreSynchronous(t *testing.T) {
	q := workloadPoint{workloadSettings(), "dt1", 0.4, 0.2, 20 * spfc.Millisecond, true, "websearch", false}
	flows, err := workloadFlows(&q, 1)
	require.NoError(t, err)
	to, bursts := map[int]int{}, map[spfc.Time]map[int]int64{}
	for _, f := range flows {
		if f.From == 0 {
			require.Equal(t, spfc.WithDCQCN, f.Control)
			to[f.To]++
			continue
		}
		require.Equal(t, []any{31, spfc.Uncontrolled}, []any{f.To, f.Control})
		if bursts[f.Start] == nil {
			bursts[f.Start] = map[int]int64{}
		}
		bursts[f.Start][f.From] = f.Bytes
	}
	require.Len(t, to, 2)
	require.NotEmpty(t, bursts)
	for at, b := range bursts {
		require.Len(t, b, 29, "at %d ps", at)
		sizes := map[int64]bool{}
		for _, bytes := range b {
			sizes[bytes] = true
		}
		require.Greater(t, len(sizes), 5, "at %d ps", at)
	}

	q.Equal = true
	equal, err := workloadFlows(&q, 1)
	require.NoError(t, err)
	require.Len(t, equal, len(flows))
	differ := map[int64]bool{}
	for i, f := range equal {
		require.Equal(t, flows[i].Start, f.Start)
		if f.From == 0 {
			require.Equal(t, flows[i], f, "H0's flows are the same")
			continue
		}
		require.Equal(t, bursts[f.Start][1], f.Bytes, "the size that H1 has in either")
		differ[f.Bytes] = true
	}
	require.Greater(t, len(differ), 1, "each burst has a size of its own")
}
