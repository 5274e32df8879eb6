package study

import (
	"context"
	"fmt"
	"math/big"
	"reflect"
	"slices"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl/layout"

	"github.com/goldwire/goldwire/designs/shoal"
)

// shortWires is a cell over wires of 10 ns, after which the recovered clocks are out of phase with the distributed one.
var shortWires = latencyPoint{clock.Nanosecond.Times(10), shoal.CellBytes}

// hardwareClaims are of Figures 5 and 6.
func hardwareClaims() []claims.Claim {
	const f6, aligned = paper + "§4.1, Fig. 6", "Wires of two whole cycles, so that the recovered clocks are in phase " +
		"with the distributed one."
	whole := latencyPoint{Wire: clock.MustTime("12.8ns"), Bytes: shoal.CellBytes}
	between := func(q latencyPoint, from, to string) measure {
		return claims.Of(latency, q, func(r latencyResult) claims.Measurement { return cyclesBetween(r, from, to) })
	}
	counted := func(what string, pick func(r latencyResult) int) measure {
		return claims.Of(latency, whole, func(r latencyResult) claims.Measurement {
			return claims.Count(pick(r), "cycles", "%s", what)
		})
	}
	return []claims.Claim{
		{
			ID: "shoal/fig5/header", Source: paper + "Fig. 5", Printed: "8 B",
			Text:  "The header's fields and its CRC of 8 bits fill 8 bytes.",
			Judge: claims.Exactly("8", "bytes"), Expect: claims.Holds,
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
			Reason: "The recovered clock is 0.5625 cycles late after 10 ns; the FIFO counts four edges of the distributed " +
				"clock from the next one, which comes so much sooner.",
			Measure: between(shortWires, placeLeafIn, placeLeafOut)},
		{
			ID: "shoal/fig6/nic/transmit", Source: paper + "§4.2, Fig. 6", Printed: "4 cycles",
			Text:  "Routing and congestion control take 4 cycles on transmit.",
			Judge: claims.Exactly("4", "cycles"), Expect: claims.Holds,
			Measure: counted("decision to the first word at the MAC's input", func(r latencyResult) int { return r.Tx }),
		},
		{ID: "shoal/fig6/nic/receive", Source: paper + "§4.2, Fig. 6", Printed: "5 cycles", Text: "And 5 on receive.",
			Judge: claims.Exactly(
				"5", "cycles",
			), Expect: claims.Holds, Measure: counted("verdict of the MAC to the queues' new state",
				func(r latencyResult) int { return r.Rx })},
		{
			ID: "shoal/6.1/slot", Source: paper + "§6.1", Printed: "12 cycles",
			Text:  "A cell of 64 bytes has a slot of 12 cycles.",
			Judge: claims.Exactly("12", "cycles"), Expect: claims.Holds,
			Measure: counted("between the first words of two cells of a node", func(r latencyResult) int { return r.Slot }),
		},
		{
			ID: "shoal/6.1/epoch", Source: paper + "§6.1", Printed: "0.53 us",
			Text:  "The epoch of the prototype is 0.53 µs.",
			Note:  "84 cycles, 537.6 ns.",
			Judge: claims.Within("0.53", "2%", "us"), Expect: claims.Holds,
			Measure: claims.Of(latency, whole, func(r latencyResult) claims.Measurement {
				return claims.Figure(
					float64(r.Epoch)*shoal.CycleUs, "us", "%d cycles between two cells to the same neighbour", r.Epoch,
				)
			}),
		},
		{
			ID: "shoal/6.2/node-to-node", Source: paper + "§6.2", Printed: "1.57 us",
			Text:  "A cell takes 1.57 µs from node to node.",
			Judge: claims.Within("1.57", "1%", "us"), Expect: claims.Holds,
			Measure: claims.Of(latency, shortWires, func(r latencyResult) claims.Measurement {
				m := cyclesBetween(r, placeMAC, placeArrived)
				return claims.Figure(m.Float()*shoal.CycleUs, "us", "%s", m.Detail)
			}),
		},
		{
			ID: "shoal/6.2/node-to-node/cycles", Source: paper + "§6.2", Printed: "1576 ns",
			Text:  "Wires of 40 ns in all, three switches of 320 ns, and 576 ns of MAC and PHY make 1576 ns, 246.25 cycles.",
			Judge: claims.Exactly("246.25", "cycles"), Expect: claims.Deviates, Recorded: claims.Exactly("244", "cycles"),
			Reason: "The recovered clock is 0.5625 cycles late. Each of the four FIFOs takes that off its own four cycles: " +
				"2.25 cycles in all.",
			Measure: between(shortWires, placeMAC, placeArrived),
		},
	}
}

// cyclesBetween is how long a word takes between two places of the prototype.
func cyclesBetween(r latencyResult, from, to string) claims.Measurement {
	n, err := r.Cycles(from, to)
	if err != nil {
		return claims.Unfit("%w", err)
	}
	return claims.Exact(n, "cycles", "%s to %s, where two racks first differ", from, to)
}

// queueing measures what the slowest flow of the incast takes beyond two ways from node to node, each a run of its own.
func queueing(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
	r, err := prototypeIncast.Measure(ctx, prototypeIncastParams{Cells: 7}, run.Seed)
	if err != nil {
		return m, err
	}
	lone, err := latency.Measure(ctx, shortWires, run.Seed)
	if err != nil {
		return m, err
	}
	way, err := lone.Cycles(placeMAC, placeArrived)
	if err != nil {
		return m, err
	}
	slowest := slices.Max(r.Cycles[:])
	oneWay, _ := way.Float64()
	return claims.Figure((float64(slowest)-2*oneWay)*shoal.CycleUs, "us", "%d cycles less twice %v", slowest, oneWay), nil
}

// prototypeClaims are of §6.2's experiments.
func prototypeClaims() []claims.Claim {
	flow := func(slowest bool) measure {
		return claims.Of(prototypeIncast, prototypeIncastParams{Cells: 7}, func(r prototypeIncastResult) claims.Measurement {
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
		return claims.OfAll(cellSize, points, func(rs []cellSizeResult) claims.Measurement {
			m := claims.Figure(0, "%", what)
			for i, r := range rs {
				m.Value = 100 * r.Throughput
				m.Rows = append(m.Rows, claims.Row{Label: fmt.Sprintf("%d bytes", points[i].Bytes), Value: m.Value, Unit: "%"})
			}
			return m
		})
	}
	const bound = "The paper's figure is the sum of 49 slots and two flights, a bound: the destination's slots fill " +
		"with direct cells while the forwarded ones are on their second flight."
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
			Reason: bound, Measure: flow(true),
		},
		{
			ID: "shoal/6.2/queueing", Source: paper + "§6.2", Printed: "3.76 us",
			Text:  "Of the slowest flow's time two ways from node to node leave 3.76 µs of queueing.",
			Judge: claims.Within("3.76", "0.005", "us"), Expect: claims.Deviates, Recorded: claims.Within("3.386", "1%", "us"),
			Reason: bound, Measure: queueing,
		},
		{
			ID: "shoal/fig10/queue", Source: paper + "§6.2", Printed: "7",
			Text:  "The queues for the destination grow up to 7 cells, and no further.",
			Judge: claims.AtMost("7", "cells"), Expect: claims.Holds,
			Measure: claims.Of(
				prototypeIncast,
				prototypeIncastParams{Cells: 7},
				func(r prototypeIncastResult) claims.Measurement {
					return claims.Count(r.MaxQueue, "cells", "the longest queue of any node")
				},
			),
		},
		{
			ID: "shoal/fig9/rise", Source: paper + "§6.2, Fig. 9", Printed: "rises towards 50 %",
			Text: "A full permutation gets far less than half with small cells, and more with every larger one.",
			Note: "Equation 2 counts the drains of the remote queue.",
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
