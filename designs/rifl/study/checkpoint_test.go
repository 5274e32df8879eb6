package study

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/designtest"

	"github.com/goldwire/goldwire/designs/rifl"
)

func TestCheckpointOfAFrameLink(t *testing.T) {
	for _, skip := range []bool{false, true} {
		designtest.CheckModel(t, 40_000, func(t *testing.T) designtest.Model {
			cfg := rifl.FrameLinkConfig{
				Config: rifl.Default(), BER: [2]float64{1e-6, 1e-5}, Seed: 5, Skip: skip, Packets: sweptPackets,
			}
			cfg.Lanes = 4
			l, err := rifl.NewFrameLink(cfg)
			require.NoError(t, err)
			l.Damage(rifl.Damage{From: 20_000, To: 20_040, End: 1, Lane: -1, Kind: rifl.Pulled})
			return designtest.Model{Run: l.Run, Roots: []any{l}}
		})
	}
}

func TestExperimentsGoOnFromACheckpoint(t *testing.T) {
	beats := filepath.Join(t.TempDir(), "beats.csv")
	var rows []rifl.TrafficBeat
	for i := range 400 {
		rows = append(
			rows, rifl.TrafficBeat{Cycle: uint64(1300 + 3*i), Data: bytes.Repeat([]byte{byte(i)}, 64), Last: i == 399},
		)
	}
	var file bytes.Buffer
	require.NoError(t, rifl.WriteTraffic(&file, rows))
	require.NoError(t, os.WriteFile(beats, file.Bytes(), 0o600))
	traffic := map[string]string{"FILE": beats, "ber": "1e-6", "lanes": "2", "profile": "safe"}
	designtest.CheckResume(t, trafficFile, 1500, traffic)
	designtest.CheckFork(
		t, trafficFile, 1800, traffic, map[string]string{"ber": "1e-5"}, map[string]string{"metres": "20"},
	)
	designtest.CheckResume(t, timeline, 900, map[string]string{"profile": "core", "ids": "6"})
	designtest.CheckResume(t, campaign, 5000, map[string]string{"scenarios": "20"})
	designtest.CheckResume(
		t, sweep, 1_500_000, map[string]string{"ber": "1e-7", "runs": "1", "frames": "2200000", "errors": "1000000"},
	)
	designtest.CheckResume(
		t, limits, 2500, map[string]string{"ids": "5", "profile": "core", "runs": "2", "frames": "3000"},
	)
}
