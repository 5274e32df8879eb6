package experiment

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/experiment/plots"
)

// Report shows the results of an experiment: lines of text and tables in the order in which they are added, charts,
// further files, and failed checks.
type Report struct {
	sections []section
	Charts   []Chart
	Files    []File
	Failed   []string // a check that failed, a line each; the command then ends with exit code 1
}

type section struct {
	line  string
	table *Table // nil: the line
}

// Table is one table of a report.
type Table struct {
	Name    string // the name of its CSV file: "steps"
	Columns []Column
	Rows    [][]any
}

// Column is a column of a table.
type Column struct {
	Name   string // with its unit: "Latency ns"
	Format string // of fmt, for text; empty: as %v has it. CSV has numbers in full
}

// Columns returns columns from pairs of names and formats: Columns("Load", "%.2f", "Messages", "").
func Columns(pairs ...string) []Column {
	var c []Column
	for i := 0; i+1 < len(pairs); i += 2 {
		c = append(c, Column{pairs[i], pairs[i+1]})
	}
	return c
}

// Row adds a row.
func (t *Table) Row(cells ...any) { t.Rows = append(t.Rows, cells) }

// Chart is one picture of a report: lines, bars or a grid.
type Chart struct {
	Name  string // of its file, if there are several: "slowdown"
	Lines *plots.Chart
	Bars  *plots.BarChart
	Grid  *plots.GridChart
}

// Draw writes the chart as SVG.
func (c *Chart) Draw(w io.Writer) error {
	switch {
	case c.Lines != nil:
		return plots.Lines(w, *c.Lines)
	case c.Bars != nil:
		return plots.Bars(w, *c.Bars)
	case c.Grid != nil:
		return plots.Grid(w, *c.Grid)
	}
	return fmt.Errorf("chart %s has neither lines, bars nor a grid", c.Name)
}

// File is a further output, which a parameter with the tag file:"out" asked for.
type File struct {
	Path  string
	Write func(io.Writer) error
}

// Linef adds a line of text.
func (r *Report) Linef(format string, args ...any) {
	r.sections = append(r.sections, section{line: fmt.Sprintf(format, args...)})
}

// Table adds a table.
func (r *Report) Table(t *Table) { r.sections = append(r.sections, section{table: t}) }

// Chart adds a chart.
func (r *Report) Chart(c Chart) { r.Charts = append(r.Charts, c) }

// File adds an output, or nothing if the path is empty.
func (r *Report) File(path string, write func(io.Writer) error) {
	if path != "" {
		r.Files = append(r.Files, File{path, write})
	}
}

// Failf adds a check that failed.
func (r *Report) Failf(format string, args ...any) {
	r.Failed = append(r.Failed, fmt.Sprintf(format, args...))
}

// Tables returns the tables in order.
func (r *Report) Tables() []*Table {
	var all []*Table
	for _, s := range r.sections {
		if s.table != nil {
			all = append(all, s.table)
		}
	}
	return all
}

// Each calls one of the two for each line of text and each table, in their order.
func (r *Report) Each(line func(string), table func(*Table)) {
	for _, s := range r.sections {
		if s.table == nil {
			line(s.line)
		} else {
			table(s.table)
		}
	}
}

// WriteText writes the report for people, without tables that have no row, within width columns; 0 means no limit.
// Lines and cells are wrapped at blanks. Of a table whose columns do not fit even so, the remaining columns follow
// below, each row with the columns that tell it from the others.
func (r *Report) WriteText(w io.Writer, width int) error {
	var b strings.Builder
	for _, s := range r.sections {
		switch {
		case s.table == nil:
			b.WriteString(wrapped(s.line, width) + "\n")
		case len(s.table.Rows) > 0:
			b.WriteString(s.table.text(width) + "\n")
		}
	}
	for _, f := range r.Failed {
		b.WriteString(wrapped("FAILED: "+f, width) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Cells returns a row as text has it.
func (t *Table) Cells(row int) []string {
	cells := make([]string, len(t.Rows[row]))
	for i, v := range t.Rows[row] {
		cells[i] = t.Columns[i].cell(v)
	}
	return cells
}

func (c Column) cell(v any) string {
	if s, ok := v.(string); ok || c.Format == "" {
		if ok {
			return s
		}
		return fmt.Sprint(v)
	}
	return fmt.Sprintf(c.Format, v)
}

// WriteCSV writes the table as CSV: a line of names, then the rows, numbers in full.
func (t *Table) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	line := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		line[i] = c.Name
	}
	if err := out.Write(line); err != nil {
		return err
	}
	for _, row := range t.Rows {
		line = line[:0]
		for _, cell := range row {
			if x, ok := cell.(float64); ok {
				line = append(line, strconv.FormatFloat(x, 'g', -1, 64))
			} else {
				line = append(line, fmt.Sprint(cell))
			}
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// WriteJSON writes the outcome for machines: the parameters by the names of their flags, and each finished point with
// its own parameters, its seed and its result.
func (o *Outcome) WriteJSON(w io.Writer) error {
	if o.Report == nil {
		return errors.New("no point is finished")
	}
	failed := o.Report.Failed
	if failed == nil {
		failed = []string{}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Experiment  string     `json:"experiment"`
		Seed        uint64     `json:"seed"`
		Params      *Params    `json:"parameters"`
		Points      []Finished `json:"points"`
		Asked       int        `json:"points_asked"`
		Interrupted bool       `json:"interrupted"`
		Failed      []string   `json:"failed"`
	}{o.Experiment, o.Seed, o.Params, o.Points, o.Asked, o.Interrupted, failed})
}
