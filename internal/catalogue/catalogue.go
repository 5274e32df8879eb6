// Package catalogue is the list of the project's own libraries and designs: one line each.
package catalogue

import (
	blocks "github.com/goldwire/goldwire/blocks/units"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/design/bench"
	drmt "github.com/goldwire/goldwire/designs/drmt/study"
	edm "github.com/goldwire/goldwire/designs/edm/study"
	rifl "github.com/goldwire/goldwire/designs/rifl/study"
	shoal "github.com/goldwire/goldwire/designs/shoal/study"
	spfc "github.com/goldwire/goldwire/designs/spfc/study"
	"github.com/goldwire/goldwire/internal/budgets"
	pcs "github.com/goldwire/goldwire/pcs/study"
	"github.com/goldwire/goldwire/pqueue"
	"github.com/goldwire/goldwire/rack"
	"github.com/goldwire/goldwire/xbar"
)

// Designs returns them in the order of the report of claims.
func Designs() design.House {
	return design.House{
		blocks.Design(),
		withFused(withBench(pcs.Design(), budgets.All()...), budgets.Fused()...),
		{Name: "pqueue", Title: "Ordered lists and matchings", Units: pqueue.Units(), Properties: pqueue.Properties()},
		{Name: "xbar", Title: "Crossbars and their segment indices", Units: xbar.Units(), Properties: xbar.Properties()},
		edm.Design(),
		withBench(rifl.Design(), budgets.RIFL),
		shoal.Design(),
		spfc.Design(),
		drmt.Design(),
		rack.Design(),
	}
}

// withBench adds budgets that stand apart, since they compare with RTL and C++ that no user of the package wants.
func withBench(d design.Design, measures ...bench.Measure) design.Design {
	d.Bench = append(d.Bench, measures...)
	return d
}

// withFused adds a design's simulations to fuse.
func withFused(d design.Design, targets ...design.Fused) design.Design {
	d.Fused = append(d.Fused, targets...)
	return d
}
