package plots

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Series is a curve through points in the order given.
type Series struct {
	Name   string
	X, Y   []float64
	Dashed bool

	// Low and High bound a band around the curve, a confidence interval or the spread of runs; nil: none.
	Low, High []float64
}

// Chart is what [Lines] draws.
type Chart struct {
	Title, X, Y    string // X and Y are the labels of the axes, with their units
	LogX, LogY     bool
	Series         []Series
	HLines, VLines []Mark
}

// mostMarkers is the greatest number that a series has: with more points every second has one, or every third, and so
// on.
const mostMarkers = 25

// Lines writes the chart as SVG. An error names the series that is not complete or holds what cannot be drawn.
func Lines(w io.Writer, chart Chart) error {
	x, y := newSpan(), newSpan()
	if err := chart.check(&x, &y); err != nil {
		return err
	}
	p, legend := newPlot(chart.Title, chart.X, chart.Y, true)
	x.setAxis(&p.X, chart.LogX)
	y.setAxis(&p.Y, chart.LogY)
	for i, series := range chart.Series {
		if series.Low == nil {
			continue
		}
		edge := points(series.X, series.Low)
		back := points(series.X, series.High)
		slices.Reverse(back)
		band, err := plotter.NewPolygon(append(edge, back...))
		if err != nil {
			return fmt.Errorf("series %q: %w", series.Name, err)
		}
		fill := seriesColor(i)
		fill.A = 0x33
		band.Color, band.LineStyle.Width = fill, 0
		p.Add(band)
	}
	for i, series := range chart.Series {
		line, err := plotter.NewLine(points(series.X, series.Y))
		if err != nil {
			return fmt.Errorf("series %q: %w", series.Name, err)
		}
		line.LineStyle = draw.LineStyle{Color: seriesColor(i), Width: lineWidth}
		if series.Dashed {
			line.Dashes = dashes
		}
		var marked plotter.XYs
		every := (len(line.XYs) + mostMarkers - 1) / mostMarkers
		for j := 0; j < len(line.XYs); j += every {
			marked = append(marked, line.XYs[j])
		}
		scatter, err := plotter.NewScatter(marked)
		if err != nil {
			return fmt.Errorf("series %q: %w", series.Name, err)
		}
		scatter.GlyphStyle = draw.GlyphStyle{Color: seriesColor(i), Radius: markerRadius, Shape: markers[i%len(markers)]}
		p.Add(line, scatter)
		legend.Add(series.Name, line, scatter)
	}
	return write(w, p, legend, chart.HLines, chart.VLines)
}

// check refuses what cannot be drawn and finds the range of both axes.
func (chart *Chart) check(x, y *span) error {
	if err := checkLabels(chart.Title, chart.X, chart.Y); err != nil {
		return err
	}
	if len(chart.Series) == 0 {
		return errors.New("no series to draw")
	}
	for _, series := range chart.Series {
		if err := series.check(chart.LogX, chart.LogY); err != nil {
			return fmt.Errorf("series %q: %w", series.Name, err)
		}
		x.add(series.X...)
		y.add(series.Y...)
		y.add(series.Low...)
		y.add(series.High...)
	}
	if err := y.addMarks("horizontal line", chart.HLines, chart.LogY); err != nil {
		return err
	}
	return x.addMarks("vertical line", chart.VLines, chart.LogX)
}

func checkLabels(title, x, y string) error {
	return cmp.Or(checkText("title", title), checkText("label of X", x), checkText("label of Y", y))
}

func (s *Series) check(logX, logY bool) error {
	if err := checkText("name", s.Name); err != nil {
		return err
	}
	if len(s.X) == 0 || len(s.X) != len(s.Y) {
		return fmt.Errorf("%d of X, %d of Y, want as many and at least one", len(s.X), len(s.Y))
	}
	if err := checkBand(len(s.Y), s.Low, s.High); err != nil {
		return err
	}
	for _, column := range []struct {
		name        string
		values      []float64
		logarithmic bool
	}{{"X", s.X, logX}, {"Y", s.Y, logY}, {"Low", s.Low, logY}, {"High", s.High, logY}} {
		for i, v := range column.values {
			if err := checkNumber(v, column.logarithmic); err != nil {
				return fmt.Errorf("%s[%d] is %w", column.name, i, err)
			}
		}
	}
	return nil
}

func checkBand(n int, low, high []float64) error {
	if low == nil && high == nil {
		return nil
	}
	if len(low) != n || len(high) != n {
		return fmt.Errorf("%d of Low, %d of High for %d values, want as many or none", len(low), len(high), n)
	}
	for i := range low {
		if low[i] > high[i] {
			return fmt.Errorf("Low[%d] is %g, want at most High[%d], %g", i, low[i], i, high[i])
		}
	}
	return nil
}

func points(x, y []float64) plotter.XYs {
	xys := make(plotter.XYs, len(x))
	for i := range xys {
		xys[i] = plotter.XY{X: x[i], Y: y[i]}
	}
	return xys
}

// resolution is the height of the least step that [CDF] keeps.
const resolution = 1. / 1000

// CDF returns the cumulative distribution of values as a curve of steps: Y is the share of values at most X. Steps
// closer than a thousandth are taken together, so that a million values do not make a million points.
func CDF(name string, values []float64) Series {
	sorted := slices.Sorted(slices.Values(values))
	s := Series{Name: name}
	n := float64(len(sorted))
	last := 0.0
	for i, v := range sorted {
		share := float64(i+1) / n
		final := i+1 == len(sorted)
		if !final && (sorted[i+1] == v || s.X != nil && share-last < resolution) {
			continue
		}
		s.X = append(s.X, v, v)
		s.Y = append(s.Y, last, share)
		last = share
	}
	return s
}
