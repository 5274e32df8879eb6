package study

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/goldwire/goldwire/claims"

	"github.com/goldwire/goldwire/designs/shoal"
)

// Claims returns what Shoal's paper says in figures, each measured on running racks.
func Claims() []claims.Claim {
	var all []claims.Claim
	all = append(all, fabricClaims()...)
	all = append(all, hardwareClaims()...)
	all = append(all, switchClaims()...)
	all = append(all, prototypeClaims()...)
	all = append(all, synchronisationClaims()...)
	all = append(all, congestionClaims()...)
	all = append(all, failureClaims()...)
	all = append(all, classClaims()...)
	all = append(all, peersClaims()...)
	all = append(all, applicationClaims()...)
	all = append(all, powerClaims()...)
	all = append(all, scaleClaims()...)
	all = append(all, setupClaims()...)
	all = append(all, epochClaims()...)
	all = append(all, figure17Claims()...)
	all = append(all, paperPointClaims()...)
	all = append(all, figure15Claims()...)
	return claims.AtPoints(all, points...)
}

const paper = "Shoal "

type measure = claims.Measure

// fabricClaims are of the schedules and the Clos.
func fabricClaims() []claims.Claim {
	return []claims.Claim{
		{
			ID: "shoal/fig3/epoch", Source: paper + "§3.2, Fig. 3", Printed: "N - 1 = 7",
			Text:  "Eight nodes are connected pairwise once every seven slots.",
			Judge: claims.Exactly("7", "slots"), Expect: claims.Holds,
			Measure: claims.Fixed(func() (m claims.Measurement, err error) {
				s, err := shoal.Cyclic(8, 1)
				if err != nil {
					return m, err
				}
				_, err = s.PairRows()
				return claims.Count(s.Epoch(), "slots", "each of the 56 ordered pairs stands once in the epoch"), err
			}),
		},
		{
			ID: "shoal/fig4/completion", Source: paper + "Fig. 4", Printed: "7",
			Text:  "Switch 1's schedule is part of a decomposition of Figure 3's in each of its seven slots.",
			Note:  "Every assignment of the other six nodes' cells to the two spines was tried.",
			Judge: claims.Exactly("7", "slots"), Expect: claims.Deviates, Recorded: claims.Exactly("3", "slots"),
			Reason: "In slots 1, 3, 5 and 7 the figure's circuits give node 1 or 2 a spine that a cell to or from the same " +
				"leaf needs as well.",
			Measure: claims.Fixed(figure4),
		},
		{
			ID: "shoal/fig19/odd", Source: paper + "Appendix A, Fig. 19a", Printed: "(N-1)/2",
			Text: "With seven nodes the reply comes exactly three slots later.", Judge: claims.Exactly("3", "slots"),
			Expect: claims.Holds, Measure: replyDistance(7),
		},
		{
			ID: "shoal/fig19/even", Source: paper + "Appendix A, Fig. 19b", Printed: "N/2",
			Text: "With eight nodes the reply comes exactly four slots later.", Judge: claims.Exactly("4", "slots"),
			Expect: claims.Holds, Measure: replyDistance(8),
		},
		{
			ID: "shoal/appendix-a/cost", Source: paper + "Appendix A", Printed: "1/N",
			Text:  "For an even number of nodes that costs each one 1/N of its slots.",
			Judge: claims.Exactly("1/8", ""), Expect: claims.Holds,
			Measure: claims.Fixed(func() (m claims.Measurement, err error) {
				s, err := shoal.HalfEpoch(8, 1)
				if err != nil {
					return m, err
				}
				idle := 0
				for r := range s.Rows() {
					if s.To(r, 0) == shoal.Idle {
						idle++
					}
				}
				return claims.Exact(
					big.NewRat(int64(idle), int64(s.Rows())), "", "%d of %d slots of node 0 are idle", idle, s.Rows(),
				), nil
			}),
		},
		{ID: "shoal/5/switches", Source: paper + "§5", Printed: "48", Text: "512 nodes need 48 circuit switches of 64 ports.",
			Judge: claims.Exactly("48", "switches"), Expect: claims.Holds, Measure: claims.Fixed(switches)},
		{
			ID: "shoal/5/power", Source: paper + "§5", Printed: "2.55 KW",
			Text:  "Switches of 38.5 W and NICs of 1.37 W make 2.55 kW for 512 nodes.",
			Note:  "The powers are the paper's; the switches are those of the decomposed fabric.",
			Judge: claims.Within("2.55", "0.5%", "kW"), Expect: claims.Holds,
			Measure: claims.Fixed(func() (m claims.Measurement, err error) {
				m, err = switches()
				if err != nil {
					return m, err
				}
				n := m.Float()
				return claims.Figure((n*38.5+512*1.37)*1e-3, "kW", "%v switches of 38.5 W and 512 NICs of 1.37 W", n), nil
			}),
		},
	}
}

func replyDistance(nodes int) measure {
	return claims.Fixed(func() (m claims.Measurement, err error) {
		s, err := shoal.HalfEpoch(nodes, 1)
		if err != nil {
			return m, err
		}
		least, most, err := s.ReplyDistance()
		if err == nil && least != most {
			err = fmt.Errorf("replies come %d to %d slots later", least, most)
		}
		return claims.Count(least, "slots", "the same for all %d pairs", nodes*(nodes-1)), err
	})
}

func switches() (m claims.Measurement, err error) {
	s, err := shoal.Cyclic(512, 1)
	if err != nil {
		return claims.Measurement{}, err
	}
	c, err := shoal.DecomposeShifts(s, 64)
	if err != nil {
		return claims.Measurement{}, err
	}
	return claims.Count(
		c.Leaves+c.Spines, "switches", "%d leaves and %d spines carry the cyclic schedule, by the checker", c.Leaves,
		c.Spines,
	), c.Check()
}

// figure4 tries to complete the circuits of Figure 4. Ports a and b are nodes 1 and 2, c and d the uplinks to two
// spines; the figure names for each port its receiver. In slots 1, 3, 5, 7 that is a to d, b to c, c to b, d to a; in
// the others a to c, b to d, c to a, d to b.
func figure4() (m claims.Measurement, err error) {
	possible := 0
	for t := 1; t <= 7; t++ {
		swap := t % 2 // 1: node 1 by the second spine
		ok := false
		for choice := range 1 << 8 {
			spine := func(i int) int { return choice >> (i % 8) & 1 }
			fits := spine(0) == swap && spine(1) == 1-swap && // up: a and b
				spine(8-t) == swap && spine((9-t)%8) == 1-swap // down to a and to b, from the nodes t places back
			for l := 0; l < 8 && fits; l += 2 { // leaves: two cells up by different spines, two down
				fits = spine(l) != spine(l+1) && spine((l-t+8)%8) != spine((l+1-t+8)%8)
			}
			ok = ok || fits
		}
		if ok {
			possible++
		}
	}
	return claims.Count(possible, "slots", "of 7 have an assignment of spines that agrees with the figure"), nil
}

// congestionClaims are of §3.3 and §7.2.
func congestionClaims() []claims.Claim {
	one := shoal.FabricParams{Nodes: 64, Channels: 1, Schedule: "half-epoch", Pair: shoal.PairTurns}
	big512 := shoal.FabricParams{Nodes: 512, Channels: 4, Schedule: "cyclic", Pair: shoal.PairTurns}
	cyclic := one
	cyclic.Schedule = "cyclic"
	plain := one
	plain.Plain = true
	var ofSixtyFour []PermutationPoint
	for _, k := range []int{2, 16, 32, 48, 64} {
		ofSixtyFour = append(ofSixtyFour, PermutationPoint{one, k, 50})
	}
	fair := func(f shoal.FabricParams) measure {
		return claims.Of(
			fairness,
			FairnessPoint{Fabric: f, Flows: 100, Epochs: 300, Settle: 100},
			func(r fairnessResult) claims.Measurement {
				return claims.Figure(
					100*r.Within, "%", "of 100 endless flows between 64 nodes, against water-filling over all links",
				)
			},
		)
	}
	incast := func(f func(r incastResult) claims.Measurement) measure {
		return claims.Of(Incast, IncastPoint{cyclic, 63, 7000}, f)
	}
	load := func(f func(r loadResult) claims.Measurement) measure {
		return claims.For(func(run *claims.Run) claims.Measure {
			q := LoadPoint{Fabric: big512, Load: 1, Flows: run.Count(fig16Flows, millionOfFlows), Sizes: paperSizes}
			return claims.Of(Load, q, f)
		})
	}
	return []claims.Claim{
		{
			ID: "shoal/fig12/full", Source: paper + "§7.2, Fig. 12", Printed: "halves",
			Text:  "When all of 512 nodes send, a destination gets half of its slots.",
			Judge: claims.Within("50", "1%", "%"), Expect: claims.Holds,
			Measure: claims.Of(permutation, PermutationPoint{big512, 512, 10}, func(r permutationResult) claims.Measurement {
				return claims.Figure(
					100*r.Throughput, "%", "%d cells in 10 epochs; the closed form gives %.2f %%", r.Cells, 100*r.Formula,
				)
			}),
		},
		{
			ID: "shoal/fig12/shape", Source: paper + "§7.2, Fig. 12", Printed: "falls from the peak to half",
			Text: "Throughput starts at the peak and falls with every further pair until it is half.",
			Note: "Rows are k of 64 nodes; each is within 1 % of (2N-k)/(2(N-1)).",
			Judge: claims.Shape("falling, each within 1 % of the closed form", "%", func(m claims.Measurement) bool {
				for i, r := range m.Rows {
					want := 100 * (128 - []float64{2, 16, 32, 48, 64}[i]) / 126
					if r.Value < 0.99*want || r.Value > 1.01*want || i > 0 && r.Value >= m.Rows[i-1].Value {
						return false
					}
				}
				return len(m.Rows) == 5
			}),
			Expect: claims.Holds,
			Measure: claims.OfAll(permutation, ofSixtyFour, func(rs []permutationResult) claims.Measurement {
				m := claims.Figure(0, "%", "share of the 63 connections of an epoch")
				for i, r := range rs {
					m.Value = 100 * r.Throughput
					m.Rows = append(m.Rows, claims.Row{Label: fmt.Sprint(ofSixtyFour[i].Pairs), Value: m.Value, Unit: "%"})
				}
				return m
			}),
		},
		{
			ID: "shoal/7.2/fairness/plain", Source: paper + "§7.2, Eq. 1 to 3", Printed: "99 %",
			Text:  "99 % of the flows come within 10 % of their max-min fair rate, without the optimisations of §3.3.3.",
			Judge: claims.AtLeast("99", "%"), Expect: claims.Holds, Measure: fair(plain),
		},
		{
			ID: "shoal/7.2/fairness/ready", Source: paper + "§7.2, Eq. 4 to 6", Printed: "99 %",
			Text: "They do with ready queues too.", Judge: claims.AtLeast("99", "%"), Expect: claims.Deviates,
			Recorded: claims.Within("88", "8", "%"),
			Reason: "Equation 6 counts the remote cells that are in Q. With one local cell in Q at most they leave sooner, " +
				"so fewer are counted than there are remote flows, and those get more than the local ones; without the ready " +
				"queue the same flows are fair.",
			Measure: fair(one),
		},
		{
			ID: "shoal/eq6/letter", Source: paper + "§3.3.2, Eq. 6", Printed: "at most one cell",
			Text:  "With Equation 6 to the letter a subflow never has two cells in a queue.",
			Note:  "Nine nodes, 100 flows of 1000 cells, 5000 slots. In the reading that all other claims use there is none.",
			Judge: claims.Exactly("0", "violations"), Expect: claims.Deviates, Recorded: claims.Exactly("1", "violations"),
			Reason: "One is subtracted even where no local cell is counted twice, so a cell may come before the one before " +
				"it has left.",
			Measure: equation6,
		},
		{
			ID: "shoal/fig13/slowest", Source: paper + "§7.2, Fig. 13", Printed: "the optimal maximum",
			Text:  "The slowest of 63 flows to one node takes as long as the destination needs for all cells.",
			Judge: claims.Within("1", "1%", "x the ideal"), Expect: claims.Holds,
			Measure: incast(func(r incastResult) claims.Measurement {
				return claims.Figure(
					float64(r.Slowest())/float64(r.Ideal), "x the ideal", "%d slots for %d cells", r.Slowest(), 63*r.Cells,
				)
			}),
		},
		{
			ID: "shoal/fig13/mean", Source: paper + "§7.2, Fig. 13", Printed: "coincides",
			Text:  "The mean completion time coincides with the slowest.",
			Judge: claims.Within("1", "2%", "x the slowest"), Expect: claims.Holds,
			Measure: incast(func(r incastResult) claims.Measurement {
				return claims.Figure(
					r.Mean()/float64(r.Slowest()), "x the slowest", "mean %.1f slots, slowest %d", r.Mean(), r.Slowest(),
				)
			}),
		},
		{
			ID: "shoal/eq5/bound", Source: paper + "§3.3.4, Eq. 5", Printed: "N",
			Text:  "The worst incast fills no queue with more than N cells.",
			Judge: claims.AtMost("64", "cells"), Expect: claims.Holds,
			Measure: incast(func(r incastResult) claims.Measurement {
				return claims.Count(r.MaxQueue, "cells", "63 of 64 nodes send to one")
			}),
		},
		{
			ID: "shoal/fig16/queue", Source: paper + "§7.3, Fig. 16", Printed: "11 cells",
			Text:  "Under load no queue has more than 11 cells.",
			Note:  fig16Note,
			Judge: claims.AtMost("11", "cells"), Expect: claims.Deviates,
			Reason:      fig16Reason,
			Recorded:    claims.AtMost("11", "cells"),
			PaperFigure: claims.Count(16, "cells", fig16Run),
			Measure: load(func(r loadResult) claims.Measurement {
				return claims.Count(r.MaxQueue, "cells", "in %d slots", r.Slots)
			}),
		},
		{
			ID: "shoal/fig16/node", Source: paper + "§7.3, Fig. 16", Printed: "336 cells",
			Text:  "And no node has more than 336 cells in its queues.",
			Judge: claims.AtMost("336", "cells"), Expect: claims.Deviates,
			Reason:      fig16Reason,
			Recorded:    claims.AtMost("336", "cells"),
			PaperFigure: claims.Count(448, "cells", fig16Run),
			Measure: load(func(r loadResult) claims.Measurement {
				return claims.Count(r.MaxQueued, "cells", "in all queues of one node")
			}),
		},
		{
			ID: "shoal/fig16/reordering", Source: paper + "§7.3, Fig. 16", Printed: "200 KB",
			Text:  "No cell comes more than 200 KB too early.",
			Judge: claims.AtMost("200", "KB"), Expect: claims.Deviates,
			Reason:      fig16Reason,
			Recorded:    claims.AtMost("200", "KB"),
			PaperFigure: claims.Figure(283.1, "KB", fig16Run),
			Measure: load(func(r loadResult) claims.Measurement {
				return claims.Figure(float64(r.MaxReorder)/1e3, "KB", "most cells ahead of the next expected, of 64 bytes")
			}),
		},
	}
}

func equation6(ctx context.Context, _ *claims.Run) (m claims.Measurement, err error) {
	s, err := shoal.Cyclic(9, 1)
	if err != nil {
		return claims.Measurement{}, err
	}
	violations, text := 0, "none"
	for _, letter := range []bool{true, false} {
		r, err := shoal.NewRack(shoal.RackConfig{Schedule: s, Options: shoal.Options{LessOne: letter}})
		if err != nil {
			return claims.Measurement{}, err
		}
		rng := rand.New(rand.NewPCG(16, 1))
		for k := range 100 {
			if from, to := rng.IntN(9), rng.IntN(9); from != to {
				if err := r.Offer(uint64(k), from, to, 1000); err != nil {
					return claims.Measurement{}, err
				}
			}
		}
		err = r.Run(ctx, 5000)
		if !letter && err != nil {
			return claims.Measurement{}, err
		}
		if letter && r.Broken() != nil {
			violations, text = 1, r.Broken().Error()
		}
	}
	return claims.Count(violations, "violations", "the first: %s", text), nil
}
