package plots

import (
	"errors"
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// GridItem is a word in a cell, in the colour of a kind.
type GridItem struct {
	Text string
	Kind int
}

// GridStrip is a line below the cells: how much of something each column uses, of how much there is.
type GridStrip struct {
	Name string
	Used []int
	Have int
}

// GridChart is what [Grid] draws: cells with words in them.
//
//	          0        1        2        <- Columns
//	+0     | match a |         | act a |  <- Cells[0]
//	+3     |         | match b | act b |
//	keys     1 of 8    1 of 8    0 of 8   <- Strips
type GridChart struct {
	Title, X, Y   string
	Columns, Rows []string
	Cells         [][][]GridItem // by row and column
	Kinds         []string       // of items: the legend
	Strips        []GridStrip
}

// Sizes of a grid in points.
const (
	gridText  = 8.0
	gridLine  = 10.0 // of text
	gridPad   = 4.0
	gridStrip = 14.0
	gridLeast = 34.0 // width of a column
)

// Grid writes the chart as SVG. It is as large as its words are.
func Grid(w io.Writer, chart GridChart) error {
	if err := chart.check(); err != nil {
		return err
	}
	text := draw.TextStyle{Font: sans(gridText), Color: ink, Handler: plot.DefaultTextHandler, YAlign: draw.YCenter}
	widest, left := vg.Length(gridLeast), text.Width(chart.Y)
	heights, below := make([]vg.Length, len(chart.Rows)), vg.Length(0)
	for r, row := range chart.Cells {
		heights[r] = gridLine
		for _, cell := range row {
			heights[r] = max(heights[r], vg.Length(len(cell))*gridLine)
			for _, item := range cell {
				widest = max(widest, text.Width(item.Text)+2*gridPad)
			}
		}
		heights[r] += gridPad
		below += heights[r]
		left = max(left, text.Width(chart.Rows[r]))
	}
	for _, s := range chart.Strips {
		left = max(left, text.Width(s.Name))
	}
	left += 2 * gridPad
	head := vg.Length(titleSize + 3*gridLine + 2*gridPad)
	columns := vg.Length(len(chart.Columns)) * widest
	legend := vg.Length(0)
	for _, k := range chart.Kinds {
		legend += text.Width(k) + 3*gridLine
	}
	full := vg.Point{
		X: 2*margin + left + max(columns, legend),
		Y: 2*margin + head + below + vg.Length(len(chart.Strips))*gridStrip + 2*gridLine,
	}
	canvas := vgsvg.New(full.X, full.Y)
	c := draw.New(canvas)
	fillRectangle(&c, color.White, 0, 0, full.X, full.Y)
	say := func(x, y vg.Length, align draw.XAlignment, style draw.TextStyle, s string) {
		style.XAlign = align
		c.FillText(style, vg.Point{X: x, Y: y}, s)
	}
	title := text
	title.Font = sans(titleSize)
	y := full.Y - margin - titleSize/2
	say(margin, y, draw.XLeft, title, chart.Title)
	x := vg.Length(margin) + left
	y -= titleSize/2 + gridPad + gridLine/2
	at := x
	for k, name := range chart.Kinds {
		fillRectangle(&c, seriesColor(k), at, y-gridText/2, at+gridText, y+gridText/2)
		say(at+gridText+gridPad, y, draw.XLeft, text, name)
		at += text.Width(name) + 3*gridLine
	}
	y -= gridLine + gridPad
	say(margin, y, draw.XLeft, text, chart.Y)
	for i, name := range chart.Columns {
		say(x+(vg.Length(i)+0.5)*widest, y, draw.XCenter, text, name)
	}
	y -= gridLine/2 + gridPad/2
	rule := draw.LineStyle{Color: gridGrey, Width: 0.5}
	for r, row := range chart.Cells {
		c.StrokeLine2(rule, margin, y, x+columns, y)
		say(margin, y-heights[r]/2, draw.XLeft, text, chart.Rows[r])
		for i, cell := range row {
			for n, item := range cell {
				colored := text
				colored.Color = seriesColor(item.Kind)
				say(x+vg.Length(i)*widest+gridPad, y-gridPad/2-(vg.Length(n)+0.5)*gridLine, draw.XLeft, colored, item.Text)
			}
		}
		y -= heights[r]
	}
	bottom := y
	c.StrokeLine2(rule, margin, y, x+columns, y)
	for _, s := range chart.Strips {
		say(margin, y-gridStrip/2, draw.XLeft, text, s.Name)
		for i, used := range s.Used {
			share := min(1, vg.Length(used)/vg.Length(max(s.Have, 1)))
			from := x + vg.Length(i)*widest + 1
			fillRectangle(&c, gridGrey, from, y-gridStrip+2, from+share*(widest-2), y-2)
			say(from+(widest-2)/2, y-gridStrip/2, draw.XCenter, text, fmt.Sprintf("%d of %d", used, s.Have))
		}
		y -= gridStrip
	}
	for i := range len(chart.Columns) + 1 {
		at := x + vg.Length(i)*widest
		c.StrokeLine2(rule, at, full.Y-margin-head+gridLine, at, bottom)
	}
	say(x+columns/2, y-gridLine, draw.XCenter, text, chart.X)
	return writeSVG(w, canvas)
}

func (chart *GridChart) check() error {
	if err := checkLabels(chart.Title, chart.X, chart.Y); err != nil {
		return err
	}
	if len(chart.Columns) == 0 || len(chart.Rows) == 0 {
		return errors.New("no cells to draw")
	}
	if len(chart.Cells) != len(chart.Rows) {
		return fmt.Errorf("cells of %d rows, want %d", len(chart.Cells), len(chart.Rows))
	}
	for r, row := range chart.Cells {
		if len(row) != len(chart.Columns) {
			return fmt.Errorf("row %q: cells of %d columns, want %d", chart.Rows[r], len(row), len(chart.Columns))
		}
		for _, cell := range row {
			for _, item := range cell {
				if err := checkText("item", item.Text); err != nil {
					return err
				}
				if item.Kind < 0 || item.Kind >= len(chart.Kinds) {
					return fmt.Errorf("item %q of kind %d, want 0 to %d", item.Text, item.Kind, len(chart.Kinds)-1)
				}
			}
		}
	}
	for _, s := range chart.Strips {
		if len(s.Used) != len(chart.Columns) {
			return fmt.Errorf("strip %q has %d columns, want %d", s.Name, len(s.Used), len(chart.Columns))
		}
	}
	return nil
}
