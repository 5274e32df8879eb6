package claims

import "fmt"

// Report is the outcome of a verification, claims in the order of their set.
type Report struct {
	Seed    uint64
	Paper   bool // of all results
	Results []Result
}

// Result is the outcome of one claim.
type Result struct {
	Claim   Claim
	Verdict Verdict
	// Measured is the figure found; nil if the claim is given or not modelled, or its measurement failed.
	Measured *Measurement
	// Difference says how the outcome differs from the record; it is empty when nothing does.
	Difference string
	// Paper says that it was measured at the paper's point, see [Options].Paper. The record is of our point.
	Paper bool
}

// AsRecorded reports whether the outcome is the one on record.
func (r *Result) AsRecorded() bool { return r.Difference == "" }

// OK reports whether every claim is as recorded. An honest deviation is; a failed measurement never is.
func (r *Report) OK() bool { return r.count().Unexpected == 0 }

// Summary returns one line: "14 claims: 11 hold, 1 deviates as recorded, 1 given, 1 not modelled, 0 unexpected".
func (r *Report) Summary() string {
	n := r.count()
	claims, hold, deviate := "claims", "hold", "deviate"
	if n.Claims == 1 {
		claims = "claim"
	}
	if n.Hold == 1 {
		hold = "holds"
	}
	if n.Deviate == 1 {
		deviate = "deviates"
	}
	if r.Paper {
		return fmt.Sprintf("%d %s at the paper's point: %d %s, %d %s, %d without a figure",
			n.Claims, claims, n.Hold, hold, n.Deviate, deviate, n.Unexpected)
	}
	return fmt.Sprintf("%d %s: %d %s, %d %s as recorded, %d given, %d not modelled, %d unexpected",
		n.Claims, claims, n.Hold, hold, n.Deviate, deviate, n.Given, n.NotModelled, n.Unexpected)
}

// Summary counts claims. All but the first and last count those as recorded only, so the others add up to the first.
type Summary struct {
	Claims      int `json:"claims"`
	Hold        int `json:"hold"`
	Deviate     int `json:"deviate"`
	Given       int `json:"given"`
	NotModelled int `json:"not_modelled"`
	Unexpected  int `json:"unexpected"`
}

// add counts an outcome.
func (n *Summary) add(v Verdict, asRecorded bool) {
	switch {
	case !asRecorded:
		n.Unexpected++
	case v == Holds:
		n.Hold++
	case v == Deviates:
		n.Deviate++
	case v == Given:
		n.Given++
	case v == NotModelled:
		n.NotModelled++
	}
}

func (r *Report) count() Summary {
	n := Summary{Claims: len(r.Results)}
	for i := range r.Results {
		n.add(r.Results[i].Verdict, r.Results[i].AsRecorded())
	}
	return n
}

// columns are the headings of the table in every form of the report.
var columns = [...]string{"Claim", "Source", "Printed", "Measured", "Verdict", "Record"}

// The columns that a form of the report treats in its own way.
const (
	columnID      = 0
	columnVerdict = 4
	columnRecord  = 5
)

// cells is a result's row of the table. The last cell is empty when the result is as recorded.
func (r *Result) cells() [len(columns)]string {
	measured, verdict, record := "", r.Verdict.String(), ""
	if r.Measured != nil {
		measured = r.Measured.String()
	}
	if f := r.Claim.paperFigure(); f != "" {
		measured += "; at the paper's point " + f
	}
	if r.Verdict == Failed {
		verdict = "ERROR"
	}
	switch {
	case r.Paper && r.Verdict != r.Claim.Expect && r.Verdict != Failed:
		record = r.Claim.Expect.String() + " at our point"
	case r.AsRecorded():
	case r.Verdict == r.Claim.Expect:
		record = "≠ " + r.Claim.Recorded.String()
	default:
		record = "≠ " + r.Claim.Expect.String()
	}
	return [...]string{r.Claim.ID, r.Claim.Source, r.Claim.Printed, measured, verdict, record}
}

// remarks are the lists below the table: what the reader has to know beyond the verdicts.
func (r *Report) remarks() []remark {
	list := []remark{
		{title: "Unexpected"}, {title: "Deviations on record"}, {title: "Given by the paper"}, {title: "Not modelled"},
	}
	for i := range r.Results {
		res := &r.Results[i]
		if !res.AsRecorded() {
			list[0].add(res.Claim.ID, res.Difference)
		}
		switch res.Claim.Expect {
		case Deviates:
			if !res.Paper || res.Verdict == Deviates { // a reason of our point may be none at the paper's
				list[1].add(res.Claim.ID, res.Claim.Reason)
			}
		case Given:
			list[2].add(res.Claim.ID, res.Claim.Reason)
		case NotModelled:
			list[3].add(res.Claim.ID, res.Claim.Reason)
		}
	}
	return list
}

type remark struct {
	title string
	items []pair
}

func (r *remark) add(id, text string) { r.items = append(r.items, pair{id, text}) }

type pair struct{ label, text string }

// details are the lines on one claim in a verbose report, without empty ones, and the rows of its breakdown.
func (r *Result) details() (lines, rows []pair) {
	measured, detail := "", ""
	if r.Measured != nil {
		m := r.Measured
		measured, detail = inFull(m.Exact, m.Value, m.Unit), m.Detail
		for _, row := range m.Rows {
			rows = append(rows, pair{row.Label, figure(row.Exact, row.Value, row.Unit)})
		}
	}
	for _, line := range []pair{
		{"claim", r.Claim.Text},
		{"wanted", r.Claim.Judge.String()},
		{"measured", measured},
		{"counted", detail},
		{"on record", r.Claim.Recorded.String()},
		{"point", r.Claim.point()},
		{"note", r.Claim.Note},
	} {
		if line.text != "" {
			lines = append(lines, line)
		}
	}
	return lines, rows
}
