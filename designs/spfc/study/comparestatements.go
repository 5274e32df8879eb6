package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/workload/measure"
)

// expectation is what the paper prints of a difference between SPFC and another buffer manager.
type expectation struct {
	printed float64 // per cent; 0: none
	upTo    bool    // it is the largest of several
	alike   bool    // SPFC's figure is about the same
}

// comparison is a statement about SPFC and another buffer manager.
type comparison struct {
	expectation
	figure, source string
	text           string
	literal        string // the figures of the difference as printed, if there are two
	control, sizes string // empty: any
	against        string
	class          int
	least, most    float64 // loads
	get            func(classFCT) float64
	gain           bool // by how much SPFC's figure is larger; else by how much it is smaller
}

// alikeWithin is the difference, in per cent, that counts as "similar" and "not much difference"; the paper gives no
// figure for them.
const alikeWithin = 10

func meanOf(x classFCT) float64 { return x.Mean }
func p95Of(x classFCT) float64  { return x.P95 }
func p99Of(x classFCT) float64  { return x.P99 }
func rateOf(x classFCT) float64 { return x.Gbps }

// Size classes that statements are about.
const (
	smallFlows = 0
	largeFlows = 3
)

// comparisons are §VII-D's statements.
func comparisons() []comparison {
	var all []comparison
	for _, row := range table3 {
		for i, scheme := range table3Schemes {
			all = append(all, comparison{figure: "table3", source: "Table III", text: "large flows have more goodput",
				literal: fmt.Sprintf("%s / %s Gb/s", row.spfc, row.others[i]), control: row.control, sizes: row.sizes,
				against: scheme, class: largeFlows, most: 2, get: rateOf, gain: true,
				expectation: expectation{printed: 100 * (number(row.spfc)/number(row.others[i]) - 1)}})
		}
	}
	for _, f := range []struct {
		figure, source string
		dt, st         float64
	}{{"fig15", "Fig. 15", 46.1, 53.8}, {"fig16", "Fig. 16", 32.3, 38.9}} {
		for i, s := range []string{"dt2", "st"} {
			printed := [2]float64{f.dt, f.st}[i]
			c := comparison{figure: f.figure, source: f.source, against: s, class: largeFlows, get: meanOf}
			low, high, small := c, c, c
			low.text, low.most, low.alike = "large flows: not much difference at low load", 0.4, true
			high.text, high.least, high.most, high.printed, high.upTo = "large flows: lower mean slowdown above load 0.5",
				0.5001, 2, printed, true
			small.text, small.class, small.most, small.alike = "small flows: similar mean slowdown", smallFlows, 2, true
			all = append(all, low, high, small)
		}
	}
	all = append(all, comparison{figure: "fig16", source: "Fig. 16", text: "small flows: lower 99th percentile",
		against: "dt2", class: smallFlows, most: 2, get: p99Of})
	for _, control := range []string{"dcqcn", "timely"} {
		c := comparison{figure: "fig18", source: "Fig. 18", control: control, most: 2, against: "st", sizes: "fbhadoop"}
		small, large, dt, st := c, c, c, c
		small.text, small.class, small.get, small.printed, small.upTo = "small flows: lower 95th percentile",
			smallFlows, p95Of, 45.9, true
		large.text, large.class, large.get, large.printed, large.upTo = "large flows: lower mean slowdown",
			largeFlows, meanOf, 53.3, true
		dt.text, dt.sizes, dt.against, dt.class, dt.get, dt.alike = "large flows: similar mean slowdown", "websearch",
			"dt2", largeFlows, meanOf, true
		st.text, st.sizes, st.class, st.get = "large flows: slightly lower mean slowdown", "websearch", largeFlows, meanOf
		all = append(all, small, large, dt, st)
	}
	return all
}

// about tells whether a statement is about a point's runs.
func (c *comparison) about(q *ComparePoint) bool {
	return q.Figure == c.figure && cmp.Or(c.control, q.Control) == q.Control && cmp.Or(c.sizes, q.Sizes) == q.Sizes &&
		q.Load >= c.least && q.Load <= c.most
}

// difference is by how many per cent SPFC's figure is better, seed by seed; ok is false if fewer than two seeds have
// such flows.
func (c *comparison) difference(ours, other []fabricResult) (d measure.Interval, ok bool) {
	var a, b []float64
	for k := range ours {
		if x := &ours[k].FCT[c.class]; x.Flows > 0 {
			a, b = append(a, c.get(*x)), append(b, c.get(other[k].FCT[c.class]))
		}
	}
	return paired(a, b, c.gain)
}

// paired is by how many per cent of the second figure the first one is less, or more, pair by pair. A pair without a
// second figure has no such share, unless it has no first one either.
func paired(first, second []float64, more bool) (d measure.Interval, ok bool) {
	var each []float64
	for k, a := range first {
		switch b := second[k]; {
		case a == b:
			each = append(each, 0)
		case b == 0:
		case more:
			each = append(each, 100*(a/b-1))
		default:
			each = append(each, 100*(1-a/b))
		}
	}
	if len(each) < 2 {
		return d, false
	}
	return measure.Mean(each), true
}

// String returns the printed figure.
func (e *expectation) String() string {
	switch {
	case e.alike:
		return fmt.Sprintf("0, taken as ± %d", alikeWithin)
	case e.upTo:
		return fmt.Sprintf("up to %.1f", e.printed)
	case e.printed != 0:
		return fmt.Sprintf("%.1f", e.printed)
	}
	return "" // a sign
}

// verdict is what an interval says of it.
func (e *expectation) verdict(d measure.Interval) string {
	low, high := d.Mean-d.Half, d.Mean+d.Half
	switch {
	case e.alike && low >= -alikeWithin && high <= alikeWithin:
		return "holds"
	case e.alike && (low > alikeWithin || high < -alikeWithin):
		return "does not hold"
	case e.alike:
		return "not told"
	case low == 0 && high == 0:
		return "does not hold: no difference"
	case high < 0:
		return "does not hold: the opposite"
	case low <= 0:
		return "not told"
	case e.printed == 0 || low <= e.printed && e.printed <= high || e.upTo && low >= e.printed:
		return "holds"
	case high < e.printed:
		return "holds in sign, less"
	}
	return "holds in sign, more"
}

func reportCompare(p *compareParams, done []experiment.Result[ComparePoint, fabricResult]) (*experiment.Report, error) {
	r := &experiment.Report{}
	figures := &experiment.Table{
		Name: "figures",
		Columns: experiment.Columns(
			"Figure", "", "Control", "", "Sizes", "", "Load", "", "Scheme", "", "Size", "", "Runs", "", "Flows", "%.0f",
			"Mean slowdown", "%.2f", "±", "%.2f", "95 %", "%.2f", "±", "%.2f", "99 %", "%.2f", "±", "%.2f", "Gb/s", "%.2f",
			"±", "%.2f", "PAUSEs", "%.1f", "±", "%.1f",
		),
	}
	statements := &experiment.Table{
		Name: "statements",
		Columns: experiment.Columns(
			"Source", "", "SPFC, as the paper says", "", "Control", "", "Sizes", "", "Load", "", "Against", "",
			"Printed %", "", "Measured %", "%.2f", "±", "%.2f", "Runs", "", "Verdict", "",
		),
	}
	runs := map[ComparePoint][]fabricResult{}
	var points []ComparePoint
	for of := range byPoint(done) {
		q := of[0].Point
		points = append(points, q)
		for _, d := range of {
			runs[q] = append(runs[q], d.Value)
		}
		figuresRows(figures, q, of)
	}
	for _, c := range comparisons() {
		for _, q := range points {
			with := q
			with.Scheme = "spfc"
			if q.Scheme != c.against || !c.about(&q) || len(runs[with]) != len(runs[q]) { // a run was interrupted
				continue
			}
			d, ok := c.difference(runs[with], runs[q])
			if !ok {
				statements.Row(c.source, c.text, q.Control, q.Sizes, q.Load, q.Scheme, c.String(), math.NaN(), math.NaN(), 0,
					"too few such flows")
				continue
			}
			statements.Row(c.source, c.text, q.Control, q.Sizes, q.Load, q.Scheme, c.String(), d.Mean, d.Half,
				d.Runs, c.verdict(d))
		}
	}
	r.Table(figures)
	r.Table(statements)
	compareCharts(r, points, runs)
	r.Linef(
		"%d seeds, %d pods, flows for %v, %g MB a switch. Differences are taken seed by seed, in per cent of the other's "+
			"figure; ± is the half of a 95 %% interval.",
		p.Runs, p.Pods, p.Lasts, p.Memory,
	)
	return r, nil
}

func figuresRows(t *experiment.Table, q ComparePoint, of []experiment.Result[ComparePoint, fabricResult]) {
	pauses := over(of, func(v fabricResult) float64 { return float64(v.Pauses) })
	for c, class := range sizeClasses {
		interval := func(get func(classFCT) float64) measure.Interval {
			return over(of, func(v fabricResult) float64 { return get(v.FCT[c]) })
		}
		flows := interval(func(x classFCT) float64 { return float64(x.Flows) })
		mean, p95, p99, rate := interval(meanOf), interval(p95Of), interval(p99Of), interval(rateOf)
		t.Row(q.Figure, q.Control, q.Sizes, q.Load, q.Scheme, class.Name, len(of), flows.Mean, mean.Mean, mean.Half,
			p95.Mean, p95.Half, p99.Mean, p99.Half, rate.Mean, rate.Half,
			pauses.Mean, pauses.Half)
	}
}

// compareCharts draws the slowdown of large flows by load with bands, and Table III as bars.
func compareCharts(r *experiment.Report, points []ComparePoint, runs map[ComparePoint][]fabricResult) {
	lines, bars := map[string]*plots.Chart{}, &plots.BarChart{Title: "Goodput of flows above 1 MB (Table III)", Y: "Gb/s"}
	var names []string
	for _, q := range points {
		value := func(get func(classFCT) float64) measure.Interval {
			values := make([]float64, len(runs[q]))
			for i, v := range runs[q] {
				values[i] = get(v.FCT[largeFlows])
			}
			return measure.Mean(values)
		}
		if q.Figure == "table3" {
			if q.Load == printedLoad {
				addBar(bars, q, value(rateOf))
			}
			continue
		}
		name := fmt.Sprintf("%s-%s-%s", q.Figure, q.Control, q.Sizes)
		if lines[name] == nil {
			lines[name] = &plots.Chart{Title: fmt.Sprintf("Mean slowdown of flows above 1 MB (%s, %s, %s)", q.Figure,
				q.Control, q.Sizes), X: "load", Y: "slowdown"}
			names = append(names, name)
		}
		lines[name].Series = addPoint(lines[name].Series, q.Scheme, q.Load, value(meanOf))
	}
	if len(bars.Groups) > 0 {
		r.Chart(experiment.Chart{Name: "table3", Bars: bars})
	}
	for _, name := range names {
		if len(lines[name].Series[0].X) > 1 {
			r.Chart(experiment.Chart{Name: name, Lines: lines[name]})
		}
	}
}

func addBar(c *plots.BarChart, q ComparePoint, v measure.Interval) {
	group := q.Sizes + " " + q.Control
	if len(c.Groups) == 0 || c.Groups[len(c.Groups)-1] != group {
		c.Groups = append(c.Groups, group)
	}
	at := slices.IndexFunc(c.Series, func(s plots.BarSeries) bool { return s.Name == q.Scheme })
	if at < 0 {
		at = len(c.Series)
		c.Series = append(c.Series, plots.BarSeries{Name: q.Scheme})
	}
	s := &c.Series[at]
	low, high := ends(v)
	s.Values, s.Low, s.High = append(s.Values, v.Mean), append(s.Low, low), append(s.High, high)
}
