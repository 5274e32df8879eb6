package journey

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/goldwire/goldwire/clock"
)

// Geometry of the picture, in pixels.
const (
	svgWidth = 1000 // of the time axis
	svgRow   = 20
	svgBar   = 16
	svgChar  = 6.6 // of text of svgText pixels, on average
	svgText  = 12
	svgHead  = 62 // title and axis
)

// palette holds the colours of Okabe and Ito, lightened where a dark letter stands on them.
var palette = []string{"#7fb8d9", "#f0c468", "#7fcfb5", "#e0aecb", "#a8d8f2", "#eaa27a", "#c3c7cc", "#d9d071"}

// WriteSVG draws the log to scale: a row a journey, a bar a stage, coloured by its place and lettered as in the text;
// point at one to read it.
func (l *Log) WriteSVG(w io.Writer) error {
	var b strings.Builder
	from, to := l.span()
	whole := to.Sub(from)
	if whole.Cmp(clock.Time{}) == 0 {
		whole = l.Cycle
	}
	x := func(t clock.Time) float64 { f, _ := t.Sub(from).In(whole).Float64(); return svgWidth * f }
	kinds, index := l.kinds()
	places := l.places()
	label := 0
	for _, j := range l.Journeys {
		label = max(label, utf8.RuneCountInString(j.Name))
	}
	left := 16 + svgChar*float64(label)
	key := svgHead + svgRow*len(l.Journeys) + 24
	width, height := left+svgWidth+100, key+18*len(kinds)+12
	fmt.Fprintf(
		&b,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0f %d" font-family="'Liberation `+
			`Sans',Arial,Helvetica,sans-serif" font-size="%d">`+"\n",
		width,
		height,
		width,
		height,
		svgText,
	)
	fmt.Fprintf(&b, `<rect width="%.0f" height="%d" fill="#ffffff"/>`+"\n", width, height)
	fmt.Fprintf(&b, `<text x="8" y="20" font-size="14" fill="#333333">%s</text>`+"\n", html.EscapeString(l.Title))
	l.axis(&b, left, whole, key)
	for i, j := range l.Journeys {
		y := svgHead + svgRow*i
		fmt.Fprintf(&b, `<text x="8" y="%d" fill="#333333">%s</text>`+"\n", y+13, html.EscapeString(j.Name))
		for _, s := range j.Stages {
			a, z := x(s.From), x(s.To)
			fmt.Fprintf(
				&b,
				`<rect x="%.2f" y="%d" width="%.2f" height="%d" fill="%s" stroke="#ffffff" stroke-width="0.5"><title>%s&#10;%s, `+
					`from %s</title></rect>`+"\n",
				left+a,
				y,
				z-a,
				svgBar,
				palette[places[s.Place]%len(palette)],
				html.EscapeString(s.Name()),
				nanoseconds(s.Time()),
				nanoseconds(s.From.Sub(from)),
			)
			if z-a > 2*svgChar {
				fmt.Fprintf(&b, `<text x="%.2f" y="%d" text-anchor="middle" fill="#222222" pointer-events="none">%c</text>`+"\n",
					left+(a+z)/2, y+12, letter(index[s.Name()]))
			}
		}
		fmt.Fprintf(&b, `<text x="%.2f" y="%d" fill="#777777">%s</text>`+"\n", left+x(j.end())+6, y+13,
			nanoseconds(j.Total()))
	}
	for i, k := range kinds {
		y := key + 18*i
		mean, _ := k.sum.In(clock.Nanosecond).Float64()
		fmt.Fprintf(
			&b,
			`<rect x="8" y="%d" width="14" height="14" fill="%s"/><text x="15" y="%d" text-anchor="middle" font-size="11" `+
				`fill="#222222">%c</text><text x="30" y="%d" fill="#333333">%s: %d ×, %.2f ns on average</text>`+"\n",
			y,
			palette[places[k.place]%len(palette)],
			y+11,
			letter(i),
			y+11,
			html.EscapeString(k.name),
			k.n,
			mean/float64(k.n),
		)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// axis draws the time from the first edge, in nanoseconds, and how many cycles a step is.
func (l *Log) axis(b *strings.Builder, left float64, whole clock.Time, bottom int) {
	ns, _ := whole.In(clock.Nanosecond).Float64()
	step := math.Pow(10, math.Floor(math.Log10(ns/5)))
	for _, digit := range []float64{1, 2, 5, 10} {
		if s := digit * math.Pow(10, math.Floor(math.Log10(ns/5))); ns/s <= 10 {
			step = s
			break
		}
	}
	missed := ""
	if l.Missed > 0 {
		missed = fmt.Sprintf("; %d more began when there was no room", l.Missed)
	}
	fmt.Fprintf(b, `<text x="8" y="40" fill="#777777">ns; a cycle is %s%s</text>`+"\n", nanoseconds(l.Cycle), missed)
	for k := 0; float64(k)*step <= ns*(1+1e-9); k++ {
		at := left + svgWidth*float64(k)*step/ns
		fmt.Fprintf(
			b,
			`<path d="M%.2f %dV%d" stroke="#dddddd"/><text x="%.2f" y="54" text-anchor="middle" fill="#777777">%.4g</text>`+"\n",
			at,
			svgHead-4,
			bottom-16,
			at,
			float64(k)*step,
		)
	}
}
