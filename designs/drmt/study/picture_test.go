package study

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/schedule"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
)

// Figure 5b: matches of two cycles, actions of one, a packet every two cycles. M0 and M1 start at 0, M2 and M3 at 3,
// A1 and A2 at 5, A3 at 6.
func TestPictureOfFigure5b(t *testing.T) {
	g := &schedule.Graph{Name: "unicast-multicast"}
	for _, n := range []string{"M0", "M1", "M2", "M3", "A1", "A2", "A3"} {
		x := schedule.Node{Name: n, Kind: schedule.Match, KeyBits: 1}
		if n[0] == 'A' {
			x = schedule.Node{Name: n, Kind: schedule.Action, Fields: 1}
		}
		g.Nodes = append(g.Nodes, x)
	}
	s := &schedule.Schedule{
		Graph: g, Period: 2, Start: []int{0, 0, 3, 3, 5, 5, 6},
		Limits: schedule.Limits{MatchLatency: 2, ActionLatency: 1, Segments: 2, SegmentBits: 80, Fields: 2, IPC: 1},
	}
	c := picture(s, "dRMT")
	require.Equal(t, []string{"0", "1"}, c.Columns)
	require.Equal(t, []string{"0 to 1", "2 to 3", "4 to 5", "6 to 7"}, c.Rows)
	match := func(names ...string) (cell []plots.GridItem) {
		for _, n := range names {
			cell = append(cell, plots.GridItem{Text: n})
		}
		return cell
	}
	require.Equal(t, [][][]plots.GridItem{
		{match("M0", "M1"), nil}, {nil, match("M2", "M3")}, {nil, {{Text: "A1", Kind: 1}, {Text: "A2", Kind: 1}}},
		{{{Text: "A3", Kind: 1}}, nil},
	}, c.Cells)
	require.Equal(t, []plots.GridStrip{
		{Name: "key segments", Used: []int{2, 2}, Have: 2}, {Name: "fields written", Used: []int{1, 2}, Have: 2},
		{Name: "packets that start matches", Used: []int{1, 1}, Have: 1},
		{Name: "packets that start actions", Used: []int{1, 1}, Have: 1},
	}, c.Strips)
	for v := range s.Start { // the first row begins where a period does, before 0, too
		s.Start[v]--
	}
	c = picture(s, "dRMT")
	require.Equal(t, "-2 to -1", c.Rows[0])
	require.Equal(t, match("M0", "M1"), c.Cells[0][1])
}

// A directory's programs and graphs are planned one by one. A file that is none is named, and fails the run alone.
func TestADirectoryOfGraphs(t *testing.T) {
	dir := t.TempDir()
	graph, err := os.ReadFile("../p4/programs/l2l3.json")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "more"), 0o700))
	for name, text := range map[string]string{"a.json": string(graph), "more/b.json": "{}", "c.txt": "no graph"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	p := &planParams{Graphs: []string{dir}, RMTFields: 32, Limit: schedule.DefaultClauses}
	points, err := planPoints(p, 1)
	require.NoError(t, err)
	var files []string
	for _, x := range points[:] {
		files = append(files, filepath.Base(x.Params.Graph)+" "+x.Params.Machine)
	}
	require.Equal(t, []string{
		"a.json RMT", "a.json RMT fine", "a.json IPC 1", "a.json IPC 2", "b.json RMT", "b.json RMT fine", "b.json IPC 1",
		"b.json IPC 2",
	}, files)
	refused, err := planOf(t.Context(), &experiment.Run{Seed: 1}, points[4].Params)
	require.NoError(t, err)
	r, err := planReport(p, []experiment.Result[planPoint, plan]{
		{Point: points[4].Params, Value: refused}, {Point: points[5].Params, Value: refused},
	})
	require.NoError(t, err)
	require.Equal(t, []string{"b.json is no program or graph"}, r.Failed)

	p.Graphs = []string{filepath.Join(dir, "more", "b.json")}
	points, err = planPoints(p, 1)
	require.NoError(t, err)
	_, err = planOf(t.Context(), &experiment.Run{Seed: 1}, points[0].Params)
	require.ErrorContains(t, err, "b.json: ")
	p.Graphs = []string{t.TempDir()}
	_, err = planPoints(p, 1)
	require.ErrorContains(t, err, "no file in it ends in .json, .py or .p4")
	p.Check, p.Graphs = "x.json", nil
	_, err = planPoints(p, 1)
	require.EqualError(t, err, "--check with 4 graphs, want one: --graphs FILE")
	p.Period = 3
	_, err = planPoints(p, 1)
	require.ErrorContains(t, err, "--check with --out, --period or --proofs")
}
