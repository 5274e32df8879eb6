package wave

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"
)

// Geometry of the pictures, in pixels.
const (
	svgCell  = 40 // a cycle at hscale 1
	svgRow   = 30
	svgHigh  = 20 // of a level
	svgSlope = 3
	svgChar  = 7 // of the monospaced font
	svgText  = 12
)

// svgLane is a row of the picture: a signal, or the name of a group.
type svgLane struct {
	name, wave string
	data       []string
	depth      int
}

// WriteSVG draws WaveJSON as WaveDrom does: signals with p P n N (clocks), 0 1 (levels), = 2 to 9 (values, with data),
// x, z, . (as before) and | (a gap); groups; head.text, foot.text, config.hscale. Other marks are an error that names
// them.
func WriteSVG(w io.Writer, waveJSON []byte) error {
	var doc struct {
		Signal []any                 `json:"signal"`
		Head   struct{ Text string } `json:"head"`
		Foot   struct{ Text string } `json:"foot"`
		Config struct{ HScale int }  `json:"config"`
	}
	if err := json.Unmarshal(waveJSON, &doc); err != nil {
		return fmt.Errorf("WaveJSON: %w", err)
	}
	lanes, err := svgLanes(doc.Signal, 0)
	if err != nil {
		return err
	}
	if len(lanes) == 0 {
		return fmt.Errorf("WaveJSON: no signals, want a list signal")
	}
	cell := svgCell * max(1, doc.Config.HScale)
	label, cycles := 0, 0
	for _, l := range lanes {
		label = max(label, svgChar*(len(l.name)+2*l.depth))
		cycles = max(cycles, len(l.wave))
	}
	left, top := label+20, 10
	if doc.Head.Text != "" {
		top += svgRow
	}
	width, height := left+cycles*cell+10, top+len(lanes)*svgRow+10
	if doc.Foot.Text != "" {
		height += svgRow
	}
	var b bytes.Buffer
	fmt.Fprintf(
		&b,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="monospace" `+
			`font-size="%d">`+"\n",
		width,
		height,
		width,
		height,
		svgText,
	)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", width, height)
	caption := func(y int, text string) {
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", left+cycles*cell/2, y,
			html.EscapeString(text))
	}
	if doc.Head.Text != "" {
		caption(25, doc.Head.Text)
	}
	for k := range cycles + 1 {
		x := left + k*cell
		fmt.Fprintf(&b, `<path d="M%d %dV%d" stroke="#dddddd" stroke-dasharray="2 2"/>`+"\n", x, top, top+len(lanes)*svgRow)
	}
	for i, l := range lanes {
		y := top + i*svgRow + (svgRow-svgHigh)/2
		anchor := fmt.Sprintf(`<text x="%d" y="%d" text-anchor="end">`, left-8, y+svgHigh-5)
		if l.wave == "" {
			anchor = fmt.Sprintf(`<text x="8" y="%d" font-weight="bold">`, y+svgHigh-5)
		}
		fmt.Fprintf(&b, "%s%s</text>\n", anchor, html.EscapeString(l.name))
		if err := l.draw(&b, left, y, cell); err != nil {
			return err
		}
	}
	if doc.Foot.Text != "" {
		caption(height-12, doc.Foot.Text)
	}
	b.WriteString("</svg>\n")
	_, err = w.Write(b.Bytes())
	return err
}

// svgLanes flattens groups: ["name", {…}, …].
func svgLanes(list []any, depth int) ([]svgLane, error) {
	var lanes []svgLane
	for i, item := range list {
		switch v := item.(type) {
		case string:
			if i > 0 || depth == 0 {
				return nil, fmt.Errorf("WaveJSON: %q, want a signal", v)
			}
			lanes = append(lanes, svgLane{name: v, depth: depth - 1})
		case []any:
			group, err := svgLanes(v, depth+1)
			if err != nil {
				return nil, err
			}
			lanes = append(lanes, group...)
		case map[string]any:
			l := svgLane{depth: depth}
			l.name, _ = v["name"].(string)
			l.wave, _ = v["wave"].(string)
			switch data := v["data"].(type) {
			case string:
				l.data = strings.Fields(data)
			case []any:
				for _, d := range data {
					l.data = append(l.data, fmt.Sprint(d))
				}
			}
			lanes = append(lanes, l)
		default:
			return nil, fmt.Errorf("WaveJSON: signal %v, want an object or a group", v)
		}
	}
	return lanes, nil
}

// draw draws a signal's wave from the left, in cells.
func (l svgLane) draw(b *bytes.Buffer, left, top, cell int) error {
	const line = `fill="none" stroke="#1f3a5f" stroke-width="1.2"`
	high, low, middle := top, top+svgHigh, top+svgHigh/2
	data := l.data
	last := -1 // the level before: y, -1 if none
	for i := 0; i < len(l.wave); {
		mark := l.wave[i]
		n := 1
		for i+n < len(l.wave) && l.wave[i+n] == '.' {
			n++
		}
		x0, x1 := left+i*cell, left+(i+n)*cell
		switch {
		case strings.IndexByte("pPnN", mark) >= 0:
			first, second := high, low
			if mark == 'n' || mark == 'N' {
				first, second = low, high
			}
			fmt.Fprintf(b, `<path class="clock" d="M%d %d`, x0, second)
			for k := range n {
				x := x0 + k*cell
				fmt.Fprintf(b, "V%dH%dV%dH%d", first, x+cell/2, second, x+cell)
			}
			fmt.Fprintf(b, `" %s/>`+"\n", line)
			last = -1
		case mark == '0' || mark == '1' || mark == 'z':
			y := map[byte]int{'0': low, '1': high, 'z': middle}[mark]
			fmt.Fprintf(b, `<path class="level" d="M%d %d`, x0, y)
			if last >= 0 && last != y {
				b.Truncate(b.Len() - len(fmt.Sprintf("M%d %d", x0, y)))
				fmt.Fprintf(b, "M%d %dL%d %d", x0, last, x0+svgSlope, y)
			}
			fmt.Fprintf(b, `H%d" %s/>`+"\n", x1, line)
			last = y
		case mark == '=' || mark == 'x' || mark >= '2' && mark <= '9':
			fill := "#ffffff"
			text := ""
			if mark == 'x' {
				fill = "#d9d9d9"
			} else if len(data) > 0 {
				text, data = data[0], data[1:]
			}
			fmt.Fprintf(
				b,
				`<path class="value" d="M%d %dL%d %dH%dL%d %dL%d %dH%dZ" fill="%s" stroke="#1f3a5f" stroke-width="1.2"/>`+"\n",
				x0,
				middle,
				x0+svgSlope,
				high,
				x1-svgSlope,
				x1,
				middle,
				x1-svgSlope,
				low,
				x0+svgSlope,
				fill,
			)
			if most := (n*cell - 2*svgSlope) / svgChar; len(text) > most {
				text = text[:max(most-1, 0)] + "…"
			}
			if text != "" {
				fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", (x0+x1)/2, low-5, html.EscapeString(text))
			}
			last = -1
		case mark == '|':
			fmt.Fprintf(b, `<text class="gap" x="%d" y="%d" text-anchor="middle">≈</text>`+"\n", (x0+x1)/2, low-5)
			last = -1
		default:
			return fmt.Errorf("WaveJSON: signal %q: mark %q at %d, want one of p P n N 0 1 z x = 2-9 . |", l.name, mark, i)
		}
		i += n
	}
	return nil
}
