package study

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/goldwire/goldwire/claims"

	"github.com/goldwire/goldwire/designs/shoal"
)

// setupClaims are of figures of the rack of 512 nodes that follow from its schedule and its bounds (§3.2, §3.3, §7.1),
// and of Appendix B.
func setupClaims() []claims.Claim {
	const s71, s334, b = paper + "§7.1", paper + "§3.3.4", paper + "Appendix B"
	utilisation := func(id, printed, text string) claims.Claim {
		return claims.Claim{ID: "shoal/appendix-b/" + id, Source: b, Printed: printed, Text: text, Expect: claims.Given,
			Reason: "a figure of a synthesis for an FPGA; no model has gates or power"}
	}
	big := shoal.FabricParams{Nodes: 512, Channels: 4, Schedule: "cyclic", Equation: shoal.ByDrains, Pair: shoal.PairTurns}
	return []claims.Claim{
		{
			ID: "shoal/7.1/epoch", Source: s71, Printed: "2.9 us",
			Text:  "With four channels the epoch of 512 nodes takes 2.9 us.",
			Note:  "At the paper's point.",
			Judge: claims.Within("2.9", "0.05", "us"), Expect: claims.Deviates,
			Recorded: claims.Within("2.976", "0.0005", "us"),
			Reason: "511 rows over four channels are 127.75 slots of 23.25 ns, 2.97 us; the printed figure is cut off, not " +
				"rounded. The row is without the last slot's idle channel.",
			Measure: claims.Fixed(func() (m claims.Measurement, err error) {
				s, err := big.Built()
				if err != nil {
					return m, err
				}
				rows := float64(neighbours(s)) / 4
				return claims.Figure(
					float64(s.Epoch())*shoal.SlotNanoseconds/1e3, "us", "%d slots of %v ns", s.Epoch(), shoal.SlotNanoseconds,
				).With(claims.Row{Label: "rows in use", Kind: claims.Variant,
					Value: rows * shoal.SlotNanoseconds / 1e3, Unit: "us"}), nil
			}),
		},
		{ID: "shoal/7.1/throughput", Source: s71, Printed: "90 Gbps", Text: "The guard band leaves 90 of 100 Gb/s.",
			Note: "At the paper's point. Cells with their headers, of two of 512 nodes that send to each other, in the slots " +
				"in which the schedule connects them.",
			Judge: claims.Within("90", "0.5", "Gb/s"), Expect: claims.Deviates, Recorded: claims.Within("88.1", "0.3", "Gb/s"),
			Reason: "The guard band of 2.75 ns is 11.8 % of a slot of 23.25 ns, the printed \"around 10 %\" is rounded. The " +
				"row is the same with a slot of which it is 10 %.",
			Measure: claims.Of(permutation, PermutationPoint{big, 2, 10}, func(r permutationResult) claims.Measurement {
				gbps := func(slot float64) float64 { return r.Throughput * 4 * 8 * shoal.CellBytes / slot }
				return claims.Figure(
					gbps(shoal.SlotNanoseconds), "Gb/s",
					"%.4f of the connections of an epoch, four channels, 64 bytes a slot", r.Throughput,
				).With(claims.Row{Label: "guard band of 10 %", Kind: claims.Variant,
					Value: gbps(8 * shoal.CellBytes / 25.0 / 0.9), Unit: "Gb/s"})
			})},
		{
			ID: "shoal/3.2/nodes", Source: paper + "§3.2", Printed: "2,048",
			Text:  "Switches of 64 ports connect 2,048 nodes.",
			Note:  "The header's identifiers of ten bits name 1,024 (Fig. 5).",
			Judge: claims.Exactly("2048", "nodes"), Expect: claims.Holds,
			Measure: claims.Fixed(func() (claims.Measurement, error) {
				n := 1
				for shoal.FewestPorts(n+1) <= 64 {
					n++
				}
				return claims.Count(n, "nodes", "one more needs switches of %d ports", shoal.FewestPorts(n+1)), nil
			}),
		},
		{
			ID: "shoal/3.3.4/buffers", Source: s334, Printed: "17 MB",
			Text:  "The worst incast of 512 nodes fills 17 MB of queues in a node.",
			Note:  "Every queue at the bound of Equation 5, which shoal/eq5/bound measures under an incast.",
			Judge: claims.Within("17", "0.5", "MB"), Expect: claims.Holds,
			Measure: claims.Fixed(func() (claims.Measurement, error) {
				queues, err := queuesOfANode(&big)
				return claims.Figure(
					float64(queues)*float64(big.Nodes)*shoal.CellBytes/1e6, "MB", "%d queues of %d cells of 64 bytes",
					queues, big.Nodes,
				), err
			}),
		},
		{
			ID: "shoal/3.3.4/on-chip", Source: s334, Printed: "32 KB",
			Text:  "On the chip a cell of each queue is enough: 32 KB.",
			Note:  "KB is read as 1,024 bytes.",
			Judge: claims.Within("32", "0.5", "KB"), Expect: claims.Holds,
			Measure: claims.Fixed(func() (claims.Measurement, error) {
				queues, err := queuesOfANode(&big)
				return claims.Figure(float64(queues)*shoal.CellBytes/1024, "KB", "%d cells of 64 bytes", queues), err
			}),
		},
		{
			ID: "shoal/eq3/bound", Source: paper + "§3.3.2, Eq. 3", Printed: "outcast(i) + incast(j)",
			Text: "Without ready queues no queue is longer than outcast and incast together.",
			Note: "Each queue is held to the degrees of its own slot, whenever a cell of another node enters it. The paper " +
				"names no size of rack here.",
			Judge: claims.Exactly("0", "queues"), Expect: claims.Holds,
			Measure: func(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
				r, _, err := boundedRack(ctx, run.Seed, shoal.Options{NoReady: true, NoAge: true})
				if r == nil || err != nil && r.Broken() == nil {
					return claims.Measurement{}, err
				}
				broken := 0
				if r.Broken() != nil {
					broken = 1
				}
				return claims.Count(
					broken, "queues", "beyond the bound in %d slots of 64 nodes with 2,000 flows; the longest had %d cells",
					r.Slot(), longestQueue(r),
				), nil
			},
		},
		{
			ID: "shoal/eq4/bound", Source: paper + "§3.3.3, Eq. 4", Printed: "outcast(j)",
			Text:  "No ready queue has more flows than its node has destinations.",
			Note:  "Looked at after each of the slots. The paper names no size of rack here.",
			Judge: claims.AtMost("0", "flows"), Expect: claims.Deviates, Recorded: claims.Within("6", "6", "flows"),
			Reason: "A flow whose last cell has gone by another link stands in R until it is its turn, when it leaves " +
				"without a cell. Flows that have cells left never exceed the bound (the row).",
			Measure: func(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
				r, most, err := boundedRack(ctx, run.Seed, shoal.Options{})
				if err != nil {
					return claims.Measurement{}, err
				}
				m := claims.Figure(
					float64(most.excess), "flows",
					"more than the outcast degree, at most, in %d slots of 64 nodes with 2,000 flows; %d flows at a degree of %d",
					r.Slot(), most.flows, most.outcast,
				)
				m.Rows = []claims.Row{
					{Label: "flows with cells left", Kind: claims.Variant, Value: float64(most.sending), Unit: "flows"},
				}
				if most.sending > 0 {
					return m, fmt.Errorf("%d flows with cells left beyond the bound", most.sending)
				}
				return m, nil
			},
		},
		utilisation("nic/logic", "84 %", "The NIC of 500 nodes takes 84 % of the logic of a Stratix V."),
		utilisation("nic/memory", "13 %", "And 13 % of its memory."),
		utilisation("switch/logic", "2 %", "A switch of 64 ports takes 2 % of the logic."),
		utilisation("switch/memory", "0.2 %", "And 0.2 % of the memory."),
		utilisation("nic/power", "11 %", "Routing and congestion control take 11 % of a NIC's power."),
		utilisation("switch/power", "0.1 %", "The schedule takes 0.1 % of a switch's power."),
	}
}

// queuesOfANode counts the queues of a node: one for each neighbour that the schedule gives it.
func queuesOfANode(p *shoal.FabricParams) (queues int, err error) {
	s, err := p.Built()
	if err != nil {
		return 0, err
	}
	return neighbours(s), nil
}

// neighbours counts the rows in which a schedule connects node 0.
func neighbours(s *shoal.Schedule) (rows int) {
	for r := range s.Rows() {
		if s.To(r, 0) != shoal.Idle {
			rows++
		}
	}
	return rows
}

// readyExcess is the ready queue that is longest beside its bound.
type readyExcess struct{ excess, flows, outcast, sending int }

// boundedRack runs 64 nodes with 2,000 flows of up to 200 cells, half of them to four of the nodes.
func boundedRack(ctx context.Context, seed uint64, o shoal.Options) (*shoal.Rack, readyExcess, error) {
	const nodes = 64
	most := readyExcess{excess: math.MinInt, sending: math.MinInt}
	s, err := shoal.HalfEpoch(nodes, 1)
	if err != nil {
		return nil, most, err
	}
	r, err := shoal.NewRack(shoal.RackConfig{Schedule: s, Options: o})
	if err != nil {
		return nil, most, err
	}
	rng := rand.New(rand.NewPCG(seed, 34))
	for id := range uint64(2000) {
		from, to := rng.IntN(nodes), rng.IntN(nodes)
		if id%2 == 0 {
			to = rng.IntN(4)
		}
		if from != to {
			if err := r.Offer(id, from, to, uint32(1+rng.IntN(200))); err != nil {
				return nil, most, err
			}
		}
		for range 5 {
			if err := r.Run(ctx, 1); err != nil {
				return r, most, err
			}
			if flows, outcast := r.LongestReady(false); flows-outcast > most.excess {
				most.excess, most.flows, most.outcast = flows-outcast, flows, outcast
			}
			flows, outcast := r.LongestReady(true)
			most.sending = max(most.sending, flows-outcast)
		}
	}
	return r, most, nil
}

// threeSeeds are the runs of a claim whose figure depends on the flows drawn.
const threeSeeds = 3

// studentThree times the standard error of the mean of three is an interval of 95 %: Student's t for two degrees of
// freedom.
const studentThree = 4.303

// seedPoints are a rack's point and another's, with each of the three seeds.
func seedPoints[Q any](rack, other Q) (samples []claims.Sample[Q]) {
	for k := range uint64(threeSeeds) {
		samples = append(samples, claims.Sample[Q]{Point: rack, Seed: k}, claims.Sample[Q]{Point: other, Seed: k})
	}
	return samples
}

// bySeeds measures a factor between two points for three seeds: the value is their mean, and the last row half the
// width of its interval of 95 %. Of returns the factor, whether both runs are steady, and a reason against it.
func bySeeds[Q, R any](e claims.Experiment[Q, R], rack, other Q,
	of func(rack, other *R) (factor float64, steady bool, fault string)) measure {
	return claims.For(func(run *claims.Run) measure {
		return claims.OfSamples(e, seedPoints(rack, other), func(rs []R) claims.Measurement {
			var factors [threeSeeds]float64
			unsteady := 0
			for k := range factors {
				x, steady, fault := of(&rs[2*k], &rs[2*k+1])
				if fault != "" {
					return claims.Unfit("%s", fault)
				}
				if !steady {
					unsteady++
				}
				factors[k] = x
			}
			detail := "the mean of three seeds"
			if unsteady > 0 {
				detail += fmt.Sprintf(
					"; not steady for %d of %d seeds: the load is more than the rack carries, and tails grow with the run",
					unsteady, threeSeeds,
				)
			}
			return meanOfSeeds(run.Seed, factors, detail)
		})
	})
}

// meanOfSeeds is the mean of factors, with a row for each and a last one with half the width of its interval of 95 %.
func meanOfSeeds(first uint64, factors [threeSeeds]float64, detail string) claims.Measurement {
	m := claims.Figure(0, "x", "%s", detail)
	sum, squares := 0.0, 0.0
	for k, x := range factors {
		sum, squares = sum+x, squares+x*x
		label := fmt.Sprintf("seed %d", first+uint64(k))
		m = m.With(claims.Row{Label: label, Kind: claims.Variant, Value: x, Unit: "x"})
	}
	m.Value = sum / threeSeeds
	reach := studentThree * math.Sqrt(max(0, squares-sum*sum/threeSeeds)/(threeSeeds-1)/threeSeeds)
	return m.With(claims.Row{Label: "interval of 95 %, either way", Kind: claims.Variant, Value: reach, Unit: "x"})
}

// withRow adds a row: the factor under another condition.
func withRow(first measure, label string, second measure) measure {
	return func(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
		m, err := first(ctx, run)
		if err != nil {
			return m, err
		}
		other, err := second(ctx, run)
		return m.With(claims.Row{Label: label, Kind: claims.Variant, Value: other.Value, Unit: "x"}), err
	}
}

// widest is how wide an interval may be, either way, for a verdict: a wider one says nothing about the figure.
const widest = 0.35

// inInterval accepts a measurement of bySeeds in whose interval a figure lies.
func inInterval(printed float64) claims.Judge {
	return claims.Shape(
		fmt.Sprintf("%g within the interval of 95 %% of three seeds", printed),
		"x",
		func(m claims.Measurement) bool {
			if len(m.Rows) <= threeSeeds {
				return false
			}
			reach := m.Rows[threeSeeds].Value
			return reach <= widest*printed && math.Abs(m.Value-printed) <= reach
		},
	)
}
