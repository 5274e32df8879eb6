package plots

import (
	"errors"
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// BarSeries is one bar in each group.
type BarSeries struct {
	Name   string
	Values []float64

	// Low and High are the ends of an error bar; nil: none.
	Low, High []float64
}

// BarChart is what [Bars] draws.
type BarChart struct {
	Title, X, Y string // X and Y are the labels of the axes
	Groups      []string
	Series      []BarSeries
	HLines      []Mark
}

// groupWidth is how much of a group's place its bars take.
const groupWidth = 0.8

// Bars writes the chart as SVG: the bars of a group side by side, in the order of the series, from 0.
func Bars(w io.Writer, chart BarChart) error {
	y := span{0, 0}
	if err := chart.check(&y); err != nil {
		return err
	}
	p, legend := newPlot(chart.Title, chart.X, chart.Y, false)
	y.setAxis(&p.Y, false)
	p.X.Min, p.X.Max = -0.5, float64(len(chart.Groups))-0.5
	var groups plot.ConstantTicks
	for i, name := range chart.Groups {
		groups = append(groups, plot.Tick{Value: float64(i), Label: name})
	}
	p.X.Tick.Marker = groups
	for i, series := range chart.Series {
		b := bars{series, i, len(chart.Series)}
		p.Add(b)
		legend.Add(series.Name, b)
	}
	return write(w, p, legend, chart.HLines, nil)
}

func (chart *BarChart) check(y *span) error {
	if err := checkLabels(chart.Title, chart.X, chart.Y); err != nil {
		return err
	}
	if len(chart.Groups) == 0 {
		return errors.New("no groups to draw")
	}
	for _, group := range chart.Groups {
		if err := checkText("group", group); err != nil {
			return err
		}
	}
	if len(chart.Series) == 0 {
		return errors.New("no series to draw")
	}
	for _, series := range chart.Series {
		if err := series.check(len(chart.Groups)); err != nil {
			return fmt.Errorf("series %q: %w", series.Name, err)
		}
		y.add(series.Values...)
		y.add(series.Low...)
		y.add(series.High...)
	}
	return y.addMarks("horizontal line", chart.HLines, false)
}

func (s *BarSeries) check(groups int) error {
	if err := checkText("name", s.Name); err != nil {
		return err
	}
	if len(s.Values) != groups {
		return fmt.Errorf("%d values, want one for each of %d groups", len(s.Values), groups)
	}
	if err := checkBand(groups, s.Low, s.High); err != nil {
		return err
	}
	for _, column := range []struct {
		name   string
		values []float64
	}{{"Values", s.Values}, {"Low", s.Low}, {"High", s.High}} {
		for i, v := range column.values {
			if err := checkNumber(v, false); err != nil {
				return fmt.Errorf("%s[%d] is %w", column.name, i, err)
			}
		}
	}
	return nil
}

// bars draws the series of number index, from 0, out of as many as of says.
type bars struct {
	series BarSeries
	index  int
	of     int
}

func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	size := groupWidth / float64(b.of)
	whisker := draw.LineStyle{Color: ink, Width: 1}
	for group, value := range b.series.Values {
		left := float64(group) - groupWidth/2 + float64(b.index)*size
		fillRectangle(&c, seriesColor(b.index), x(left), y(0), x(left+size), y(value))
		if b.series.Low == nil {
			continue
		}
		middle, low, high := x(left+size/2), y(b.series.Low[group]), y(b.series.High[group])
		half := (x(left+size) - x(left)) / 6
		c.StrokeLine2(whisker, middle, low, middle, high)
		c.StrokeLine2(whisker, middle-half, low, middle+half, low)
		c.StrokeLine2(whisker, middle-half, high, middle+half, high)
	}
}

// Thumbnail draws the series' square in the legend.
func (b bars) Thumbnail(c *draw.Canvas) {
	side := c.Max.Y - c.Min.Y
	fillRectangle(c, seriesColor(b.index), c.Max.X-side, c.Min.Y, c.Max.X, c.Max.Y)
}

func fillRectangle(c *draw.Canvas, fill color.Color, x0, y0, x1, y1 vg.Length) {
	c.FillPolygon(fill, []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
}
