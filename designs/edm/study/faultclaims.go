package study

import (
	"math/big"

	"github.com/goldwire/goldwire/claims"
)

// faultClaims returns what the paper says of failures (§3.3).
func faultClaims() []claims.Claim {
	const source = "EDM §3.3"
	return []claims.Claim{
		{ID: "edm/3.3/corruption-seen", Source: source, Printed: "the scrambler checks for data corruption",
			Text: "The PHY sees corruption of a link's data, and EDM then disables the link.",
			Note: "Every bit of a 64-byte read and of a 64-byte write is flipped once, on each link that they cross, idle " +
				"around them. Seen is what disables a link, even if the data has passed before.",
			Judge: claims.Exactly("100", "%"), Expect: claims.Deviates, Recorded: claims.Within("23.7", "0.3", "%"),
			Reason: "A scrambler has no redundancy: a flipped bit becomes three and passes. Only what cannot be a block is " +
				"seen: a bad sync header, an unused block type, an idle block that is none.",
			Measure: claims.Of(faults, faultPoint{bitErrors, 0}, corruptionSeen)},
		{ID: "edm/3.3/mirror", Source: source, Printed: "a mirrored back-up switch guards against switch failure",
			Text: "With every message sent to two switches nothing is lost, delivered twice or changed when one of them dies.",
			Note: "Equal links, one source of clocks, memory traffic alone: then both schedulers decide alike. Either switch " +
				"dies, in the middle of traffic, at a random cycle a run.",
			Judge: claims.Exactly("0", "faults"), Expect: claims.Holds, Measure: mirrorClaim(switchDies, 60)},
		{ID: "edm/3.3/mirror/link-down", Source: source, Printed: "takes over in case a link fails",
			Text:  "The mirror also covers the failure of a link from a switch to a host.",
			Judge: claims.Exactly("0", "faults"), Expect: claims.Holds, Measure: mirrorClaim(linkDownDies, 20)},
		{ID: "edm/3.3/mirror/link-up", Source: source, Printed: "takes over in case a link fails",
			Text:  "The mirror also covers the failure of a link from a host to a switch.",
			Judge: claims.Exactly("0", "faults"), Expect: claims.Deviates, Recorded: claims.AtLeast("1", "faults"),
			Reason: "A switch that no longer hears one host schedules otherwise than its mirror, for all hosts: data granted " +
				"by one finds no circuit in the other. See edm/3.3/mirror/fail-stop for what helps.",
			Measure: mirrorClaim(linkUpDies, 20)},
		{ID: "edm/3.3/mirror/fail-stop", Source: source, Printed: "takes over in case a link fails",
			Text: "It covers that failure too if a switch that sees a link from a host fail switches itself off.",
			Note: "Config.FailStop, which the paper does not have. The switch is off before it would have granted the first " +
				"notification that it misses.",
			Judge: claims.Exactly("0", "faults"), Expect: claims.Holds, Measure: mirrorClaim(linkUpFailStop, 20)},
		{
			ID: "edm/3.3/mirror/no-consensus", Source: source,
			Printed: "no consensus protocol is needed: no re-ordering on a single hop",
			Text:    "Switches that get the same messages over a single hop keep the same state without agreeing on an order.",
			Note: "Nothing fails; the second switch's links are longer by 0, 0.7, 1.4 and 2.1 ns: less than a cycle, half " +
				"a metre of fibre. By the same for all, 35 ns, they do no harm.",
			Judge: claims.Exactly("0", "faults"), Expect: claims.Deviates, Recorded: claims.AtLeast("1", "faults"),
			Reason: "A hop keeps the order of one host's messages, not that between hosts. When messages come to the " +
				"switches at other edges these grant otherwise, data finds no circuit, and messages are lost without any failure.",
			Measure: mirrorClaim(nearlyEqual, 20),
		},
		{ID: "edm/3.3/null-response", Source: source, Printed: "a NULL response when the timer expires",
			Text: "Every read at a memory node that dies is answered, by NULL if by nothing else, and no request between " +
				"other nodes is lost.",
			Judge: claims.Exactly("0", "requests"), Expect: claims.Holds,
			Measure: claims.Of(faults, faultPoint{nodeDies, 20}, nullResponse)},
		{ID: "edm/3.3/no-deadlock", Source: source, Printed: "deadlock doesn't happen even under failure",
			Text: "The timers of reads keep applications from waiting for ever when the only switch dies.",
			Note: "Counted are requests that are never completed, or never taken from their application, with message " +
				"queues of 16.",
			Judge: claims.Exactly("0", "requests"), Expect: claims.Deviates, Recorded: claims.AtLeast("1", "requests"),
			Reason: "Only reads have timers. Writes wait for grants for ever; once X of a destination do, those behind them " +
				"wait in the message queue, reads too, until it is full and the application stands still.",
			Measure: claims.Of(faults, faultPoint{aloneDies, 10}, noDeadlock)},
	}
}

// part is a row of a count that is a sum.
func part(label string, n int) claims.Row {
	return claims.Row{Kind: claims.Part, Label: label, Exact: big.NewRat(int64(n), 1)}
}

func corruptionSeen(x faultResult) claims.Measurement {
	c, a := x.Corruption, x.Corruption.All
	const what = "%d of %d flips seen; of the others %d gave wrong data, %d a NULL response, %d a write lost in " +
		"silence, %d a message that never completed"
	m := claims.Exact(
		percent(a.Seen, a.Flips), "%", what, a.Seen, a.Flips, a.Unseen.Corrupt, a.Unseen.Null, a.Unseen.Silent,
		a.Unseen.Stuck,
	)
	for _, s := range c.Sweeps {
		m.Rows = append(
			m.Rows,
			claims.Row{Kind: claims.Variant, Label: s.Message + " " + s.Link, Exact: percent(s.Seen, s.Flips.Flips)},
		)
	}
	return m
}

func mirrorClaim(c mirrorCase, runs int) claims.Measure {
	return claims.Of(faults, faultPoint{c.name, runs}, func(x faultResult) claims.Measurement {
		m := x.Mirrored
		return claims.Count(m.wrong(), "faults", "%s: %d messages in %d runs, %d lost, %d words twice, %d other violations",
			m.Case, m.Messages, m.Runs, m.Lost, m.Twice, m.Violations).
			With(part("messages lost", m.Lost), part("words twice", m.Twice), part("other violations", m.Violations))
	})
}

func nullResponse(x faultResult) claims.Measurement {
	r := x.Node
	if r.Reads.Null == 0 || r.Others == 0 {
		return claims.Unfit("%d reads timed out, %d requests between others: nothing was tested", r.Reads.Null, r.Others)
	}
	const what = "%d reads at the dead node, %d NULL, the latest after %.0f ns with timers of %.0f; %d of %d writes to " +
		"it lost in silence; " +
		"%d requests of others, %d lost, %.1f ns on average, %.1f without the fault"
	return claims.Count(
		r.Reads.Hung+r.Lost, "requests", what, r.Reads.Messages, r.Reads.Null, r.Reads.MostNullNS, r.TimeoutNS,
		r.Writes.Silent, r.Writes.Messages, r.Others, r.Lost, r.AfterNS, r.BeforeNS,
	)
}

func noDeadlock(x faultResult) claims.Measurement {
	a := x.Alone
	return claims.Count(a.blocked(), "requests",
		"of %d in %d runs: %d writes stuck, %d reads behind them, %d never asked; %d reads NULL",
		a.Messages, a.Runs, a.Stuck, a.Hung, a.Unasked, a.Null).
		With(part("writes stuck", a.Stuck), part("reads behind them", a.Hung), part("never asked", a.Unasked))
}
