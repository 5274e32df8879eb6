package sweep

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload/measure"
)

// A combination is settled when it needs no further seed. Its results alone decide that, in the order of its seeds, so
// every machine comes to the same number of seeds, in whatever order they were measured. Looking at an interval
// several times makes it a little too narrow in the end; so it is looked at once every Count seeds.

// state is a combination with its results so far.
type state struct {
	results []*Result // of the seeds that are wanted, nil where there is none yet
	settled bool      // no further seed is needed
	open    bool      // settled at the most seeds that there may be, with an interval that is too wide
}

// stateOf looks how many seeds a combination wants, and at the results that are there.
func (s *Sweep) stateOf(store Store, combination int) (*state, error) {
	st := &state{}
	for wanted := s.Seeds.Count; ; wanted = min(wanted+s.Seeds.Count, s.Seeds.most()) {
		complete, ok := true, true
		for n := len(st.results); n < wanted; n++ {
			pt, err := s.point(combination, n)
			if err != nil {
				return nil, err
			}
			r, err := store.Get(pt)
			if err != nil {
				return nil, err
			}
			st.results = append(st.results, r)
		}
		for _, r := range st.results {
			complete = complete && r != nil
			ok = ok && r != nil && r.ok()
		}
		switch {
		case !complete:
			return st, nil
		case s.Seeds.Until == nil, !ok: // a combination that failed is not worth more seeds
			st.settled = true
			return st, nil
		}
		narrow, err := s.Seeds.Until.narrow(st.results)
		if err != nil {
			return nil, fmt.Errorf("%s%w", s.label(combination), err)
		}
		if narrow || wanted == s.Seeds.most() {
			st.settled, st.open = true, !narrow
			return st, nil
		}
	}
}

// narrow tells whether the figure's intervals are narrow enough in all points of the experiment.
func (u *Until) narrow(results []*Result) (bool, error) {
	var values [][]float64 // by point of the experiment
	for _, r := range results {
		figures, err := u.figures(r)
		if err != nil {
			return false, err
		}
		if values == nil {
			values = make([][]float64, len(figures))
		}
		if len(figures) != len(values) {
			return false, fmt.Errorf("%d points with one seed and %d with another: there is no interval",
				len(values), len(figures))
		}
		for i, x := range figures {
			values[i] = append(values[i], x)
		}
	}
	for _, x := range values {
		m := measure.Mean(x)
		limit := u.Half
		if u.Relative > 0 {
			limit = u.Relative * math.Abs(m.Mean)
		}
		if !(m.Half <= limit) { // NaN, for a figure that is not there, is no narrow interval
			return false, nil
		}
	}
	return len(values) > 0, nil
}

// figures returns the figure in each point of an outcome, NaN where it is null.
func (u *Until) figures(r *Result) ([]float64, error) {
	var outcome struct {
		Points []struct {
			Result json.RawMessage `json:"result"`
		} `json:"points"`
	}
	if err := json.Unmarshal(r.Outcome, &outcome); err != nil {
		return nil, err
	}
	var figures []float64
	for _, p := range outcome.Points {
		found, names := false, []string(nil)
		for _, l := range leaves(p.Result) {
			x, isNumber := l.value.(float64)
			if l.value == nil {
				x, isNumber = math.NaN(), true
			}
			if !isNumber {
				continue
			}
			names = append(names, l.path)
			if l.path == u.Figure {
				figures, found = append(figures, x), true
			}
		}
		if !found {
			return nil, fmt.Errorf("no figure %s in the result, want one of: %s", experiment.Quote(u.Figure),
				strings.Join(names, ", "))
		}
	}
	return figures, nil
}
