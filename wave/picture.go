package wave

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// WriteJSON writes the recording as WaveJSON, which WaveDrom draws. Names are the variables' paths.
func (rec *Recording) WriteJSON(w io.Writer) error {
	type signal struct {
		Name string   `json:"name"`
		Wave string   `json:"wave"`
		Data []string `json:"data,omitempty"`
	}
	signals := []signal{{Name: rec.Clock, Wave: "p" + strings.Repeat(".", max(len(rec.Rows)-1, 0))}}
	for i, v := range rec.Vars {
		s := signal{Name: v.Scope + "." + v.Name}
		for k, row := range rec.Rows {
			switch {
			case k > 0 && row[i] == rec.Rows[k-1][i]:
				s.Wave += "."
			case v.Width == 1:
				s.Wave += fmt.Sprint(row[i])
			default:
				s.Wave += "="
				s.Data = append(s.Data, fmt.Sprintf("%x", row[i]))
			}
		}
		signals = append(signals, s)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	doc := map[string]any{"signal": signals}
	if rec.Title != "" {
		doc["head"] = map[string]string{"text": rec.Title}
	}
	if rec.Stretch > 0 {
		doc["config"] = map[string]int{"hscale": rec.Stretch}
	}
	return e.Encode(doc)
}

// String draws the recording as text, a line a variable: bits as levels, wider values in hexadecimal where they change.
func (rec *Recording) String() string {
	label := len(rec.Clock)
	cell := 3
	for i, v := range rec.Vars {
		label = max(label, len(v.Scope)+1+len(v.Name))
		if v.Width > 1 {
			for _, row := range rec.Rows {
				cell = max(cell, len(fmt.Sprintf("%x", row[i]))+1)
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s", label, "cycle")
	for k := range rec.Rows {
		fmt.Fprintf(&b, " %-*d", cell, rec.First+uint64(k))
	}
	for i, v := range rec.Vars {
		fmt.Fprintf(&b, "\n%-*s", label, v.Scope+"."+v.Name)
		for k, row := range rec.Rows {
			same := k > 0 && row[i] == rec.Rows[k-1][i]
			switch {
			case v.Width == 1 && row[i] == 1:
				b.WriteString(edgeOr(same || k == 0, "▔", "╱") + strings.Repeat("▔", cell))
			case v.Width == 1:
				b.WriteString(edgeOr(same || k == 0, "▁", "╲") + strings.Repeat("▁", cell))
			case same:
				b.WriteString(strings.Repeat(" ", cell+1))
			default:
				fmt.Fprintf(&b, "│%-*x", cell, row[i])
			}
		}
	}
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

func edgeOr(same bool, level, edge string) string {
	if same {
		return level
	}
	return edge
}
