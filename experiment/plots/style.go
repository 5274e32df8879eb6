package plots

import (
	"bytes"
	"cmp"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Sizes in points.
const (
	width, height = 440, 300 // without the legend
	margin        = 8
	legendGap     = 12

	titleSize = 13
	textSize  = 11
	smallSize = 9.5

	lineWidth    = 1.6
	markerRadius = 3
)

// palette is Okabe's and Ito's (Color Universal Design, 2008), its yellow left out: it is too light for a line on
// white.
var palette = []color.NRGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xd5, 0x5e, 0x00, 0xff}, // vermilion
	{0x00, 0x9e, 0x73, 0xff}, // bluish green
	{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x56, 0xb4, 0xe9, 0xff}, // sky blue
	{0x00, 0x00, 0x00, 0xff}, // black
}

var markers = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{},
	draw.TriangleGlyph{},
	draw.PlusGlyph{},
}

var (
	ink      = color.Gray{0x33}
	gridGrey = color.Gray{0xdd}
	markGrey = color.Gray{0x77}
	dashes   = []vg.Length{5, 3}
	dots     = []vg.Length{2, 2}
)

// seriesColor is the colour of series i. There is one more marker than there are colours, so that only series 57 looks
// like the first.
func seriesColor(i int) color.NRGBA { return palette[i%len(palette)] }

func sans(size vg.Length) font.Font {
	return font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size)
}

// newPlot returns an empty plot with the style set, with or without vertical lines of a grid, and its legend, which
// stands beside it.
func newPlot(title, x, y string, vertical bool) (*plot.Plot, *plot.Legend) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.TextStyle.Font, p.Title.TextStyle.Color = sans(titleSize), ink
	p.Title.Padding = 8
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font, axis.Label.TextStyle.Color = sans(textSize), ink
		axis.Label.Padding = 4
		axis.Tick.Label.Font, axis.Tick.Label.Color = sans(smallSize), ink
		axis.Tick.LineStyle = draw.LineStyle{Color: ink, Width: 0.5}
		axis.Tick.Length = 5
		axis.LineStyle = draw.LineStyle{Color: ink, Width: 0.7}
		axis.Padding = 0
	}
	grid := plotter.NewGrid()
	grid.Horizontal = draw.LineStyle{Color: gridGrey, Width: 0.5}
	grid.Vertical = draw.LineStyle{}
	if vertical {
		grid.Vertical = grid.Horizontal
	}
	p.Add(grid)

	legend := plot.NewLegend()
	legend.Top, legend.Left = true, true
	legend.TextStyle.Font, legend.TextStyle.Color = sans(textSize), ink
	legend.Padding = 5
	legend.ThumbnailWidth = 24
	return p, &legend
}

// write draws the plot, with the labels of its horizontal lines and its legend to the right, and writes it.
func write(w io.Writer, p *plot.Plot, legend *plot.Legend, horizontal, vertical []Mark) error {
	key := legend.Rectangle(draw.Canvas{}).Size()
	gap := vg.Length(legendGap)
	for _, mark := range horizontal {
		gap = max(gap, markLabel(p).Width(mark.Label)+markGap+legendGap)
	}
	if len(vertical) > 0 {
		p.Title.Padding += smallSize
	}
	p.Add(marks{horizontal, false}, marks{vertical, true})
	full := vg.Point{X: width + gap + key.X + 2*margin, Y: max(height, key.Y) + 2*margin}
	canvas := vgsvg.New(full.X, full.Y)
	all := draw.New(canvas)
	all.SetColor(color.White)
	all.Fill(all.Rectangle.Path())

	inner := draw.Crop(all, margin, -margin, margin, -margin)
	p.Draw(draw.Crop(inner, 0, -key.X-gap, 0, 0))
	if p.Title.Text != "" {
		inner.Max.Y -= titleSize + p.Title.Padding // level with the top of the axes
	}
	legend.Draw(draw.Crop(inner, width+gap, 0, 0, 0))

	return writeSVG(w, canvas)
}

// writeSVG writes a canvas with fonts that every browser has.
func writeSVG(w io.Writer, canvas *vgsvg.Canvas) error {
	var svg bytes.Buffer
	if _, err := canvas.WriteTo(&svg); err != nil {
		return err
	}
	// Arial and Helvetica have the widths of Liberation Sans, in which the text was measured. A quote is what no text has
	// as it stands, so only attributes are found.
	_, err := w.Write(bytes.ReplaceAll(
		svg.Bytes(),
		[]byte(
			`style="font-family:Liberation Sans;`,
		),
		[]byte(`style="font-family:'Liberation Sans',Arial,Helvetica,sans-serif;`),
	))
	return err
}

// A Mark is a line across the chart with a label.
type Mark struct {
	At    float64
	Label string
}

// markGap is between a line's end and its label.
const markGap = 4

// markLabel is how the labels of lines are written.
func markLabel(p *plot.Plot) draw.TextStyle {
	label := p.X.Tick.Label
	label.Color = markGrey
	return label
}

// marks draws them: a label stands outside of the axes, where no curve is, at the far end of its line; the labels of
// neighbouring lines move apart.
type marks struct {
	marks    []Mark
	vertical bool
}

func (m marks) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	line := draw.LineStyle{Color: markGrey, Width: 1, Dashes: dots}
	label := markLabel(p)
	label.XAlign, label.YAlign = draw.XLeft, draw.YCenter
	if m.vertical {
		label.XAlign, label.YAlign = draw.XCenter, draw.YBottom
	}
	least := c.Min.Y // of the next label
	for _, mark := range slices.SortedFunc(slices.Values(m.marks),
		func(a, b Mark) int { return cmp.Compare(a.At, b.At) }) {
		if m.vertical {
			c.StrokeLine2(line, x(mark.At), c.Min.Y, x(mark.At), c.Max.Y)
			c.FillText(label, vg.Point{X: x(mark.At), Y: c.Max.Y + 2}, mark.Label)
			continue
		}
		c.StrokeLine2(line, c.Min.X, y(mark.At), c.Max.X, y(mark.At))
		at := max(y(mark.At), least)
		c.FillText(label, vg.Point{X: c.Max.X + markGap, Y: at}, mark.Label)
		least = at + 1.2*smallSize
	}
}

// checkText refuses what XML cannot hold, and line breaks.
func checkText(where, text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%s %q, want UTF-8", where, text)
	}
	for _, r := range text {
		if unicode.IsControl(r) || r == utf8.RuneError || r == 0xfffe || r == 0xffff {
			return fmt.Errorf("%s %q, want printable characters", where, text)
		}
	}
	return nil
}

// checkNumber refuses a number that has no place on an axis.
func checkNumber(x float64, logarithmic bool) error {
	switch {
	case math.IsNaN(x) || math.Abs(x) > largest:
		return fmt.Errorf("%g, want a number of at most %g", x, largest)
	case logarithmic && x < 1/largest:
		return fmt.Errorf("%g, want at least %g on a logarithmic axis", x, 1/largest)
	}
	return nil
}

// span is the range of values on an axis.
type span struct{ lo, hi float64 }

func newSpan() span { return span{math.Inf(1), math.Inf(-1)} }

func (s *span) add(values ...float64) {
	for _, v := range values {
		s.lo, s.hi = min(s.lo, v), max(s.hi, v)
	}
}

// addMarks refuses marks that cannot be drawn, and takes good ones into the span.
func (s *span) addMarks(where string, marks []Mark, logarithmic bool) error {
	for _, mark := range marks {
		if err := checkText(where, mark.Label); err != nil {
			return err
		}
		if err := checkNumber(mark.At, logarithmic); err != nil {
			return fmt.Errorf("%s %q: at %w", where, mark.Label, err)
		}
		s.add(mark.At)
	}
	return nil
}

// setAxis sets bounds, ticks and scale.
func (s *span) setAxis(axis *plot.Axis, logarithmic bool) {
	if logarithmic {
		logAxis(axis, s.lo, s.hi)
	} else {
		linearAxis(axis, s.lo, s.hi)
	}
}
