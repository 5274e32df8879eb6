package ethernet

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// With a window that covers the round trip, the busier direction of the link is full: bytes on the line by the headers, with
// preamble, FCS and gap, at 25 Gb/s.
func TestThroughputFillsTheLink(t *testing.T) {
	const rate = 25e9 / 8 // bytes a second
	for _, c := range []struct {
		name  string
		cfg   Config
		mix   Mix
		bytes float64 // a request, in the busier direction
	}{
		{"RoCEv2 reads of 1 KB", Config{Stack: RoCEv2}, Mix{}, 1086 + 24},
		{"RoCEv2 writes of 100 B", Config{Stack: RoCEv2}, Mix{Writes: 1}, 174 + 24},
		{"TCP/IP reads of 1 KB", Config{Stack: TCPIP}, Mix{}, 1086 + 24},
		{"raw reads of 1 KB", Config{}, Mix{}, 1046 + 24},
		{"raw writes of 1 B", Config{}, Mix{Writes: 1, WriteBytes: 1}, 60 + 24},
		{"RoCEv2 reads of 4 KB in 4 packets", Config{Stack: RoCEv2}, Mix{ReadBytes: 4096, Requests: 1000}, 2*(1086+24) + 2*(1082+24) + 0},
	} {
		c.cfg.SingleClock = true
		got, err := Throughput(c.cfg, c.mix)
		require.NoError(t, err)
		want := rate / c.bytes
		if c.mix.ReadBytes == 4096 { // first and last carry an AETH, the two between do not
			want = rate / (2*(1086+24) + 2*(1082+24))
		}
		require.InEpsilon(t, want, got, 0.005, c.name)
	}
}

// A window of one message waits for the round trip.
func TestThroughputOfOneAtATime(t *testing.T) {
	got, err := Throughput(Config{Stack: RoCEv2, Window: 1}, Mix{Requests: 100})
	require.NoError(t, err)
	require.Less(t, got, 1/2035.68e-9, "slower than Table 1's latency")
	require.Greater(t, got, 1/(2035.68e-9+2*139*2.56e-9+2*10*2.56e-9), "139 beats of response, stored and sent")
}

func TestYCSB(t *testing.T) {
	const rate = 25e9 / 8
	for name, mix := range map[string]Mix{"A": YCSBA, "B": YCSBB, "F": YCSBF} {
		for _, stack := range []Stack{RawEthernet, RoCEv2, TCPIP} {
			got, err := Throughput(Config{Stack: stack}, mix)
			require.NoError(t, err)
			t.Logf("YCSB %s over %v: %.3f M requests a second", name, stack, got/1e6)
			if stack == RoCEv2 { // responses and acknowledgements fill the link; which requests came in the middle half is drawn
				bound := rate / ((1-mix.Writes)*(1086+24) + mix.Writes*(62+24))
				require.InEpsilon(t, bound, got, 0.05)
			}
		}
	}
}

func TestBadMixes(t *testing.T) {
	_, err := Throughput(Config{}, Mix{Writes: 1.5})
	require.ErrorContains(t, err, "a fraction of 1.5 writes, want 0 to 1")
	_, err = Throughput(Config{}, Mix{Requests: 3})
	require.ErrorContains(t, err, "mix of 3 requests, want at least 8")
	_, err = Throughput(Config{Ports: 1}, Mix{})
	require.ErrorContains(t, err, "switch of 1 ports")
	_, err = Throughput(Config{}, Mix{ReadBytes: -1})
	require.ErrorContains(t, err, "-1 bytes")
}
