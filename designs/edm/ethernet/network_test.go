package ethernet

import (
	"testing"

	"github.com/stretchr/testify/require"

	"goldwire/workload"
)

func TestTripsSmoke(t *testing.T) {
	for _, s := range []Stack{RawEthernet, RoCEv2, TCPIP} {
		for _, single := range []bool{false, true} {
			for _, f := range []Forwarding{CutThrough, StoreAndForward} {
				n, err := NewNetwork(Config{Stack: s, SingleClock: single, Forwarding: f})
				require.NoError(t, err)
				require.NoError(t, n.WaitForLock())
				there, back := NewTripMonitor(n, 0, 1), NewTripMonitor(n, 1, 0)
				done, err := n.Run(t.Context(), []workload.Message{{ID: 1, Source: 0, Dest: 1, Bytes: 64}, {ID: 2, Type: workload.Write, Source: 0, Dest: 1, Bytes: 64, Start: 10_000_000}})
				require.NoError(t, err)
				t.Log(s, single, f, done)
				for _, tr := range append(there.Trips(), back.Trips()...) {
					var d []int64
					for p := AtMAC; p < points; p++ {
						d = append(d, tr.Between(p-1, p))
					}
					t.Log(d, tr.Between(AtStack, Delivered))
				}
			}
		}
	}
}
