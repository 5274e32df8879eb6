package claims

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
)

// jsonSchema names the form that the package comment describes.
const jsonSchema = "goldwire-claims/1"

// The order of the fields below is the order in the file.

type jsonReport struct {
	Schema  string      `json:"schema"`
	Seed    uint64      `json:"seed"`
	OK      bool        `json:"ok"`
	Summary tally       `json:"summary"`
	Claims  []jsonClaim `json:"claims"`
}

type jsonClaim struct {
	ID         string           `json:"id"`
	Source     string           `json:"source"`
	Text       string           `json:"text"`
	Printed    string           `json:"printed"`
	Judge      string           `json:"judge,omitempty"`
	Expect     string           `json:"expect"`
	Reason     string           `json:"reason,omitempty"`
	Recorded   string           `json:"recorded,omitempty"`
	Note       string           `json:"note,omitempty"`
	Verdict    string           `json:"verdict"`
	AsRecorded bool             `json:"as_recorded"`
	Difference string           `json:"difference,omitempty"`
	Measured   *jsonMeasurement `json:"measured,omitempty"`
}

type jsonMeasurement struct {
	jsonFigure
	Detail string    `json:"detail"`
	Rows   []jsonRow `json:"rows,omitempty"`
}

type jsonRow struct {
	Kind   string   `json:"kind,omitempty"`
	Label  string   `json:"label"`
	Series string   `json:"series,omitempty"`
	At     *float64 `json:"at,omitempty"`
	jsonFigure
}

type jsonFigure struct {
	Value  float64 `json:"value"`
	Exact  string  `json:"exact,omitempty"`
	Unit   string  `json:"unit"`
	Figure string  `json:"figure"`
}

// WriteJSON writes the report in the form that the package comment describes.
func (r *Report) WriteJSON(w io.Writer) error {
	out := jsonReport{Schema: jsonSchema, Seed: r.Seed, OK: r.OK(), Summary: r.count(), Claims: []jsonClaim{}}
	for i := range r.Results {
		out.Claims = append(out.Claims, r.Results[i].json())
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (r *Result) json() jsonClaim {
	c := &r.Claim
	out := jsonClaim{
		ID: c.ID, Source: c.Source, Text: c.Text, Printed: c.Printed, Judge: c.Judge.String(),
		Expect: c.Expect.String(), Reason: c.Reason, Recorded: c.Recorded.String(), Note: c.Note,
		Verdict: r.Verdict.String(), AsRecorded: r.AsRecorded(), Difference: r.Difference,
	}
	if m := r.Measured; m != nil {
		out.Measured = &jsonMeasurement{jsonFigure: newJSONFigure(m.Exact, m.Value, m.Unit), Detail: m.Detail}
		for _, row := range m.Rows {
			j := jsonRow{Kind: row.Kind.String(), Label: row.Label, Series: row.Series, jsonFigure: newJSONFigure(row.Exact, row.Value, row.Unit)}
			if row.Kind == Point {
				j.At = &row.At
			}
			out.Measured.Rows = append(out.Measured.Rows, j)
		}
	}
	return out
}

func newJSONFigure(exact *big.Rat, value float64, unit string) jsonFigure {
	f := jsonFigure{Value: value, Unit: unit, Figure: figure(exact, value, unit)}
	if exact != nil {
		f.Exact = exact.RatString()
	}
	return f
}
