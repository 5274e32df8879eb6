package study

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl/layout"

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
			ID:      "shoal/fig3/epoch",
			Source:  paper + "§3.2, Fig. 3",
			Printed: "N - 1 = 7",
			Text:    "Eight nodes are connected pairwise once every seven slots.",
			Judge: claims.Exactly(
				"7", "slots",
			),
			Expect: claims.Holds,
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
			Reason:  "In slots 1, 3, 5 and 7 the figure's circuits give node 1 or 2 a spine that a cell to or from the same leaf needs as well.",
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
			ID:      "shoal/appendix-a/cost",
			Source:  paper + "Appendix A",
			Printed: "1/N",
			Text:    "For an even number of nodes that costs each one 1/N of its slots.",
			Judge: claims.Exactly(
				"1/8", "",
			),
			Expect: claims.Holds,
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
			ID:      "shoal/5/power",
			Source:  paper + "§5",
			Printed: "2.55 KW",
			Text:    "Switches of 38.5 W and NICs of 1.37 W make 2.55 kW for 512 nodes.",
			Note:    "The powers are the paper's; the switches are those of the decomposed fabric.",
			Judge: claims.Within(
				"2.55", "0.5%", "kW",
			),
			Expect: claims.Holds,
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

// hardwareClaims are of Figures 5 and 6.
func hardwareClaims() []claims.Claim {
	const f6, aligned = paper + "§4.1, Fig. 6", "Wires of two whole cycles, so that the recovered clocks are in phase with the distributed one."
	short := LatencyPoint{clock.Nanosecond.Times(10), shoal.CellBytes}
	whole := LatencyPoint{Wire: clock.MustTime("12.8ns"), Bytes: shoal.CellBytes}
	between := func(q LatencyPoint, from, to string) measure {
		return claims.Of(Latency, q, func(r LatencyResult) claims.Measurement { return cyclesBetween(r, from, to) })
	}
	counted := func(what string, pick func(r LatencyResult) int) measure {
		return claims.Of(Latency, whole, func(r LatencyResult) claims.Measurement {
			return claims.Count(pick(r), "cycles", "%s", what)
		})
	}
	return []claims.Claim{
		{
			ID:      "shoal/fig5/header",
			Source:  paper + "Fig. 5",
			Printed: "8 B",
			Text:    "The header's fields and its CRC of 8 bits fill 8 bytes.",
			Judge: claims.Exactly(
				"8", "bytes",
			),
			Expect: claims.Holds,
			Measure: claims.Fixed(func() (m claims.Measurement, err error) {
				leaves, err := layout.Of(reflect.TypeFor[shoal.Header]())
				if err != nil {
					return m, err
				}
				width := shoal.CRCBits - 1 // Valid is no field
				for _, l := range leaves {
					width += l.Width
				}
				return claims.Exact(big.NewRat(int64(width), 8), "bytes", "the ports of the header codec are %d bits", width), nil
			}),
		},
		{
			ID: "shoal/fig6/switch/leaf", Source: f6, Printed: "50 cycles",
			Text: "A circuit switch takes 50 cycles from port to port.", Note: aligned,
			Judge: claims.Exactly("50", "cycles"), Expect: claims.Holds,
			Measure: between(whole, placeLeafIn, placeLeafOut),
		},
		{ID: "shoal/fig6/switch/spine", Source: f6, Printed: "50 cycles", Text: "So does a spine.", Note: aligned,
			Judge: claims.Exactly("50", "cycles"), Expect: claims.Holds, Measure: between(whole, placeSpineIn, placeSpineOut)},
		{ID: "shoal/fig6/switch/phase", Source: f6, Printed: "50 cycles", Text: "And with wires of 10 ns.",
			Judge: claims.Exactly("50", "cycles"), Expect: claims.Deviates, Recorded: claims.Exactly("791/16", "cycles"),
			Reason:  "The recovered clock is 0.5625 cycles late after 10 ns; the FIFO counts four edges of the distributed clock from the next one, which comes so much sooner.",
			Measure: between(short, placeLeafIn, placeLeafOut)},
		{
			ID:      "shoal/fig6/nic/transmit",
			Source:  paper + "§4.2, Fig. 6",
			Printed: "4 cycles",
			Text:    "Routing and congestion control take 4 cycles on transmit.",
			Judge: claims.Exactly(
				"4", "cycles",
			),
			Expect:  claims.Holds,
			Measure: counted("decision to the first word at the MAC's input", func(r LatencyResult) int { return r.Tx }),
		},
		{ID: "shoal/fig6/nic/receive", Source: paper + "§4.2, Fig. 6", Printed: "5 cycles", Text: "And 5 on receive.",
			Judge: claims.Exactly(
				"5", "cycles",
			), Expect: claims.Holds, Measure: counted("verdict of the MAC to the queues' new state", func(r LatencyResult) int { return r.Rx })},
		{
			ID:      "shoal/6.1/slot",
			Source:  paper + "§6.1",
			Printed: "12 cycles",
			Text:    "A cell of 64 bytes has a slot of 12 cycles.",
			Judge: claims.Exactly(
				"12", "cycles",
			),
			Expect:  claims.Holds,
			Measure: counted("between the first words of two cells of a node", func(r LatencyResult) int { return r.Slot }),
		},
		{
			ID:      "shoal/6.1/epoch",
			Source:  paper + "§6.1",
			Printed: "0.53 us",
			Text:    "The epoch of the prototype is 0.53 µs.",
			Note:    "84 cycles, 537.6 ns.",
			Judge: claims.Within(
				"0.53", "2%", "us",
			),
			Expect: claims.Holds,
			Measure: claims.Of(Latency, whole, func(r LatencyResult) claims.Measurement {
				return claims.Figure(
					float64(r.Epoch)*shoal.CycleUs, "us", "%d cycles between two cells to the same neighbour", r.Epoch,
				)
			}),
		},
		{
			ID:      "shoal/6.2/node-to-node",
			Source:  paper + "§6.2",
			Printed: "1.57 us",
			Text:    "A cell takes 1.57 µs from node to node.",
			Judge: claims.Within(
				"1.57", "1%", "us",
			),
			Expect: claims.Holds,
			Measure: claims.Of(Latency, short, func(r LatencyResult) claims.Measurement {
				m := cyclesBetween(r, placeMAC, placeArrived)
				return claims.Figure(m.Float()*shoal.CycleUs, "us", "%s", m.Detail)
			}),
		},
		{
			ID: "shoal/6.2/node-to-node/cycles", Source: paper + "§6.2", Printed: "1576 ns",
			Text:  "Wires of 40 ns in all, three switches of 320 ns, and 576 ns of MAC and PHY make 1576 ns, 246.25 cycles.",
			Judge: claims.Exactly("246.25", "cycles"), Expect: claims.Deviates, Recorded: claims.Exactly("244", "cycles"),
			Reason:  "The recovered clock is 0.5625 cycles late. Each of the four FIFOs takes that off its own four cycles: 2.25 cycles in all.",
			Measure: between(short, placeMAC, placeArrived),
		},
	}
}

// cyclesBetween is how long a word takes between two places of the prototype.
func cyclesBetween(r LatencyResult, from, to string) claims.Measurement {
	n, err := r.Cycles(from, to)
	if err != nil {
		return claims.Unfit("%w", err)
	}
	return claims.Exact(n, "cycles", "%s to %s, where two racks first differ", from, to)
}

// prototypeClaims are of §6.2's experiments.
func prototypeClaims() []claims.Claim {
	flow := func(slowest bool) measure {
		return claims.Of(PrototypeIncast, PrototypeIncastParams{Cells: 7}, func(r PrototypeIncastResult) claims.Measurement {
			if !r.Intact {
				return claims.Unfit("words arrived that were not sent")
			}
			pick := r.Cycles[0]
			for _, c := range r.Cycles {
				if slowest == (c > pick) {
					pick = c
				}
			}
			return claims.Figure(float64(pick)*shoal.CycleUs, "us", "%d cycles; flows by sender: %v", pick, r.Cycles)
		})
	}
	size := func(equation shoal.Equation) measure {
		var points []CellSizePoint
		for _, b := range []int{64, 128, 256, 512, 1024, 2048, 4096} {
			points = append(points, CellSizePoint{Bytes: b, Schedule: "cyclic", Epochs: 1000, Equation: equation})
		}
		const what = "share of the destinations' slots, 8 nodes, cells of 4096 bytes; the rows are smaller ones"
		return claims.OfAll(CellSize, points, func(rs []CellSizeResult) claims.Measurement {
			m := claims.Figure(0, "%", what)
			for i, r := range rs {
				m.Value = 100 * r.Throughput
				m.Rows = append(m.Rows, claims.Row{Label: fmt.Sprintf("%d bytes", points[i].Bytes), Value: m.Value, Unit: "%"})
			}
			return m
		})
	}
	return []claims.Claim{
		{
			ID: "shoal/fig10/fastest", Source: paper + "§6.2, Fig. 10", Printed: "6.05 us",
			Text:  "The fastest of seven flows of seven cells to one node is complete after 6.05 µs.",
			Judge: claims.Within("6.05", "1%", "us"), Expect: claims.Holds, Measure: flow(false),
		},
		{
			ID: "shoal/fig10/slowest", Source: paper + "§6.2, Fig. 10", Printed: "6.9 us",
			Text: "The slowest is complete after 6.9 µs.", Judge: claims.Within("6.9", "1%", "us"),
			Expect: claims.Deviates, Recorded: claims.Within("6.51", "1%", "us"),
			Reason:  "The paper's figure is the sum of 49 slots and two flights, a bound: the destination's slots fill with direct cells while the forwarded ones are on their second flight.",
			Measure: flow(true),
		},
		{
			ID:      "shoal/fig10/queue",
			Source:  paper + "§6.2",
			Printed: "7",
			Text:    "The queues for the destination grow up to 7 cells, and no further.",
			Judge: claims.AtMost(
				"7", "cells",
			),
			Expect: claims.Holds,
			Measure: claims.Of(
				PrototypeIncast,
				PrototypeIncastParams{Cells: 7},
				func(r PrototypeIncastResult) claims.Measurement {
					return claims.Count(r.MaxQueue, "cells", "the longest queue of any node")
				},
			),
		},
		{
			ID:      "shoal/fig9/rise",
			Source:  paper + "§6.2, Fig. 9",
			Printed: "rises towards 50 %",
			Text:    "A full permutation gets far less than half with small cells, and more with every larger one.",
			Note:    "Equation 2 counts the drains of the remote queue.",
			Judge: claims.Shape("10 to 20 % at 64 bytes, rising, 45 to 60 % at 4096", "%", func(m claims.Measurement) bool {
				for i := 1; i < len(m.Rows); i++ {
					if m.Rows[i].Value < m.Rows[i-1].Value {
						return false
					}
				}
				return m.Rows[0].Value > 10 && m.Rows[0].Value < 20 && m.Value > 45 && m.Value < 60
			}),
			Expect:  claims.Holds,
			Measure: size(shoal.ByDrains),
		},
		{
			ID: "shoal/fig9/limit/counters", Source: paper + "§6.2, Fig. 9, Eq. 2", Printed: "50 %",
			Text:  "It converges towards 50 %, if Equation 2 takes the difference of epoch counters.",
			Note:  "Epochs of elapsed time, rounded down, give 42.6 %: --equation-2 epochs.",
			Judge: claims.Within("50", "10%", "%"), Expect: claims.Holds, Measure: size(shoal.ByCounters),
		},
	}
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
			Fairness,
			FairnessPoint{Fabric: f, Flows: 100, Epochs: 300, Settle: 100},
			func(r FairnessResult) claims.Measurement {
				return claims.Figure(
					100*r.Within, "%", "of 100 endless flows between 64 nodes, against water-filling over all links",
				)
			},
		)
	}
	incast := func(f func(r IncastResult) claims.Measurement) measure {
		return claims.Of(Incast, IncastPoint{cyclic, 63, 7000}, f)
	}
	load := func(f func(r LoadResult) claims.Measurement) measure {
		return claims.Of(Load, LoadPoint{Fabric: big512, Load: 1, Flows: fig16Flows, Sizes: "pareto"}, f)
	}
	return []claims.Claim{
		{
			ID:      "shoal/fig12/full",
			Source:  paper + "§7.2, Fig. 12",
			Printed: "halves",
			Text:    "When all of 512 nodes send, a destination gets half of its slots.",
			Judge: claims.Within(
				"50", "1%", "%",
			),
			Expect: claims.Holds,
			Measure: claims.Of(Permutation, PermutationPoint{big512, 512, 10}, func(r PermutationResult) claims.Measurement {
				return claims.Figure(
					100*r.Throughput, "%", "%d cells in 10 epochs; the closed form gives %.2f %%", r.Cells, 100*r.Formula,
				)
			}),
		},
		{
			ID:      "shoal/fig12/shape",
			Source:  paper + "§7.2, Fig. 12",
			Printed: "falls from the peak to half",
			Text:    "Throughput starts at the peak and falls with every further pair until it is half.",
			Note:    "Rows are k of 64 nodes; each is within 1 % of (2N-k)/(2(N-1)).",
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
			Measure: claims.OfAll(Permutation, ofSixtyFour, func(rs []PermutationResult) claims.Measurement {
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
			Reason:   "Equation 6 counts the remote cells that are in Q. With one local cell in Q at most they leave sooner, so fewer are counted than there are remote flows, and those get more than the local ones; without the ready queue the same flows are fair.",
			Measure:  fair(one),
		},
		{
			ID: "shoal/eq6/letter", Source: paper + "§3.3.2, Eq. 6", Printed: "at most one cell",
			Text:  "With Equation 6 to the letter a subflow never has two cells in a queue.",
			Note:  "Nine nodes, 100 flows of 1000 cells, 5000 slots. In the reading that all other claims use there is none.",
			Judge: claims.Exactly("0", "violations"), Expect: claims.Deviates, Recorded: claims.Exactly("1", "violations"),
			Reason:  "One is subtracted even where no local cell is counted twice, so a cell may come before the one before it has left.",
			Measure: equation6,
		},
		{
			ID:      "shoal/fig13/slowest",
			Source:  paper + "§7.2, Fig. 13",
			Printed: "the optimal maximum",
			Text:    "The slowest of 63 flows to one node takes as long as the destination needs for all cells.",
			Judge: claims.Within(
				"1", "1%", "x the ideal",
			),
			Expect: claims.Holds,
			Measure: incast(func(r IncastResult) claims.Measurement {
				return claims.Figure(
					float64(r.Slowest())/float64(r.Ideal), "x the ideal", "%d slots for %d cells", r.Slowest(), 63*r.Cells,
				)
			}),
		},
		{
			ID:      "shoal/fig13/mean",
			Source:  paper + "§7.2, Fig. 13",
			Printed: "coincides",
			Text:    "The mean completion time coincides with the slowest.",
			Judge: claims.Within(
				"1", "2%", "x the slowest",
			),
			Expect: claims.Holds,
			Measure: incast(func(r IncastResult) claims.Measurement {
				return claims.Figure(
					r.Mean()/float64(r.Slowest()), "x the slowest", "mean %.1f slots, slowest %d", r.Mean(), r.Slowest(),
				)
			}),
		},
		{
			ID:      "shoal/eq5/bound",
			Source:  paper + "§3.3.4, Eq. 5",
			Printed: "N",
			Text:    "The worst incast fills no queue with more than N cells.",
			Judge:   claims.AtMost("64", "cells"),
			Expect:  claims.Holds,
			Measure: incast(func(r IncastResult) claims.Measurement {
				return claims.Count(r.MaxQueue, "cells", "63 of 64 nodes send to one")
			}),
		},
		{
			ID:      "shoal/fig16/queue",
			Source:  paper + "§7.3, Fig. 16",
			Printed: "11 cells",
			Text:    "Under load no queue has more than 11 cells.",
			Note:    fig16Note,
			Judge:   claims.AtMost("11", "cells"),
			Expect:  claims.Holds,
			Measure: load(func(r LoadResult) claims.Measurement {
				return claims.Count(r.MaxQueue, "cells", "in %d slots", r.Slots)
			}),
		},
		{
			ID:      "shoal/fig16/node",
			Source:  paper + "§7.3, Fig. 16",
			Printed: "336 cells",
			Text:    "And no node has more than 336 cells in its queues.",
			Judge:   claims.AtMost("336", "cells"),
			Expect:  claims.Holds,
			Measure: load(func(r LoadResult) claims.Measurement {
				return claims.Count(r.MaxQueued, "cells", "in all queues of one node")
			}),
		},
		{
			ID:      "shoal/fig16/reordering",
			Source:  paper + "§7.3, Fig. 16",
			Printed: "200 KB",
			Text:    "No cell comes more than 200 KB too early.",
			Judge:   claims.AtMost("200", "KB"),
			Expect:  claims.Holds,
			Measure: load(func(r LoadResult) claims.Measurement {
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
