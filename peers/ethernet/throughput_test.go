package ethernet

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/workload"
)

// With a window that covers the round trip, the busier direction of the link is full: bytes on the line by the
// headers, with preamble, FCS and gap, at 25 Gb/s.
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
		{"RoCEv2 reads of 4 KB in 4 packets", Config{Stack: RoCEv2}, Mix{ReadBytes: 4096, Requests: 1000},
			2*(1086+24) + 2*(1082+24)},
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

// Responses and acknowledgements of RoCEv2 fill the link: compare the bytes on it for the middle half of the requests.
func TestYCSB(t *testing.T) {
	for name, mix := range map[string]Mix{"A": YCSBA, "B": YCSBB, "F": YCSBF} {
		messages, err := mix.Messages()
		require.NoError(t, err)
		middle := messages[len(messages)/4 : len(messages)*3/4]
		bytes, writes := 0, 0
		for _, m := range middle {
			if m.Type == workload.Write {
				bytes += 62 + 24
				writes++
			} else {
				bytes += 1086 + 24
			}
		}
		require.InDelta(t, mix.Writes, float64(writes)/float64(len(middle)), 0.04, "four standard deviations")
		got, err := Throughput(Config{Stack: RoCEv2}, mix)
		require.NoError(t, err)
		require.InEpsilon(t, float64(len(middle))*25e9/8/float64(bytes), got, 0.005, name)
	}
}

// More messages outstanding never make it slower, until the link is full.
func TestThroughputByWindow(t *testing.T) {
	last := 0.0
	for _, window := range []int{1, 2, 4, 8, 32} {
		got, err := Throughput(Config{Stack: RoCEv2, Window: window, SingleClock: true}, Mix{Writes: 0.5, Requests: 500})
		require.NoError(t, err)
		t.Logf("window %d: %.3f M requests a second", window, got/1e6)
		require.GreaterOrEqual(t, got, last*0.99)
		last = got
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
