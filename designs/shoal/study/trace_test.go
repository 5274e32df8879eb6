package study

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/shoal"
)

// Three flows by hand, five nodes, a slot of 23.25 ns. In slot t node 0 sends to node 1 + t mod 4. One cell to node 1 at time 0 takes slot 0.
// One that starts at 1 ns waits for slot 1 and goes straight to node 2. Two cells from node 3 to node 1 at slot 40: the first goes in
// slot 40 to node 4, which sends it to node 1 in slot 41; the second goes to node 0 in slot 41, which sends it in slot 44.
func TestTraceByHand(t *testing.T) {
	run := func(rows string) (TraceResult, error) {
		file := filepath.Join(t.TempDir(), "flows.csv")
		require.NoError(t, os.WriteFile(file, []byte("id,type,source,destination,bytes,start_ns\n"+rows), 0o600))
		return runTrace(t.Context(), &experiment.Run{Seed: 1}, TracePoint{Trace: file, Limit: 1000,
			FabricParams: shoal.FabricParams{Nodes: 5, Channels: 1, Schedule: "cyclic", Pair: shoal.PairTurns}})
	}
	r, err := run("7,write,0,1,56,0\n8,write,0,2,1,1\n9,write,3,1,57,930\n")
	require.NoError(t, err)
	require.Equal(t, 3, r.Complete)
	for i, slots := range []int64{1, 2, 45} {
		require.EqualValues(t, 7+i, r.results[i].ID)
		require.Equal(t, slots*slotPicoseconds, r.results[i].Finish, "flow %d", 7+i)
	}
	require.EqualValues(t, 45, r.Slots)
	_, err = run("7,read,0,1,56,0\n")
	require.ErrorContains(t, err, "read of 56 bytes, want a write")
	_, err = run("7,write,0,5,56,0\n")
	require.Error(t, err)
}
