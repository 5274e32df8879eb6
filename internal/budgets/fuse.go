package budgets

//go:generate go run github.com/goldwire/goldwire/cmd/goldwire fuse pcs --dir ../..

import (
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/rtl"
)

// Fused has the PCS loop of the budgets, for which there is generated code.
func Fused() []design.Fused {
	return []design.Fused{
		{
			Name:    "pcs loop",
			Package: "github.com/goldwire/goldwire/internal/budgets",
			Build: func(cfg rtl.Config) (*rtl.Sim, error) {
				_, clk, err := loops(cfg, 1)
				return clk.Sim(), err
			},
		},
	}
}
