package rifl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/tb"
	"github.com/goldwire/goldwire/vectors"
)

// A transmitter takes the user's first frame after two frames for each ID, of INIT and of NORMAL. Its latency is
// measured after them.
func TestTransmitterLatencyAfterItsStart(t *testing.T) {
	for _, s := range []uint64{5, 8} {
		for safe := range uint64(2) {
			u, err := transmitterUnit("rifl/transmitter", unitWords,
				unitID).WithSettings(vectors.Settings{{Name: "s", Value: s}, {Name: "safe", Value: safe}})
			require.NoError(t, err)
			tb.CheckLatency(t, u)
		}
	}
}
