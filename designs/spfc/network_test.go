package spfc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// sectionIII is the switch of Figure 3a with senders that heed nothing but PFC: port 0 sends to R1 and R2 in turn, n others to R2.
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

func BenchmarkSectionIII(b *testing.B) {
	for b.Loop() {
		st := sectionIII(b, DT, 24, 11*Millisecond, 16<<20)
		require.NoError(b, st.Run(b.Context(), 13500*Microsecond))
		b.ReportMetric(float64(st.Events), "events")
	}
}
