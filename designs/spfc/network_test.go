package spfc

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// sectionIII is the switch of Figure 3a with senders that heed nothing but PFC: port 0 sends to R1 and R2 in turn, n
// others to R2.
func sectionIII(t require.TestingT, policy Policy, n int, burst Time, memory int64) *star {
	up, down := Link{ByteTime: Gbps100, Delay: 9 * Microsecond}, Link{ByteTime: Gbps100, Delay: Microsecond}
	pfc := DefaultPFC()
	cfg := SwitchConfig{Buffer: DefaultBuffer(32, memory, pfc.HeadroomNeeded(up))}
	cfg.Buffer.Policy = policy
	cfg.Buffer.Pinned = 1
	st := newStar(t, cfg, pfc, 30, up, down)
	const bytes = 1048
	count := int(burst / (bytes * Gbps100))
	for i, s := range st.sources[:n+1] {
		for k := range count {
			p := Packet{Flow: uint32(i), Seq: uint64(k), Bytes: bytes, Prio: 3, Dest: 1}
			if i == 0 {
				p.Dest = uint16(k % 2)
			}
			s.packets = append(s.packets, p)
		}
	}
	st.start()
	return st
}

func TestSectionIIIIsLossless(t *testing.T) {
	for _, policy := range []Policy{DT, ST, SPFC, Pinned} {
		st := sectionIII(t, policy, 24, 300*Microsecond, 8<<20)
		require.NoError(t, st.Run(t.Context(), 20*Millisecond))
		require.NoError(t, st.sw.Conservation())
		require.Empty(t, st.sw.Losses())
		require.Positive(t, st.sw.Manager().Counts.Pauses)
		require.Equal(t, st.sw.Manager().Counts.Pauses, st.sw.Manager().Counts.Resumes)
		require.Equal(t, st.sw.Received, st.sw.Sent)
		require.Equal(t, 25*int64(300*Microsecond/(1048*80)), st.sw.Sent, policy)
	}
}

// PAUSEs of Section III come at the times of the closed forms, within a few packet times: bursts from n ports reach a
// switch, to which P0 sends half of its line rate. B' is the pool, C the line rate, and packets leave in the order in
// which they came, so that a port's share of the departures is its share of the arrivals.
func TestClosedFormPauseTimes(t *testing.T) {
	const packet, perPS = 1048, 1. / 80
	for _, n := range []float64{4, 24, 29} {
		for shift, alpha := range []float64{1, 2, 4} {
			up, down := Link{ByteTime: Gbps100, Delay: 9 * Microsecond}, Link{ByteTime: Gbps100, Delay: Microsecond}
			pfc := DefaultPFC()
			cfg := SwitchConfig{Buffer: DefaultBuffer(32, 16<<20, 4*pfc.HeadroomNeeded(up)), Arbitration: FIFO}
			b := &cfg.Buffer
			b.Policy, b.AlphaShift, b.Reserve, b.Log = DT, shift, 0, true
			b.HeadroomApart = true // and large: P0 has not paused when a round trip after t* is over
			st := newStar(t, cfg, pfc, 30, up, down)
			const begins = 20 * Microsecond
			for i, s := range st.sources[:int(n)+1] {
				for k := range 6000 {
					p := Packet{Bytes: packet, Prio: 3, Dest: uint16(k % 2)}
					if i > 0 {
						p.Dest, p.Sent = 1, begins
					}
					s.packets = append(s.packets, p)
				}
			}
			st.start()
			require.NoError(t, st.Run(t.Context(), 500*Microsecond))
			pool := float64(16 << 20)
			at := alpha * pool / (perPS * (n - 0.5) * (1/(n+0.5) + alpha))
			queue := perPS * (n - 0.5) / (n + 0.5) * at
			first := map[int]Decision{}
			for _, d := range st.sw.Manager().Decisions() {
				if _, ok := first[d.Port]; !ok && d.Pause {
					first[d.Port] = d
				}
			}
			reaches := float64(begins + 9*Microsecond)
			name := fmt.Sprintf("%v bursts, alpha %v", n, alpha)
			for port := 1; port <= int(n); port++ {
				require.InDelta(t, at, float64(first[port].Time)-reaches, 3*packet*80, name)
				require.InDelta(t, queue, first[port].Used, 3*packet, name)
			}
			if late := at / (1 + alpha); late < float64(2*up.Delay) { // while nothing has stopped yet
				require.InDelta(t, at*(2+alpha)/(1+alpha), float64(first[0].Time)-reaches, 4*packet*80*(n+1)/n, name)
				require.InDelta(t, queue*(1+alpha/2)/(1+alpha), first[0].Used, 4*packet, name)
			}
		}
	}
}
