package report

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strings"

	"github.com/goldwire/goldwire/claims"
)

// Bars are SVG of our own, since each part is an element with a title and a link. All lengths are in the units of a
// bar that is barWidth wide; the style sheet scales it to the page. Colours are classes.
const (
	barWidth   = 1000
	barColours = 8 // classes p0 to p7 of the style sheet
)

// partView is a part of a sum, with its colour.
type partView struct {
	Class         string // p0, p1, …
	Label, Figure string
	Share         string // of the sum

	value float64
}

// colouring gives each label of a design's parts a colour, the same in all bars.
type colouring map[string]int

// of returns a colour for each row of a bar. A label keeps its colour unless another row of the bar has it already;
// other rows take free colours, and from the ninth on any.
func (c colouring) of(rows []claims.DocumentRow) []int {
	list, taken := make([]int, len(rows)), map[int]bool{}
	for i, row := range rows {
		list[i] = -1
		if colour, known := c[row.Label]; known && !taken[colour] {
			list[i], taken[colour] = colour, true
		}
	}
	for i, row := range rows {
		if list[i] >= 0 {
			continue
		}
		list[i] = i % barColours
		for colour := range barColours {
			if !taken[colour] {
				list[i] = colour
				break
			}
		}
		taken[list[i]] = true
		if _, known := c[row.Label]; !known {
			c[row.Label] = list[i]
		}
	}
	return list
}

// addParts draws the parts of a figure as one bar. Parts that are negative, that all are 0, or whose sum is not the
// figure are only listed.
func (v *claimView) addParts(parts []claims.DocumentRow, m *claims.DocumentMeasurement, colours colouring) {
	sum, drawable := 0.0, true
	for _, row := range parts {
		sum += row.Value
		drawable = drawable && row.Value >= 0 && row.Unit == m.Unit
	}
	drawable = drawable && sum > 0 && math.Abs(sum-m.Value) <= 1e-6*sum // false for infinities and NaN
	colour := colours.of(parts)
	for i, row := range parts {
		p := partView{Class: fmt.Sprintf("p%d", colour[i]), Label: row.Label, Figure: row.Figure, value: row.Value}
		if drawable {
			p.Share = fmt.Sprintf("%.1f %%", 100*row.Value/sum)
		}
		v.Parts = append(v.Parts, p)
	}
	if drawable {
		v.Bar = stackedBar(v.Parts, sum)
	}
}

// stackedBar draws values side by side; the whole width of the bar is full.
func stackedBar(parts []partView, full float64) template.HTML {
	var b strings.Builder
	fmt.Fprintf(
		&b,
		`<svg class="bar" viewBox="0 0 %d 20" preserveAspectRatio="none" role="img" aria-label="the parts of the sum">`,
		barWidth,
	)
	at := 0.0
	for _, p := range parts {
		width := barWidth * p.value / full
		if width > 0 {
			fmt.Fprintf(&b, `<rect class="%s" x="%.2f" width="%.2f" height="20"><title>%s: %s</title></rect>`,
				p.Class, at, width, html.EscapeString(p.Label), html.EscapeString(p.Figure))
		}
		at += width
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// verdictBar draws how many claims have each verdict; the whole width is most.
func verdictBar(list []verdictCount, most int) template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="bar" viewBox="0 0 %d 10" preserveAspectRatio="none" aria-hidden="true">`, barWidth)
	at := 0
	for _, v := range list {
		if v.N > 0 {
			fmt.Fprintf(&b, `<rect class="%s" x="%.1f" width="%.1f" height="10"/>`, v.Class,
				barWidth*float64(at)/float64(most), barWidth*float64(v.N)/float64(most))
		}
		at += v.N
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// whereView is the bars of one design, all to one scale.
type whereView struct {
	Title string
	Bars  []whereBar
}

// whereBar is a claim whose figure is a time and has parts.
type whereBar struct {
	*claimView
	Bar template.HTML // to the scale of the design
}

// inNanoseconds has the units of time.
var inNanoseconds = map[string]float64{"ps": 1e-3, "ns": 1, "µs": 1e3, "us": 1e3, "ms": 1e6, "s": 1e9}

// nanoseconds returns the figure of a claim that has a bar of times.
func (v *claimView) nanoseconds() (float64, bool) {
	if v.Bar == "" {
		return 0, false
	}
	m := v.DocumentClaim.Measured
	scale, ok := inNanoseconds[m.Unit]
	return scale * m.Value, ok
}

// whereItGoes collects the claims whose parts are times, a group for each design. Of claims side by side in a path the
// one with the longest time stands for the others, which as a rule are its parts.
func whereItGoes(designs []designView) []whereView {
	var list []whereView
	for _, d := range designs {
		w, longest := whereView{Title: d.Title}, 0.0
		best := map[string]int{}
		for _, c := range d.Claims {
			ns, ok := c.nanoseconds()
			if !ok {
				continue
			}
			longest = max(longest, ns)
			parent := c.ID[:strings.LastIndexByte(c.ID, '/')]
			i, known := best[parent]
			if !known {
				best[parent] = len(w.Bars)
				w.Bars = append(w.Bars, whereBar{claimView: c})
			} else if other, _ := w.Bars[i].nanoseconds(); ns > other {
				w.Bars[i].claimView = c
			}
		}
		for i := range w.Bars {
			c := w.Bars[i].claimView
			ns, _ := c.nanoseconds()
			w.Bars[i].Bar = stackedBar(c.Parts, c.DocumentClaim.Measured.Value*longest/ns)
		}
		if len(w.Bars) > 0 {
			list = append(list, w)
		}
	}
	return list
}
