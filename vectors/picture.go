package vectors

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/wave"
)

// pictureRows is how many cycles a picture of an exported set shows.
const pictureRows = 16

// pictureWriter keeps the first rows for MODULE.json, WaveJSON of them, and MODULE.svg of it.
type pictureWriter struct {
	set       Set
	json, svg io.Writer
}

func (p *pictureWriter) row(row []uint64) {
	if len(p.set.Rows) < pictureRows {
		p.set.Rows = append(p.set.Rows, slices.Clone(row))
	}
}

func (p *pictureWriter) end() error {
	text, err := p.set.WaveJSON(0, len(p.set.Rows))
	if err != nil {
		return err
	}
	if _, err := p.json.Write(text); err != nil {
		return err
	}
	return wave.WriteSVG(p.svg, text)
}

// picture starts the two files of a picture.
func (x *export) picture() ([]*exportFile, error) {
	json, err := x.create(x.set.module() + ".json")
	if err != nil {
		return nil, err
	}
	svg, err := x.create(x.set.module() + ".svg")
	if err != nil {
		return nil, err
	}
	p := &pictureWriter{set: *x.set, json: json, svg: svg}
	p.set.Rows = nil
	x.writers = append(x.writers, p)
	return []*exportFile{json, svg}, nil
}

// WaveDrom draws a cycle 40 pixels wide, and values in Helvetica of 11 pt, whose digits are 8.16 pixels wide. The
// slopes at both ends of a value take 14 pixels.
const (
	cellPixels  = 40
	slopePixels = 14
	digitWidth  = 8.16
)

// stretch is the least hscale at which a word's hexadecimal digits stand inside their cell.
func stretch(width int) int {
	if width == 1 {
		return 1 // a line
	}
	digits := (width + 3) / 4
	return int(math.Ceil((float64(digits)*digitWidth + slopePixels) / cellPixels))
}

// WaveJSON returns a picture of rows from one to before another, for WaveDrom or [wave.WriteSVG]: the clock, the
// inputs and the outputs. An output that does not count is x.
func (s *Set) WaveJSON(from, to int) ([]byte, error) {
	if from < 0 || to > len(s.Rows) || from >= to {
		return nil, fmt.Errorf("picture of rows %d to %d, want some of the %d", from, to, len(s.Rows))
	}
	type signal struct {
		Name string   `json:"name"`
		Wave string   `json:"wave"`
		Data []string `json:"data,omitempty"`
	}
	clk := signal{Name: "clk", Wave: "p"}
	for range to - from - 1 {
		clk.Wave += "."
	}
	inputs, outputs := []any{"inputs"}, []any{"outputs"}
	masks := s.masks()
	for c, f := range s.Fields {
		x := signal{Name: f.Name}
		last := ""
		for k := from; k < to; k++ {
			mark, v := "=", hexValue(s.Rows[k][c], f.Width)
			switch {
			case masks[c] >= 0 && s.Rows[k][masks[c]] == 0:
				mark, v = "x", "x"
			case f.Width == 1:
				mark = v
			}
			if v == last {
				mark = "."
			} else if mark == "=" {
				x.Data = append(x.Data, v)
			}
			last = v
			x.Wave += mark
		}
		if f.Dir == rtl.Input {
			inputs = append(inputs, x)
		} else {
			outputs = append(outputs, x)
		}
	}
	scale := 1
	for _, f := range s.Fields {
		scale = max(scale, stretch(f.Width))
	}
	doc := map[string]any{
		"head":   map[string]string{"text": fmt.Sprintf("%s, cycles %d to %d, seed %d", s.Unit, from, to-1, s.Seed)},
		"config": map[string]int{"hscale": scale},
	}
	list := []any{clk}
	if len(s.Clocks) > 0 { // they are among the inputs
		list = nil
	}
	for _, group := range [][]any{inputs, outputs} {
		if len(group) > 1 {
			list = append(list, group)
		}
	}
	doc["signal"] = list
	return json.MarshalIndent(doc, "", " ")
}
