package study

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/rifl"
)

// allExperiments returns what can be measured on links.
func allExperiments() []experiment.Experiment {
	return []experiment.Experiment{latency, timeline, sweep, efficiency, limits, trafficFile, campaign}
}

// laneParams are what all links have.
type laneParams struct {
	Rate         float64 `flag:"rate" min:"25" max:"112" unit:"Gb/s" help:"rate of a lane" json:"rate_gbps"`
	Transceivers float64 `flag:"transceivers" min:"0" max:"10000" unit:"ns" help:"time in the two transceivers of a direction" json:"transceivers_ns"`
}

// linkParams are a link of one configuration.
type linkParams struct {
	Frame   int          `flag:"frame" choices:"128,256,512,1024,2048" unit:"bits" help:"bits a frame: 128, 256, 512, 1024 or 2048" json:"frame_bits"`
	Lanes   int          `flag:"lanes" min:"1" max:"8" help:"bonded lanes" json:"lanes"`
	IDs     int          `flag:"ids" choices:"0,5,6,7,8,9,10,11,12" help:"bits of the frame ID, S: 5 to 12; 0 for the core's sizing rule" json:"id_bits"`
	Metres  float64      `flag:"metres" min:"0" max:"500" unit:"m" help:"length of the cable" json:"metres"`
	Profile rifl.Profile `flag:"profile" choices:"core,paper,safe" help:"whose rules the ends follow" json:"profile"`
	laneParams
}

// linkOf returns the parameters of a configuration.
func linkOf(c rifl.Config) linkParams {
	mhz, _ := c.LaneRate.Hz().Float64()
	return linkParams{c.FrameBits, c.Lanes, c.IDBits, c.Length, c.Profile, laneParams{mhz / 1e9, c.Transceivers}}
}

// config is the inverse of linkOf; it refuses what the bounds of single parameters cannot.
func (p linkParams) config() (rifl.Config, error) {
	c := rifl.Default()
	c.FrameBits, c.Lanes, c.IDBits, c.Length, c.Transceivers = p.Frame, p.Lanes, p.IDs, p.Metres, p.Transceivers
	c.Profile, c.LaneRate = p.Profile, clock.MHz(p.Rate*1000)
	if p.Transceivers+p.Metres < 0.001 {
		return c, fmt.Errorf("--transceivers %g with a cable of %g m: want more than nothing", p.Transceivers, p.Metres)
	}
	return c, c.Check()
}

// check refuses what config does.
func (p linkParams) check() error {
	_, err := p.config()
	return err
}

// soundness says what the analysis has to say about a configuration.
func soundness(cfg rifl.Config) string {
	if err := cfg.Sound(); err != nil {
		return err.Error()
	}
	return "the configuration is sound"
}

// runTo runs a link up to a cycle. The context ends it early, and so does an error of between, which is called every
// few milliseconds.
func runTo(ctx context.Context, l *rifl.FrameLink, until uint64, between func() error) error {
	const (
		steps  = 1 << 12 // some 2 µs each at the most: eight lanes, all of them with errors
		cycles = 1 << 20 // if skipped, packets among them are drawn one by one
	)
	for l.Cycle() < until {
		if err := ctx.Err(); err != nil {
			return err
		}
		l.Advance(min(until, l.Cycle()+cycles), steps)
		if err := between(); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// nanosecondsOf is a time as a number.
func nanosecondsOf(t clock.Time) float64 {
	f, _ := t.In(clock.Nanosecond).Float64()
	return f
}
