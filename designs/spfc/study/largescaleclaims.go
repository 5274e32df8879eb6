package study

import (
	"context"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/claims"

	"github.com/goldwire/goldwire/designs/spfc"
)

// largeScaleClaims are of §VII-D on samples that `goldwire verify` can afford; the experiments deadlock and fabric
// have the whole.
func largeScaleClaims() []claims.Claim {
	deadlocks := func(scheme, control string) measured {
		return func(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
			s := spfc.DefaultSettings()
			s.Control = control
			q := DeadlockPoint{Settings: s, Scheme: scheme, Runs: 1, Load: 0.5, Lasts: 2 * spfc.Millisecond,
				Sizes: "websearch", Memory: 32}
			r, err := DeadlockTest.Measure(ctx, q, run.Seed)
			if err != nil {
				return claims.Measurement{}, err
			}
			x, pauses := share{0, len(r.Runs)}, int64(0)
			for _, d := range r.Runs {
				pauses += d.Pauses
				if d.At >= 0 {
					x.n++
				}
			}
			low, high := x.interval()
			return figure(float64(x.n)/float64(x.of), "", "%d of %d runs of 2 ms, 95 %% interval %.2f to %.2f; %d PAUSEs", x.n,
				x.of, low, high, pauses), nil
		}
	}
	const none = "T0 and T3 have one 400G uplink each after the failures, to which load 0.5 offers 16 x 50 Gb/s x 48/63 = 610 Gb/s, so that all hangs on " +
		"congestion control, which holds the queues here. The printed shares come at 32 MB with more load: --load 0.7 --timers paper --first-later " +
		"--keep-target has 6 of 10 runs under DT and 4 of 10 under SPFC."
	cs := []claims.Claim{
		{ID: "spfc/fig17/cycle", Source: paper + "§VII-D, Fig. 17a", Printed: "CBD",
			Text:  "With L0-T3 and L1-T0 failed the buffers of L0, L1, T1 and T2 can wait for each other.",
			Judge: claims.Within("4", "0", "switches"), Expect: claims.Holds,
			Note: "Uncontrolled flows between all racks, 2 MB a switch; the circle still stands 1 ms later.", Measure: deadlockCycle},
		{ID: "spfc/7d/rtt", Source: paper + "§VII-D", Printed: "24 us",
			Text: "The longest base RTT of the fabric is 24 us.", Judge: claims.Within("24", "2%", "us"), Expect: claims.Holds,
			Note: "With the serialisation of a packet and an answer on six links each.",
			Measure: func(ctx context.Context, _ *claims.Run) (claims.Measurement, error) {
				sc := spfc.DefaultScenario(spfc.Clos(8))
				sc.Flows = []spfc.Flow{{From: 0, To: 511, Bytes: 1000, Control: spfc.WithTIMELY}}
				f, err := spfc.NewFabric(&sc)
				if err != nil {
					return claims.Measurement{}, err
				}
				if err := f.Run(ctx, spfc.Millisecond); err != nil {
					return claims.Measurement{}, err
				}
				return figure(spfc.Microseconds(f.Traffic.Flows[0].Timely.Last), "us", "host 0 to host 511 and back"), nil
			}},
	}
	for _, c := range []struct{ scheme, control, printed string }{{"dt2", "dcqcn", "0.612"}, {"dt2", "timely", "0.538"},
		{"spfc", "dcqcn", "0.237"}, {"spfc", "timely", "0.209"}} {
		cs = append(
			cs,
			claims.Claim{
				ID:       fmt.Sprintf("spfc/fig17/%s/%s", c.control, c.scheme),
				Source:   paper + "§VII-D, Fig. 17b",
				Printed:  c.printed,
				Text:     fmt.Sprintf("That share of 1,000 runs meets a deadlock with %s and %s.", c.control, c.scheme),
				Judge:    claims.Within(c.printed, "0.15", ""),
				Note:     "One run of 2 ms. Its interval does not exclude the printed share; that it has no PAUSE is what speaks against it. `goldwire run spfc deadlock --runs 1000` has the whole.",
				Expect:   claims.Deviates,
				Recorded: claims.AtMost("0", ""),
				Reason:   none,
				Measure:  deadlocks(c.scheme, c.control),
			},
		)
	}
	return append(cs, compareClaims()...)
}

// deadlockCycle runs the pod into a deadlock, and on for a millisecond to see whether it stands.
func deadlockCycle(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
	top := spfc.DeadlockPod()
	top.Buffer = 2_000_000
	sc := spfc.DefaultScenario(top)
	sc.Policy, sc.Seed = spfc.DT, run.Seed
	for from := range spfc.PodHosts {
		sc.Flows = append(sc.Flows, spfc.Flow{From: from,
			To: (from + spfc.PodHosts/spfc.PodToRs*(1+from%3)) % spfc.PodHosts, Bytes: 4_000_000, Control: spfc.Uncontrolled})
	}
	f, err := spfc.NewFabric(&sc)
	if err != nil {
		return claims.Measurement{}, err
	}
	for at := 50 * spfc.Microsecond; at < 3*spfc.Millisecond; at += 50 * spfc.Microsecond {
		if err := f.Run(ctx, at); err != nil {
			return claims.Measurement{}, err
		}
		d := f.Deadlocked()
		if d == nil {
			continue
		}
		if err := f.Run(ctx, at+spfc.Millisecond); err != nil {
			return claims.Measurement{}, err
		}
		later := f.Deadlocked()
		if later == nil {
			return figure(0, "switches", "%v after %g us was none", d, spfc.Microseconds(at)), nil
		}
		cycle := slices.Clone(later.Cycle)
		slices.Sort(cycle)
		n := 0
		if slices.Equal(cycle, []string{"L0", "L1", "T1", "T2"}) {
			n = len(cycle)
		}
		return figure(float64(n), "switches", "%v after %g us, %v 1 ms later", d, spfc.Microseconds(at), later), nil
	}
	return figure(0, "switches", "no deadlock in 3 ms"), nil
}
