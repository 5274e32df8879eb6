package experiment

import (
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// between is how many blanks stand around a column.
const between = 2

// laidOut is a column of a table as text has it.
type laidOut struct {
	cells   []string // the first is the header
	numeric bool     // its cells stand at the right
	width   int      // of the widest cell
	least   int      // of the longest word
}

// joined keeps a number, its interval and its unit together: "93.3 ± 0.1 %" is one word.
var joined = strings.NewReplacer(" ± ", "\u00a0±\u00a0", " %", "\u00a0%")

// layout returns the columns with their widths.
func (t *Table) layout() []laidOut {
	columns := make([]laidOut, len(t.Columns))
	for i, c := range t.Columns {
		l := laidOut{cells: []string{joined.Replace(c.Name)}, numeric: true}
		for _, row := range t.Rows {
			s := joined.Replace(c.cell(row[i]))
			l.cells = append(l.cells, s)
			_, isText := row[i].(string)
			l.numeric = l.numeric && (!isText && !isEnum(reflect.TypeOf(row[i])) || s == "") // a cell may be empty
		}
		for _, s := range l.cells {
			l.width = max(l.width, text.StringWidth(s))
			for _, word := range strings.FieldsFunc(s, breaks) {
				l.least = max(l.least, text.StringWidth(word))
			}
		}
		columns[i] = l
	}
	return columns
}

// breaks tells whether a cell may be broken at a character.
func breaks(r rune) bool { return unicode.IsSpace(r) && r != '\u00a0' }

// telling is how many columns at the left tell each row from the others. If all together do not, the first one has to
// do.
func telling(columns []laidOut, rows int) int {
	prefixes := make([]string, rows)
	for n, c := range columns {
		different := map[string]bool{}
		for i := range prefixes {
			prefixes[i] += c.cells[i+1] + "\x00"
			different[prefixes[i]] = true
		}
		if len(different) == rows {
			return n + 1
		}
	}
	return 1
}

// text lays the table out within width columns.
func (t *Table) text(width int) string {
	columns := t.layout()
	if width <= 0 || squeeze(columns, width) {
		return render(columns)
	}
	n := telling(columns, len(t.Rows))
	if n == len(columns) || least(columns[:n+1]) > width {
		n = 1
	}
	var blocks []string
	for at := n; at < len(columns); {
		block := append(slices.Clone(columns[:n]), columns[at])
		for at++; at < len(columns) && least(block)+between+columns[at].least <= width; at++ {
			block = append(block, columns[at])
		}
		squeeze(block, width)
		blocks = append(blocks, render(block))
	}
	return strings.Join(blocks, "\n\n")
}

// least is the width of columns whose cells are all wrapped at each blank.
func least(columns []laidOut) int {
	sum := 0
	for _, c := range columns {
		sum += between + c.least
	}
	return sum
}

// squeeze takes from the widest columns until all fit. It tells whether they do.
func squeeze(columns []laidOut, width int) bool {
	for sum := 0; ; {
		sum = 0
		widest := -1
		for i, c := range columns {
			sum += between + c.width
			if c.width > c.least && (widest < 0 || c.width > columns[widest].width) {
				widest = i
			}
		}
		if sum <= width || widest < 0 {
			return sum <= width
		}
		columns[widest].width--
	}
}

// render draws columns, each as wide as it says.
func render(columns []laidOut) string {
	out := table.NewWriter()
	style := table.StyleLight
	style.Options = table.OptionsNoBordersAndSeparators
	style.Format.Header = text.FormatDefault // Gb/s is not GB/S
	out.SetStyle(style)
	out.SuppressTrailingSpaces()
	configs := make([]table.ColumnConfig, len(columns))
	for i, c := range columns {
		configs[i] = table.ColumnConfig{Number: i + 1, WidthMax: c.width, WidthMaxEnforcer: text.WrapSoft}
		if c.numeric {
			configs[i].Align, configs[i].AlignHeader = text.AlignRight, text.AlignRight
		}
	}
	out.SetColumnConfigs(configs)
	for k := range columns[0].cells {
		row := make(table.Row, len(columns))
		for i, c := range columns {
			row[i] = c.cells[k]
		}
		if k == 0 {
			out.AppendHeader(row)
		} else {
			out.AppendRow(row)
		}
	}
	return strings.ReplaceAll(out.Render(), "\u00a0", " ")
}

// wrapped breaks each line of a text at blanks where it is longer than width. The rest begins below the first word.
func wrapped(lines string, width int) string {
	if width <= 0 {
		return lines
	}
	var all []string
	for line := range strings.SplitSeq(lines, "\n") {
		words := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(words)]
		for part := range strings.SplitSeq(text.WrapSoft(words, max(width-len(indent), 1)), "\n") {
			all = append(all, strings.TrimRight(indent+part, " "))
		}
	}
	return strings.Join(all, "\n")
}
