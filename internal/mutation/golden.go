package mutation

import (
	"context"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/vectors"
)

// Golden decides the mutants of a unit's RTL with the rows of the unit's golden file. It runs the whole stimulus
// first. For mutants that survive it searches more rows after the stimulus; for mutants that survive those too, short
// runs from the reset. It sets Options.Seed, Cycles and Limit to the golden file's.
//
// Known is an earlier campaign or nil. Golden returns it unchanged if its key (RTL, stimulus, number of mutants) still
// matches and it either has no open mutant or spent at least Options.Time on each search. With a matching key and less
// time, only its open mutants are searched for again.
//
// If the context ends after the stimulus was run, Golden returns the findings so far and an error.
func Golden(ctx context.Context, u vectors.Unit, opt Options, known *vectors.Campaign) (*vectors.Campaign, error) {
	u = u.Exact()
	opt.Seed, opt.Cycles, opt.Limit, opt.whole = vectors.GoldenSeed, vectors.GoldenCycles, mostGolden, true
	s, err := opt.search(u)
	if err != nil {
		return nil, err
	}
	stimulus, err := vectors.Capture(u, opt.Cycles, opt.Seed)
	if err != nil {
		return nil, err
	}
	if known != nil && known.DecidedBy != vectors.CampaignKey(u, stimulus, opt.Mutants) {
		known = nil
	}
	if known != nil && (len(known.Mutants.Open) == 0 || known.Seconds >= opt.Time.Seconds()) {
		return known, nil
	}
	s.known = known
	set, runs, err := s.all(ctx)
	switch {
	case set == nil:
		return nil, err
	case s.ended == "":
		return vectors.NewCampaign(u, stimulus, set, runs, opt.Mutants, opt.Time.Seconds()), err
	case known != nil && len(known.Mutants.Open) <= len(set.Mutants.Open):
		return known, err
	}
	// as if its searches had had no time: the next campaign goes on
	return vectors.NewCampaign(u, stimulus, set, runs, opt.Mutants, 0), err
}

// resume begins with the rows of the known campaign. It returns the mutants that the campaign left open; the other
// mutants that no row shows count as equal. If the numbers of open and equal mutants are not the campaign's, it
// returns nil, and the search starts anew.
func (s *search) resume(ctx context.Context, stimulus *vectors.Set) (left []int, err error) {
	alive, rows, err := s.survivors(ctx, s.known, stimulus)
	if err != nil {
		return nil, err
	}
	equal := map[int]bool{}
	for _, mutant := range alive {
		if slices.ContainsFunc(s.known.Mutants.Open,
			func(x vectors.OpenMutant) bool { return x.Mutant == s.mutated.names[mutant] }) {
			left = append(left, mutant)
		} else {
			equal[mutant] = true
		}
	}
	if len(equal) != s.known.Mutants.Equal || len(left) != len(s.known.Mutants.Open) {
		return nil, nil
	}
	s.equal, s.rows, s.runs, s.own = equal, rows[0], rows[1:], len(stimulus.Rows)
	return left, nil
}

// survivors returns the mutants that the rows of a golden file do not show, and the rows: first the stimulus with the
// added rows, then each run from the reset.
func (s *search) survivors(ctx context.Context, c *vectors.Campaign,
	stimulus *vectors.Set) (alive []int, rows [][][]uint64, err error) {
	set, err := c.Extend(s.unit, stimulus)
	if err != nil {
		return nil, nil, err
	}
	runs, err := c.Runs(s.unit, stimulus)
	if err != nil {
		return nil, nil, err
	}
	alive = s.everyone()
	for _, set := range append([]*vectors.Set{set}, runs...) {
		shown, err := s.simulate(ctx, set.Rows, alive)
		if err != nil {
			return nil, nil, err
		}
		alive, rows = shown.alive(), append(rows, set.Rows)
	}
	return alive, rows, nil
}

// mostGolden bounds the rows of a golden file.
const mostGolden = vectors.GoldenCycles + mostHeld + 4096

// Survivors plants the mutants of campaign c again, runs the rows of the unit's golden file through them (the
// stimulus, then the rows that c adds, and its runs from the reset), and returns the names of the mutants whose
// outputs never differ. A count of mutants other than c's is an error.
func Survivors(ctx context.Context, u vectors.Unit, c *vectors.Campaign, memory int64) ([]string, error) {
	u = u.Exact()
	stimulus, err := vectors.Capture(u, vectors.GoldenCycles, vectors.GoldenSeed)
	if err != nil {
		return nil, err
	}
	opt := Options{Mutants: c.Asked, Seed: vectors.GoldenSeed, Memory: memory, Progress: func(string) {}}
	s := &search{Options: opt, unit: u, fields: stimulus.Fields}
	if err := s.plant(ctx); err != nil {
		return nil, err
	}
	if s.count() != c.Mutants.Of {
		return nil, fmt.Errorf("unit %s: %d mutants are planted, %s counts %d", u.Name, s.count(),
			u.CampaignFile(), c.Mutants.Of)
	}
	alive, _, err := s.survivors(ctx, c, stimulus)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, mutant := range alive {
		names = append(names, s.mutated.names[mutant])
	}
	return names, nil
}
