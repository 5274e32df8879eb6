package study

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/designs/drmt/schedule"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
)

// longestName is how many letters of an operation's name a picture has.
const longestName = 28

// picture draws a schedule as Figures 3 and 5 do. A column has the operations that a processor starts in one cycle of
// its period, a row those for one packet: the packet of row k came k periods ago. The lines below the columns are sums
// over their operations.
func picture(s *schedule.Schedule, machine string) *plots.GridChart {
	first := slices.Min(s.Start)
	start := first - ((first%s.Period)+s.Period)%s.Period
	rows := (slices.Max(s.Start)-start)/s.Period + 1
	c := &plots.GridChart{
		Title: fmt.Sprintf("%s, %s: period %d, length %d", s.Graph.Name, machine, s.Period, s.Length()),
		X:     "cycle of the period", Y: "cycles since the packet came",
		Kinds: []string{"match", "action", "condition"},
	}
	kinds := map[schedule.Kind]int{schedule.Match: 0, schedule.Action: 1, schedule.Condition: 2}
	for t := range s.Period {
		c.Columns = append(c.Columns, fmt.Sprint(t))
	}
	for r := range rows {
		from := start + r*s.Period
		c.Rows = append(c.Rows, fmt.Sprintf("%d to %d", from, from+s.Period-1))
		c.Cells = append(c.Cells, make([][]plots.GridItem, s.Period))
	}
	for v, n := range s.Graph.Nodes {
		cell := &c.Cells[(s.Start[v]-start)/s.Period][s.Class(v)]
		*cell = append(*cell, plots.GridItem{Text: shortened(n.Name), Kind: kinds[n.Kind]})
	}
	segments := plots.GridStrip{Name: "key segments", Have: s.Limits.Segments}
	fields := plots.GridStrip{Name: "fields written", Have: s.Limits.Fields}
	matches := plots.GridStrip{Name: "packets that start matches", Have: s.Limits.IPC}
	actions := plots.GridStrip{Name: "packets that start actions", Have: s.Limits.IPC}
	scratch := plots.GridStrip{Name: "results that wait", Have: s.Limits.ScratchPad}
	for _, u := range s.Usage() {
		segments.Used, fields.Used = append(segments.Used, u.Segments), append(fields.Used, u.Fields)
		matches.Used, actions.Used = append(matches.Used, u.MatchTimes), append(actions.Used, u.ActionTimes)
		scratch.Used = append(scratch.Used, u.ScratchPad)
	}
	c.Strips = []plots.GridStrip{segments, fields, matches, actions}
	if s.Limits.ScratchPad > 0 {
		c.Strips = append(c.Strips, scratch)
	}
	return c
}

// shortened cuts the middle out of a long name.
func shortened(name string) string {
	r := []rune(name)
	if len(r) <= longestName {
		return name
	}
	return string(r[:longestName/2-1]) + "…" + string(r[len(r)-longestName/2:])
}

// fileWord is a name as a part of a file's name.
func fileWord(name string) string {
	return strings.ToLower(strings.NewReplacer(" ", "_", "/", "_").Replace(name))
}

// pictures are the charts of all schedules that were found.
func pictures(done []experiment.Result[planPoint, plan]) (all []experiment.Chart) {
	for _, d := range done {
		if d.Value.picture != nil {
			name := fileWord(d.Value.Program + " " + d.Point.Machine)
			all = append(all, experiment.Chart{Name: name, Grid: d.Value.picture})
		}
	}
	return all
}
