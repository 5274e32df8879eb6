package spfc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/peers/dcqcn"
)

// The interval is counted from the last CNP, not from the last mark, and is over at its end: 4 us with the timers of
// cards, 50 us with the publication's.
func TestWhenACNPIsSent(t *testing.T) {
	for _, c := range []struct {
		timers   dcqcn.Parameters
		interval Time
	}{{dcqcn.Card(100 * gbps), 4 * Microsecond}, {dcqcn.Paper(100 * gbps), 50 * Microsecond}} {
		sc := DefaultScenario(figure3a())
		sc.DCQCN = c.timers
		sc.Flows = []Flow{{0, 31, 50_000, 0, WithDCQCN}}
		f := newFabric(t, sc)
		for seq, s := range []struct {
			at   Time
			mark bool
			cnps int64
		}{
			{0, false, 0},
			{1, true, 1}, // the first mark at once
			{c.interval / 2, true, 1},
			{c.interval, true, 1},
			{c.interval + 1, true, 2},
			{2*c.interval + 1, false, 2}, // no mark, no CNP
			{2*c.interval + 9, true, 3},
			{3*c.interval + 8, true, 3},
			{3*c.interval + 9, true, 4},
		} {
			f.Hosts[31].Receive(s.at, 0, &Packet{Kind: dataPacket, Seq: uint64(seq), Bytes: PacketBytes, CE: s.mark})
			require.Equal(t, s.cnps, f.Hosts[31].CNPs, "at %d ps", s.at)
		}
		require.NoError(t, f.Net.err)
	}
}

// A sender's rate rises while nothing comes back: cut to 50 Gb/s at 0, it is half the way up again at 300 us, and a
// flow that starts at 350 us sends its packets of 8,384 bits at 75 Gb/s.
func TestARateRisesWithoutCNPs(t *testing.T) {
	sc := DefaultScenario(SingleSwitch(1, Microsecond, Gbps100, 1_000_000))
	sc.Flows = []Flow{{0, 1, 3000, 350 * Microsecond, WithDCQCN}}
	f := newFabric(t, sc)
	f.Traffic.Flows[0].dcqcn.Notify(&f.Traffic.DCQCN, 0)
	r := &recorder{Host: *f.Hosts[1]}
	f.Net.sites[1].node = r
	require.NoError(t, f.Net.Run(t.Context(), Millisecond))
	require.Len(t, r.at, 3)
	require.EqualValues(t, 111_787, r.at[1]-r.at[0]) // 8,384 bits at 75 Gb/s, rounded up
	require.EqualValues(t, 111_787, r.at[2]-r.at[1])
}

// CNPs and acknowledgements go before data, also while data is paused.
func TestAnswersGoFirst(t *testing.T) {
	sc := DefaultScenario(figure3a())
	sc.Flows = []Flow{{0, 31, 5000, 0, Uncontrolled}, {31, 0, 5000, 0, WithDCQCN}}
	f := newFabric(t, sc)
	h := f.Hosts[0]
	h.ready.push(0)
	for _, open := range []uint8{0xff, 0xff &^ (1 << DataPriority)} {
		h.answer(Packet{Flow: 1, Kind: cnpPacket}, &f.Traffic.Flows[1])
		p, _ := h.Transmit(0, 0, open)
		require.NotNil(t, p)
		require.Equal(t, []any{cnpPacket, uint8(controlPriority), uint16(64), uint16(31)},
			[]any{p.Kind, p.Prio, p.Bytes, p.Dest})
	}
	none, _ := h.Transmit(0, 0, 0xff&^(1<<DataPriority))
	require.Nil(t, none)
	p, _ := h.Transmit(0, 0, 0xff)
	require.NotNil(t, p)
	require.Equal(t, dataPacket, p.Kind)
}

// An RTT below T_low ends a row of falling ones: the count to the fifth begins again.
func TestTIMELYCountsInARow(t *testing.T) {
	p := DefaultTIMELY(100 * gbps)
	var r timelyRate
	r.start(100 * gbps)
	r.rate = 20 * gbps
	for k, step := range []struct {
		rtt  Time
		rate float64
	}{
		{100, 20.1}, {100, 20.2}, {100, 20.3}, {100, 20.4},
		{49, 20.5},
		{49, 20.6}, {49, 20.7}, // however many
	} {
		r.complete(&p, step.rtt*Microsecond)
		require.InDelta(t, step.rate*gbps, float64(r.rate), 1, "step %d", k)
	}
	r.diff, r.Last = 0, 100*Microsecond
	for _, rate := range []float64{20.8, 20.9, 21, 21.1, 21.6} {
		r.complete(&p, 100*Microsecond)
		require.InDelta(t, rate*gbps, float64(r.rate), 1)
	}
}
