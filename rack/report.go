package rack

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"
)

// over is a figure over the runs of a point.
func over(of []experiment.Result[point, *result], figure func(*result) float64) measure.Interval {
	values := make([]float64, len(of))
	for i, d := range of {
		values[i] = figure(d.Value)
	}
	return measure.Mean(values)
}

// half shows an interval's half width; one run has none.
func half(v measure.Interval) any {
	if v.Runs < 2 {
		return ""
	}
	return v.Half
}

func report(p *params, done []experiment.Result[point, *result]) (*experiment.Report, error) {
	r := &experiment.Report{}
	r.Linef("%s", title(p, done))
	var groups [][]experiment.Result[point, *result]
	for len(done) > 0 {
		n := 1
		for n < len(done) && done[n].Point == done[0].Point {
			n++
		}
		groups, done = append(groups, done[:n]), done[n:]
	}
	slices.SortStableFunc(groups, func(a, b []experiment.Result[point, *result]) int {
		switch {
		case a[0].Point.Load < b[0].Point.Load:
			return -1
		case a[0].Point.Load > b[0].Point.Load:
			return 1
		}
		return 0
	})
	r.Table(timesTable(p, groups))
	legend(r, p)
	if p.Runs > 1 {
		r.Linef("±: half the width of the 95 %% interval over %d runs.", p.Runs)
	}
	for _, t := range []*experiment.Table{sizesTable(groups), signalsTable(groups), limitTable(p, groups)} {
		if p.alone() {
			t = withoutLoad(t)
		}
		if len(t.Rows) > 0 {
			r.Linef("")
			r.Table(t)
		}
	}
	charts(r, p, groups)
	fail(r, groups)
	last := groups[len(groups)-1][0].Value
	r.File(p.Out, func(w io.Writer) error { return workload.WriteResults(w, last.results) })
	return r, nil
}

// legend explains the columns of the first table.
func legend(r *experiment.Report, p *params) {
	if p.alone() {
		r.Linef("\nSlowdown: mean over that of a lone message in the same fabric. Gb/s: payload of\n" +
			"all nodes, from the first start to the last byte. Queue: the most that waited\n" +
			"in one egress (edm, packets), in the switch (dt, st, spfc), in a node (shoal).\n" + ofWork)
		return
	}
	r.Linef("\nTimes: of messages that start after the first quarter of the arrivals, to\n" +
		"their last byte. Slowdown: mean over that of a lone message in the same fabric.\n" +
		"Arrived: payload as a share of the busiest link's rate. Queue: the most that\n" +
		"waited in one egress (edm, packets), in the switch (dt, st, spfc), in a node\n" +
		"(shoal). Steady: whether the number of messages under way stops growing; short:\n" +
		"the arrivals last less than ten 99th percentiles.\n" + ofWork)
}

const ofWork = "Work: time on links of all blocks, cells or frames, over the payload's on two links."

// withoutLoad returns a table without its first column.
func withoutLoad(t *experiment.Table) *experiment.Table {
	rest := &experiment.Table{Name: t.Name, Columns: t.Columns[min(1, len(t.Columns)):]}
	for _, row := range t.Rows {
		rest.Row(row[1:]...)
	}
	return rest
}

// title names the links and the messages.
func title(p *params, done []experiment.Result[point, *result]) string {
	what := fmt.Sprintf("%d messages a run, %s, %s, %g %% reads", done[0].Value.Messages, p.Pattern, p.Sizes, 100*p.Reads)
	if p.Longer && !p.alone() {
		what = "at least " + strconv.Itoa(p.Messages) + strings.TrimLeft(what, "0123456789")
	}
	if p.Trace != "" {
		what = fmt.Sprintf("%d messages of %s", done[0].Value.Messages, p.Trace)
	}
	links := "links"
	if p.Kind == riflLanes {
		links = "RIFL links"
	}
	if p.BER > 0 {
		links += fmt.Sprintf(" (bit errors %g)", p.BER)
	}
	return fmt.Sprintf("%d nodes with %s of %d Gb/s and %g m. %s.\n", p.Nodes, links, p.Gbps, p.Metres, what)
}

// fail adds the checks that failed: messages that did not finish, fabrics that do not carry their load, short runs.
func fail(r *experiment.Report, groups [][]experiment.Result[point, *result]) {
	var growing, tooShort []string
	var places []measure.Place // the fullest node of each fabric whose queues grow
	enough := 0
	for _, of := range groups {
		q := of[0].Point
		for _, d := range of {
			if v := d.Value; v.Finished < v.Messages {
				r.Failf(
					"%s at load %g, seed %d: %d of %d messages did not finish", q.Fabric, q.Load, d.Seed,
					v.Messages-v.Finished, v.Messages,
				)
			}
		}
		switch name := fmt.Sprintf("%s at %g", q.Fabric, q.Load); steadiness(of) {
		case "no":
			growing = append(growing, name)
			places = append(places, of[0].Value.Carried.Fullest)
		case "short":
			tooShort = append(tooShort, name)
			for _, d := range of {
				enough = max(enough, d.Value.enough())
			}
		}
	}
	if len(growing) > 0 {
		first, where := places[0], ""
		other := func(p measure.Place) bool { return p.Node != first.Node || p.Receives != first.Receives }
		if first.Share > 0 && !slices.ContainsFunc(places, other) {
			where = fmt.Sprintf("; of the messages under way %v", first)
		}
		r.Failf("not steady, so that times grow with --messages: %s%s", strings.Join(growing, ", "), where)
	}
	if len(tooShort) > 0 {
		r.Failf("too short, want about --messages %d: %s", enough, strings.Join(tooShort, ", "))
	}
}

// steadiness is "no" if queues grow in a run of the point, "short" if a run is too short, and otherwise "yes". A list
// that offers no load, a file or a burst, is neither.
func steadiness(of []experiment.Result[point, *result]) string {
	says := "yes"
	if of[0].Point.Load == 0 {
		return says
	}
	for _, d := range of {
		if !d.Value.Carried.Steady() {
			return "no"
		}
		if d.Value.short() {
			says = "short"
		}
	}
	return says
}

func timesTable(p *params, groups [][]experiment.Result[point, *result]) *experiment.Table {
	loads, several := !p.alone(), p.Runs > 1
	var columns []experiment.Column
	if loads {
		columns = experiment.Columns("Load", "%g")
	}
	columns = append(columns, experiment.Columns("Fabric", "", "Mean µs", "%.3f")...)
	if several {
		columns = append(columns, experiment.Columns("±", "%.3f")...)
	}
	columns = append(columns, experiment.Columns("p99 µs", "%.3f")...)
	if several {
		columns = append(columns, experiment.Columns("±", "%.3f")...)
	}
	columns = append(columns, experiment.Columns("Slowdown", "%.2f")...)
	if loads {
		columns = append(columns, experiment.Columns("Arrived", "%.3f", "Queue kB", "%.1f", "Work", "%.2f", "Steady", "")...)
	} else {
		columns = append(columns, experiment.Columns("Gb/s", "%.1f", "Queue kB", "%.1f", "Work", "%.2f")...)
	}
	t := &experiment.Table{Name: "times", Columns: columns}
	for _, of := range groups {
		var row []any
		if loads {
			row = append(row, of[0].Point.Load)
		}
		row = append(row, of[0].Point.Fabric)
		mean, p99 := over(of, func(v *result) float64 { return v.Mean }), over(of, func(v *result) float64 { return v.P99 })
		for _, v := range []measure.Interval{mean, p99} {
			if row = append(row, v.Mean/1000); several {
				row = append(row, v.Half/1000)
			}
		}
		row = append(row, over(of, func(v *result) float64 { return v.Slowdown }).Mean)
		queue := over(of, func(v *result) float64 { return float64(v.Queue) }).Mean / 1000
		work := over(of, func(v *result) float64 { return v.Work }).Mean
		if !loads {
			t.Row(append(row, over(of, func(v *result) float64 { return v.Gbps }).Mean, queue, work)...)
			continue
		}
		t.Row(append(row, over(of, func(v *result) float64 { return v.Arrived }).Mean, queue, work, steadiness(of))...)
	}
	return t
}

// sizesTable has the slowdown by classes of size, where there is more than one.
func sizesTable(groups [][]experiment.Result[point, *result]) *experiment.Table {
	t := &experiment.Table{
		Name: "sizes",
		Columns: experiment.Columns(
			"Load", "%g", "Fabric", "", "Size", "", "Messages", "", "Mean µs", "%.3f", "p99 µs", "%.3f", "Slowdown",
			"%.2f", "p99", "%.2f",
		),
	}
	for _, of := range groups {
		if len(of[0].Value.Classes) < 2 {
			continue
		}
		for _, c := range of[0].Value.Classes {
			t.Row(
				of[0].Point.Load, of[0].Point.Fabric, className(c), c.Messages, c.Mean/1000, c.P99/1000, c.Slowdown,
				c.SlowdownP99,
			)
		}
	}
	return t
}

// signalsTable has the PAUSEs, drops and marks of the Ethernets that had any.
func signalsTable(groups [][]experiment.Result[point, *result]) *experiment.Table {
	t := &experiment.Table{
		Name: "signals",
		Columns: experiment.Columns(
			"Load", "%g", "Fabric", "", "PAUSEs", "%.1f", "Frames dropped", "%.1f", "Frames marked", "%.1f",
		),
	}
	if groups[0][0].Point.BER > 0 {
		t.Columns = append(t.Columns, experiment.Columns("Spoilt", "%.1f", "RIFL passes", "%.1f")...)
	}
	for _, of := range groups {
		mean := func(count func(*result) uint64) float64 {
			return over(of, func(v *result) float64 { return float64(count(v)) }).Mean
		}
		pauses := mean(func(v *result) uint64 { return v.Pauses })
		drops := mean(func(v *result) uint64 { return v.Drops })
		marks := mean(func(v *result) uint64 { return v.Marks })
		row := []any{of[0].Point.Load, of[0].Point.Fabric, pauses, drops, marks}
		spoilt := mean(func(v *result) uint64 { return v.Spoilt })
		passes := mean(func(v *result) uint64 { return v.Passes })
		if of[0].Point.BER > 0 {
			row = append(row, spoilt, passes)
		}
		if pauses+drops+marks+spoilt+passes > 0 {
			t.Row(row...)
		}
	}
	return t
}

// crossing returns the load at which a curve first passes a limit, by a line between the two loads about it. It is NaN
// if the curve does not.
func crossing(loads, y []float64, limit float64) float64 {
	for i := range loads {
		switch {
		case y[i] <= limit:
		case i == 0:
			return math.NaN() // already above
		default:
			return loads[i-1] + (loads[i]-loads[i-1])*(limit-y[i-1])/(y[i]-y[i-1])
		}
	}
	return math.NaN()
}

// limitTable has for each fabric the load at which the 99th percentile passes the limit, over the runs.
func limitTable(p *params, groups [][]experiment.Result[point, *result]) *experiment.Table {
	limit, _ := p.Limit.In(clock.Nanosecond).Float64()
	if limit == 0 {
		return &experiment.Table{Name: "limit"}
	}
	t := &experiment.Table{
		Name: "limit",
		Columns: experiment.Columns(
			"Fabric", "", fmt.Sprintf("Load at which p99 passes %v", p.Limit), "", "±", "%.3f", "Runs", "",
		),
	}
	for _, name := range p.Fabrics {
		var found []float64
		below, above := 0, 0
		for run := range p.Runs {
			var x, y []float64
			for _, of := range groups {
				if of[0].Point.Fabric == name && run < len(of) {
					x, y = append(x, of[0].Point.Load), append(y, of[run].Value.P99)
				}
			}
			switch at := crossing(x, y, limit); {
			case !math.IsNaN(at):
				found = append(found, at)
			case len(y) > 0 && y[0] > limit:
				below++
			default:
				above++
			}
		}
		switch {
		case below == 0 && above == 0:
			v := measure.Mean(found)
			t.Row(name, fmt.Sprintf("%.3f", v.Mean), half(v), v.Runs)
		case above == p.Runs:
			t.Row(name, fmt.Sprintf("above %g", p.Loads[len(p.Loads)-1]), "", p.Runs)
		case below == p.Runs:
			t.Row(name, fmt.Sprintf("below %g", p.Loads[0]), "", p.Runs)
		default:
			t.Row(name, fmt.Sprintf("in %d of %d runs within the loads", len(found), p.Runs), "", p.Runs)
		}
	}
	return t
}

// charts draws times by load, or slowdowns by size where there is one load.
func charts(r *experiment.Report, p *params, groups [][]experiment.Result[point, *result]) {
	series := func(x func(of []experiment.Result[point, *result]) float64, y func(*result) float64) []plots.Series {
		var all []plots.Series
		for _, name := range p.Fabrics {
			s := plots.Series{Name: name}
			for _, of := range groups {
				if of[0].Point.Fabric == name {
					v := over(of, y)
					s.X, s.Y = append(s.X, x(of)), append(s.Y, v.Mean)
				}
			}
			if len(s.X) > 0 {
				all = append(all, s)
			}
		}
		return all
	}
	if !p.alone() && len(p.Loads) > 1 {
		load := func(of []experiment.Result[point, *result]) float64 { return of[0].Point.Load }
		r.Chart(
			experiment.Chart{
				Name: "p99",
				Lines: &plots.Chart{Title: "Completion, 99th percentile", X: "payload on the busiest link", Y: "µs", LogY: true,
					Series: series(load, func(v *result) float64 { return v.P99 / 1000 })},
			},
		)
		r.Chart(
			experiment.Chart{
				Name: "mean",
				Lines: &plots.Chart{Title: "Completion, mean", X: "payload on the busiest link", Y: "µs", LogY: true,
					Series: series(load, func(v *result) float64 { return v.Mean / 1000 })},
			},
		)
	}
	// by size, at the last load
	top := groups[len(groups)-1][0].Point.Load
	chart := &plots.Chart{
		Title: fmt.Sprintf("Slowdown by size, 99th percentile, at load %g", top), X: "bytes", Y: "over a lone message",
		LogX: true, LogY: true,
	}
	if p.alone() {
		chart.Title = "Slowdown by size, 99th percentile"
	}
	for _, of := range groups {
		if of[0].Point.Load != top {
			continue
		}
		s := plots.Series{Name: of[0].Point.Fabric}
		for _, c := range of[0].Value.Classes {
			x := float64(c.Most)
			if c.Most == 0 {
				x = 10 * float64(c.Above)
			}
			s.X, s.Y = append(s.X, x), append(s.Y, c.SlowdownP99)
		}
		chart.Series = append(chart.Series, s)
	}
	if slices.ContainsFunc(chart.Series, func(s plots.Series) bool { return len(s.X) > 1 }) {
		r.Chart(experiment.Chart{Name: "sizes", Lines: chart})
	}
}
