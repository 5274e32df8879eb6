package study

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/claims"

	"github.com/goldwire/goldwire/designs/shoal"
)

// scaleClaims are of Figures 11 and 17.
func scaleClaims() []claims.Claim {
	const f11 = paper + "§5, Fig. 11"
	note := "Costs in units of a packet switch. What a NIC costs is not printed: it is what the printed 41.6 % says, " +
		"and the other figures follow."
	return []claims.Claim{
		{
			ID: "shoal/fig11/equal", Source: f11, Printed: "33.3 %",
			Text: "With NICs of three times the cost, Shoal costs what a packet-switched network costs if a circuit switch " +
				"costs 33.3 % of a packet switch.",
			Note: note, Judge: claims.Within("33.3", "1%", "%"), Expect: claims.Holds, Measure: relativeCost(3, 1),
		},
		{
			ID: "shoal/fig11/less/two", Source: f11, Printed: "18.3 %",
			Text: "And 40 % less with NICs of twice the cost, if it costs 18.3 %.", Note: note,
			Judge: claims.Within("18.3", "1%", "%"), Expect: claims.Holds, Measure: relativeCost(2, 0.6),
		},
		{ID: "shoal/fig11/less/three", Source: f11, Printed: "9.6 %", Text: "With NICs of three times the cost, 9.6 %.",
			Note: note, Judge: claims.Within("9.6", "1%", "%"), Expect: claims.Deviates,
			Recorded: claims.Within("9.84", "1%", "%"),
			Reason:   "The three other figures agree with NICs of 1/128 of a packet switch; with those this one is 9.8 to 10 %.",
			Measure:  relativeCost(3, 0.6)},
		{
			ID: "shoal/fig17/goodput", Source: paper + "§7.3, Fig. 17", Printed: "2x worse",
			Text:  "With half of the nodes failed, goodput is half: the slots of the failed nodes are wasted.",
			Note:  "A permutation of all living nodes of 64, so that no arrival process decides.",
			Judge: claims.Within("2", "2%", "x"), Expect: claims.Holds, Measure: failedHalf,
		},
	}
}

// relativeCost is the cost of a circuit switch, in per cent of a packet switch, with which a Shoal network for 512
// nodes whose NICs cost some times a NIC of the other network costs a share of it. The packet-switched network has 24
// switches (§5).
func relativeCost(nics, share float64) measure {
	return claims.Fixed(func() (m claims.Measurement, err error) {
		if m, err = switches(); err != nil {
			return m, err
		}
		circuit := m.Float()
		const packet = 24
		allNICs := packet - 0.416*circuit // of 512 nodes: at 41.6 % and twice the cost the networks cost the same
		x := 100 * (share*(packet+allNICs) - nics*allNICs) / circuit
		return claims.Figure(
			x, "%", "%v circuit switches against %d packet switches; all NICs of the latter cost %.2f of them", circuit,
			packet, allNICs,
		), nil
	})
}

// failedHalf compares the throughput of a permutation of all nodes with the living half's.
func failedHalf(ctx context.Context, _ *claims.Run) (m claims.Measurement, err error) {
	const nodes = 64
	all, err := throughputWithDead(ctx, nodes, 0)
	if err != nil {
		return claims.Measurement{}, err
	}
	half, err := throughputWithDead(ctx, nodes, nodes/2)
	if err != nil {
		return claims.Measurement{}, err
	}
	return claims.Figure(all/half, "x", "%.2f and %.2f cells a node an epoch", all, half), nil
}

// permutationOf returns each living node's receiver, and the dead nodes, spread as evenly as whole numbers allow. A
// living node sends to the third living one after it.
func permutationOf(nodes, dead int) (to map[int]int, failed []int) {
	gone := make([]bool, nodes)
	for k := range dead {
		gone[k*nodes/dead+1] = true
	}
	var alive []int
	for i := range nodes {
		if gone[i] {
			failed = append(failed, i)
		} else {
			alive = append(alive, i)
		}
	}
	to = map[int]int{}
	for k, i := range alive {
		to[i] = alive[(k+3)%len(alive)]
	}
	return to, failed
}

// throughputWithDead is how many cells a living node receives in an epoch if all living ones send a permutation.
func throughputWithDead(ctx context.Context, nodes, dead int) (float64, error) {
	s, err := shoal.HalfEpoch(nodes, 1)
	if err != nil {
		return 0, err
	}
	to, failed := permutationOf(nodes, dead)
	r, err := shoal.NewRack(shoal.RackConfig{Schedule: s, Failures: &shoal.Failures{Nodes: failed}})
	if err != nil {
		return 0, err
	}
	if err := r.Run(ctx, 3*uint64(r.Epoch())); err != nil {
		return 0, err
	}
	for i := range nodes {
		if j, ok := to[i]; ok {
			if err := r.Offer(uint64(i), i, j, 1<<30); err != nil {
				return 0, err
			}
		}
	}
	if err := r.Run(ctx, 20*uint64(r.Epoch())); err != nil {
		return 0, err
	}
	const epochs = 50
	before := r.ArrivedCells()
	if err := r.Run(ctx, epochs*uint64(r.Epoch())); err != nil {
		return 0, err
	}
	cells := r.ArrivedCells() - before
	if cells == 0 {
		return 0, fmt.Errorf("nothing arrived")
	}
	return float64(cells) / float64(epochs*(nodes-dead)), r.Conservation()
}
