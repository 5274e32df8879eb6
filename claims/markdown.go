package claims

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
)

// WriteMarkdown writes the report as GitHub-flavoured Markdown. Of the layout only Verbose matters.
func (r *Report) WriteMarkdown(w io.Writer, layout Layout) error {
	var b bytes.Buffer
	t := table.NewWriter()
	t.AppendHeader(tableRow(columns))
	for i := range r.Results {
		cells := r.Results[i].cells()
		for c := range cells {
			cells[c] = escapeMarkdown(cells[c])
		}
		cells[columnID] = code(r.Results[i].Claim.ID)
		if !r.Results[i].AsRecorded() {
			cells[columnVerdict] = "**" + cells[columnVerdict] + "**"
		}
		t.AppendRow(tableRow(cells))
	}
	fmt.Fprintln(&b, t.RenderMarkdown())

	for _, remark := range r.remarks() {
		if len(remark.items) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n", remark.title)
		for _, item := range remark.items {
			fmt.Fprintf(&b, "- %s: %s\n", code(item.label), escapeMarkdown(item.text))
		}
	}

	if layout.Verbose {
		fmt.Fprint(&b, "\n## Details\n")
		for i := range r.Results {
			r.Results[i].markdownDetails(&b)
		}
	}

	fmt.Fprintf(&b, "\n%s (seed %d)\n", r.Summary(), r.Seed)
	_, err := w.Write(b.Bytes())
	return err
}

func (r *Result) markdownDetails(b *bytes.Buffer) {
	lines, rows := r.details()
	fmt.Fprintf(b, "\n### %s\n\n", code(r.Claim.ID))
	for _, line := range lines {
		fmt.Fprintf(b, "- %s: %s\n", line.label, escapeMarkdown(line.text))
	}
	if len(rows) == 0 {
		return
	}
	t := table.NewWriter()
	t.AppendHeader(table.Row{"Part", "Figure"})
	for _, row := range rows {
		t.AppendRow(table.Row{escapeMarkdown(row.label), escapeMarkdown(row.text)})
	}
	fmt.Fprintf(b, "\n%s\n", t.RenderMarkdown())
}

// code sets an ID, which has no backtick, in code style.
func code(id string) string { return "`" + id + "`" }

// markdownEscapes covers the special characters inside a line; a line never starts with such a text, and table cells
// have their bars escaped by go-pretty.
var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `~`, `\~`, `<`, `&lt;`, `&`, `&amp;`)

func escapeMarkdown(s string) string { return markdownEscapes.Replace(s) }
