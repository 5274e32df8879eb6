package packetnet_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/peers/packetnet"
	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"
)

var _ measure.Fabric = (*packetnet.Fabric)(nil)

// A paused class stops for all its destinations; the others of the same node go on: a message of class 1 takes at most
// twice its time without pauses, while one of the paused class 0 takes longer.
func TestPauseStopsOneClass(t *testing.T) {
	took := func(class uint8, pause int) int64 {
		cfg := packetnet.DefaultConfig(packetnet.PFC)
		cfg.MarkBytes = 1 << 30 // no congestion control: windows stay
		cfg.Classes, cfg.PauseBytes, cfg.ResumeBytes = 8, pause, 6_000
		msgs := append(incast(9, 500_000), workload.Message{Type: workload.Write, Source: 1, Dest: 20, Bytes: 50_000,
			Start: 5_000_000, Class: class})
		r := finished(t, cfg, msgs)
		last := len(msgs) - 1
		return r.Finish[last] - msgs[last].Start
	}
	const never = 1 << 30
	require.Greater(t, took(0, 8_000), 2*took(0, never))
	require.LessOrEqual(t, took(1, 8_000), 2*took(1, never))
}

// Each class has its own thresholds: eight classes of one node may have eight times as many bytes in the switch, and
// each is paused.
func TestEachClassIsPausedByItself(t *testing.T) {
	cfg := packetnet.DefaultConfig(packetnet.PFC)
	cfg.Nodes, cfg.Classes, cfg.PauseBytes, cfg.ResumeBytes = 9, 8, 8_000, 6_000
	one := finished(t, cfg, incast(9, 300_000))
	var msgs []workload.Message
	for c := range uint8(8) {
		for _, m := range incast(9, 300_000) {
			m.Class = c
			msgs = append(msgs, m)
		}
	}
	r := finished(t, cfg, msgs)
	require.Zero(t, r.Drops)
	require.Greater(t, r.Pauses, one.Pauses)
	// see TestPauseKeepsTheSwitchFromOverflow
	require.LessOrEqual(t, r.MaxIngress, int64(8_000+8*1538+8*72+600+1538+3070+600+1518))
}

// A frame of a higher class waits at the switch for the frame that is being sent, and for no other.
func TestTheHighestClassGoesFirst(t *testing.T) {
	for _, s := range []packetnet.Scheme{packetnet.DCTCP, packetnet.PFC} {
		cfg := packetnet.DefaultConfig(s)
		cfg.Classes, cfg.BufferBytes = 2, 1<<30
		wait := func(class uint8) int64 {
			msgs := append(incast(9, 1_000_000), workload.Message{Type: workload.Write, Source: 9, Dest: 0, Bytes: 64,
				Start: 8_000_000, Class: class})
			r := finished(t, cfg, msgs)
			return (r.Finish[8]-msgs[8].Start)/byteTime - oneWay(72)
		}
		require.LessOrEqual(t, wait(1), int64(1538), s)
		require.Greater(t, wait(0), int64(5*1538), s)
	}
}

// With any mix of classes each message arrives once, and a fabric says of each what became of it.
func TestFabricCarriesEveryClass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := packetnet.DefaultConfig(rapid.SampledFrom([]packetnet.Scheme{packetnet.DCTCP, packetnet.PFabric,
			packetnet.PFC, packetnet.IRD, packetnet.Fastpass}).Draw(t, "scheme"))
		cfg.Nodes, cfg.Classes, cfg.Seed = 5, 8, rapid.Uint64().Draw(t, "seed")
		if cfg.Scheme == packetnet.PFC {
			cfg.PauseBytes = rapid.IntRange(1, 5_000).Draw(t, "pause")
			cfg.ResumeBytes = rapid.IntRange(0, cfg.PauseBytes).Draw(t, "resume")
		}
		flows, err := workload.GenerateFlows(
			workload.FlowConfig{Nodes: 5, Sizes: workload.Fixed(rapid.IntRange(1, 9000).Draw(t, "bytes")),
				Shares: []float64{1, 0, 2, 0, 0, 0, 0, 1}, Flows: 40, Interval: 1e6, Seed: cfg.Seed},
		)
		require.NoError(t, err)
		var msgs []workload.Message
		for _, f := range flows {
			msgs = append(msgs, f.Message())
		}
		f := &packetnet.Fabric{Config: cfg}
		results, err := f.Run(t.Context(), msgs)
		require.NoError(t, err)
		require.Len(t, results, len(msgs))
		for i, r := range results {
			require.Equal(t, msgs[i], r.Message)
			require.True(t, r.Finished)
			require.GreaterOrEqual(t, r.Latency(), 2*cfg.LinkDelay+cfg.SwitchDelay+int64(r.Bytes)*byteTime)
		}
	})
}

// A message that has not finished at the limit has Finished false.
func TestFabricAtItsLimit(t *testing.T) {
	cfg := packetnet.DefaultConfig(packetnet.DCTCP)
	cfg.Limit = 1_500_000
	f := &packetnet.Fabric{Config: cfg}
	r, err := f.Run(t.Context(), []workload.Message{
		{Type: workload.Write, Source: 0, Dest: 1, Bytes: 64}, {Type: workload.Read, Source: 2, Dest: 3, Bytes: 64}})
	require.NoError(t, err)
	require.Equal(t, []bool{true, false}, []bool{r[0].Finished, r[1].Finished})
	require.Equal(t, oneWay(72)*byteTime, r[0].Finish)
	require.Equal(t, r[0].Finish, f.Last.Finish[0])
}

func TestBadClasses(t *testing.T) {
	for want, cfg := range map[string]packetnet.Config{
		"pfc: 9 classes, want 1 to 8, and 1 with cxl, dcqcn " +
			"and ndp": {Scheme: packetnet.PFC, Nodes: 2, RateGbps: 100, Classes: 9},
		"ird: 0 classes, want 1 to 8, and 1 with cxl, dcqcn and ndp": {Scheme: packetnet.IRD, Nodes: 2, RateGbps: 100},
		"cxl: 2 classes, want 1 to 8, and 1 with cxl, dcqcn " +
			"and ndp": {Scheme: packetnet.CXL, Nodes: 2, RateGbps: 100, Classes: 2},
	} {
		_, err := packetnet.Run(t.Context(), cfg, nil)
		require.EqualError(t, err, want)
	}
	_, err := packetnet.Run(t.Context(), packetnet.DefaultConfig(packetnet.PFC),
		[]workload.Message{{ID: 5, Type: workload.Write, Dest: 1, Bytes: 1, Class: 1}})
	require.EqualError(t, err, "message 0 (ID 5): class 1, want 0 to 0")
}
