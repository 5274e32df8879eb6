package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/rtl"

	"github.com/goldwire/goldwire/pcs"
)

func TestCheckpointOfALoop(t *testing.T) {
	frames := randomFrames(5, append(sizesFrom(60, 90), 1514)...)
	designtest.CheckNetwork(t, 5000, func(t *testing.T, cfg rtl.Config) designtest.Network {
		l, err := pcs.NewLoop(pcs.LoopConfig{Width: 64, Delay: 40, Skew: 7, BER: 1e-4, Seed: 9, Sim: cfg})
		require.NoError(t, err)
		l.Source.Repeat = 10
		l.Send(frames)
		return designtest.Network{Sim: l.Sim, Clock: l.Clock, Roots: []any{l, newLoopMonitor(l)}}
	})
}

func TestLoopGoesOnFromACheckpoint(t *testing.T) {
	for _, mode := range []string{"fast", "strict", "parallel"} {
		designtest.CheckResume(t, loopExperiment, 10_000,
			map[string]string{"pcap": "../../testdata/captures/generated.pcap", "mode": mode, "ber": "1e-5", "delay": "50"})
	}
}

func TestLoopForks(t *testing.T) {
	flags := map[string]string{"pcap": "../../testdata/captures/generated.pcap", "ber": "1e-5"}
	designtest.CheckFork(t, loopExperiment, 10_000, flags, map[string]string{"ber": "1e-4"},
		map[string]string{"delay": "1"})
}
