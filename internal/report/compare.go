package report

import (
	"fmt"
	"html/template"

	"github.com/goldwire/goldwire/claims"
)

// comparison lists the differences between two verifications.
type comparison struct {
	Seed    uint64 // of the earlier one
	Changed []change
	Gone    []change // claims that only the earlier one has
	New     []change // claims that only the later one has
	Same    int

	was map[string]string
}

// change is a claim that differs, and how.
type change struct{ ID, Text, Was, Is string }

// Link leads to the claim on the page.
func (c change) Link() template.URL { return template.URL("#" + c.ID) }

// compare lists the changes from one verification to the next: verdicts, figures, new claims and claims gone. A figure
// has changed when its value has, not only its rows.
func compare(before, after *claims.Document) *comparison {
	c := &comparison{was: map[string]string{}}
	if before == nil {
		return c
	}
	c.Seed = before.Seed
	old := map[string]*claims.DocumentClaim{}
	for i := range before.Claims {
		old[before.Claims[i].ID] = &before.Claims[i]
	}
	seen := map[string]bool{}
	for i := range after.Claims {
		now := &after.Claims[i]
		seen[now.ID] = true
		then, ok := old[now.ID]
		switch {
		case !ok:
			c.New = append(c.New, change{ID: now.ID, Text: now.Text, Is: outcome(now)})
			c.was[now.ID] = "not there"
		case then.Verdict != now.Verdict || then.AsRecorded != now.AsRecorded || then.Printed != now.Printed ||
			!sameFigure(then.Measured, now.Measured):
			c.Changed = append(c.Changed, change{ID: now.ID, Text: now.Text, Was: outcome(then), Is: outcome(now)})
			c.was[now.ID] = outcome(then)
		default:
			c.Same++
		}
	}
	for i := range before.Claims {
		if then := &before.Claims[i]; !seen[then.ID] {
			c.Gone = append(c.Gone, change{ID: then.ID, Text: then.Text, Was: outcome(then)})
		}
	}
	return c
}

func sameFigure(a, b *claims.DocumentMeasurement) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Value == b.Value && a.Exact == b.Exact && a.Unit == b.Unit
}

// outcome is a claim's result in one line.
func outcome(c *claims.DocumentClaim) string {
	s := c.Verdict
	if c.Measured != nil {
		s = fmt.Sprintf("%s, %s", c.Measured.Figure, s)
	}
	if !c.AsRecorded {
		s += " (not as recorded)"
	}
	return s
}
