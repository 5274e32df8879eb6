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
		open = "Neither the run's length nor the load: with sizes cut at 10 MB, which make it, the factor is about the " +
			"same (the last row). A flow of 100 KB takes 17.6 us on 50 Gb/s alone and 14.1 in the rack, and the peers' queues " +
			"do not add more than that here. Which queues and timers the paper's runs had, it does not say."
		short = "The run is short: at a million flows it is 2.58, 3.07 and 2.79 with the three seeds, and 3 lies in their " +
			"interval (" + fig15aRun + ", verify --paper)."
		timer = "More than one flow in a thousand waits for DCTCP's retransmission timer of 200 us, at a million flows " +
			"with each seed; in runs of 3,000 it is chance, 1.6 to 7.7. Of 99 % none does, and their factor at a million is " +
			"2.13, 2.10 and 2.15, near the printed one (the last row)."
		delay     = "The delay of a link decides: with links of 500 ns %s (the last row)."
		delayTail = "The delay of a link decides: with links of 500 ns it is 1.51, 1.52 and 1.52 at a million flows, about " +
			"the printed factor (" + fig15aRun + ", verify --paper, the last row). That row of 3,000 flows does not show it: " +
			"99.9 % is one of three flows, and half a microsecond is less than chance."
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
			factor(peer, paperSizes, load, citedLink, millionOfFlows, long), "3,000 flows, sizes cut at 10 MB",
			factor(peer, tailSizes, load, citedLink, tailFlows, long),
		)
	}
	mean := func(peer, link string) measure { return factor(peer, paperSizes, 0.2, link, millionOfFlows, shortMean) }
	tailOver := func(peer, level string, load, printed float64, recorded, reason string, m measure) claims.Claim {
		name := strings.ToUpper(peer)
		c := claims.Claim{
			ID: "shoal/fig15a/tail/" + peer + "/" + level, Source: source, Printed: fmt.Sprintf("%g x", printed),
			Text: fmt.Sprintf("At %s load the tail of short flows is %g times as long over %s.", level, printed, name),
			Note: tail, Judge: inInterval(printed), Expect: claims.Deviates, Reason: reason, Measure: m,
		}
		if recorded != "" {
			c.Recorded = claims.Within(recorded, "10%", "x")
		}
		return c
	}
	atMillion := func(factors ...float64) claims.Measurement {
		return meanOfSeeds(1, [threeSeeds]float64(factors), fig15aRun)
	}
	refuted := func(c claims.Claim, factors ...float64) claims.Claim {
		c.PaperFigure = atMillion(factors...)
		return c
	}
	return []claims.Claim{
		{
			ID: "shoal/fig15a/mean/dctcp", Source: source, Printed: "comparable",
			Text: "At low load short flows take on average as long as over DCTCP.",
			Note: note + " Comparable is read as within a fifth.", Judge: claims.Within("1", "20%", "x"),
			Expect: claims.Deviates, Recorded: claims.Within("1.15", "5%", "x"), PaperFigure: atMillion(1.2105, 1.2172, 1.2104),
			Reason:  fmt.Sprintf(delay, "it is comparable"),
			Measure: withRow(mean("dctcp", citedLink), "links of 500 ns", mean("dctcp", "500ns")),
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
			Reason:  fmt.Sprintf(delay, "it is slightly longer"),
			Measure: withRow(mean("ndp", citedLink), "links of 500 ns", mean("ndp", "500ns")),
		},
		tailOver("dctcp", "low", 0.2, 3, "2.26", short, slowest("dctcp", 0.2)),
		refuted(tailOver("dctcp", "high", 1, 2, "", timer, withRow(
			factor("dctcp", paperSizes, 1, citedLink, millionOfFlows, long), "99 % of the short flows",
			factor("dctcp", paperSizes, 1, citedLink, millionOfFlows, shortTail),
		)), 4.9127, 4.8083, 4.9080),
		refuted(tailOver("dcqcn", "low", 0.2, 3, "1.73", open, slowest("dcqcn", 0.2)), 1.5687, 1.5974, 1.5871),
		refuted(tailOver("dcqcn", "high", 1, 2, "1.55", open, slowest("dcqcn", 1)), 1.5680, 1.5485, 1.5565),
		refuted(tailOver("ndp", "low", 0.2, 1.5, "", delayTail, withRow(
			factor("ndp", paperSizes, 0.2, citedLink, millionOfFlows, long), "links of 500 ns",
			factor("ndp", paperSizes, 0.2, "500ns", millionOfFlows, long),
		)), 1.6515, 1.6724, 1.6656),
		refuted(tailOver("ndp", "high", 1, 2, "", open, slowest("ndp", 1)), 1.6774, 1.6424, 1.6574),
	}
}
