package study

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/claims"

	"github.com/goldwire/goldwire/designs/shoal"
)

// failureClaims are of §3.5 and Appendix D.
func failureClaims() []claims.Claim {
	const t1 = paper + "§3.5, Table 1"
	failed := func(f func(c *shoal.Clos) shoal.Failures) measure {
		return func(ctx context.Context, _ *claims.Run) (m claims.Measurement, err error) {
			s, err := shoal.Cyclic(128, 1)
			if err != nil {
				return claims.Measurement{}, err
			}
			c, err := shoal.DecomposeShifts(s, 16)
			if err != nil {
				return claims.Measurement{}, err
			}
			fail := f(c)
			fail.Clos = c
			r, err := shoal.NewRack(shoal.RackConfig{Schedule: s, Failures: &fail})
			if err != nil {
				return claims.Measurement{}, err
			}
			if err := r.Run(ctx, 4*uint64(r.Epoch())); err != nil {
				return claims.Measurement{}, err
			}
			down, all := 0, 0
			for i := range r.Nodes {
				n := &r.Nodes[i]
				cut := true // off the network altogether
				for row := range r.Times.Rows {
					cut = cut && n.Link(row).Down
				}
				if isolated := len(fail.Nodes)+len(fail.Links)+len(fail.Leaves) > 0; cut && isolated {
					continue
				}
				for row := range r.Times.Rows {
					all++
					if n.Link(row).Down {
						down++
					}
				}
			}
			return claims.Figure(
				float64(down)/float64(all), "",
				"%d of %d slots, 128 nodes on 16 ports, after both ends have seen it; not those of nodes whose own link, leaf or "+
					"self is dead",
				down, all,
			), nil
		}
	}
	return []claims.Claim{
		{
			ID: "shoal/table1/node", Source: t1, Printed: "1/N",
			Text:  "A failed node costs 1/N of the slots.",
			Note:  "N = 128: 0.0078.",
			Judge: claims.Within("0.0078125", "2%", ""), Expect: claims.Holds,
			Measure: failed(func(*shoal.Clos) shoal.Failures { return shoal.Failures{Nodes: []int{5}} }),
		},
		{ID: "shoal/table1/link", Source: t1, Printed: "1/N", Text: "So does the link of a node.",
			Judge: claims.Within("0.0078125", "2%", ""), Expect: claims.Holds,
			Measure: failed(func(*shoal.Clos) shoal.Failures { return shoal.Failures{Links: []int{5}} })},
		{ID: "shoal/table1/leaf", Source: t1, Printed: "1/sqrt(2N)", Text: "A failed leaf costs 1/sqrt(2N).",
			Note:  "N = 128: 0.0625.",
			Judge: claims.Within("0.0625", "2%", ""), Expect: claims.Holds,
			Measure: failed(func(*shoal.Clos) shoal.Failures { return shoal.Failures{Leaves: []int{3}} })},
		{ID: "shoal/table1/uplink", Source: t1, Printed: "2/N", Text: "A link between leaf and spine costs 2/N.",
			Note:  "N = 128: 0.0156.",
			Judge: claims.Within("0.015625", "10%", ""), Expect: claims.Deviates, Recorded: claims.Within("0.0297", "10%", ""),
			Reason: "2/N of the cells cross the link, but a node that misses a cell stops sending as well, and the way back " +
				"mostly went by other spines: nearly twice as many slots are lost.",
			Measure: failed(func(*shoal.Clos) shoal.Failures { return shoal.Failures{Uplink: [][2]int{{3, 2}}} })},
		{ID: "shoal/table1/spine", Source: t1, Printed: "2 sqrt(2) / sqrt(N)", Text: "A spine costs 2 sqrt(2) / sqrt(N).",
			Note: "N = 128: 0.25. All nodes count: by the closed form a node sends by one spine alone, and those of the dead " +
				"one are off the network.",
			Judge: claims.Within("0.25", "2%", ""), Expect: claims.Deviates, Recorded: claims.Within("0.234375", "2%", ""),
			Reason: "Of 8 spines one is dead: a connection is lost with 1/8 of the senders and 1/8 of the receivers. The " +
				"printed sum counts those of both twice; without them it is 1 - (7/8)^2 = 0.2344.",
			Measure: failed(func(*shoal.Clos) shoal.Failures { return shoal.Failures{Spines: []int{2}} })},
		{ID: "shoal/appendix-d/corruption", Source: paper + "Appendix D", Printed: "recovers",
			Text:  "With one header in fifty corrupt all cells arrive.",
			Note:  "A bit of the header is wrong, the feedback's in 11 of 64.",
			Judge: claims.Exactly("0", "cells"), Expect: claims.Holds, Measure: corruption},
		{ID: "shoal/appendix-d/bound", Source: paper + "Appendix D", Printed: "might get violated",
			Text: "Where headers are corrupt, queues may grow beyond 1 + incast.",
			Note: "One flow a node and one to a node: the bound is 2 cells. The feedback of a corrupt header is used, and " +
				"cells are sent again.",
			Judge: claims.AtLeast("3", "cells"), Expect: claims.Holds, Measure: corruptionBound,
		},
	}
}

// corruptRack runs a rack of eight nodes, one header in fifty of which arrives corrupt, for as long as a message of the
// cells between the pairs takes.
func corruptRack(
	ctx context.Context, seed uint64, cells uint32, pair func(i, j int) bool,
) (*shoal.Rack, uint64, error) {
	s, err := shoal.HalfEpoch(8, 1)
	if err != nil {
		return nil, 0, err
	}
	r, err := shoal.NewRack(shoal.RackConfig{Schedule: s, Corrupt: 0.02, Seed: seed})
	if err != nil {
		return nil, 0, err
	}
	sent := uint64(0)
	for i := range 8 {
		for j := range 8 {
			if i == j || !pair(i, j) {
				continue
			}
			if err := r.Offer(uint64(8*i+j), i, j, cells); err != nil {
				return nil, 0, err
			}
			sent += uint64(cells)
		}
	}
	if err := r.Run(ctx, 40_000); err != nil {
		return nil, 0, err
	}
	return r, sent, r.Conservation()
}

func corruption(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
	r, sent, err := corruptRack(ctx, run.Seed, 200, func(int, int) bool { return true })
	if err != nil {
		return claims.Measurement{}, err
	}
	again := uint64(0)
	for i := range r.Nodes {
		again += r.Nodes[i].Counts.Again
	}
	if again == 0 {
		return claims.Measurement{}, fmt.Errorf("no cell was hit")
	}
	return claims.Count(int(sent-r.ArrivedCells()), "cells", "missing of %d; %d were sent again", sent, again), nil
}

func corruptionBound(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
	r, sent, err := corruptRack(ctx, run.Seed, 5000, func(i, j int) bool { return j == (i+3)%8 })
	if err != nil {
		return claims.Measurement{}, err
	}
	if sent != r.ArrivedCells() {
		return claims.Measurement{}, fmt.Errorf("%d of %d cells arrived", r.ArrivedCells(), sent)
	}
	most := uint32(0)
	for i := range r.Nodes {
		most = max(most, r.Nodes[i].Counts.MaxQueue)
	}
	return claims.Count(most, "cells", "in one queue at most, with one header in fifty corrupt"), nil
}
