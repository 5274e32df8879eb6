package study

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload"
)

// The picture of a stage has its cycles and two on either side, and in it the two ports rise as far apart as the paper
// prints: 1 cycle to identify a block (§3.2.2).
func TestStageWave(t *testing.T) {
	x, err := latency.Measure(experiment.WithMemo(t.Context()), alignedAccess(workload.Read), 1)
	require.NoError(t, err)
	text, err := stageWave(&x, []string{"identify"})
	require.NoError(t, err)
	var doc struct {
		Signal []struct{ Name, Wave string }
	}
	require.NoError(t, json.Unmarshal(text, &doc))
	waves := map[string]string{}
	for _, s := range doc.Signal {
		require.Len(t, s.Wave, 2+1+1+2, s.Name)
		waves[s.Name] = s.Wave
	}
	require.Regexp(t, `^0\.1`, waves["port_0.demux.control_valid"], "it is seen at the third edge")
	require.Regexp(t, `^0\.\.1`, waves["port_0.identify.notify_valid"], "and named one later")
	text, err = stageWave(&x, []string{"read the grant queue"})
	require.NoError(t, err)
	require.Nil(t, text, "it ends in the queue of a module, which no port shows")
	_, err = stageWave(&x, []string{"no such step"})
	require.ErrorContains(t, err, "no waveform")
}
