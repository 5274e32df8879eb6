package wave_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/wave"
)

// The drawn shapes are counted by hand: one clock, a level for each run of 0 or 1, a box for each value.
func TestSVG(t *testing.T) {
	const picture = `{"head": {"text": "a <b>"}, "signal": [
		{"name": "clk", "wave": "p....."},
		["in", {"name": "valid", "wave": "01.0.1"}, {"name": "data", "wave": "=.3x=.", "data": ["1f", "a", "0123456789abcdef0123"]}],
		{}, {"name": "bus", "wave": "z|1..."}], "foot": {"text": "end"}}`
	var b bytes.Buffer
	require.NoError(t, wave.WriteSVG(&b, []byte(picture)))
	svg := b.String()
	require.Equal(t, 1, strings.Count(svg, `class="clock"`))
	require.Equal(t, 4+2, strings.Count(svg, `class="level"`))
	require.Equal(t, 4, strings.Count(svg, `class="value"`)) // three values and an x
	require.Equal(t, 1, strings.Count(svg, `class="gap"`))
	require.Contains(t, svg, ">1f</text>")
	require.Contains(t, svg, ">012345678…</text>") // two cells of 40 pixels, 7 a character
	require.Contains(t, svg, "a &lt;b&gt;")
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
	}
}

func TestSVGOfBadWaveJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                 "WaveJSON: unexpected end",
		`{"signal": []}`:    "no signals",
		`{"signal": [1]}`:   "want an object or a group",
		`{"signal": ["a"]}`: "want a signal",
		`{"signal": [{"name": "d", "wave": "01q"}]}`: `signal "d": mark 'q' at 2`,
		`{"signal": [["g", "h", {"name": "d"}]]}`:    `"h", want a signal`,
		`{"signal": [{"name": "d", "wave": "."}]}`:   `mark '.' at 0`,
	} {
		require.ErrorContains(t, wave.WriteSVG(io.Discard, []byte(text)), want)
	}
}
