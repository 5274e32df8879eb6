package study

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/shoal"
)

// Three flows by hand, five nodes, a slot of 23.25 ns. In slot t node 0 sends to node 1 + t mod 4. One cell to node 1
// at time 0 takes slot 0. One that starts at 1 ns waits for slot 1 and goes straight to node 2. Two cells from node 3
// to node 1 at slot 40: the first goes in slot 40 to node 4, which sends it to node 1 in slot 41; the second goes to
// node 0 in slot 41, which sends it in slot 44.
func TestTraceByHand(t *testing.T) {
	run := func(rows string) (traceResult, error) {
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
		require.Equal(t, slots*SlotPicoseconds, r.results[i].Finish, "flow %d", 7+i)
	}
	require.EqualValues(t, 45, r.Slots)
	// A read of node 1: the request goes there in slot 0. In slot t node n sends to node n + 1 + t mod 4, so node 1 gives
	// its 56 bytes to node 3 in slot 1, and node 3 sends them to node 0 in slot 5.
	r, err = run("7,read,0,1,56,0\n")
	require.NoError(t, err)
	require.EqualValues(t, 6*SlotPicoseconds, r.results[0].Finish)
	_, err = run("7,cas,0,1,8,0\n")
	require.ErrorContains(t, err, "cas of 8 bytes, want a read or write")
	_, err = run("7,write,0,5,56,0\n")
	require.Error(t, err)
}

// The second flow of TestTraceByHand's file and what each of its options does to it. Slot 0 joins 0 to 1, slot 1 joins
// 0 to 2.
func TestTraceOptions(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "flows.csv")
	require.NoError(
		t,
		os.WriteFile(
			file, []byte("id,type,source,destination,bytes,start_ns\n7,write,0,2,120,0\n8,write,1,3,1,900000\n"), 0o600,
		),
	)
	with := func(change func(*TracePoint)) (traceResult, error) {
		q := TracePoint{
			Trace:      file,
			Limit:      1000,
			CellParams: defaultCell(),
			FabricParams: shoal.FabricParams{
				Nodes: 5, Channels: 1, Schedule: "cyclic", Equation: shoal.ByDrains, Pair: shoal.PairTurns,
			},
		}
		change(&q)
		return runTrace(t.Context(), &experiment.Run{Seed: 1}, q)
	}
	finish := func(change func(*TracePoint)) int64 {
		r, err := with(change)
		require.NoError(t, err)
		require.True(t, r.results[0].Finished)
		return r.results[0].Finish
	}
	// Three cells of 56 bytes: by node 1 in slot 0, which sends on in slot 4; straight in slot 1; by node 3 in slot 2,
	// which sends on in slot 3, its way to node 2 being four places.
	require.EqualValues(t, 5*23250, finish(func(*TracePoint) {}))
	// A cell of 128 bytes has the whole flow. It goes by node 1.
	require.EqualValues(t, 5*23250, finish(func(q *TracePoint) { q.Cell = 128 }))
	require.EqualValues(t, 5*76800, finish(func(q *TracePoint) { q.Slot = clock.MustTime("76.8ns") }))
	require.EqualValues(t, 5*(20480+2750), finish(func(q *TracePoint) { q.Rate = 25 }), "64 bytes at 25 Gb/s are 20.48 ns")
	// A flow with two places at its start sends straight.
	own := filepath.Join(dir, "own.txt")
	require.NoError(t, os.WriteFile(own, []byte("2 3 4 0 1\n1 2 3 4 0\n3 4 0 1 2\n4 0 1 2 3\n"), 0o600))
	require.EqualValues(t, 23250, finish(func(q *TracePoint) { q.File, q.Cell = own, 128 }))

	r, err := with(func(q *TracePoint) { q.Cells = "cells.csv" })
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, r.log.write(&b))
	// Node 3 alone has sent to node 0 before it hears from it: a dummy in slot 1, two places on.
	require.Equal(t, `slot,channel,from,to,source,destination,sequence,start,end,feedback,dropped
0,0,0,1,0,2,0,1,0,none,0
1,0,0,2,0,2,1,0,0,none,0
2,0,0,3,0,2,2,0,1,mine,0
`, b.String()[:strings.Index(b.String(), "3,0,3,2")])
	require.Equal(t, 1+3+2+2, strings.Count(b.String(), "\n"), "the second hops, and both of the other flow's cell")

	// The other flow starts in slot 38,710 and needs node 3.
	for _, c := range []func(*TracePoint){
		func(q *TracePoint) { q.FailNodes = []int{3} },
		func(q *TracePoint) { q.FailLinks = []int{3} },
		func(q *TracePoint) { q.FailLeaves = []int{1} },
		func(q *TracePoint) { q.FailLeaves, q.SwitchPorts = []int{3}, 8 },
		func(q *TracePoint) { q.FailSpines = []int{0, 1} },
		func(q *TracePoint) { q.FailUplinks = []string{"1:0", "1:1"} },
	} {
		at := func(q *TracePoint) { c(q); q.FailAt = 100 }
		r, err := with(at)
		if err != nil {
			require.ErrorContains(t, err, "failed leaf 3, want 0 to 1")
			continue
		}
		require.True(t, r.results[0].Finished)
		require.False(t, r.results[1].Finished)
		require.False(t, r.Ended, "nothing can move any more")
	}
	r, err = with(func(q *TracePoint) { q.Limit = 1 })
	require.NoError(t, err)
	require.Equal(t, 1, r.Complete)
	require.True(t, r.Ended)
	_, err = with(func(q *TracePoint) { q.FailUplinks = []string{"1-2"} })
	require.EqualError(t, err, `--fail-uplinks "1-2", want LEAF:SPINE, such as 3:1`)
	_, err = with(func(q *TracePoint) { q.File, q.FabricParams.Nodes = own, 6 })
	require.ErrorContains(t, err, "own.txt: a schedule of 5 nodes, want --nodes 6")
	// One header in ten is corrupt; those cells go out again.
	r, err = with(func(q *TracePoint) { q.Corrupt = 0.1 })
	require.NoError(t, err)
	require.Equal(t, 2, r.Complete)
}
