package rifl

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A request is believed after eight in a row, with data between them; one idle takes it back, or 17 data frames.
func TestMonitor(t *testing.T) {
	var m monitor
	raise := func() {
		for k := range 8 {
			require.False(t, m.retransmits(), "after %d", k)
			m.frame(SynData, payloadKey)
			m.frame(synControl, KeyRetrans)
		}
		require.True(t, m.retransmits())
		require.False(t, m.pauses())
	}
	raise()
	m.frame(synControl, KeyIdle)
	require.False(t, m.retransmits())
	raise()
	m.frame(synControl, KeyPause)
	require.False(t, m.retransmits())
	raise()
	for range 16 {
		m.frame(SynData, payloadKey)
		require.True(t, m.retransmits())
	}
	m.frame(SynData, payloadKey)
	require.False(t, m.retransmits())
}

// An illegal SYN ends a row of regular frames, unless an idle's key follows it; with the row full it clears the
// requests counted so far.
func TestMonitorIllegalSyn(t *testing.T) {
	for _, syn := range []uint8{0b00, 0b11} {
		m := monitor{retrans: 8, regular: 15}
		m.frame(syn, payloadKey)
		require.Equal(t, monitor{retrans: 8}, m)
		m = monitor{retrans: 8, regular: 15}
		m.frame(syn, KeyIdle)
		require.Equal(t, monitor{retrans: 8, regular: 16}, m, "the key is looked at whatever the SYN is")
		m.frame(syn, KeyPause)
		require.Equal(t, monitor{}, m)
	}
}

// The published core's rules, counter by counter, on any frames.
func TestMonitorByItsRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m monitor
		pause, retrans, regular := 0, 0, 0
		for range rapid.IntRange(1, 200).Draw(t, "frames") {
			syn := rapid.SampledFrom([]uint8{0, 1, 1, 1, 2, 2, 3}).Draw(t, "SYN")
			key := rapid.SampledFrom([]uint16{KeyIdle, KeyIdle, KeyPause, KeyRetrans, 0x1234}).Draw(t, "key")
			for range rapid.IntRange(1, 20).Draw(t, "times") {
				wasFull := regular == 16
				if key == 0x0001 || syn == 1 {
					regular = min(16, regular+1)
				} else {
					regular = 0
				}
				if syn == 2 {
					pause, retrans = pause+1, retrans+1
					if key != 0x0010 {
						pause = 0
					}
					if key != 0x1000 {
						retrans = 0
					}
				} else if wasFull {
					pause, retrans = 0, 0
				}
				m.frame(syn, key)
				require.Equal(t, pause >= 8, m.pauses())
				require.Equal(t, retrans >= 8, m.retransmits())
				require.EqualValues(t, regular, m.regular)
			}
		}
	})
}
