package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/wave"
)

// Page is what a page shows. At least one of Claims and Experiments is there.
type Page struct {
	Title   string
	Designs []Design // in the order of the page; a claim whose design is not among them comes after them
	Claims  *claims.Document
	// Against is an earlier verification: the page shows how each claim has changed since. Nil: none.
	Against *claims.Document
	// Experiments are shown with their tables and charts.
	Experiments []Experiment
}

// Design is the heading of the claims whose IDs begin with its name.
type Design struct{ Name, Title, Paper string }

//go:embed page.html
var pageHTML string

//go:embed style.css
var styleCSS string

//go:embed script.js
var scriptJS string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	if p.Claims == nil && len(p.Experiments) == 0 {
		return errors.New("a page of nothing: want claims or experiments")
	}
	v := view{
		Title: p.Title, Style: template.CSS(styleCSS), Script: template.JS(scriptJS),
		Policy: fmt.Sprintf(
			"default-src 'none'; style-src '%s'; script-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
			checksum(styleCSS), checksum(scriptJS),
		),
	}
	if p.Claims != nil {
		if err := v.addClaims(p); err != nil {
			return err
		}
	}
	for i := range p.Experiments {
		x, err := p.Experiments[i].view()
		if err != nil {
			return fmt.Errorf("experiment %s: %w", p.Experiments[i].Command, err)
		}
		v.Experiments = append(v.Experiments, x)
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, &v); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// checksum names a style or a script in a content policy (CSP Level 3, section 2.3.1).
func checksum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// view is what the template shows.
type view struct {
	Title       string
	Policy      string
	Style       template.CSS
	Script      template.JS
	Seed        uint64
	Summary     claims.Summary
	Verdicts    []verdictCount // of all claims
	Designs     []designView
	Compared    *comparison
	Unexpected  []*claimView
	Where       []whereView
	Experiments []*experimentView
}

// verdictCount is how many claims have a verdict.
type verdictCount struct {
	Class string // in the style sheet
	Name  string
	N     int
}

// designView is a design's section.
type designView struct {
	Design
	Verdicts []verdictCount
	Bar      template.HTML
	Claims   []*claimView
}

// claimView is a claim as the page shows it.
type claimView struct {
	claims.DocumentClaim
	Class    string // of its verdict, in the style sheet
	Measured string
	Exact    string // the figure unrounded, if that is another text
	Detail   string
	Bar      template.HTML // of its parts
	Parts    []partView
	Wave     template.HTML   // of the cycles that were counted
	Plots    []template.HTML // of its points
	Points   []rowView       // which are also given as numbers
	Rows     []rowView       // variants, and what else was counted
	Was      string          // the verdict or figure before a change, if the page compares
}

// Link leads to the claim on the page. After the # no scheme can stand, so the ID is taken as it is.
func (v *claimView) Link() template.URL { return template.URL("#" + v.ID) }

// rowView is a row of a claim's table.
type rowView struct{ Label, Figure string }

// classOf is the class of a verdict: what the page calls it too.
func classOf(c *claims.DocumentClaim) string {
	if !c.AsRecorded {
		return "unexpected"
	}
	return strings.ReplaceAll(c.Verdict, " ", "-")
}

// classes are the classes in the order of the page.
var classes = []struct{ class, name string }{
	{"holds", "holds"}, {"deviates", "deviates"}, {"given", "given"}, {"not-modelled", "not modelled"},
	{"unexpected", "unexpected"},
}

func (v *view) addClaims(p *Page) error {
	v.Seed, v.Summary = p.Claims.Seed, p.Claims.Summary
	changes := compare(p.Against, p.Claims)
	if p.Against != nil {
		v.Compared = changes
	}
	at := map[string]int{} // the section of a design's name
	for _, d := range p.Designs {
		at[d.Name] = len(v.Designs)
		v.Designs = append(v.Designs, designView{Design: d})
	}
	all := map[string]int{}
	colours := map[string]colouring{} // of a design
	for i := range p.Claims.Claims {
		name, _, _ := strings.Cut(p.Claims.Claims[i].ID, "/")
		if colours[name] == nil {
			colours[name] = colouring{}
		}
		c, err := viewOf(&p.Claims.Claims[i], colours[name])
		if err != nil {
			return fmt.Errorf("claim %s: %w", p.Claims.Claims[i].ID, err)
		}
		c.Was = changes.was[c.ID]
		if _, known := at[name]; !known {
			at[name] = len(v.Designs)
			v.Designs = append(v.Designs, designView{Design: Design{Name: name, Title: name}})
		}
		d := &v.Designs[at[name]]
		d.Claims = append(d.Claims, c)
		all[c.Class]++
		if c.Class == "unexpected" {
			v.Unexpected = append(v.Unexpected, c)
		}
	}
	v.Verdicts = counts(all)
	kept := v.Designs[:0]
	for _, d := range v.Designs {
		if len(d.Claims) == 0 {
			continue
		}
		n := map[string]int{}
		for _, c := range d.Claims {
			n[c.Class]++
		}
		d.Verdicts = counts(n)
		kept = append(kept, d)
	}
	v.Designs = kept
	most := 0
	for _, d := range v.Designs {
		most = max(most, len(d.Claims))
	}
	for i := range v.Designs {
		v.Designs[i].Bar = verdictBar(v.Designs[i].Verdicts, most)
	}
	v.Where = whereItGoes(v.Designs)
	return nil
}

// counts lists all classes, classes without a claim too.
func counts(n map[string]int) []verdictCount {
	var list []verdictCount
	for _, c := range classes {
		list = append(list, verdictCount{c.class, c.name, n[c.class]})
	}
	return list
}

// viewOf draws what a claim's rows are, its parts in the colours of its design.
func viewOf(c *claims.DocumentClaim, colours colouring) (*claimView, error) {
	v := &claimView{DocumentClaim: *c, Class: classOf(c)}
	m := c.Measured
	if m == nil {
		return v, nil
	}
	v.Measured, v.Detail = m.Figure, m.Detail
	if m.Exact != "" && strings.Contains(m.Figure, "≈") {
		v.Exact = strings.TrimSpace(m.Exact + " " + m.Unit)
	}
	var parts, points []claims.DocumentRow
	for _, row := range m.Rows {
		switch row.Kind {
		case claims.Part.String():
			parts = append(parts, row)
		case claims.Point.String():
			points = append(points, row)
			v.Points = append(v.Points, rowView{row.Label, row.Figure})
		default:
			v.Rows = append(v.Rows, rowView{row.Label, row.Figure})
		}
	}
	v.addParts(parts, m, colours)
	var err error
	if len(m.Wave) > 0 {
		if v.Wave, err = svgOf(func(w io.Writer) error { return wave.WriteSVG(w, m.Wave) }); err != nil {
			return nil, err
		}
	}
	v.Plots, err = plotPoints(c, points)
	return v, err
}
