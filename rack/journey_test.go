package rack

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload"

	shoalstudy "github.com/goldwire/goldwire/designs/shoal/study"
)

// Each fabric's stages add up to the message's time, which the experiment compare has too; an Ethernet's parts by hand.
func TestJourneys(t *testing.T) {
	for _, kind := range []string{"write", "read"} {
		out := run(t, journeys, "fabrics", "all", "type", kind, "bytes", "500", "nodes", "9")
		require.Empty(t, out.Report.Failed)
		require.Len(t, out.Points, len(fabrics()))
		for _, p := range out.Points {
			q, r := p.Point.(journeyPoint), p.Result.(*journeyResult)
			f, err := named(q.Fabric)
			require.NoError(t, err)
			sum := int64(0)
			for _, part := range parts {
				require.GreaterOrEqual(t, r.of(part), int64(0), "%s %s", q.Fabric, part)
				sum += r.of(part)
			}
			require.Equal(t, r.Total, sum, q.Fabric)
			if f.Fidelity != bySlot { // whose lone time is a mean over the schedule
				ns, err := f.alone(t.Context(), q.Links, q.Type, q.Bytes)
				require.NoError(t, err)
				require.EqualValues(t, r.Total, ns*1000, q.Fabric)
			}
			trips := map[string]int64{"write": 1, "read": 2}[kind]
			switch q.Fabric {
			case "dctcp", "spfc":
				require.Equal(t, trips*2*245_560, r.of(partNodes))
				require.Equal(t, trips*430_720, r.of(partSwitch))
				require.Equal(t, trips*2*48_000, r.of(partCable))
				require.Zero(t, r.of(partWait))
			case "fastpass":
				require.Positive(t, r.of(partWait))
			case "edm": // four cables of 48 ns, and no more than three cycles of 0.64 ns at each end to come over
				require.GreaterOrEqual(t, r.of(partCable), int64(4*48_000))
				require.LessOrEqual(t, r.of(partCable), int64(4*(48_000+16*640)))
			}
		}
	}
}

// The way of the last cell by hand: three hops to node 1, of which the last comes by node 3.
func TestLastCell(t *testing.T) {
	hops := []shoalstudy.Hop{
		{Slot: 0, From: 0, To: 1}, {Slot: 1, From: 0, To: 2}, {Slot: 2, From: 0, To: 3}, {Slot: 5, From: 2, To: 1},
		{Slot: 9, From: 3, To: 1},
	}
	require.Equal(t, []shoalstudy.Hop{hops[2], hops[4]}, lastCell(hops, 0, 1, 0, 20, 2))
	require.Equal(t, []shoalstudy.Hop{hops[1], hops[3]}, lastCell(hops, 0, 1, 0, 9, 2), "before slot 9")
	require.Equal(t, []shoalstudy.Hop{hops[0]}, lastCell(hops, 0, 1, 0, 5, 2))
	require.Empty(t, lastCell(hops, 0, 1, 10, 20, 2))
}

// A packet that l2l3 forwards is 76 cycles in a processor, as `goldwire run drmt program` measures between edges: 63.33
// ns at 1.2 GHz, and MAC and PCS of two ports, 30.72 ns.
func TestAProgramForwards(t *testing.T) {
	l := defaultLinks()
	l.Program = "l2l3"
	require.NoError(t, l.forward(experiment.WithMemo(t.Context())))
	require.Equal(t, clock.MustTime("1ns").Times(76*10).Add(clock.MustTime("30.72ns").Times(12)), l.Switch.Times(12))
	require.Equal(t, noProgram, l.Program)
	with := defaultLinks()
	f, err := named("dctcp")
	require.NoError(t, err)
	slow, err := f.alone(t.Context(), with, workload.Write, 100)
	require.NoError(t, err)
	fast, err := f.alone(t.Context(), l, workload.Write, 100)
	require.NoError(t, err)
	require.InDelta(t, 430.72-94.05, slow-fast, 0.1)
}
