package report

import (
	"html/template"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/goldwire/goldwire/experiment"
)

// Experiment is what a run of an experiment gave.
type Experiment struct {
	Command string // as it is typed: "goldwire run edm latency --type write"
	Info    experiment.Info
	Outcome *experiment.Outcome
}

// experimentView is an experiment's article.
type experimentView struct {
	Short, Source, Command string
	Failed                 []string
	Pictures               []template.HTML // charts, then journeys
	Parts                  []partOfReport
}

// partOfReport is a table, or lines of text.
type partOfReport struct {
	Lines string
	Table *tableView
}

type tableView struct {
	Heads []cellView
	Rows  [][]cellView
}

// cellView is a cell; numbers stand to the right.
type cellView struct {
	Text   string
	Number bool
}

func (x *Experiment) view() (*experimentView, error) {
	r := x.Outcome.Report
	v := &experimentView{Short: x.Info.Short, Source: x.Info.Source, Command: x.Command, Failed: r.Failed}
	r.Each(func(line string) {
		last := len(v.Parts) - 1
		if last >= 0 && v.Parts[last].Table == nil {
			v.Parts[last].Lines += "\n" + line
		} else if strings.TrimSpace(line) != "" {
			v.Parts = append(v.Parts, partOfReport{Lines: line})
		}
	}, func(t *experiment.Table) {
		if len(t.Rows) > 0 {
			v.Parts = append(v.Parts, partOfReport{Table: viewOfTable(t)})
		}
	})
	for i := range v.Parts {
		v.Parts[i].Lines = unbroken(v.Parts[i].Lines)
	}
	draw := func(picture func(io.Writer) error) error {
		svg, err := svgOf(picture)
		v.Pictures = append(v.Pictures, svg)
		return err
	}
	for i := range r.Charts {
		if err := draw(r.Charts[i].Draw); err != nil {
			return nil, err
		}
	}
	if x.Outcome.Journeys != nil {
		if err := draw(x.Outcome.Journeys.WriteSVG); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// viewOfTable sets a column to the right if no cell of it is text.
func viewOfTable(t *experiment.Table) *tableView {
	v := &tableView{}
	number := make([]bool, len(t.Columns))
	for i, c := range t.Columns {
		number[i] = true
		for _, row := range t.Rows {
			if s, isText := row[i].(string); isText && s != "" {
				number[i] = false
			}
		}
		v.Heads = append(v.Heads, cellView{c.Name, number[i]})
	}
	for k := range t.Rows {
		var row []cellView
		for i, text := range t.Cells(k) {
			row = append(row, cellView{text, number[i]})
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// printedWidth is about the width at which experiments break their notes.
const printedWidth = 76

// unbroken joins lines that were broken because the next word found no room: a page breaks them where it is narrow.
func unbroken(text string) string {
	lines := strings.Split(text, "\n")
	var b strings.Builder
	for i, line := range lines {
		word, _, _ := strings.Cut(line, " ")
		switch {
		case i == 0:
		case word != "" && lines[i-1] != "" && utf8.RuneCountInString(lines[i-1]+" "+word) > printedWidth:
			b.WriteByte(' ')
		default:
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	return b.String()
}
