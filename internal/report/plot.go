package report

import (
	"bytes"
	"cmp"
	"html/template"
	"io"
	"math"
	"math/big"
	"regexp"
	"strings"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/experiment/plots"
)

// decades is the ratio of the largest to the smallest value from which an axis is logarithmic.
const decades = 100

// plotPoints draws the points of a claim, a picture for each unit and a curve for each series, with the paper's figure
// as a line across where the judge compares with one. One point is no curve.
func plotPoints(c *claims.DocumentClaim, points []claims.DocumentRow) ([]template.HTML, error) {
	var units []string
	byUnit := map[string][]claims.DocumentRow{}
	for _, p := range points {
		if byUnit[p.Unit] == nil {
			units = append(units, p.Unit)
		}
		byUnit[p.Unit] = append(byUnit[p.Unit], p)
	}
	var pictures []template.HTML
	for _, unit := range units {
		if len(byUnit[unit]) < 2 {
			continue
		}
		chart := chartOf(unit, byUnit[unit])
		if printed, ok := judged(c.Judge); ok && unit == c.Measured.Unit && (!chart.LogY || printed > 0) {
			chart.HLines = []plots.Mark{{At: printed, Label: "paper: " + c.Printed}}
		}
		picture, err := svgOf(func(w io.Writer) error { return plots.Lines(w, chart) })
		if err != nil {
			return nil, err
		}
		pictures = append(pictures, picture)
	}
	return pictures, nil
}

// chartOf makes a curve of each series.
func chartOf(unit string, points []claims.DocumentRow) plots.Chart {
	chart := plots.Chart{Y: unit}
	at := map[string]int{}
	var xs, ys []float64
	for _, p := range points {
		i, known := at[p.Series]
		if !known {
			i = len(chart.Series)
			at[p.Series] = i
			chart.Series = append(chart.Series, plots.Series{Name: cmp.Or(p.Series, "measured")})
		}
		s := &chart.Series[i]
		s.X, s.Y = append(s.X, *p.At), append(s.Y, p.Value)
		xs, ys = append(xs, *p.At), append(ys, p.Value)
	}
	chart.LogX, chart.LogY = spansDecades(xs), spansDecades(ys)
	return chart
}

func spansDecades(values []float64) bool {
	least, most := values[0], values[0]
	for _, v := range values {
		least, most = min(least, v), max(most, v)
	}
	return least > 0 && most >= decades*least
}

// judgedFigure is the text of a judge that compares with one figure: "at most 1.2", "2.7 ± 0.3".
var judgedFigure = regexp.MustCompile(`^(?:(?:exactly|at most|at least) ([0-9./e+-]+)|([0-9./e+-]+)(?: \S+)? ± )`)

// judged returns the figure that a judge compares with, if it compares with one.
func judged(judge string) (float64, bool) {
	m := judgedFigure.FindStringSubmatch(judge)
	if m == nil {
		return 0, false
	}
	r, ok := new(big.Rat).SetString(m[1] + m[2])
	if !ok {
		return 0, false
	}
	f, _ := r.Float64()
	return f, !math.IsInf(f, 0)
}

var (
	prologue  = regexp.MustCompile(`(?s)^.*?<svg `)
	styleAttr = regexp.MustCompile(` ?style="([^"]*)"`)
	comment   = regexp.MustCompile(`(?s)<!--.*?-->\n?`)
)

// svgOf returns a picture to stand in a page. The page's content policy forbids style attributes, so each becomes the
// presentation attributes that it stands for (SVG 2, section 6.6).
func svgOf(draw func(io.Writer) error) (template.HTML, error) {
	var b bytes.Buffer
	if err := draw(&b); err != nil {
		return "", err
	}
	svg := comment.ReplaceAllString(b.String(), "")
	svg = prologue.ReplaceAllString(svg, `<svg class="picture" `)
	svg = styleAttr.ReplaceAllStringFunc(svg, func(attr string) string {
		var out strings.Builder
		for declaration := range strings.SplitSeq(styleAttr.FindStringSubmatch(attr)[1], ";") {
			if name, value, ok := strings.Cut(declaration, ":"); ok {
				out.WriteString(" " + strings.TrimSpace(name) + `="` + strings.TrimSpace(value) + `"`)
			}
		}
		return out.String()
	})
	return template.HTML(svg), nil
}
