package designtest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A fork whose knobs do nothing measures what the old run measured, and repeats the new knobs. One that starts anew
// measures what a run from the start does.
func TestOnlyWhatAForkMeasuresCounts(t *testing.T) {
	old := figures(t, `{"Points":[{"Result":{"Load":0.5,"Text":"at 50%","Delay":{"Mean":[10,20]}}}]}`)
	straight := figures(t, `{"Points":[{"Result":{"Load":0.2,"Text":"at 20%","Delay":{"Mean":[1,2]}}}]}`)
	nothing := figures(t, `{"Points":[{"Result":{"Load":0.2,"Text":"at 20%","Delay":{"Mean":[10,20]}}}]}`)
	forked := figures(t, `{"Points":[{"Result":{"Load":0.2,"Text":"at 20%","Delay":{"Mean":[10,3,7]}}}]}`)
	require.Empty(t, measured(old, straight, nothing))
	require.Empty(t, measured(old, straight, straight))
	require.Empty(t, measured(old, straight, old))
	require.Equal(t, []string{"0.Delay.Mean.1", "0.Delay.Mean.2"}, measured(old, straight, forked))
}
