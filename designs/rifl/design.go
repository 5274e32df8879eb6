package rifl

import (
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/rtl"
)

// Design is what this package offers to the command.
func Design() design.Design {
	return design.Design{
		Name: "rifl", Title: "A lossless link layer with retransmission in the line", Paper: "Optica Publishing Group, 2022",
		Units: unitCatalogue(), Properties: properties(), Claims: allClaims(), Experiments: allExperiments(),
		Fused: []design.Fused{{Name: "link", Package: "github.com/goldwire/goldwire/designs/rifl", Build: linkToFuse, Refused: true}},
	}
}

// linkToFuse is a link of one lane.
func linkToFuse(sim rtl.Config) (*rtl.Sim, error) {
	cfg := LinkConfig{Config: Default(), Sim: sim}
	cfg.Lanes = 1
	l, err := NewLink(cfg)
	if err != nil {
		return nil, err
	}
	return l.Sim, nil
}
