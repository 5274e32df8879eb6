package formal

import (
	"context"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/internal/emit"
	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/vectors/property"
)

// Complete gives a property the Verilog of its Emitted modules, which are among the units.
func Complete(ctx context.Context, dir string, p property.Property, units []vectors.Unit) (property.Property, error) {
	for _, name := range p.Emitted {
		i := slices.IndexFunc(units, func(u vectors.Unit) bool { return u.Module() == name })
		if i < 0 {
			return p, fmt.Errorf("property %s: no unit has the name %s in Verilog", p.Name, name)
		}
		c, err := emit.Unit(ctx, dir, units[i])
		if err != nil {
			return p, fmt.Errorf("property %s: %w", p.Name, err)
		}
		p = p.WithRTL(name, c.Verilog())
	}
	return p, nil
}
