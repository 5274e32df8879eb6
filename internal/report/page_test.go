package report_test

import (
	"bytes"
	"context"
	"flag"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/internal/report"
	"github.com/goldwire/goldwire/workload/journey"
)

var (
	pagePath = flag.String("page", "", "a page to take pictures of, instead of the sample")
	shots    = flag.String("shots", "", "a directory for pictures of the page")
)

func at(x float64) *float64 { return &x }

func figure(value float64, unit, text string) claims.DocumentFigure {
	return claims.DocumentFigure{Value: value, Unit: unit, Figure: text}
}

// sample has a claim of each verdict, parts, points, variants.
func sample() *claims.Document {
	part := claims.Part.String()
	return &claims.Document{Schema: "goldwire-claims/1", Seed: 7,
		Summary: claims.Summary{Claims: 6, Hold: 2, Deviate: 1, Given: 1, NotModelled: 1, Unexpected: 1},
		Claims: []claims.DocumentClaim{
			{ID: "one/table1/total", Source: "One Table 1", Text: "A read takes 10 ns.", Printed: "10 ns",
				Judge: "exactly 10 ns", Expect: "holds", Verdict: "holds", AsRecorded: true,
				Measured: &claims.DocumentMeasurement{
					DocumentFigure: figure(10, "ns", "10 ns"),
					Detail:         "edge 1 to edge 5",
					Rows: []claims.DocumentRow{
						{Kind: part, Label: "host", DocumentFigure: figure(2.5, "ns", "2.5 ns")},
						{Kind: part, Label: "switch", DocumentFigure: figure(7.5, "ns", "7.5 ns")},
						{Kind: "variant", Label: "with DRAM", DocumentFigure: figure(60, "ns", "60 ns")}},
				}},
			{ID: "one/table1/host", Source: "One Table 1", Text: "The host's part.", Printed: "4 ns", Judge: "exactly 4 ns",
				Expect: "holds", Verdict: "deviates", AsRecorded: false,
				Difference: "recorded as holds, but 2.5 ns deviates (wanted: exactly 4 ns)",
				Measured: &claims.DocumentMeasurement{
					DocumentFigure: figure(2.5, "ns", "2.5 ns"),
					Detail:         "edge 1 to edge 2",
					Rows: []claims.DocumentRow{
						{Kind: part, Label: "queue", DocumentFigure: figure(2.5, "ns", "2.5 ns")}},
				}},
			{ID: "one/fig8/read", Source: "One Figure 8", Text: "Within 1.2 of the least.", Printed: "1.2×",
				Judge: "at most 1.2", Expect: "holds", Verdict: "holds", AsRecorded: true,
				Measured: &claims.DocumentMeasurement{
					DocumentFigure: figure(1.1, "", "1.1"),
					Detail:         "144 nodes",
					Rows: []claims.DocumentRow{
						{
							Kind: "point", Label: "load 0.1", At: at(0.1), DocumentFigure: figure(1.01, "", "1.01"),
						}, {Kind: "point", Label: "load 0.9", At: at(0.9), DocumentFigure: figure(1.1, "", "1.1")}},
				}},
			{ID: "two/speed", Source: "Two §3", Text: "It is fast.", Printed: "3×", Judge: "3 ± 0.1", Expect: "deviates",
				Reason: "The paper's is slower.", Recorded: "2 ± 0.1", Note: "A reading.",
				Verdict: "deviates", AsRecorded: true,
				Measured: &claims.DocumentMeasurement{DocumentFigure: figure(2, "", "2"), Detail: "1000 packets"}},
			{ID: "two/clock", Source: "Two §4", Text: "The clock.", Printed: "1 GHz", Expect: "given", Reason: "Config.Clock",
				Verdict: "given", AsRecorded: true},
			{ID: "three/area", Source: "Three", Text: "The area.", Printed: "1 mm²", Expect: "not modelled",
				Reason: "No silicon.", Verdict: "not modelled", AsRecorded: true},
		}}
}

func samplePage() *report.Page {
	return &report.Page{Title: "A page", Claims: sample(),
		Designs: []report.Design{{"two", "The second design", "B, 2025"}, {"one", "The first design", ""},
			{"none", "Has no claim", ""}}}
}

func write(t *testing.T, p *report.Page) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, p.Write(&b))
	return b.String()
}

// contains is require.Contains that does not print a whole page.
func contains(t *testing.T, page, text string) {
	t.Helper()
	require.True(t, strings.Contains(page, text), "the page lacks %s", text)
}

// Equal input gives equal bytes; a page made from a verification's file equals the page of the run that wrote it.
func TestEqualPages(t *testing.T) {
	page := write(t, samplePage())
	for range 5 {
		require.Equal(t, page, write(t, samplePage()))
	}
}

// Nothing on the page loads, runs or styles itself beyond the policy.
func TestThePolicyIsStrict(t *testing.T) {
	page := write(t, samplePage())
	policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
	require.NotNil(t, policy)
	require.Regexp(
		t,
		`^default-src &#39;none&#39;; style-src &#39;sha256-\S+&#39;; script-src &#39;sha256-\S+&#39;; img-src data:; `+
			`base-uri &#39;none&#39;; form-action &#39;none&#39;$`,
		policy[1],
	)
	require.False(t, strings.Contains(page, ` style="`))
	require.Empty(t, regexp.MustCompile(`<[^>]* on[a-z]+=`).FindString(page))
	for _, address := range regexp.MustCompile(`(?:https?:)?//[a-z][^"'\s<]*`).FindAllString(page, -1) {
		require.Contains(t, []string{"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}, address,
			"only names of XML, which are never fetched")
	}
	require.Equal(t, 1, strings.Count(page, "<script"))
	require.Equal(t, 1, strings.Count(page, "<style"))
}

// A file can hold anything: all its texts are texts on the page.
func TestHostileTextsAreTexts(t *testing.T) {
	const evil = `"><script>alert(1)</script><img src=x onerror=y>{{.}}`
	p := samplePage()
	p.Title = evil
	p.Designs[0].Title, p.Designs[0].Paper = evil, evil
	for i := range p.Claims.Claims {
		c := &p.Claims.Claims[i]
		for _, text := range []*string{&c.Source, &c.Text, &c.Printed, &c.Reason, &c.Recorded, &c.Note} {
			*text = evil
		}
		if m := c.Measured; m != nil {
			m.Detail, m.Figure, m.Exact, m.Unit = evil, "≈ "+evil, evil, evil
			for j := range m.Rows {
				m.Rows[j].Label, m.Rows[j].Figure, m.Rows[j].Series, m.Rows[j].Unit = evil, evil, evil, evil
			}
		}
	}
	p.Against = sample()
	page := write(t, p)
	require.Equal(t, 1, strings.Count(page, "<script"))
	require.False(t, strings.Contains(page, "<img"))
	contains(t, page, "&lt;script&gt;")
}

// A bar's parts lie side by side and fill it as their shares are.
func TestBarsAreToScale(t *testing.T) {
	page := write(t, samplePage())
	_, claim, found := strings.Cut(page, `<details class="claim" id="one/table1/total"`)
	require.True(t, found)
	contains(
		t,
		claim,
		`<rect class="p0" x="0.00" width="250.00" height="20"><title>host: 2.5 ns</title></rect><rect class="p1" `+
			`x="250.00" width="750.00" height="20"><title>switch: 7.5 ns</title></rect>`,
	)
	contains(t, claim, `25.0 %`)
	// beside each other only the longest stands for its neighbours
	_, where, _ := strings.Cut(page, `<section id="where">`)
	where, _, _ = strings.Cut(where, `</section>`)
	require.Equal(t, 1, strings.Count(where, `class="where"`))
	contains(t, where, `href="#one/table1/total"`)
}

// timed is a claim whose figure is a time with parts.
func timed(id, unit string, parts ...float64) claims.DocumentClaim {
	m := &claims.DocumentMeasurement{Detail: "counted"}
	for _, p := range parts {
		m.Value += p
		m.Rows = append(m.Rows, claims.DocumentRow{Kind: "part", Label: "p", DocumentFigure: figure(p, unit, "f")})
	}
	m.DocumentFigure = figure(m.Value, unit, "sum of "+id)
	return claims.DocumentClaim{ID: id, Text: id, Printed: "1", Expect: "holds", Verdict: "holds",
		AsRecorded: true, Measured: m}
}

// The bars of a design are to one scale, whatever their units; parts that are less than nothing, or are not the sum,
// have no bar.
func TestWhereTheTimeGoesIsToOneScale(t *testing.T) {
	wrong := timed("one/wrong/total", "ns", 1, 1)
	wrong.Measured.Value = 0
	page := write(t, &report.Page{Claims: &claims.Document{Claims: []claims.DocumentClaim{
		timed("one/a/total", "ns", 1, 1), timed("one/b/total", "µs", 0.001, 0.003), timed("one/c/total", "ms", 0.00001),
		timed("one/negative/total", "ns", -1, 3), wrong, timed("one/infinite/total", "ns", 1e308, 1e308)}}})
	_, where, _ := strings.Cut(page, `<section id="where">`)
	where, _, _ = strings.Cut(where, `</section>`)
	var widths []string
	for _, m := range regexp.MustCompile(`<rect class="p\d" x="([\d.]+)" width="([\d.]+)"`).FindAllStringSubmatch(where,
		-1) {
		widths = append(widths, m[1]+"+"+m[2])
	}
	require.Equal(t, []string{"0.00+100.00", "100.00+100.00", "0.00+100.00", "100.00+300.00", "0.00+1000.00"}, widths)
	require.Equal(t, 3, strings.Count(page, `<div class="stack">`))
	require.Equal(t, 6, strings.Count(page, `<table class="parts">`), "listed they are all")
	require.False(t, strings.Contains(page, "NaN") || strings.Contains(page, "Inf"))
}

// A part has one colour in all bars of its design, and no two of a bar have the same while there are enough.
func TestColoursOfParts(t *testing.T) {
	list := []claims.DocumentClaim{timed("one/a/total", "ns", 1, 1, 1), timed("one/b/total", "ns", 1, 1),
		timed("one/c/total", "ns", 1, 1, 1, 1, 1, 1, 1, 1, 1)}
	for i, labels := range [][]string{{"stack", "MAC", "wire"}, {"MAC", "wire"},
		{"x", "wire", "y", "z", "MAC", "u", "v", "wire", "w"}} {
		for k, label := range labels {
			list[i].Measured.Rows[k].Label = label
		}
	}
	page := write(t, &report.Page{Claims: &claims.Document{Claims: list}})
	_, where, _ := strings.Cut(page, `<section id="where">`)
	where, _, _ = strings.Cut(where, `</section>`)
	var bars, legends []string
	for _, m := range regexp.MustCompile(`<rect class="(p\d)"[^>]*><title>(\w+)`).FindAllStringSubmatch(where, -1) {
		bars = append(bars, m[2]+" "+m[1])
	}
	for _, m := range regexp.MustCompile(`<span class="swatch (p\d)"></span>(\w+)`).FindAllStringSubmatch(where, -1) {
		legends = append(legends, m[2]+" "+m[1])
	}
	require.Equal(t, []string{"stack p0", "MAC p1", "wire p2", "MAC p1", "wire p2",
		"x p0", "wire p2", "y p3", "z p4", "MAC p1", "u p5", "v p6", "wire p7", "w p0"}, bars)
	require.Equal(t, bars, legends)
}

// Points of two units are two pictures, of which only that in the unit of the claim has the paper's figure; a curve
// each series; a logarithmic axis from a hundredfold on.
func TestCurves(t *testing.T) {
	c := timed("one/curves/all", "ns", 1)
	c.Judge, c.Printed = "at most 1.2 ns", "1.2 ns"
	c.Measured.Figure, c.Measured.Exact, c.Measured.Unit = "1/3 ≈ 0.3333", "1/3", "ns"
	c.Measured.Rows = nil
	for _, p := range []struct {
		at, value    float64
		series, unit string
	}{{10, 1, "model", "ns"}, {90, 3, "model", "ns"}, {10, 2, "bound", "ns"}, {90, 4, "bound", "ns"},
		{1, 7, "", "cycles"}, {100, 8, "", "cycles"}} {
		c.Measured.Rows = append(c.Measured.Rows, claims.DocumentRow{Kind: "point", Label: "p", Series: p.series,
			At: at(p.at), DocumentFigure: figure(p.value, p.unit, "f")})
	}
	page := write(t, &report.Page{Claims: &claims.Document{Claims: []claims.DocumentClaim{c}}})
	pictures := strings.Split(page, `class="picture"`)[1:]
	require.Len(t, pictures, 2)
	require.Equal(t, 1, strings.Count(page, "paper: 1.2 ns"))
	contains(t, pictures[0], "paper: 1.2 ns")
	for _, series := range []string{">model<", ">bound<"} {
		require.Equal(t, 1, strings.Count(pictures[0], series), series)
	}
	contains(t, pictures[0], ">40<")
	require.False(t, strings.Contains(pictures[1], ">40<"))
	contains(t, pictures[1], ">50<")
	contains(t, page, "<dt>Exactly</dt><dd>1/3 ns</dd>")
	for judge, drawn := range map[string]bool{"at least 2 ns": true, "2 ± 0.1": true, "2 ns ± 5%": true,
		"at most 1e400": false, "between 1 and 2 ns": false} {
		c.Judge = judge
		page := write(t, &report.Page{Claims: &claims.Document{Claims: []claims.DocumentClaim{c}}})
		require.Equal(t, drawn, strings.Contains(page, "paper: 1.2 ns"), judge)
	}
}

// A curve is drawn with the paper's figure across it; its numbers stand beside it.
func TestPointsAreDrawn(t *testing.T) {
	page := write(t, samplePage())
	_, claim, _ := strings.Cut(page, `id="one/fig8/read"`)
	claim, _, _ = strings.Cut(claim, `class="claim"`)
	contains(t, claim, `<svg class="picture"`)
	contains(t, claim, `paper: 1.2×`)
	contains(t, claim, `<td>load 0.9</td><td class="n">1.1</td>`)
	require.Equal(t, 1, strings.Count(page, `class="picture"`), "no other claim has points")
}

// The counted cycles are drawn; a text that is not WaveJSON is an error that names the claim.
func TestWaves(t *testing.T) {
	p := samplePage()
	p.Claims.Claims[3].Measured.Wave = []byte(
		`{"signal": [{"name": "clk", "wave": "p.."}, {"name": "a<b", "wave": "01."}]}`,
	)
	page := write(t, p)
	_, claim, _ := strings.Cut(page, `id="two/speed"`)
	claim, _, _ = strings.Cut(claim, `class="claim"`)
	contains(t, claim, `<div class="wide wave"><svg class="picture"`)
	contains(t, claim, `a&lt;b</text>`)
	require.Equal(t, 1, strings.Count(page, `class="wide wave"`))
	p.Claims.Claims[3].Measured.Wave = []byte(`{"signal": [{"name": "a", "wave": "q"}]}`)
	require.ErrorContains(t, p.Write(&bytes.Buffer{}), `claim two/speed: WaveJSON: signal "a": mark 'q'`)
}

// Sections are in the order of the designs, designs without claims left out and unknown ones last; the numbers match
// the claims.
func TestSections(t *testing.T) {
	page := write(t, samplePage())
	var order []string
	for _, m := range regexp.MustCompile(`class="design" id="design-(\w+)"`).FindAllStringSubmatch(page, -1) {
		order = append(order, m[1])
	}
	require.Equal(t, []string{"two", "one", "three"}, order)
	contains(t, page, `<a href="#design-one">one</a>`)
	contains(t, page, `<strong class="unexpected">1 not as recorded.</strong>`)
	require.Equal(t, 6, strings.Count(page, `<details class="claim"`))
	// the first design: one deviates, one is given; three claims are the whole width
	contains(
		t,
		page,
		`<rect class="deviates" x="0.0" width="333.3" height="10"/><rect class="given" x="333.3" width="333.3" `+
			`height="10"/></svg>`,
	)
	contains(
		t,
		page,
		`<th scope="row">all</th><td class="barcell"></td><td class="n">2</td><td class="n">1</td><td class="n">1</td><td `+
			`class="n">1</td><td class="n">1</td>`,
	)
	contains(t, page, `<td>with DRAM</td><td class="n">60 ns</td>`)
	contains(t, page, "The paper&#39;s is slower.")
	require.Error(t, (&report.Page{}).Write(&bytes.Buffer{}))
}

// params are the parameters of the test's own experiment.
type params struct {
	N int `flag:"n" min:"1" max:"9" help:"a number"`
}

// made is an experiment with a table, a chart, text and a journey.
func made(t *testing.T) report.Experiment {
	t.Helper()
	e := experiment.Define(experiment.Spec[params, params, int]{
		Name: "made", Short: "Made for a <test>", Source: "Figure 1", Journeys: true, Defaults: params{N: 2},
		Points: func(p *params, seed uint64) ([]experiment.Point[params], error) { return experiment.One(*p, seed), nil },
		Run: func(_ context.Context, run *experiment.Run, q params) (int, error) {
			run.Journeys.Describe("Ways", clock.Nanosecond)
			run.Journeys.Add(journey.Journey{Name: "m", Stages: []journey.Stage{{Place: "box", To: clock.Nanosecond.Times(3)}}})
			return q.N, nil
		},
		Report: func(_ *params, done []experiment.Result[params, int]) (*experiment.Report, error) {
			r := &experiment.Report{}
			r.Linef("first <line>")
			r.Linef("second line")
			table := &experiment.Table{Name: "t", Columns: experiment.Columns("What", "", "ns", "%.2f")}
			table.Row("a & b", float64(done[0].Value))
			r.Table(table)
			r.Table(&experiment.Table{Name: "empty", Columns: experiment.Columns("Nothing", "")})
			r.Chart(experiment.Chart{Name: "c", Lines: &plots.Chart{Title: "Curve",
				Series: []plots.Series{{Name: "s", X: []float64{1, 2}, Y: []float64{1, 2}}}}})
			r.Failf("it failed")
			return r, nil
		},
	})
	p := e.Params()
	out, err := e.Run(t.Context(), p, experiment.Options{Seed: 1, Journeys: 5})
	require.NoError(t, err)
	return report.Experiment{Command: "goldwire run x made --n 2", Info: e.Info(), Outcome: out}
}

// Experiments stand on the page with their text, tables, charts and journeys, with claims or alone.
func TestExperiments(t *testing.T) {
	alone := write(t, &report.Page{Title: "Alone", Experiments: []report.Experiment{made(t)}})
	both := samplePage()
	both.Experiments = []report.Experiment{made(t)}
	for _, page := range []string{alone, write(t, both)} {
		_, article, found := strings.Cut(page, `<article class="experiment">`)
		require.True(t, found)
		article, _, _ = strings.Cut(article, `</article>`)
		contains(t, article, "<h3>Made for a &lt;test&gt;</h3>")
		contains(t, article, "<code>goldwire run x made --n 2</code>")
		contains(t, article, "<pre>first &lt;line&gt;\nsecond line</pre>")
		contains(t, article, `<tr><th>What</th><th class="n">ns</th></tr>`)
		contains(t, article, `<tr><td>a &amp; b</td><td class="n">2.00</td></tr>`)
		require.False(t, strings.Contains(article, "Nothing"), "a table without rows is left out")
		require.Equal(t, 2, strings.Count(article, `class="picture"`), "a chart and a journey")
		contains(t, article, "<title>box&#10;3.00 ns, from 0.00 ns</title>")
		contains(t, article, `<strong class="unexpected">FAILED</strong> it failed`)
	}
	require.False(t, strings.Contains(alone, `id="claims"`))
}

// Two verifications: what changed, came, went.
func TestCompared(t *testing.T) {
	p := samplePage()
	p.Against = sample()
	contains(t, write(t, p), "0 changed, 0 new, 0 gone, 6 the same.")

	old := p.Against
	old.Seed = 8
	old.Claims[0].Measured.Value, old.Claims[0].Measured.Figure = 11, "11 ns"
	old.Claims[3].Verdict = "holds"
	old.Claims[4].ID = "two/gone"
	page := write(t, p)
	contains(t, page, "2 changed, 1 new, 1 gone, 3 the same. The earlier one had the seed 8.")
	contains(
		t,
		page,
		`<td><a href="#one/table1/total"><code>one/table1/total</code></a></td><td>11 ns, holds</td><td>10 ns, holds</td>`,
	)
	contains(t, page, `<td><code>two/gone</code></td><td>given</td><td class="faint">not there</td>`)
	require.Equal(t, 3, strings.Count(page, " data-changed>"))

	// whether it is as recorded, what the paper prints, and the figure's unit and exact value count too
	for i, change := range []func(c *claims.DocumentClaim){
		func(c *claims.DocumentClaim) { c.AsRecorded = false }, func(c *claims.DocumentClaim) { c.Printed = "11 ns" },
		func(c *claims.DocumentClaim) { c.Measured.Unit = "ps" }, func(c *claims.DocumentClaim) { c.Measured.Exact = "10" },
		func(c *claims.DocumentClaim) { c.Measured = nil },
	} {
		p.Against = sample()
		change(&p.Against.Claims[0])
		page := write(t, p)
		require.True(t, strings.Contains(page, "1 changed, 0 new, 0 gone, 5 the same."), "change %d", i)
	}
}

// contrast is the ratio of luminances of text and ground (WCAG 2.2), the least over the texts of the page.
const contrast = `(() => {
	const light = c => { const [r, g, b] = c.match(/[\d.]+/g).map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
	const ground = light(getComputedStyle(document.body).backgroundColor);
	return Math.min(...["body", "a", ".faint", ".id", ".small", "dt", "strong.unexpected"].map(s => {
		const text = light(getComputedStyle(document.querySelector(s)).color);
		return (Math.max(text, ground) + .05) / (Math.min(text, ground) + .05);
	}));
})()`
