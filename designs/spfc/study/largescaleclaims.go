package study

import (
	"context"
	"slices"

	"github.com/goldwire/goldwire/claims"

	"github.com/goldwire/goldwire/designs/spfc"
)

// largeScaleClaims are of §VII-D on samples that `goldwire verify` can afford; the experiments deadlock and fabric
// have the whole.
func largeScaleClaims() []claims.Claim {
	cs := []claims.Claim{
		{ID: "spfc/fig17/cycle", Source: paper + "§VII-D, Fig. 17a", Printed: "CBD",
			Text:  "With L0-T3 and L1-T0 failed the buffers of L0, L1, T1 and T2 can wait for each other.",
			Judge: claims.Within("4", "0", "switches"), Expect: claims.Holds,
			Note:    "Uncontrolled flows between all racks, 2 MB a switch; the circle still stands 1 ms later.",
			Measure: deadlockCycle},
		{ID: "spfc/7d/rtt", Source: paper + "§VII-D", Printed: "24 us",
			Text: "The longest base RTT of the fabric is 24 us.", Judge: claims.Within("24", "2%", "us"), Expect: claims.Holds,
			Note:    "With the serialisation of a packet and an answer on six links each.",
			Measure: roundTrip(func() *spfc.Topology { return spfc.Clos(8) }, 511, 1000, "host 0 to host 511 and back")},
	}
	cs = append(cs, deadlockClaims()...)
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
			return claims.Figure(0, "switches", "%v after %g us was none", d, spfc.Microseconds(at)), nil
		}
		cycle := slices.Clone(later.Cycle)
		slices.Sort(cycle)
		n := 0
		if slices.Equal(cycle, []string{"L0", "L1", "T1", "T2"}) {
			n = len(cycle)
		}
		return claims.Figure(float64(n), "switches", "%v after %g us, %v 1 ms later", d, spfc.Microseconds(at), later), nil
	}
	return claims.Figure(0, "switches", "no deadlock in 3 ms"), nil
}
