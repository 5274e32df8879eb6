package workload_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/workload"
)

func TestFlowsHaveTheirSharesOfClasses(t *testing.T) {
	const n = 20_000
	flows, err := workload.GenerateFlows(workload.FlowConfig{Nodes: 6, Sizes: workload.Fixed(1000),
		Shares: []float64{0, 3, 0, 1}, Flows: n, Interval: 1000, Seed: 2})
	require.NoError(t, err)
	var count [workload.Classes]float64
	seen := map[int]bool{}
	last := int64(0)
	for i, f := range flows {
		require.EqualValues(t, i, f.ID)
		require.NotEqual(t, f.Source, f.Dest)
		require.GreaterOrEqual(t, f.Start, last)
		last = f.Start
		seen[f.Source] = true
		count[f.Class]++
		require.Equal(t, workload.Message{ID: f.ID, Type: workload.Write, Class: f.Class, Source: f.Source, Dest: f.Dest,
			Bytes: 1000, Start: f.Start}, f.Message())
	}
	require.Len(t, seen, 6, "all nodes send")
	// the deviation of a count is √(n·p·q) = 61
	require.InDelta(t, 0.75*n, count[1], 6*61)
	require.Equal(t, float64(n), count[1]+count[3])
}

// Without shares there is one class, and times, pairs and sizes do not depend on it.
func TestClassesChangeNothingElse(t *testing.T) {
	hadoop, err := workload.ParseSizes("hadoop")
	require.NoError(t, err)
	cfg := workload.FlowConfig{Nodes: 5, Sizes: hadoop, Flows: 100, Interval: 1000, Seed: 3}
	plain, err := workload.GenerateFlows(cfg)
	require.NoError(t, err)
	cfg.Shares = []float64{1, 1}
	mixed, err := workload.GenerateFlows(cfg)
	require.NoError(t, err)
	for i := range plain {
		require.Zero(t, plain[i].Class)
		mixed[i].Class = 0
	}
	require.Equal(t, plain, mixed)
}

func TestBadFlows(t *testing.T) {
	for want, change := range map[string]func(*workload.FlowConfig){
		"shares of 9 classes, want at most 8":  func(c *workload.FlowConfig) { c.Shares = make([]float64, 9) },
		"share -1 of class 1, want at least 0": func(c *workload.FlowConfig) { c.Shares = []float64{2, -1} },
		"shares of the classes sum up to 0, want " +
			"more than 0": func(c *workload.FlowConfig) { c.Shares = []float64{0} },
		"-1 nodes, want at least 2":                                  func(c *workload.FlowConfig) { c.Nodes = -1 },
		"0 messages, want at least 1":                                func(c *workload.FlowConfig) { c.Flows = 0 },
		"no sizes of messages":                                       func(c *workload.FlowConfig) { c.Sizes = nil },
		"pattern Pattern(7), want all-to-all, permutation or incast": func(c *workload.FlowConfig) { c.Pattern = 7 },
	} {
		cfg := workload.FlowConfig{Nodes: 4, Sizes: workload.Fixed(1), Flows: 1}
		change(&cfg)
		_, err := workload.GenerateFlows(cfg)
		require.EqualError(t, err, want)
	}
}

// A trace has no column for the class, so one that would lose it is refused.
func TestTracesHaveNoClasses(t *testing.T) {
	m := workload.Flow{ID: 4, Class: 2, Source: 0, Dest: 1, Bytes: 8}.Message()
	require.EqualError(t, workload.WriteMessages(&bytes.Buffer{}, []workload.Message{m}),
		"message 4: class 2, want 0: traces have no classes")
}
