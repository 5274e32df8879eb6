package claims

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
)

// Document returns the report in the form that the package comment describes.
func (r *Report) Document() *Document {
	d := &Document{Schema: schema, Seed: r.Seed, Paper: r.Paper, OK: r.OK(), Summary: r.count(), Claims: []DocumentClaim{}}
	for i := range r.Results {
		d.Claims = append(d.Claims, r.Results[i].document())
	}
	return d
}

// WriteJSON writes the report in the form that the package comment describes; [ReadDocument] reads it.
func (r *Report) WriteJSON(w io.Writer) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r.Document()); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (r *Result) document() DocumentClaim {
	c := &r.Claim
	out := DocumentClaim{
		ID: c.ID, Source: c.Source, Text: c.Text, Printed: c.Printed, Judge: c.Judge.String(),
		Expect: c.Expect.String(), Reason: c.Reason, Recorded: c.Recorded.String(), Note: c.Note,
		PaperPoint: c.PaperPoint, OwnPoint: c.OwnPoint, PaperFigure: c.paperFigure(),
		Verdict: r.Verdict.String(), AsRecorded: r.AsRecorded(), Difference: r.Difference,
	}
	if m := r.Measured; m != nil {
		out.Measured = &DocumentMeasurement{
			DocumentFigure: newDocumentFigure(m.Exact, m.Value, m.Unit), Detail: m.Detail, Wave: m.Wave,
		}
		for _, row := range m.Rows {
			j := DocumentRow{
				Kind: row.Kind.String(), Label: row.Label, Series: row.Series,
				DocumentFigure: newDocumentFigure(row.Exact, row.Value, row.Unit),
			}
			if row.Kind == Point {
				j.At = &row.At
			}
			out.Measured.Rows = append(out.Measured.Rows, j)
		}
	}
	return out
}

func newDocumentFigure(exact *big.Rat, value float64, unit string) DocumentFigure {
	f := DocumentFigure{Value: value, Unit: unit, Figure: figure(exact, value, unit)}
	if exact != nil {
		f.Exact = exact.RatString()
	}
	return f
}
