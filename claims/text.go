package claims

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Layout says how a report is laid out.
type Layout struct {
	// Width is the line length that WriteText keeps to, in terminal columns; 0 means no limit. A table needs at most 75
	// and is never squeezed further; below the table an ID is never broken.
	Width int
	// Colour adds ANSI colours to the verdicts that WriteText prints.
	Colour bool
	// Verbose adds what each claim says, how it was judged and counted, and its breakdown.
	Verbose bool
}

// ANSI sequences, written as they are: go-pretty's own colours depend on the environment.
const (
	red    = "\x1b[31;1m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	faint  = "\x1b[2m"
	reset  = "\x1b[0m"
)

// WriteText writes the report for a terminal.
func (r *Report) WriteText(w io.Writer, layout Layout) error {
	var b bytes.Buffer
	fmt.Fprintln(&b, r.textTable(layout))

	for _, remark := range r.remarks() {
		if len(remark.items) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", remark.title)
		for _, item := range remark.items {
			fmt.Fprintf(&b, "  %s\n", item.label)
			hang(&b, "      ", item.text, layout.Width)
		}
	}

	if layout.Verbose {
		fmt.Fprint(&b, "\nDetails\n")
		for i := range r.Results {
			r.Results[i].textDetails(&b, layout.Width)
		}
	}

	fmt.Fprintln(&b)
	hang(&b, "", fmt.Sprintf("%s (seed %d)", r.Summary(), r.Seed), layout.Width)
	_, err := w.Write(b.Bytes())
	return err
}

func (r *Report) textTable(layout Layout) string {
	rows := make([][len(columns)]string, len(r.Results))
	for i := range r.Results {
		rows[i] = r.Results[i].cells()
	}

	t := table.NewWriter()
	style := table.StyleLight
	style.Format.Header = text.FormatDefault
	style.Options.DrawBorder = false
	style.Options.SeparateColumns = false
	style.Box.PaddingLeft = ""
	style.Box.PaddingRight = columnGap
	t.SetStyle(style)
	t.SuppressTrailingSpaces()

	widths := columnWidths(rows, layout.Width)
	configs := make([]table.ColumnConfig, len(columns))
	for i, width := range widths {
		configs[i] = table.ColumnConfig{Number: i + 1, WidthMax: width, WidthMaxEnforcer: text.WrapSoft}
	}
	configs[columnID].WidthMaxEnforcer = wrapPath
	t.SetColumnConfigs(configs)

	t.AppendHeader(tableRow(columns))
	for i, row := range rows {
		if layout.Colour {
			colour := r.Results[i].colour()
			for _, c := range []int{columnVerdict, columnRecord} {
				if row[c] != "" {
					row[c] = colour + row[c] + reset
				}
			}
		}
		t.AppendRow(tableRow(row))
	}
	return t.Render()
}

func (r *Result) colour() string {
	switch {
	case !r.AsRecorded():
		return red
	case r.Verdict == Holds:
		return green
	case r.Verdict == Deviates:
		return yellow
	}
	return faint
}

func tableRow(cells [len(columns)]string) table.Row {
	row := make(table.Row, len(cells))
	for i, cell := range cells {
		row[i] = cell
	}
	return row
}

const columnGap = "  "

// minWidths are the columns' widths in a squeezed table: most IDs, and the longest word of a verdict, stay whole.
var minWidths = [len(columns)]int{18, 9, 9, 9, 9, 9}

// columnWidths takes from the column with most to give until the table fits into width or there is nothing left to
// take.
func columnWidths(rows [][len(columns)]string, width int) [len(columns)]int {
	var widths [len(columns)]int
	for i, heading := range columns {
		widths[i] = text.StringWidth(heading)
		for _, row := range rows {
			widths[i] = max(widths[i], text.StringWidth(row[i]))
		}
	}
	if width <= 0 {
		return widths
	}
	for {
		sum, giver := len(columns)*len(columnGap), 0
		for i, w := range widths {
			sum += w
			if w-minWidths[i] > widths[giver]-minWidths[giver] {
				giver = i
			}
		}
		if sum <= width || widths[giver] <= minWidths[giver] {
			return widths
		}
		widths[giver]--
	}
}

// wrapPath breaks a claim's ID after a slash, or anywhere if one element alone is too wide.
func wrapPath(id string, width int) string {
	var lines []string
	line := ""
	for _, element := range strings.SplitAfter(id, "/") {
		if line != "" && len(line)+len(element) > width {
			lines = append(lines, line)
			line = ""
		}
		line += element
	}
	return text.WrapText(strings.Join(append(lines, line), "\n"), width)
}

// hang writes s in lines that start with the indentation and end within width.
func hang(b *bytes.Buffer, indent, s string, width int) {
	if width > 0 {
		s = text.WrapSoft(s, max(minWidths[0], width-len(indent)))
	}
	for line := range strings.SplitSeq(s, "\n") {
		fmt.Fprintf(b, "%s%s\n", indent, strings.TrimRight(line, " "))
	}
}

func (r *Result) textDetails(b *bytes.Buffer, width int) {
	const indent = "      "
	lines, rows := r.details()
	fmt.Fprintf(b, "  %s\n", r.Claim.ID)
	for _, line := range lines {
		hang(b, indent, fmt.Sprintf("%s: %s", line.label, line.text), width)
	}
	labels := 0
	for _, row := range rows {
		labels = max(labels, text.StringWidth(row.label))
	}
	for _, row := range rows {
		hang(b, indent+"  ", text.Pad(row.label, labels, ' ')+"  "+row.text, width)
	}
}
