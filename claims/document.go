package claims

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/internal/program"
)

// schema names the form that the package comment describes.
const schema = "goldwire-claims/1"

// Document is a report in the form that the package comment describes: what a program reads that has not the claims
// themselves.
type Document struct {
	Schema  string          `json:"schema"`
	Seed    uint64          `json:"seed"`
	Paper   bool            `json:"at_paper_points,omitempty"` // see [Report].Paper
	OK      bool            `json:"ok"`
	Summary Summary         `json:"summary"`
	Claims  []DocumentClaim `json:"claims"` // the order of the fields is that in the file
}

// DocumentClaim is a claim with its outcome. Texts are empty where there is nothing to say.
type DocumentClaim struct {
	ID          string               `json:"id"`
	Source      string               `json:"source"`
	Text        string               `json:"text"`
	Printed     string               `json:"printed"`
	Judge       string               `json:"judge,omitempty"`
	Expect      string               `json:"expect"` // a verdict
	Reason      string               `json:"reason,omitempty"`
	Recorded    string               `json:"recorded,omitempty"`
	Note        string               `json:"note,omitempty"`
	PaperPoint  string               `json:"paper_point,omitempty"`
	OwnPoint    string               `json:"own_point,omitempty"`    // empty: the paper's
	PaperFigure string               `json:"paper_figure,omitempty"` // [Claim.PaperFigure]
	Verdict     string               `json:"verdict"`
	AsRecorded  bool                 `json:"as_recorded"`
	Difference  string               `json:"difference,omitempty"`
	Measured    *DocumentMeasurement `json:"measured,omitempty"`
}

// DocumentMeasurement is a measurement of the document.
type DocumentMeasurement struct {
	DocumentFigure
	Detail string          `json:"detail"`
	Rows   []DocumentRow   `json:"rows,omitempty"`
	Wave   json.RawMessage `json:"wave,omitempty"` // WaveJSON
}

// DocumentRow is a [Row]; Kind is "part", "point", "variant" or empty.
type DocumentRow struct {
	Kind   string   `json:"kind,omitempty"`
	Label  string   `json:"label"`
	Series string   `json:"series,omitempty"`
	At     *float64 `json:"at,omitempty"`
	DocumentFigure
}

// DocumentFigure is a number with its unit: as a double, exactly if it is known so, and as tables show it.
type DocumentFigure struct {
	Value  float64 `json:"value"`
	Exact  string  `json:"exact,omitempty"`
	Unit   string  `json:"unit"`
	Figure string  `json:"figure"`
}

const (
	mostDocument = 64 << 20 // bytes of a report that is read
	// bytes of a claim's waveform without spaces: a picture of the cycles that were counted, no trace
	mostWave = 64 << 10
)

// compactBytes is the size of JSON, if it is any, without the spaces that a report adds to it.
func compactBytes(text []byte) int {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return len(text)
	}
	return b.Len()
}

// ReadDocument reads the output of [Report.WriteJSON], and refuses a document that contradicts itself: a verdict that
// there is none of, a claim that holds with nothing measured, an ID used twice, a summary that does not count the
// claims. No claims at all verify nothing, and are refused too.
func ReadDocument(r io.Reader) (read *Document, err error) {
	defer func() { err = input.OneLine(err) }()
	limited := &io.LimitedReader{R: r, N: mostDocument + 1}
	decoder := json.NewDecoder(limited)
	var d Document
	if err := decoder.Decode(&d); err != nil {
		if limited.N <= 0 {
			err = fmt.Errorf("it is larger than %d MB", mostDocument>>20)
		}
		return nil, fmt.Errorf("not a report of %s verify --json: %w", program.Name(), err)
	}
	if d.Schema != schema {
		return nil, fmt.Errorf(
			"not a report of %s verify --json: its schema is %.40q, want %q", program.Name(), d.Schema, schema,
		)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("something follows the report, want one object")
	}
	if len(d.Claims) == 0 {
		return nil, errors.New("a report without claims, want at least one")
	}
	seen := map[string]bool{}
	for i := range d.Claims {
		c := &d.Claims[i]
		switch {
		case !validID.MatchString(c.ID):
			return nil, fmt.Errorf("claim number %d: %.80q is no ID of a claim", i+1, c.ID)
		case seen[c.ID]:
			return nil, fmt.Errorf("claim %s is there twice", c.ID)
		case verdictOf(c.Verdict) == 0:
			return nil, fmt.Errorf("claim %s: there is no verdict %.40q", c.ID, c.Verdict)
		case verdictOf(c.Expect) == 0 || verdictOf(c.Expect) == Failed:
			return nil, fmt.Errorf("claim %s: no verdict %.40q can be on record", c.ID, c.Expect)
		case c.AsRecorded != (c.Difference == ""):
			return nil, fmt.Errorf("claim %s: as_recorded is %v, and the difference %.80q", c.ID, c.AsRecorded, c.Difference)
		case c.AsRecorded && c.Verdict != c.Expect && !d.Paper:
			return nil, fmt.Errorf(
				"claim %s: as_recorded is true, but its verdict is %q and on record is %q", c.ID, c.Verdict, c.Expect,
			)
		case c.judged() != (c.Measured != nil):
			return nil, fmt.Errorf(
				"claim %s: its verdict is %q, and something was measured: %v", c.ID, c.Verdict, c.Measured != nil,
			)
		}
		if err := c.Measured.check(); err != nil {
			return nil, fmt.Errorf("claim %s: %w", c.ID, err)
		}
		seen[c.ID] = true
	}
	if n := d.count(); n != d.Summary || d.OK != (n.Unexpected == 0) {
		return nil, fmt.Errorf("its summary is %+v, but its claims are %+v", d.Summary, n)
	}
	return &d, nil
}

// Filter returns the claims that match at least one pattern, as [Set.Filter] does, counted anew.
func (d *Document) Filter(patterns ...string) (*Document, error) {
	if len(patterns) == 0 {
		return d, nil
	}
	kept, err := selected(d.Claims, func(c *DocumentClaim) string { return c.ID }, patterns)
	if err != nil {
		return nil, err
	}
	out := &Document{Schema: d.Schema, Seed: d.Seed, Claims: kept}
	out.Summary = out.count()
	out.OK = out.Summary.Unexpected == 0
	return out, nil
}

// judged tells whether the verdict is one on a figure, which then was measured.
func (c *DocumentClaim) judged() bool {
	v := verdictOf(c.Verdict)
	return v == Holds || v == Deviates
}

// check refuses rows of no kind that there is, parts that do not add up, points without a place, and a picture of more
// cycles than anyone looks at.
func (m *DocumentMeasurement) check() error {
	if m == nil {
		return nil
	}
	if n := compactBytes(m.Wave); n > mostWave {
		return fmt.Errorf("its wave has %d bytes, want at most %d", n, mostWave)
	}
	parts, sum := 0, 0.0
	for _, row := range m.Rows {
		switch row.Kind {
		case "", Variant.String():
		case Part.String():
			if row.Unit != m.Unit {
				return fmt.Errorf("part %.80q is in %.40q, the sum in %.40q", row.Label, row.Unit, m.Unit)
			}
			parts++
			sum += row.Value
		case Point.String():
			if row.At == nil || math.IsNaN(*row.At) {
				return fmt.Errorf("point %.80q has no place on the axis", row.Label)
			}
		default:
			return fmt.Errorf("row %.80q: there is no kind %.40q", row.Label, row.Kind)
		}
	}
	if parts > 0 && !addUp(sum, m.Value) {
		return fmt.Errorf("its parts add up to %v, not to %v", sum, m.Value)
	}
	return nil
}

// verdictOf returns the verdict of a name, 0 if there is none.
func verdictOf(name string) Verdict {
	for v := Holds; v <= Failed; v++ {
		if v.String() == name {
			return v
		}
	}
	return 0
}

// count counts what the claims say.
func (d *Document) count() Summary {
	n := Summary{Claims: len(d.Claims)}
	for i := range d.Claims {
		n.add(verdictOf(d.Claims[i].Verdict), d.Claims[i].AsRecorded)
	}
	return n
}
