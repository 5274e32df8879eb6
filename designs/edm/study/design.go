package study

//go:generate go run github.com/goldwire/goldwire/cmd/goldwire fuse edm --dir ../..

import (
	"math/rand/v2"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/design/bench"
	"github.com/goldwire/goldwire/rtl"

	"github.com/goldwire/goldwire/designs/edm"
)

// Design gives the command EDM's units, claims and experiments.
func Design() design.Design {
	return design.Design{
		Name: "edm", Title: "A memory fabric inside the Ethernet PHY", Paper: "Su and Shrivastav, ASPLOS 2025",
		Units: edm.Units(), Properties: edm.Properties(), Claims: Claims(), Experiments: Experiments(),
		Bench: []bench.Measure{{Name: "edm", Run: speed}},
		Fused: []design.Fused{{Name: "network", Package: "github.com/goldwire/goldwire/designs/edm", Build: networkToFuse,
			Without: map[string]string{"switch.grants": "joins the ports of a switch: code would go by one number of ports"}}},
	}
}

// networkToFuse is a network at 100 Gb/s, large enough for its hosts and ports to be like a larger network's, with
// messages of all types.
func networkToFuse(sim rtl.Config) (*rtl.Sim, error) {
	const nodes, messages = 8, 60
	cfg := defaultFabric(nodes).config(1, 0)
	cfg.Sim, cfg.Memory, cfg.Local, cfg.Queue, cfg.Slack = sim, 8192, 8192, 64, edm.SlackRMW
	n, err := edm.NewNetwork(cfg)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(1, 0))
	for i, h := range n.Hosts {
		at := uint64(edm.WarmUp)
		for tag := range uint32(messages) {
			at += 1 + rng.Uint64N(80)
			h.App.Requests = append(
				h.App.Requests,
				edm.Timed{
					Cycle: at,
					Request: edm.Request{
						Kind:      [...]edm.Kind{edm.RREQ, edm.WREQ, edm.RMWREQ}[rng.IntN(3)],
						Operation: edm.FetchAdd,
						Dest:      uint16((i + 1 + rng.IntN(nodes-1)) % nodes),
						Address:   8 * rng.Uint64N(512),
						Local:     8 * rng.Uint64N(512),
						Bytes:     uint16(1 + rng.IntN(600)),
						First:     rng.Uint64(),
						Tag:       tag,
					},
				},
			)
		}
	}
	return n.Sim, nil
}
