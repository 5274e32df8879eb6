package study

import (
	"github.com/goldwire/goldwire/clock"

	"github.com/goldwire/goldwire/designs/rifl"
)

// with returns the default link changed.
func with(change ...func(*rifl.Config)) rifl.Config {
	c := rifl.Default()
	for _, f := range change {
		f(&c)
	}
	return c
}

func profile(p rifl.Profile) func(*rifl.Config) { return func(c *rifl.Config) { c.Profile = p } }
func frameBits(f int) func(*rifl.Config)        { return func(c *rifl.Config) { c.FrameBits = f } }
func idBits(s int) func(*rifl.Config)           { return func(c *rifl.Config) { c.IDBits = s } }
func metres(m float64) func(*rifl.Config)       { return func(c *rifl.Config) { c.Length = m } }
func lineCycles(d int) func(*rifl.Config)       { return func(c *rifl.Config) { c.LineCycles = d } }
func lanes(n int) func(*rifl.Config)            { return func(c *rifl.Config) { c.Lanes = n } }
func laneRate(r clock.Freq) func(*rifl.Config)  { return func(c *rifl.Config) { c.LaneRate = r } }
