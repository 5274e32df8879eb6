package study

//go:generate go run github.com/goldwire/goldwire/cmd/goldwire fuse rifl --dir ../..

import (
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"

	"github.com/goldwire/goldwire/designs/rifl"
)

// Design gives the command RIFL's units, claims and experiments.
func Design() design.Design {
	return design.Design{
		Name: "rifl", Title: "A lossless link layer with retransmission in the line", Paper: "Optica Publishing Group, 2022",
		Units: rifl.UnitCatalogue(), Properties: rifl.Properties(), Claims: allClaims(), Experiments: allExperiments(),
		Tops: vectors.Catalogue{rifl.EndpointUnit()},
		Fused: []design.Fused{
			{Name: "link", Package: "github.com/goldwire/goldwire/designs/rifl", Build: linkToFuse(1)},
			{Name: "link of four lanes", Package: "github.com/goldwire/goldwire/designs/rifl", Build: linkToFuse(4)},
		},
	}
}

// linkToFuse returns how to build a link with bit errors and packets both ways that is up after some 200 frames.
func linkToFuse(lanes int) func(rtl.Config) (*rtl.Sim, error) {
	return func(sim rtl.Config) (*rtl.Sim, error) {
		cfg := rifl.LinkConfig{Config: rifl.Default(), BER: [2]float64{1e-5, 3e-5}, Sim: sim}
		cfg.Lanes, cfg.IDBits, cfg.UpBit = lanes, 5, 6
		for e := range uint64(2) {
			cfg.Send[e], cfg.Expect[1-e] = rifl.Packets(e, 1, 400), rifl.Packets(e, 1, 400)
		}
		l, err := rifl.NewLink(cfg)
		if err != nil {
			return nil, err
		}
		return l.Sim, nil
	}
}
