package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/shoal"
)

// A reading is of both racks, and changes one thing of a run. Two channels have cells of 128 bytes, 120 of them without
// a header; two cells of 64 have 112.
func TestReadingsOfLongerEpochs(t *testing.T) {
	rack := tailPoint(paperSizes, 512, 4, readingFlows, 0.2, 0)
	nodes, channels := rack, rack
	nodes.Fabric.Nodes = 1024
	channels.Fabric.Channels, channels.Cell = 2, 128
	require.Equal(t, nodes, tailPoint(paperSizes, 1024, 4, readingFlows, 0.2, 0))
	require.Equal(t, channels, tailPoint(paperSizes, 512, 2, readingFlows, 0.2, 0))

	labels := map[string]bool{}
	for _, r := range readings {
		first, second, differs := r.racks(channels)
		require.True(t, differs, r.label)
		require.False(t, labels[r.label])
		labels[r.label] = true
		if second.Cell == 120 {
			require.Equal(t, rack, first)
			_, _, differs = r.racks(nodes)
			require.False(t, differs, "its cells are not larger")
			continue
		}
		require.NotEqual(t, rack, first, r.label)
		second.Fabric.Channels, second.Cell = 4, 0
		require.Equal(t, first, second, r.label)
	}
	require.Len(t, labels, 11)

	for label, want := range map[string]func(*LoadPoint){
		"a pair's flows one after the other":  func(q *LoadPoint) { q.Fabric.Pair = shoal.PairFIFO },
		"none of the optimisations of §3.3.3": func(q *LoadPoint) { q.Fabric.Plain = true },
		"half the load":                       func(q *LoadPoint) { q.Load = 0.1 },
		"sizes cut at 10 MB":                  func(q *LoadPoint) { q.Sizes = "pareto:10000000" },
	} {
		q := rack
		want(&q)
		for _, r := range readings {
			if r.label == label {
				first, _, _ := r.racks(nodes)
				require.Equal(t, q, first, label)
			}
		}
	}
}
