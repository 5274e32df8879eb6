package mutation

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/vectors"
)

// Golden looks what becomes of mutants under the rows of the unit's golden file: all of its stimulus, and after it rows for the mutants that those
// leave, and short runs from the reset on for those that no such rows show. Options.Seed, Cycles and Limit are the golden file's. Known, if it is not nil, is what was found before: it is returned as it is if all that
// decides it is still the same, and if it has no open mutant or its searches had no less time. If the context ends after the stimulus was run, Golden
// returns what is known by then, and an error.
func Golden(ctx context.Context, u vectors.Unit, opt Options, known *vectors.Campaign) (*vectors.Campaign, error) {
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
	set, runs, err := s.all(ctx)
	switch {
	case set == nil:
		return nil, err
	case s.ended == "":
		return vectors.NewCampaign(u, stimulus, set, runs, opt.Mutants, opt.Time.Seconds()), err
	case known != nil && len(known.Mutants.Open) <= len(set.Mutants.Open):
		return known, err
	}
	return vectors.NewCampaign(u, stimulus, set, runs, opt.Mutants, 0), err // as if its searches had had no time: the next campaign goes on
}

// mostGolden bounds the rows of a golden file.
const mostGolden = vectors.GoldenCycles + mostHeld + 4096

// Survivors plants the mutants of campaign c again, runs the rows of the unit's golden file through them (the stimulus, then the rows that c adds, and
// its runs from the reset), and returns the names of the mutants whose outputs never differ. A count of mutants other than c's is an error.
func Survivors(ctx context.Context, u vectors.Unit, c *vectors.Campaign, memory int64) ([]string, error) {
	stimulus, err := vectors.Capture(u, vectors.GoldenCycles, vectors.GoldenSeed)
	if err != nil {
		return nil, err
	}
	set, err := c.Extend(u, stimulus)
	if err != nil {
		return nil, err
	}
	runs, err := c.Runs(u, stimulus)
	if err != nil {
		return nil, err
	}
	opt := Options{Mutants: c.Asked, Seed: vectors.GoldenSeed, Memory: memory, Progress: func(string) {}}
	s := &search{Options: opt, unit: u, fields: set.Fields}
	if err := s.plant(ctx); err != nil {
		return nil, err
	}
	if s.count() != c.Mutants.Of {
		return nil, fmt.Errorf("unit %s: %d mutants are planted, %s counts %d", u.Name, s.count(), u.CampaignFile(), c.Mutants.Of)
	}
	alive := s.everyone()
	for _, set := range append([]*vectors.Set{set}, runs...) {
		shown, err := s.simulate(ctx, set.Rows, alive)
		if err != nil {
			return nil, err
		}
		alive = shown.alive()
	}
	var names []string
	for _, mutant := range alive {
		names = append(names, s.mutated.names[mutant])
	}
	return names, nil
}
