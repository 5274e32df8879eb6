package spfc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// IRC counts packets if it is told to, whatever their size: 12.5 GB/s for 3.2 us are 40,000 bytes, 40 packets of
// 1,000, by K = 10 four.
func TestIRCCountsPackets(t *testing.T) {
	for packets, victims := range map[int64][]bool{0: {false, false, false, false}, 1000: {false, false, false, true}} {
		cfg := DefaultBuffer(1, 1<<20, 0)
		cfg.Window, cfg.K, cfg.Packets = 3200*Nanosecond, 10, packets
		m, err := NewManager(cfg)
		require.NoError(t, err)
		for k, want := range victims {
			m.Enqueue(0, 0, 3, 0, 64)
			m.Dequeue(0, 0, 3, 0, 64)
			c, _ := m.Circuit(0, 0)
			require.Equal(t, want, c.Victim, "packets of %d, dequeue %d", packets, k+1)
		}
	}
}

// A packet that is marked as it comes is marked by the bytes in its queue before it: not by its own, and not by those
// in other queues.
func TestMarksOfArrivals(t *testing.T) {
	cfg := DefaultBuffer(2, 1<<24, 0)
	cfg.MarkArrivals = true
	for i := range cfg.Ports {
		cfg.Ports[i].ECN = ECN{KMin: 10_000, KMax: 10_000, PMax: 1}
	}
	m, err := NewManager(cfg)
	require.NoError(t, err)
	for _, s := range []struct {
		out   int
		bytes int64
		mark  bool
	}{{0, 9_000, false}, {0, 1_000, false}, {0, 1, false}, {1, 20_000, false}, {0, 1, true}, {1, 1, true}} {
		m.Enqueue(0, 0, 3, s.out, s.bytes)
		require.Equal(t, s.mark, m.Arrived(3, s.out, s.bytes), "%+v", s)
	}
	_, mark := m.Dequeue(0, 0, 3, 1, 1)
	require.False(t, mark, "20,000 bytes are left, but arrivals are marked")
}

// The path worked out for a flow in an idle network is the one its packets take, at every switch.
func TestSwitchesTakeTheWayThatIsWorkedOut(t *testing.T) {
	top := Clos(2)
	f := newFabric(t, DefaultScenario(top))
	for s, sw := range f.Switches {
		for flow := range uint32(40) {
			to := int(flow*37) % top.Hosts
			require.Equal(t, top.pick(f.routes, top.Hosts+s, to, flow), sw.Route(&Packet{Flow: flow, Dest: uint16(to)}),
				"%s, flow %d to H%d", top.Names[s], flow, to)
		}
	}
}

// A mark is drawn for every packet, for one that has a mark already as well, as it comes or as it leaves. Of 20 that
// come ten times as fast as they go, the first leaves at once and the second finds nothing either; as they leave, the
// first and the last leave nothing.
func TestMarkedPacketsAreCountedAgain(t *testing.T) {
	for _, arrivals := range []bool{false, true} {
		cfg := SwitchConfig{Buffer: DefaultBuffer(2, 1<<20, 50_000)}
		cfg.Buffer.MarkArrivals = arrivals
		cfg.Buffer.Ports[1].ECN = ECN{KMin: 0, KMax: 1, PMax: 1}
		st := newStar(t, cfg, DefaultPFC(), 1, short, Link{ByteTime: Gbps10, Delay: Microsecond})
		for k := range 20 {
			st.sources[0].packets = append(st.sources[0].packets, Packet{Bytes: 1000, Prio: 3, CE: true, Seq: uint64(k)})
		}
		st.start()
		require.NoError(t, st.Run(t.Context(), Millisecond))
		require.Equal(t, 20, st.sinks[0].n)
		require.True(t, st.sinks[0].packets[0].CE)
		require.EqualValues(t, 18, st.sw.Manager().Counts.Marks, "arrivals %t", arrivals)
	}
}
