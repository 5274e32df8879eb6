package study

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"
)

// citedLink is the delay of a link in the public simulator of NDP, which the paper took for its packet-switched
// networks.
const citedLink = "1us"

// figure15Claims are of Figure 15a, with the peers' links as long as the cited simulator's.
func figure15Claims() []claims.Claim {
	const (
		source = paper + "§7.3, Fig. 15a"
		note   = "512 nodes, 3,000 flows, three seeds, where the paper has a million flows. A run ends when the " +
			"short flows have arrived. The peers' links take 1 us each, the default of the simulator that the paper cites for " +
			"them; the paper does not say which delay it had."
		tail = note + " 99.9 % of the short flows, the quantile of Figure 17."
		open = "Not the load: with sizes cut at 10 MB, which make it, the factor is about the same (the last row). A flow " +
			"of 100 KB takes 17.6 us on 50 Gb/s alone and 14.1 in the rack, and the peers' queues do not add more than that " +
			"here. Which queues and timers the paper's runs had, it does not say."
		chance = "Whether one flow in a thousand waits for DCTCP's retransmission timer of 200 us is chance: 1.6 to 7.7 " +
			"by the seed, so that the interval is too wide for a verdict."
	)
	point := func(network, sizes string, load float64, link string, flows int) PeersPoint {
		p := PeersPoint{defaultNetwork(), network, load, flows, sizes, awaitShort}
		p.Link = clock.MustTime(link)
		return p
	}
	factor := func(peer, sizes string, load float64, link string, paperFlows int, of func(*peersResult) float64) measure {
		return claims.For(func(run *claims.Run) measure {
			flows := run.Count(tailFlows, paperFlows)
			return bySeeds(peers, point(networkShoal, sizes, load, link, flows), point(peer, sizes, load, link, flows),
				func(rack, other *peersResult) (factor float64, steady bool, fault string) {
					if n := rack.Unfinished + other.Unfinished; n > 0 {
						fault = fmt.Sprintf("%d flows have not arrived", n)
					}
					return of(other) / of(rack), rack.Carried.Steady() && other.Carried.Steady(), fault
				})
		})
	}
	long := func(r *peersResult) float64 { return r.Short.P999 / 1e3 }
	slowest := func(peer string, load float64) measure {
		return withRow(
			factor(peer, "pareto", load, citedLink, millionOfFlows, long), "3,000 flows, sizes cut at 10 MB",
			factor(peer, tailSizes, load, citedLink, tailFlows, long),
		)
	}
	mean := func(peer, link string) measure { return factor(peer, "pareto", 0.2, link, millionOfFlows, shortMean) }
	tailOver := func(peer, level string, load, printed float64) claims.Claim {
		name := strings.ToUpper(peer)
		return claims.Claim{
			ID: "shoal/fig15a/tail/" + peer + "/" + level, Source: source, Printed: fmt.Sprintf("%g x", printed),
			Text: fmt.Sprintf("At %s load the tail of short flows is %g times as long over %s.", level, printed, name),
			Note: tail, Judge: inInterval(printed), Expect: claims.Holds, Measure: slowest(peer, load),
		}
	}
	deviates := func(c claims.Claim, recorded, reason string) claims.Claim {
		c.Expect, c.Reason = claims.Deviates, reason
		if recorded != "" {
			c.Recorded = claims.Within(recorded, "10%", "x")
		}
		return c
	}
	return []claims.Claim{
		{
			ID: "shoal/fig15a/mean/dctcp", Source: source, Printed: "comparable",
			Text: "At low load short flows take on average as long as over DCTCP.",
			Note: note + " Comparable is read as within a fifth.", Judge: claims.Within("1", "20%", "x"),
			Expect: claims.Holds, Measure: mean("dctcp", citedLink),
		},
		{
			ID: "shoal/fig15a/mean/dcqcn", Source: source, Printed: "comparable", Text: "And as long as over DCQCN.",
			Note: note + " Comparable is read as within a fifth.", Judge: claims.Within("1", "20%", "x"),
			Expect: claims.Holds, Measure: mean("dcqcn", citedLink),
		},
		{
			ID: "shoal/fig15a/mean/ndp", Source: source, Printed: "slightly higher",
			Text: "And slightly longer than over NDP.", Note: note + " Slightly is read as up to a third.",
			Judge: claims.Within("0.875", "0.125", "x"), Expect: claims.Deviates, Recorded: claims.Within("1.15", "5%", "x"),
			Reason:  "The delay of a link decides: with links of 500 ns it is slightly longer (the last row).",
			Measure: withRow(mean("ndp", citedLink), "links of 500 ns", mean("ndp", "500ns")),
		},
		deviates(tailOver("dctcp", "low", 0.2, 3), "2.26", open),
		deviates(tailOver("dctcp", "high", 1, 2), "", chance),
		deviates(tailOver("dcqcn", "low", 0.2, 3), "1.73", open),
		deviates(tailOver("dcqcn", "high", 1, 2), "1.55", open),
		tailOver("ndp", "low", 0.2, 1.5),
		tailOver("ndp", "high", 1, 2),
	}
}
