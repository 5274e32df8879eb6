package plots

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"pgregory.net/rapid"
)

// drawing is what an SVG shows: its texts, and the paths of each style.
type drawing struct {
	texts []string
	paths []path
}

type path struct {
	style  string
	points [][2]float64
}

// parse reads an SVG and refuses text that is not well-formed. Only paths of straight lines have points.
func parse(t require.TestingT, svg []byte) drawing {
	var d drawing
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	inText := false
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return d
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			inText = token.Name.Local == "text"
			if token.Name.Local == "path" {
				p := path{}
				for _, a := range token.Attr {
					switch a.Name.Local {
					case "style":
						p.style = a.Value
					case "d":
						p.points = parsePoints(t, a.Value)
					}
				}
				d.paths = append(d.paths, p)
			}
		case xml.CharData:
			if inText {
				d.texts = append(d.texts, string(token))
			}
		case xml.EndElement:
			inText = false
		}
	}
}

func parsePoints(t require.TestingT, data string) (points [][2]float64) {
	if strings.ContainsAny(data, "AQC") {
		return nil
	}
	for _, pair := range strings.FieldsFunc(data, func(r rune) bool { return strings.ContainsRune("MLZ", r) }) {
		x, y, ok := strings.Cut(pair, ",")
		require.True(t, ok, "%q", data)
		var point [2]float64
		var err error
		point[0], err = strconv.ParseFloat(x, 64)
		require.NoError(t, err)
		point[1], err = strconv.ParseFloat(y, 64)
		require.NoError(t, err)
		require.False(t, math.IsNaN(point[0]+point[1]), "%q", data)
		points = append(points, point)
	}
	return points
}

// styled returns the paths whose style holds s.
func (d drawing) styled(s string) (paths [][][2]float64) {
	for _, p := range d.paths {
		if strings.Contains(p.style, s) {
			paths = append(paths, p.points)
		}
	}
	return paths
}

const (
	blueLine      = "stroke:#0072B2;stroke-width:1.6"
	blueFill      = "fill:#0072B2"
	vermilionFill = "fill:#D55E00"
)

func lines(t require.TestingT, chart Chart) drawing {
	var svg bytes.Buffer
	require.NoError(t, Lines(&svg, chart))
	return parse(t, svg.Bytes())
}

func testChart() Chart {
	return Chart{
		Title: "T & <t>", X: "x (µs)", Y: "y's \"label\"",
		Series: []Series{
			{Name: "first & <only>", X: []float64{1, 2, 3}, Y: []float64{4, 5, 7}},
			{Name: "second", X: []float64{1, 2}, Y: []float64{4, 5}, Dashed: true, Low: []float64{3, 4}, High: []float64{5, 6}},
		},
		HLines: []Mark{{At: 6, Label: "level"}},
		VLines: []Mark{{At: 2.5, Label: "place"}},
	}
}

func TestLinesShowsAllText(t *testing.T) {
	d := lines(t, testChart())
	for _, want := range []string{"T & <t>", "x (µs)", "y's \"label\"", "first & <only>", "second", "level", "place"} {
		require.Contains(t, d.texts, want)
	}
}

func TestEqualChartsGiveEqualBytes(t *testing.T) {
	var one, two bytes.Buffer
	require.NoError(t, Lines(&one, testChart()))
	require.NoError(t, Lines(&two, testChart()))
	require.Equal(t, one.String(), two.String())
	other := testChart()
	other.Series[0].Y[2] = 6.9
	two.Reset()
	require.NoError(t, Lines(&two, other))
	require.NotEqual(t, one.String(), two.String())
}

// Equal steps of the data, or equal ratios on logarithmic axes, are equal steps on paper.
func TestLinesScale(t *testing.T) {
	ones, decades := []float64{10, 20, 30, 40}, []float64{1, 10, 100, 1000}
	for _, test := range []struct {
		logX, logY bool
	}{{false, false}, {true, false}, {false, true}, {true, true}} {
		x, y := ones, ones
		if test.logX {
			x = decades
		}
		if test.logY {
			y = decades
		}
		d := lines(t, Chart{LogX: test.logX, LogY: test.logY, Series: []Series{{Name: "s", X: x, Y: y}}})
		curve := d.styled(blueLine)[0]
		require.Len(t, curve, 4)
		for axis := range 2 {
			step := curve[1][axis] - curve[0][axis]
			require.Greater(t, step, 50.) // points of paper
			require.InDelta(t, step, curve[2][axis]-curve[1][axis], 0.02)
			require.InDelta(t, step, curve[3][axis]-curve[2][axis], 0.02)
		}
	}
}

func TestLinesDrawsBandsAndDashes(t *testing.T) {
	d := lines(t, testChart())
	curve := d.styled("stroke:#D55E00;stroke-width:1.6;stroke-dasharray:5,3")[0]
	band := d.styled("fill-opacity:0.2")[0]
	require.Len(t, band, 4)
	for i, corner := range []int{0, 1, 1, 0} { // along Low and back along High
		require.InDelta(t, curve[corner][0], band[i][0], 0.01)
		below := i < 2
		require.Equal(t, below, band[i][1] < curve[corner][1])
	}
	// The line at 6 lies half way between the points at 5 and 7.
	first := d.styled(blueLine)[0]
	level := d.styled("stroke-dasharray:2,2")[0]
	require.InDelta(t, (first[1][1]+first[2][1])/2, level[0][1], 0.02)
}

func TestLinesMarkersAreFewAndDiffer(t *testing.T) {
	x := make([]float64, 1000)
	for i := range x {
		x[i] = float64(i)
	}
	d := lines(t, Chart{Series: []Series{{Name: "a", X: x, Y: x}, {Name: "b", X: x, Y: x}}})
	circles, boxes := d.styled(blueFill), d.styled(vermilionFill)
	require.Len(t, circles, 25+1) // and one in the legend
	require.Len(t, boxes, 25+1)
	require.Nil(t, circles[0]) // of arcs
	require.Len(t, boxes[0], 4)
}

func TestLinesErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for want, change := range map[string]func(*Chart){
		"no series to draw": func(c *Chart) { c.Series = nil },
		`series "second": 1 of X, 2 of Y, want as many and at ` +
			`least one`: func(c *Chart) { c.Series[1].X = []float64{1} },
		`series "second": 0 of X, 0 of Y, want as many and at ` +
			`least one`: func(c *Chart) { c.Series[1] = Series{Name: "second"} },
		`series "second": X[1] is NaN, want a number of at ` +
			`most 1e+100`: func(c *Chart) { c.Series[1].X[1] = nan },
		`series "second": Y[0] is +Inf, want a number of at ` +
			`most 1e+100`: func(c *Chart) { c.Series[1].Y[0] = inf },
		`series "second": High[0] is +Inf, want a number of at ` +
			`most 1e+100`: func(c *Chart) { c.Series[1].High[0] = inf },
		`series "second": Low[1] is NaN, want a number of at ` +
			`most 1e+100`: func(c *Chart) { c.Series[1].Low[1] = nan },
		`series "second": Low[1] is 7, want at most ` +
			`High[1], 6`: func(c *Chart) { c.Series[1].Low[1] = 7 },
		`series "second": 2 of Low, 0 of High for 2 values, want as many ` +
			`or none`: func(c *Chart) { c.Series[1].High = nil },
		`series "first & <only>": Y[0] is 0, want at least 1e-100 on a ` +
			`logarithmic axis`: func(c *Chart) { c.LogY, c.Series[0].Y[0] = true, 0 },
		`series "first & <only>": X[1] is -2, want at least 1e-100 on a ` +
			`logarithmic axis`: func(c *Chart) { c.LogX, c.Series[0].X[1] = true, -2 },
		`series "a\x00": name "a\x00", want printable ` +
			`characters`: func(c *Chart) { c.Series[0].Name = "a\x00" },
		`title "\xff", want UTF-8`: func(c *Chart) {
			c.Title, c.X = "\xff",
				"\xff"
		},
		`label of X "a\nb", want printable characters`:                     func(c *Chart) { c.X = "a\nb" },
		`horizontal line "level": at NaN, want a number of at most 1e+100`: func(c *Chart) { c.HLines[0].At = nan },
		`vertical line "place": at 0, want at least 1e-100 on a ` +
			`logarithmic axis`: func(c *Chart) { c.LogX, c.VLines[0].At = true, 0 },
		`vertical line "\t", want printable characters`: func(c *Chart) { c.VLines[0].Label = "\t" },
	} {
		chart := testChart()
		change(&chart)
		var svg bytes.Buffer
		require.EqualError(t, Lines(&svg, chart), want)
		require.Zero(t, svg.Len())
	}
	require.EqualError(t, Lines(failingWriter{}, testChart()), "disk")
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("disk") }

// Whatever finite values: the SVG is well-formed and every point lies on the paper.
func TestLinesOfAnyValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chart := Chart{LogX: rapid.Bool().Draw(t, "log x"), LogY: rapid.Bool().Draw(t, "log y")}
		values := func(logarithmic bool) *rapid.Generator[float64] {
			if logarithmic {
				return rapid.Float64Range(1/largest, largest)
			}
			return rapid.Float64Range(-largest, largest)
		}
		n := rapid.IntRange(2, 5).Draw(t, "points")
		chart.Series = []Series{{
			Name: "s",
			X:    rapid.SliceOfN(values(chart.LogX), n, n).Draw(t, "x"),
			Y:    rapid.SliceOfN(values(chart.LogY), n, n).Draw(t, "y"),
		}}
		for _, p := range lines(t, chart).styled(blueLine)[0] {
			require.True(t, p[0] >= 0 && p[0] <= width+margin && p[1] >= 0 && p[1] <= height+margin, "%v", p)
		}
	})
}

// A single point is a marker without a line.
func TestLinesOfOnePoint(t *testing.T) {
	for _, logarithmic := range []bool{false, true} {
		d := lines(
			t,
			Chart{LogX: logarithmic, LogY: logarithmic, Series: []Series{{Name: "s", X: []float64{5}, Y: []float64{5}}}},
		)
		require.Len(t, d.styled(blueLine), 1) // in the legend
		require.Len(t, d.styled(blueFill), 1+1)
	}
}

func TestCDF(t *testing.T) {
	s := CDF("s", []float64{3, 1, 3, 2})
	require.Equal(t, Series{
		Name: "s",
		X:    []float64{1, 1, 2, 2, 3, 3},
		Y:    []float64{0, 0.25, 0.25, 0.5, 0.5, 1},
	}, s)
	require.EqualError(t, Lines(io.Discard, Chart{Series: []Series{CDF("none", nil)}}),
		`series "none": 0 of X, 0 of Y, want as many and at least one`)
	require.EqualError(t, Lines(io.Discard, Chart{Series: []Series{CDF("s", []float64{1, math.NaN()})}}),
		`series "s": X[0] is NaN, want a number of at most 1e+100`)
}

// However many values: a thousand steps, the first and the last value, and each corner on the distribution.
func TestCDFOfMany(t *testing.T) {
	const n = 100_000
	values := make([]float64, n)
	for i := range values {
		values[i] = float64((i*7919)%n + 1) // each of 1 to n once
	}
	s := CDF("s", values)
	require.LessOrEqual(t, len(s.X), 2*1002)
	require.Equal(t, 1., s.X[0])
	require.Equal(t, float64(n), s.X[len(s.X)-1])
	for i := 1; i < len(s.X); i += 2 {
		require.InDelta(t, s.X[i]/n, s.Y[i], 1e-12)
		require.Equal(t, s.X[i], s.X[i-1])
	}
}

func TestBars(t *testing.T) {
	chart := BarChart{
		Title: "T", X: "workload", Y: "requests",
		Groups: []string{"A", "B & C"},
		Series: []BarSeries{
			{Name: "one", Values: []float64{10, 20}},
			{Name: "two <2>", Values: []float64{-10, 40}, Low: []float64{-15, 30}, High: []float64{-5, 50}},
		},
		HLines: []Mark{{At: 20, Label: "goal"}},
	}
	var svg, again bytes.Buffer
	require.NoError(t, Bars(&svg, chart))
	require.NoError(t, Bars(&again, chart))
	require.Equal(t, svg.String(), again.String())
	d := parse(t, svg.Bytes())
	for _, want := range []string{"T", "workload", "requests", "A", "B & C", "one", "two <2>", "goal"} {
		require.Contains(t, d.texts, want)
	}
	one, two := d.styled(blueFill), d.styled(vermilionFill)
	require.Len(t, one, 2+1) // and one in the legend
	require.Len(t, two, 2+1)
	tall := func(bar [][2]float64) float64 { return bar[2][1] - bar[1][1] }
	unit := tall(one[0]) // 10 requests
	require.Greater(t, unit, 0.)
	require.InDelta(t, 2*unit, tall(one[1]), 0.02)
	require.InDelta(t, -unit, tall(two[0]), 0.02)
	require.InDelta(t, 4*unit, tall(two[1]), 0.02)
	require.InDelta(t, one[0][1][0], two[0][0][0], 0.01) // side by side
	require.InDelta(t, one[0][1][1], two[0][0][1], 0.01) // from the same 0
	goal := d.styled("stroke-dasharray:2,2")[0]
	require.InDelta(t, one[1][2][1], goal[0][1], 0.01)
}

func TestBarsErrors(t *testing.T) {
	for want, change := range map[string]func(*BarChart){
		"no groups to draw": func(c *BarChart) { c.Groups = nil },
		"no series to draw": func(c *BarChart) { c.Series = nil },
		`series "s": 1 values, want one for each of ` +
			`2 groups`: func(c *BarChart) { c.Series[0].Values = []float64{1} },
		`series "s": Values[1] is NaN, want a number of at ` +
			`most 1e+100`: func(c *BarChart) { c.Series[0].Values[1] = math.NaN() },
		`series "s": 1 of Low, 0 of High for 2 values, want as many ` +
			`or none`: func(c *BarChart) { c.Series[0].Low = []float64{1} },
		`series "\n": name "\n", want printable characters`: func(c *BarChart) { c.Series[0].Name = "\n" },
		`group "\x01", want printable characters`:           func(c *BarChart) { c.Groups[1] = "\x01" },
		`horizontal line "h": at -Inf, want a number of at ` +
			`most 1e+100`: func(c *BarChart) { c.HLines = []Mark{{math.Inf(-1), "h"}} },
	} {
		chart := BarChart{Groups: []string{"A", "B"}, Series: []BarSeries{{Name: "s", Values: []float64{1, 2}}}}
		change(&chart)
		require.EqualError(t, Bars(io.Discard, chart), want)
	}
}

func labels(axis plot.Axis) (labels []string) {
	for _, tick := range axis.Tick.Marker.Ticks(axis.Min, axis.Max) {
		if tick.Label != "" {
			labels = append(labels, tick.Label)
		}
	}
	return labels
}

func TestTicks(t *testing.T) {
	for _, test := range []struct {
		logarithmic bool
		lo, hi      float64
		want        string
	}{
		{false, 0.2, 0.9, "0 0.2 0.4 0.6 0.8 1"},
		{false, 1.02, 1.17, "1 1.05 1.1 1.15 1.2"},
		{false, -30, 60, "-40 -20 0 20 40 60"},
		{false, 0, 6.1e6, "0 2M 4M 6M 8M"},
		{false, 0, 1000, "0 0.2k 0.4k 0.6k 0.8k 1k"},
		{false, 7, 7, "2 4 6 8 10 12"},
		{false, 0, 0, "-0.6 -0.4 -0.2 0 0.2 0.4 0.6"},
		{true, 16, 64, "10 20 50 100"},
		{true, 10, 1000, "10 20 50 100 200 500 1k"},
		{true, 0.01, 20_000, "0.01 0.1 1 10 100 1k 10k 100k"},
		{true, 1, 1, "1 2 5 10"},
		{true, 1, 1e12, "1 100 10k 1M 100M 10G 1T"},
	} {
		var axis plot.Axis
		(&span{test.lo, test.hi}).setAxis(&axis, test.logarithmic)
		require.Equal(t, test.want, strings.Join(labels(axis), " "), "%v", test)
	}
}

func TestLinearTicksCoverTheValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64Range(-1e9, 1e9).Draw(t, "a"), rapid.Float64Range(-1e9, 1e9).Draw(t, "b")
		lo, hi := min(a, b), max(a, b)
		var axis plot.Axis
		linearAxis(&axis, lo, hi)
		tolerance := 1e-8 * (axis.Max - axis.Min)
		require.LessOrEqual(t, axis.Min, lo+tolerance)
		require.GreaterOrEqual(t, axis.Max, hi-tolerance)
		ticks := labels(axis)
		require.True(t, len(ticks) >= 3 && len(ticks) <= 8, "%v", ticks)
		unique := slices.Compact(slices.Clone(ticks))
		require.Equal(t, len(unique), len(ticks), "%v", ticks)
	})
}
