// Package catalogue is the list of the project's own libraries and designs: one line each.
package catalogue

import (
	blocks "github.com/goldwire/goldwire/blocks/units"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/design/bench"
	drmt "github.com/goldwire/goldwire/designs/drmt/study"

	"github.com/goldwire/goldwire/designs/shoal"

	"github.com/goldwire/goldwire/internal/budgets"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/pqueue"
	"github.com/goldwire/goldwire/xbar"

	riflstudy "github.com/goldwire/goldwire/designs/rifl/study"

	spfcstudy "github.com/goldwire/goldwire/designs/spfc/study"

	edmstudy "github.com/goldwire/goldwire/designs/edm/study"
)

// Designs returns them in the order of the report of claims.
func Designs() design.House {
	return design.House{
		blocks.Design(),
		withFused(withBench(pcs.Design(), budgets.All()...), budgets.Fused()...),
		pqueue.Design(),
		xbar.Design(),
		edmstudy.Design(),
		withBench(riflstudy.Design(), budgets.RIFL),
		shoal.Design(),
		spfcstudy.Design(),
		drmt.Design(),
	}
}

// withBench adds budgets that stand apart, since they compare with RTL and C++ that no user of the package wants.
func withBench(d design.Design, measures ...bench.Measure) design.Design {
	d.Bench = append(d.Bench, measures...)
	return d
}

// withFused adds what is fused of them.
func withFused(d design.Design, targets ...design.Fused) design.Design {
	d.Fused = append(d.Fused, targets...)
	return d
}
