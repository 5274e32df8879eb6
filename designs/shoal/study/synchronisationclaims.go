package study

import (
	"slices"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"
)

// synchronisationClaims are of §3.4 and §6.1.
func synchronisationClaims() []claims.Claim {
	point := func(q SynchronisationPoint, f func(r synchronisationResult) claims.Measurement) measure {
		return claims.Of(synchronisation, q, f)
	}
	precision := func(r synchronisationResult) claims.Measurement {
		return claims.Figure(
			r.Exact, "cycles", "most that two of eight counters differed by at one instant; whole counts: %d", r.Cycles,
		)
	}
	distributed := SynchronisationPoint{Rule: "dtp", Guard: 1, Slots: 500, Wires: clock.Nanosecond.Times(6)}
	own := SynchronisationPoint{Rule: "dtp", Alpha: 3, Guard: 4, Slots: 500, PPM: 100, Clocks: "below"}
	follow := SynchronisationPoint{Rule: "follow", Guard: 1, Slots: 500, PPM: 100, Clocks: "around"}
	master := func(f func(r clockMasterResult) claims.Measurement) measure {
		return claims.Of(clockMaster, ClockMasterPoint{Lost: loseTime, Guard: 1, Cells: 10, Slots: 800}, f)
	}
	return []claims.Claim{
		{
			ID: "shoal/6.1/precision", Source: paper + "§6.1", Printed: "less than a clock cycle",
			Text: "DTP over one distributed clock keeps the counters within a clock cycle.",
			Note: "Wires of 10 to 16 ns, by chance; the paper's are equal. Nothing is taken off delays, as they never " +
				"change; with the three ticks that DTP takes off it is two cycles.",
			Judge: claims.AtMost("1", "cycles"), Expect: claims.Holds, Measure: point(distributed, precision),
		},
		{
			ID: "shoal/6.1/guard", Source: paper + "§6.1", Printed: "one clock cycle",
			Text:  "A guard band of one clock cycle is sufficient.",
			Note:  "Found from the edges at which cells enter the switches; no frame is lost in the run.",
			Judge: claims.AtMost("1", "cycles"), Expect: claims.Holds,
			Measure: point(distributed, func(r synchronisationResult) claims.Measurement {
				return claims.Count(
					r.Wanted+int(r.Damaged+r.Cut), "cycles",
					"cells come %d cycles early and %d late at most; %d of %d frames lost", r.Aligned.Early, r.Aligned.Late,
					r.Damaged+r.Cut, r.Frames,
				)
			}),
		},
		{
			ID: "shoal/3.4/frequency/follow", Source: paper + "§3.4, §6.1", Printed: "less than a clock cycle",
			Text: "Without frequency synchronisation counters stay within a clock cycle too, if they follow one master " +
				"forward and back.",
			Note: "Clocks of -100 to 100 ppm; the paper couples frequency and time synchronisation and does not say what " +
				"either does alone.",
			Judge: claims.AtMost("1", "cycles"), Expect: claims.Holds, Measure: point(follow, precision),
		},
		{
			ID: "shoal/3.4/frequency/dtp", Source: paper + "§3.4, §6.1", Printed: "less than a clock cycle",
			Text: "With DTP alone, and clocks of their own, they do as well.", Judge: claims.AtMost("1", "cycles"),
			Expect: claims.Deviates, Recorded: claims.Within("2.63", "5%", "cycles"),
			Reason: "DTP takes three ticks off each sum of both ways before it halves it, so that no counter drives another " +
				"forward, and never goes back: a slower clock lags by those two and what it drifts in an epoch. DTP itself " +
				"bounds neighbours by four ticks. With none taken off (--alpha 0) delays come out too long now and then, and the " +
				"counters run away from the switches.",
			Measure: point(own, precision),
		},
		{
			ID: "shoal/3.5/master/takeover", Source: paper + "§3.5", Printed: "another node needs to take over",
			Text: "When the node that all take the time from stops, the seven others agree on another one.",
			Note: "The paper leaves to SyncE (ITU-T G.8262) how. Here a node that has not heard the master for an epoch takes " +
				"the lowest-numbered one that it hears. " +
				"A node whose link alone has failed would be the others' slave by way of its own choice.",
			Judge: claims.Exactly("1", "masters"), Expect: claims.Holds,
			Measure: master(func(r clockMasterResult) claims.Measurement {
				if len(r.Masters) != 7 || r.TakenOver == 0 || r.Masters[0] == 0 {
					return claims.Unfit("masters %v after %d cycles", r.Masters, r.TakenOver)
				}
				return claims.Count(
					len(slices.Compact(slices.Sorted(slices.Values(r.Masters)))), "masters",
					"node %d; the first node took it %d cycles after the failure, the last %d: a flight and an epoch",
					r.Masters[0], r.Detected, r.TakenOver,
				)
			}),
		},
		{
			ID: "shoal/3.5/master/seamless", Source: paper + "§3.5", Printed: "seamlessly",
			Text: "No frame between the others is lost when they switch to it, on one distributed clock.",
			Note: "Cells that the stopped node was to forward are lost, as §3.5 leaves them to the transport; a count " +
				"accounts for every one.",
			Judge: claims.Exactly("0", "frames"), Expect: claims.Holds,
			Measure: master(func(r clockMasterResult) claims.Measurement {
				lost := r.Damaged
				if r.FirstLost > 0 {
					lost++
				}
				return claims.Count(
					lost, "frames",
					"%d cells between the others are missing; of %d cells %d are delivered, %d twice, %d discarded, %d wait, %d "+
						"lost on lines to the stopped node",
					r.Missing, r.Account.Copies, r.Account.Delivered, r.Account.Duplicate, r.Account.Lost, r.Account.Waiting,
					r.Account.OnLines,
				)
			}),
		},
	}
}
