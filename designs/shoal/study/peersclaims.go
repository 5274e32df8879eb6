package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/peers/packetnet"
)

// claimFlows is how many flows the claims of Figure 15 are measured with, and idleFlows how many at idleLoad, at which
// they hardly meet. The paper's runs have a million.
const (
	claimFlows = 1500
	idleFlows  = 300
	idleLoad   = 0.02
)

// onNetworks are points of Figure 15: networks at a load.
func onNetworks(flows int, load float64, networks ...string) (points []PeersPoint) {
	if load == idleLoad {
		flows = idleFlows
	}
	for _, n := range networks {
		points = append(points, PeersPoint{defaultNetwork(), n, load, flows, paperSizes, awaitAll})
	}
	return points
}

// The figures of Figures 15 and 18.
func shortMean(r *peersResult) float64 { return r.Short.Mean / 1e3 }
func shortTail(r *peersResult) float64 { return r.Short.P99 / 1e3 }
func goodput(r *peersResult) float64   { return r.LongGbps }

// against measures how many times better the rack is than a peer at a load, and in a row at idleLoad.
func against(peer string, load float64, of func(*peersResult) float64, unit string) measure {
	return claims.For(func(run *claims.Run) claims.Measure {
		flows := run.Count(claimFlows, millionOfFlows)
		points := append(onNetworks(flows, load, networkShoal, peer), onNetworks(flows, idleLoad, networkShoal, peer)...)
		return claims.OfAll(peers, points, againstOf(points, flows, peer, of, unit))
	})
}

// againstOf compares the results of two networks at two loads.
func againstOf(
	points []PeersPoint, flows int, peer string, of func(*peersResult) float64, unit string,
) func([]peersResult) claims.Measurement {
	return func(rs []peersResult) claims.Measurement {
		for i, r := range rs {
			if r.Unfinished > 0 {
				return claims.Unfit("%s: %d flows have not arrived", points[i].Network, r.Unfinished)
			}
		}
		factor := func(a, b float64) float64 {
			if unit != "us" { // more is better
				return a / b
			}
			return b / a
		}
		a, b := of(&rs[0]), of(&rs[1])
		m := claims.Figure(factor(a, b), "x", "rack %.2f %s, %s %.2f %s; %d flows", a, unit, peer, b, unit, flows)
		if a, b := of(&rs[2]), of(&rs[3]); a != 0 && b != 0 { // else no long flow was drawn
			m = m.With(
				claims.Row{Label: fmt.Sprintf("at a load of %v", idleLoad), Kind: claims.Variant, Value: factor(a, b), Unit: "x"},
			)
		}
		return m
	}
}

// growing is a factor over a peer at load 1 with a row for three times as many flows. Where that factor is not clearly
// greater, the peer's queues do not grow with the run, and a reason which says so is wrong. At the paper's million of
// flows there is no such row.
func growing(m measure, peer string, of func(*peersResult) float64) measure {
	return func(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
		short, err := m(ctx, run)
		if err != nil || run.Count(claimFlows, millionOfFlows) != claimFlows {
			return short, err
		}
		long, err := claims.OfAll(peers, onNetworks(3*claimFlows, 1, networkShoal, peer),
			func(rs []peersResult) claims.Measurement {
				return claims.Figure(of(&rs[1])/of(&rs[0]), "x", "")
			})(ctx, run)
		if err != nil {
			return short, err
		}
		row := claims.Row{
			Label: fmt.Sprintf("%d flows", 3*claimFlows), Kind: claims.Variant, Value: long.Float(), Unit: "x",
		}
		return short.With(row), grown(short.Float(), long.Float())
	}
}

// grown is an error unless the factor of the longer run, which has three times as many flows, is more than 1.1 times
// the factor of the shorter one.
func grown(shorter, longer float64) error {
	if !(longer > 1.1*shorter) { // nor NaN
		return fmt.Errorf(
			"%.2f times, and %.2f with three times as many flows: it does not grow with the run, the reason of the claim "+
				"is wrong", shorter, longer,
		)
	}
	return nil
}

// peersClaims are of Figures 14, 15 and 18.
func peersClaims() []claims.Claim {
	const (
		f15b = paper + "§7.3, Fig. 15b"
		note = "512 nodes, 1,500 flows; at the paper's million the goodput is 1.69, 1.85 and 1.47 times that of DCTCP, " +
			"DCQCN and NDP (28 November 2026, verify --paper); nothing takes time but bytes on links. The load is of 50 Gb/s " +
			"and a mean of 100 KB; the sizes drawn make a third to a half of it."
		framed = "With all framing a cell's payload has 77.1 Gb/s of 100 (56 bytes in 23.25 ns, four channels) and a " +
			"frame's 47.3 of 50: 1.63 is what links allow to flows that meet nobody (the last row). DCQCN's rates, which " +
			"start again slowly after a cut, lose more of it than windows and pulls."
		tail = "99 % of the short flows. The paper does not say which quantile the tail of Figure 15 is."
	)
	long := func(peer, recorded string, atPaper float64) claims.Claim {
		c := claims.Claim{
			ID: "shoal/fig15b/goodput/" + peer, Source: f15b, Printed: "1.7 x",
			Text: "Even at high load long flows get 1.7 times the goodput that they get over " + peer + ".", Note: note,
			Judge: claims.Within("1.7", "5%", "x"), Measure: withLone(peer, against(peer, 1, goodput, "Gb/s")),
		}
		c.Expect, c.Recorded, c.Reason = claims.Deviates, claims.Within(recorded, "4%", "x"), framed
		if atPaper > 0 {
			c.PaperFigure = claims.Figure(atPaper, "x", fig15bRun)
		}
		return c
	}
	return []claims.Claim{
		{
			ID: "shoal/fig14/queue", Source: paper + "§7.2, Fig. 14", Printed: "2",
			Text: "With the ready queues no queue for a destination of one flow has more than two cells, whatever " +
				"others send.",
			Note:  "64 nodes, 25 flows of 20 KB; the others have random traffic of load 1 among themselves.",
			Judge: claims.AtMost("2", "cells"), Expect: claims.Holds,
			Measure: detour(func(with, without *detourResult) claims.Measurement {
				return claims.Count(
					with.MaxQueue, "cells", "for node 0, at any node in any slot; %d without the optimisations",
					without.MaxQueue,
				)
			}),
		},
		{
			ID: "shoal/fig14/smaller", Source: paper + "§7.2, Fig. 14", Printed: "much smaller",
			Text: "The optimisations against detours make these flows faster, on average and in the tail.",
			Note: "64 nodes, as above. The paper's figure is of 512 nodes and unknown traffic.",
			Judge: claims.Shape("mean and 99 % with both are less than without", "x", func(m claims.Measurement) bool {
				return len(m.Rows) == 2 && m.Rows[0].Value < 1 && m.Rows[1].Value < 1
			}),
			Expect: claims.Holds,
			Measure: detour(func(with, without *detourResult) claims.Measurement {
				a, b := with.Completions, without.Completions
				m := claims.Figure(a.Mean/b.Mean, "x", "mean %.2f us with both, %.2f us with none", a.Mean/1e3, b.Mean/1e3)
				m.Rows = []claims.Row{{Label: "mean", Value: a.Mean / b.Mean}, {Label: "99 %", Value: a.P99 / b.P99}}
				return m
			}),
		},

		long("dctcp", "1.58", 0), long("dcqcn", "1.7", 1.852), long("ndp", "1.55", 1.468),
		{
			ID: "shoal/7.3/torus/tail", Source: paper + "§7.3, baseline 1", Printed: "14.9 x",
			Text: "The tail of short flows is up to 14.9 times as long on a torus of 512 nodes.", Note: note + " " + tail,
			Judge: claims.Within("14.9", "15%", "x"), Expect: claims.Deviates, Recorded: claims.Within("4.8", "20%", "x"),
			PaperFigure: claims.Figure(167, "x", torusRun),
			Reason: "The torus is overloaded and its queues grow with the run: the factor is greater with three times as many " +
				"flows (the last row), with 10,000 it is 7.5, with 20,000 9.3, with a million 167. R2C2 is idealised here, too: " +
				"rates are known at once and for nothing.",
			Measure: growing(against("r2c2", 1, shortTail, "us"), "r2c2", shortTail),
		},
		{
			ID: "shoal/7.3/torus/goodput", Source: paper + "§7.3, baseline 1", Printed: "4.8 x",
			Text: "Long flows have up to 4.8 times the goodput that they have on the torus.", Note: note,
			Judge: claims.Within("4.8", "10%", "x"), Expect: claims.Deviates, Recorded: claims.Within("4.8", "10%", "x"),
			PaperFigure: claims.Figure(16.51, "x", torusRun),
			Reason: "The torus is overloaded and its queues grow with the run, as in the claim of its tail, whose row tests " +
				"it: the factor is 5.1 with 10,500 flows, 5.6 with 30,000, 6.3 with 60,000 and 16.5 with a million.",
			Measure: against("r2c2", 1, goodput, "Gb/s"),
		},
	}
}

// detour measures Figure 14 with both optimisations and with none.
func detour(f func(with, without *detourResult) claims.Measurement) measure {
	p := Detour.Defaults()
	p.Nodes, p.Flows = 64, 25
	return claims.OfAll(
		Detour, []detourPoint{{p, "both"}, {p, "none"}},
		func(rs []detourResult) claims.Measurement { return f(&rs[0], &rs[1]) },
	)
}

// applicationClaims are of Figure 18.
func applicationClaims() []claims.Claim {
	const (
		source = paper + "§7.4, Fig. 18"
		note   = "512 nodes, 500 flows with hadoop's sizes as Gao et al. have them; a third of the nodes has 84 % of the " +
			"flows within itself. The paper's sixth application is not known."
		reason = "500 flows in 6.3 us are a burst that both networks take hundreds of microseconds to carry. With flows 1 " +
			"us apart, which hardly meet, framing decides, whose factor is 1.63; no peer comes near the printed figure there " +
			"either (the last rows)."
	)
	on := func(network string, flows int) ApplicationPoint {
		return ApplicationPoint{defaultNetwork(), network, "hadoop", flows, 12.65}
	}
	points := []ApplicationPoint{on(networkShoal, 500), on("dctcp", 500), on("dcqcn", 500), on("ndp", 500)}
	all := slices.Clone(points) // and with flows apart
	for _, q := range points {
		q.Interval = 1000
		all = append(all, q)
	}
	least := func(of func(*peersResult) float64, more bool, printed float64, what string) measure {
		return claims.OfAll(Applications, all, func(rs []peersResult) claims.Measurement {
			burst := advantages(points, rs[:len(points)], of, more)
			apart := advantages(points, rs[len(points):], of, more)
			m := claims.Figure(math.Inf(1), "x", "the least advantage over the three; %s", what)
			for i := range burst {
				m.Value = min(m.Value, burst[i].Value)
				if apart[i].Value >= printed {
					return claims.Unfit("%s, flows apart: %.2f times: the reason of the claim is wrong", apart[i].Label,
						apart[i].Value)
				}
				apart[i].Label += ", flows 1 us apart"
			}
			return m.With(burst...).With(apart...)
		})
	}
	return []claims.Claim{
		{
			ID: "shoal/fig18a/tail", Source: source, Printed: "2 x or more",
			Text: "The tail of short flows of disaggregated applications is at least twice as long over DCTCP, DCQCN " +
				"and NDP.",
			Note:  note + " 99 %.",
			Judge: claims.AtLeast("2", "x"), Expect: claims.Deviates, Recorded: claims.Within("1.1", "15%", "x"),
			Reason:  reason,
			Measure: least(shortTail, false, 2, "99 % of short flows"),
		},
		{
			ID: "shoal/fig18b/goodput", Source: source, Printed: "2.5 x",
			Text:  "And their long flows have 2.5 times the goodput.",
			Note:  note,
			Judge: claims.AtLeast("2.5", "x"), Expect: claims.Deviates, Recorded: claims.Within("1.5", "8%", "x"),
			Reason:  reason,
			Measure: least(goodput, true, 2.5, "mean over long flows"),
		},
		{
			ID: "shoal/7.4/queue", Source: source, Printed: "10 cells",
			Text:  "No queue has more than 10 cells.",
			Note:  "2,000 flows with hadoop's sizes; the row is 500.",
			Judge: claims.AtMost("10", "cells"), Expect: claims.Deviates, Recorded: claims.Within("11", "1", "cells"),
			Reason: "A queue has a cell of each flow to its destination and one more (Equation 5), so it grows with the " +
				"flows that are under way at once, as the row shows; at 12.65 ns they come faster than they are carried.",
			Measure: claims.OfAll(
				Applications,
				[]ApplicationPoint{points[0], on(networkShoal, 2000)},
				func(rs []peersResult) claims.Measurement {
					return claims.Count(rs[1].MaxQueue, "cells", "the longest queue of any node").
						With(claims.Row{Label: "500 flows", Kind: claims.Variant, Value: float64(rs[0].MaxQueue), Unit: "cells"})
				},
			),
		},
	}
}

// advantages are the factors of the first network over each of the others: its times are less, or its rates
// more.
func advantages(
	points []ApplicationPoint, rs []peersResult, of func(*peersResult) float64, more bool,
) (rows []claims.Row) {
	for i := 1; i < len(rs); i++ {
		factor := of(&rs[i]) / of(&rs[0])
		if more {
			factor = 1 / factor
		}
		rows = append(rows, claims.Row{Label: points[i].Network, Value: factor, Unit: "x"})
	}
	return rows
}

// packetSwitches counts the switches of the packet-switched network.
func packetSwitches() (int, error) {
	p := defaultNetwork()
	return p.peer(packetnet.NDP, 0).Switches()
}

// powerClaims are of §5. Switches are counted on networks that are built, the powers of one switch and one NIC are the
// paper's.
func powerClaims() []claims.Claim {
	const source = paper + "§5"
	given := func(id, printed, text, reason string) claims.Claim {
		return claims.Claim{
			ID: "shoal/5/given/" + id, Source: source, Printed: printed, Text: text, Expect: claims.Given, Reason: reason,
		}
	}
	kilowatts := func(of func(rack, packets float64) claims.Measurement) measure {
		return claims.Fixed(func() (m claims.Measurement, err error) {
			if m, err = switches(); err != nil {
				return m, err
			}
			n, err := packetSwitches()
			return of((m.Float()*38.5+512*1.37)/1000, (float64(n)*350+512*0.62)/1000), err
		})
	}
	return []claims.Claim{
		given(
			"packet-switch", "350 W", "A packet switch of 64 ports of 50 Gb/s takes 350 W.",
			"a unit figure of the sums of power, from data sheets",
		),
		given(
			"circuit-switch", "38.5 W", "A circuit switch of 64 ports of 50 Gb/s takes 38.5 W.",
			"a unit figure of the sums of power, extrapolated in the paper",
		),
		given(
			"nic/rack", "1.37 W", "The NIC of a Shoal node takes 1.37 W.",
			"a unit figure of the sums of power; a tenth of 12.4 W and 11 % of that would round to 1.38",
		),
		given(
			"nic/packets", "0.62 W", "A NIC of 50 Gb/s takes 0.62 W.",
			"a unit figure of the sums of power: a twentieth of 12.4 W",
		),
		given(
			"area", "15%", "A circuit switch has 15 % of a packet switch's area.",
			"half of the 30 % that serial I/O has of a packet switch; no model has an area",
		),
		{
			ID: "shoal/5/psn/switches", Source: source, Printed: "24",
			Text:  "512 nodes need 24 packet switches of 64 ports in a folded Clos without blocking.",
			Judge: claims.Exactly("24", "switches"), Expect: claims.Holds,
			Measure: claims.Fixed(func() (m claims.Measurement, err error) {
				n, err := packetSwitches()
				return claims.Count(n, "switches", "of the network that carries the flows of Figure 15"), err
			}),
		},
		{
			ID: "shoal/5/psn/power", Source: source, Printed: "8.72 KW",
			Text:  "Packet switches of 350 W and NICs of 0.62 W make 8.72 kW.",
			Note:  "The powers are the paper's, the switches those of the network that is built.",
			Judge: claims.Within("8.72", "0.005", "kW"), Expect: claims.Holds,
			Measure: kilowatts(func(_, packets float64) claims.Measurement {
				return claims.Figure(packets, "kW", "switches of 350 W and 512 NICs of 0.62 W")
			}),
		},
		{
			ID: "shoal/5/saving", Source: source, Printed: "71%",
			Text:  "So Shoal takes 71 % less power.",
			Note:  "The powers are the paper's, both numbers of switches are counted.",
			Judge: claims.Within("71", "0.5", "%"), Expect: claims.Holds,
			Measure: kilowatts(func(rack, packets float64) claims.Measurement {
				return claims.Figure(100*(1-rack/packets), "%", "%.3f kW against %.3f kW", rack, packets)
			}),
		},
	}
}
