package sweep

import (
	"cmp"
	"path/filepath"
	"slices"
)

// failure is a point that failed, with the failed checks and the command that runs it alone.
type failure struct {
	Number  int      `json:"number"`
	Faults  []string `json:"faults"`
	Command string   `json:"command"`
}

// Status is how far a sweep is.
type Status struct {
	Experiment   string `json:"experiment"`
	Source       string `json:"source"`
	Combinations int    `json:"combinations"`
	Settled      int    `json:"settled"` // combinations that need no further seed
	// settled combinations that have the most seeds and an interval that is still too wide
	Open     int       `json:"open"`
	Wanted   int       `json:"wanted"`  // points, as far as it is known
	Done     int       `json:"done"`    // wanted points that have a result, failed ones too
	Missing  []int     `json:"missing"` // the numbers of wanted points without a result
	Failures []failure `json:"failures"`
	Differs  []string  `json:"differs"` // files with second results that are not the first
}

// Complete tells whether nothing is left to be measured.
func (s *Status) Complete() bool { return len(s.Missing) == 0 }

// OK tells whether no point failed, and no machine came to another result.
func (s *Status) OK() bool { return len(s.Failures) == 0 && len(s.Differs) == 0 }

// Status looks at the results of the points that the options ask for. Each point that failed is in it once.
func (s *Sweep) Status(store Store, opt Options) (*Status, error) {
	x := &Status{Experiment: s.Experiment, Source: s.Source, Combinations: s.combinations(), Missing: []int{},
		Failures: []failure{}, Differs: []string{}}
	cd := "" // to where the paths of inputs begin
	if len(s.Inputs) > 0 {
		dir, err := filepath.Abs(store.Dir)
		if err != nil {
			return nil, err
		}
		cd = "cd " + quoted(dir) + " && "
	}
	var err error
	x.Settled, x.Open, err = s.look(store, &opt, func(pt *Point, r *Result) {
		x.Wanted++
		if r == nil {
			x.Missing = append(x.Missing, pt.Number)
			return
		}
		x.Done++
		if !r.ok() {
			x.Failures = append(x.Failures, failure{pt.Number, r.Faults(), cd + s.command(pt)})
		}
		if path := store.differs(pt); path != "" {
			x.Differs = append(x.Differs, path)
		}
	})
	slices.Sort(x.Missing)
	slices.SortFunc(x.Failures, func(a, b failure) int { return cmp.Compare(a.Number, b.Number) })
	return x, err
}
