package emit

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Unit runs a unit's module on symbols. Its source is in the Go module of the directory.
func Unit(ctx context.Context, dir string, u vectors.Unit) (*circuit, error) {
	if u.Assemble != nil {
		return ofClocks(ctx, dir, u)
	}
	in, err := u.Simulate(rtl.Config{}, 1)
	if err != nil {
		return nil, err
	}
	src, err := Load(ctx, dir, in.Module)
	if err != nil {
		return nil, err
	}
	c, err := src.Circuit(in.Module, u.Module())
	if err != nil {
		return nil, fmt.Errorf("unit %s: %w", u.Name, err)
	}
	return c, nil
}

// ofClocks is Unit for several clocks.
func ofClocks(ctx context.Context, dir string, u vectors.Unit) (*circuit, error) {
	in, err := u.Simulate(rtl.Config{Mode: rtl.Strict}, 1)
	if err != nil {
		return nil, err
	}
	_, modules := partsOf(in)
	src, err := Load(ctx, dir, modules...)
	if err != nil {
		return nil, err
	}
	c, err := src.assembly(u, in)
	if err != nil {
		return nil, fmt.Errorf("unit %s: %w", u.Name, err)
	}
	return c, nil
}

// Reference returns a unit with Verilog of its own source as reference RTL, if it has none written by hand, and tells
// whether it did so.
func Reference(ctx context.Context, dir string, u vectors.Unit) (with vectors.Unit, emitted bool, err error) {
	if u.RTL != "" {
		return u, false, nil
	}
	c, err := Unit(ctx, dir, u)
	if err != nil {
		return u, false, fmt.Errorf("there is no RTL of %s written by hand, and none can be made of its source: %w",
			u.Name, err)
	}
	u.RTL = c.Verilog()
	return u, true, nil
}
