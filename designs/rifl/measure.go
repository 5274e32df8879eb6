package rifl

import (
	"context"
	"fmt"
	"math/big"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"
)

type measuring func(context.Context, *claims.Run) (claims.Measurement, error)

func count(n int64, unit, format string, args ...any) claims.Measurement {
	return claims.Measurement{Exact: big.NewRat(n, 1), Unit: unit, Detail: fmt.Sprintf(format, args...)}
}

func figure(v float64, unit, format string, args ...any) claims.Measurement {
	return claims.Measurement{Value: v, Unit: unit, Detail: fmt.Sprintf(format, args...)}
}

// with returns the default link changed.
func with(change ...func(*Config)) Config {
	c := Default()
	for _, f := range change {
		f(&c)
	}
	return c
}

func profile(p Profile) func(*Config)     { return func(c *Config) { c.Profile = p } }
func frameBits(f int) func(*Config)       { return func(c *Config) { c.FrameBits = f } }
func idBits(s int) func(*Config)          { return func(c *Config) { c.IDBits = s } }
func metres(m float64) func(*Config)      { return func(c *Config) { c.Length = m } }
func lineCycles(d int) func(*Config)      { return func(c *Config) { c.LineCycles = d } }
func lanes(n int) func(*Config)           { return func(c *Config) { c.Lanes = n } }
func laneRate(r clock.Freq) func(*Config) { return func(c *Config) { c.LaneRate = r } }
