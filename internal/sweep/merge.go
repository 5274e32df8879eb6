package sweep

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/internal/program"
	"github.com/goldwire/goldwire/workload/measure"
)

// Merged are the results of a sweep in the order of its plan: combination by combination, in each by seed.
type Merged struct {
	sweep  *Sweep
	states []*state
}

// Merge reads all results. It refuses a sweep that is not complete, unless it may be partial.
func (s *Sweep) Merge(store Store, partial bool) (*Merged, error) {
	m := &Merged{sweep: s}
	missing := 0
	for c := range s.combinations() {
		st, err := s.stateOf(store, c)
		if err != nil {
			return nil, err
		}
		for _, r := range st.results {
			if r == nil {
				missing++
			}
		}
		m.states = append(m.states, st)
	}
	if missing > 0 && !partial {
		return nil, fmt.Errorf("%d points are missing: `%s sweep run %s` measures them, --partial does without", missing,
			program.Name(), store.Dir)
	}
	return m, nil
}

// WriteJSON writes the plan, each point with its outcome on a line of its own, and the intervals of combinations with
// several seeds. The bytes depend on the plan and the results alone.
func (m *Merged) WriteJSON(w io.Writer) error {
	var b bytes.Buffer
	plan, err := line(m.sweep.Plan)
	if err != nil {
		return err
	}
	fmt.Fprintf(&b, "{\"plan\": %s,\n\"points\": [", plan)
	separator := "\n"
	for c, st := range m.states {
		for n, r := range st.results {
			if r == nil {
				continue
			}
			pt, err := m.sweep.point(c, n)
			if err != nil {
				return err
			}
			text, err := line(struct {
				Number  int               `json:"number"`
				Vary    map[string]string `json:"vary"`
				Seed    uint64            `json:"seed"`
				Key     string            `json:"key"`
				Outcome json.RawMessage   `json:"outcome,omitempty"`
				Error   string            `json:"error,omitempty"`
			}{pt.Number, m.vary(c), pt.Seed, pt.Key, r.Outcome, r.Error})
			if err != nil {
				return err
			}
			b.WriteString(separator)
			b.Write(text)
			separator = ",\n"
			if _, err := b.WriteTo(w); err != nil {
				return err
			}
		}
	}
	b.WriteString("\n],\n\"intervals\": [")
	separator = "\n"
	for c, st := range m.states {
		for i, figures := range intervals(st.results) {
			text, err := line(struct {
				Vary    map[string]string           `json:"vary"`
				Point   int                         `json:"point"`
				Figures map[string]measure.Interval `json:"figures"`
			}{m.vary(c), i, figures})
			if err != nil {
				return err
			}
			b.WriteString(separator)
			b.Write(text)
			separator = ",\n"
		}
	}
	b.WriteString("\n]}\n")
	_, err = b.WriteTo(w)
	return err
}

// vary returns the values of a combination by their flags.
func (m *Merged) vary(combination int) map[string]string {
	values := map[string]string{}
	for i, v := range m.sweep.values(combination) {
		values[m.sweep.Vary[i].Flag] = v
	}
	return values
}

// line is a value as JSON on one line.
func line(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// runPoint is a point within an outcome.
type runPoint struct {
	Seed   uint64          `json:"seed"`
	Result json.RawMessage `json:"result"`
}

func pointsOf(r *Result) []runPoint {
	var outcome struct {
		Points []runPoint `json:"points"`
	}
	if r == nil || r.Error != "" || json.Unmarshal(r.Outcome, &outcome) != nil {
		return nil
	}
	return outcome.Points
}

// intervals returns, for each point of the experiment, the mean and the interval over the seeds of each figure that
// all seeds have. Without a second seed there is none.
func intervals(results []*Result) []map[string]measure.Interval {
	var values []map[string][]float64
	runs := 0
	for _, r := range results {
		points := pointsOf(r)
		if points == nil {
			continue
		}
		runs++
		for i, p := range points {
			if i == len(values) {
				values = append(values, map[string][]float64{})
			}
			for _, l := range leaves(p.Result) {
				if x, ok := l.value.(float64); ok {
					values[i][l.path] = append(values[i][l.path], x)
				}
			}
		}
	}
	if runs < 2 {
		return nil
	}
	list := make([]map[string]measure.Interval, len(values))
	for i, figures := range values {
		list[i] = map[string]measure.Interval{}
		for path, x := range figures {
			if len(x) == runs {
				list[i][path] = measure.Mean(x)
			}
		}
	}
	return list
}

// WriteCSV writes a line for each point of each run: the values that vary, the seed, the point's number within the
// run, the run's error or the checks that failed, and each figure of its result.
func (m *Merged) WriteCSV(w io.Writer) error {
	var columns []string
	at := map[string]int{}
	for _, st := range m.states {
		for _, r := range st.results {
			for _, p := range pointsOf(r) {
				for _, l := range leaves(p.Result) {
					if _, there := at[l.path]; !there {
						at[l.path] = len(columns)
						columns = append(columns, l.path)
					}
				}
			}
		}
	}
	out := csv.NewWriter(w)
	var head []string
	for _, a := range m.sweep.Vary {
		head = append(head, a.Flag)
	}
	fixed := len(head) + 3
	if err := out.Write(append(append(head, "seed", "point", "error"), columns...)); err != nil {
		return err
	}
	for c, st := range m.states {
		for n, r := range st.results {
			if r == nil {
				continue
			}
			row := make([]string, fixed+len(columns))
			copy(row, m.sweep.values(c))
			row[fixed-3] = strconv.FormatUint(m.sweep.Seeds.First+uint64(n), 10)
			row[fixed-1] = strings.Join(r.Faults(), "; ")
			if r.Error != "" {
				if err := out.Write(row); err != nil {
					return err
				}
			}
			for i, p := range pointsOf(r) {
				clear(row[fixed:])
				row[fixed-2] = strconv.Itoa(i)
				for _, l := range leaves(p.Result) {
					text := l.text
					if s, ok := l.value.(string); ok {
						text = s
					} else if l.value == nil {
						text = ""
					}
					row[fixed+at[l.path]] = text
				}
				if err := out.Write(row); err != nil {
					return err
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}
