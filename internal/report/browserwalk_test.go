package report_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/report"
)

// The page as a person uses it, in a real browser.
func TestInABrowser(t *testing.T) {
	b := startBrowser(t)
	path := *pagePath
	if path == "" {
		path = filepath.Join(t.TempDir(), "page.html")
		p := samplePage()
		p.Against = sample()
		p.Against.Claims[0].Measured.Value = 11
		require.NoError(t, os.WriteFile(path, []byte(write(t, p)), 0o644))
	}
	address := (&url.URL{Scheme: "file", Path: path}).String()
	if *shots != "" {
		b.takePictures(address, *shots)
	}
	if *pagePath != "" {
		return
	}
	const visible = `[...document.querySelectorAll("details.claim")].filter(d => d.getClientRects().length).map(d => ` +
		`d.id).join(" ")`
	for _, screen := range []struct {
		width  int
		scheme string
		paper  string
	}{{1200, "light", "rgb(255, 255, 255)"}, {390, "light", "rgb(255, 255, 255)"}, {1200, "dark", "rgb(20, 23, 27)"},
		{390, "dark", "rgb(20, 23, 27)"}} {
		b.screen(screen.width, 800, screen.scheme)
		b.open(address)
		require.Equal(t, []string{address}, b.requests, "the page loads nothing")
		require.Equal(t, screen.paper, b.eval(`getComputedStyle(document.body).backgroundColor`))
		require.GreaterOrEqual(t, b.eval(contrast), 4.5, "text against its ground, WCAG 2.2 §1.4.3")
		require.LessOrEqual(t, b.eval(`document.scrollingElement.scrollWidth`), float64(screen.width),
			"it does not scroll sideways")
		require.Equal(t, "two/speed two/clock one/table1/total one/table1/host one/fig8/read three/area", b.eval(visible))

		b.click(".chip:has([value=changed])")
		require.Equal(t, "one/table1/total", b.eval(visible))
		b.click(".chip:has([value=changed])")

		b.click("#search")
		b.call("Input.insertText", map[string]any{"text": "TABLE1 ns"})
		require.Equal(t, "one/table1/total one/table1/host", b.eval(visible))
		require.Equal(t, "2 of 6 claims", b.eval(`document.getElementById("count").textContent`))
		b.click(".chip:has([value=holds])")
		require.Equal(t, "one/table1/total", b.eval(visible))
		require.Equal(
			t,
			0.0,
			b.eval(`[...document.querySelectorAll("#design-two, #design-three")].filter(s => s.getClientRects().length).length`),
			"no heading without claims",
		)

		const seen = `document.querySelector("[id='one/table1/total'] .parts").checkVisibility()`
		require.Equal(t, false, b.eval(seen))
		b.click("[id='one/table1/total'] > summary")
		require.Equal(t, true, b.eval(seen))

		// a link opens its claim, even where the filter had hidden it
		b.eval(`location.hash = "#two/speed"; new Promise(r => setTimeout(r, 100))`)
		require.Equal(t, true, b.eval(`document.getElementById("two/speed").open`))
		require.Contains(t, b.eval(visible), "two/speed")
		require.Equal(t, "6 claims", b.eval(`document.getElementById("count").textContent`))

		b.call("Emulation.setEmulatedMedia", map[string]any{"media": "print"})
		require.Equal(t, "none", b.eval(`getComputedStyle(document.querySelector(".filter")).display`))
		require.Equal(t, "rgb(255, 255, 255)", b.eval(`getComputedStyle(document.body).backgroundColor`), "paper is white")
		require.Equal(t, "rgb(0, 0, 0)", b.eval(`getComputedStyle(document.body).color`))
		require.Greater(t, len(b.call("Page.printToPDF", nil)["data"].(string)), 10_000)
		b.call("Emulation.setEmulatedMedia", map[string]any{"media": ""})
	}
	alone := filepath.Join(t.TempDir(), "alone.html") // the script has nothing to filter there
	require.NoError(t, os.WriteFile(alone, []byte(write(t,
		&report.Page{Title: "Alone", Experiments: []report.Experiment{made(t)}})), 0o644))
	b.open((&url.URL{Scheme: "file", Path: alone}).String())
	require.Equal(t, true, b.eval(`document.querySelector(".experiment table").checkVisibility()`))
	require.Empty(t, b.complaints)
	b.open(address)

	// the policy works: what would load or run is refused
	require.Equal(t, "img-src script-src-elem", b.eval(`new Promise(done => {
		const seen = [];
		document.addEventListener("securitypolicyviolation", e => { seen.push(e.effectiveDirective); if (seen.length === 2) done(seen.sort().join(" ")); });
		document.body.append(Object.assign(document.createElement("img"), {src: "http://192.0.2.1/x.png"}), Object.assign(document.createElement("script"), {textContent: "1"}));
	})`))
}

// takePictures makes pictures of a page for a person to look at.
func (b *browser) takePictures(address, dir string) {
	for name, s := range map[string]struct {
		width  int
		scheme string
	}{"desktop-light": {1200, "light"}, "desktop-dark": {1200, "dark"}, "phone-light": {390, "light"},
		"phone-dark": {390, "dark"}} {
		b.screen(s.width, 1400, s.scheme)
		b.open(address)
		b.shot(filepath.Join(dir, name+".png"))
		for i, id := range strings.Fields(os.Getenv("CLAIMS")) {
			b.eval(`location.hash = "#` + id + `"; document.getElementById("` + id +
				`").scrollIntoView(); new Promise(r => setTimeout(r, 200))`)
			b.shot(filepath.Join(dir, name+"-"+string(rune('a'+i))+".png"))
		}
	}
}
