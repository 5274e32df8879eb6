package study

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/spfc"
)

const paper = "SPFC "

// networkClaims are the claims measured on networks with hosts.
func networkClaims() []claims.Claim {
	var all []claims.Claim
	all = append(all, closedForms()...)
	all = append(all, sectionIIIClaims()...)
	all = append(all, flowModelClaims()...)
	all = append(all, tableIIClaims()...)
	all = append(all, workloadClaims()...)
	return append(all, largeScaleClaims()...)
}

// closedForm is one of the pauses of §III, worked out from Equation 1 with all bursts at line rate, H0 at half of it,
// an egress that serves in order of arrival, and headroom for the bytes that come after a PAUSE.
type closedForm struct {
	time, queue float64 // ps, bytes
}

func burstPauses(pool, alpha, n float64) closedForm {
	const c = 1.0 / float64(spfc.Gbps100)
	t := alpha * pool / (c * (n - 0.5) * (1/(n+0.5) + alpha))
	return closedForm{t, c * (n - 0.5) / (n + 0.5) * t}
}

func (b closedForm) victim(alpha float64) closedForm {
	return closedForm{b.time * (2 + alpha) / (1 + alpha), b.queue * (1 + alpha/2) / (1 + alpha)}
}

// closedPoint is the run that a closed form is held against.
func closedPoint(scheme string, n int) BurstPoint {
	return BurstPoint{Settings: spfc.DefaultSettings(), Bursts: n, Scheme: scheme, Lasts: spfc.Millisecond,
		Far: 9 * spfc.Microsecond, Congest: 1, Heedless: true}
}

// closedPool is the pool of Figure 3a: 16 MB without the headrooms of 30 hosts at 9 us and of 2 receivers at 1 us. A
// headroom holds what the line carries both ways, 225,000 and 25,000 bytes, and 3 packets of 1,048 with a PFC frame of
// 64.
const closedPool = 16_000_000 - 30*(225_000+3*1048+64) - 2*(25_000+3*1048+64)

// farthest measures by how much runs miss a closed form at most, over alpha 1, 2, 4 and several N.
func farthest(unit string, ns []int, miss func(r burstResult, b closedForm, alpha float64) float64) claims.Measure {
	type run struct {
		alpha float64
		n     int
	}
	var runs []run
	var points []BurstPoint
	for _, alpha := range []float64{1, 2, 4} {
		for _, n := range ns {
			runs, points = append(runs, run{alpha, n}), append(points, closedPoint(fmt.Sprintf("dt%g", alpha), n))
		}
	}
	return claims.OfAll(burst, points, func(rs []burstResult) claims.Measurement {
		m := claims.Figure(0, unit, "%d runs, first PAUSE after the bursts' first bit", len(rs))
		for i, r := range rs {
			alpha, n := runs[i].alpha, runs[i].n
			if r.BurstPause < 0 || r.VictimPause < 0 {
				return claims.Unfit("alpha %g, N = %d: a port was never paused", alpha, n)
			}
			d := miss(r, burstPauses(closedPool, alpha, float64(n)), alpha)
			m = m.With(claims.Row{Label: fmt.Sprintf("alpha %g, N = %d", alpha, n), Kind: claims.Point,
				Series: fmt.Sprintf("alpha %g", alpha), At: float64(n), Value: d})
			m.Value = max(m.Value, math.Abs(d))
		}
		return m
	})
}

func closedForms() []claims.Claim {
	const note = "H0 without congestion control, no reserve, FIFO egress; alpha 1, 2, 4 and N = 12, 24, 29. A packet of " +
		"1,048 B lasts 83.84 ns; H0's to R2 come every second slot."
	ns := []int{12, 24, 29}
	return []claims.Claim{
		{ID: "spfc/eq1/burst-pause", Source: paper + "Eq. 1, §III-B", Printed: "T = Q",
			Text: "Burst ports pause where Equation 1 says, at t* = aB / (C (N - 1/2) (1/(N + 1/2) + a)).", Note: note,
			Judge: claims.AtMost("83.84", "ns"), Expect: claims.Holds,
			Measure: farthest(
				"ns", ns,
				func(r burstResult, b closedForm, _ float64) float64 { return (float64(r.BurstPause) - b.time) / 1000 },
			)},
		{ID: "spfc/eq1/burst-queue", Source: paper + "Eq. 1, §III-B", Printed: "T = Q",
			Text: "Their queue is then C (N - 1/2)/(N + 1/2) t*.", Note: note,
			Judge: claims.AtMost("1048", "bytes"), Expect: claims.Holds,
			Measure: farthest(
				"bytes", ns,
				func(r burstResult, b closedForm, _ float64) float64 { return float64(r.BurstQueue) - b.queue },
			)},
		{ID: "spfc/eq1/victim-pause", Source: paper + "Eq. 1, §III-B", Printed: "T = Q",
			Text: "Under DT the victim's port pauses at t* (2 + a)/(1 + a).", Note: note,
			Judge: claims.AtMost("167.68", "ns"), Expect: claims.Holds,
			Measure: farthest("ns", ns, func(r burstResult, b closedForm, alpha float64) float64 {
				return (float64(r.VictimPause) - b.victim(alpha).time) / 1000
			})},
		{ID: "spfc/eq1/victim-queue", Source: paper + "Eq. 1, §III-B", Printed: "T = Q",
			Text: "With a queue of T* (1 + a/2)/(1 + a).", Note: note,
			Judge: claims.AtMost("2096", "bytes"), Expect: claims.Holds,
			Measure: farthest("bytes", ns, func(r burstResult, b closedForm, alpha float64) float64 {
				return float64(r.VictimQueue) - b.victim(alpha).queue
			})},
		{ID: "spfc/eq4/pinned-queue", Source: paper + "Eq. 4, §III-A", Printed: "T = B",
			Text: "With the whole pool for itself it pauses only with a queue of T* (1/2 + 1/a).", Note: note + " Alpha 2.",
			Judge: claims.AtMost("2096", "bytes"), Expect: claims.Holds,
			Measure: claims.OfAll(burst, pointsOf(func(n int) BurstPoint { return closedPoint("pinned", n) }, ns...),
				func(rs []burstResult) claims.Measurement {
					m := claims.Figure(0, "bytes", "N = 12, 24, 29")
					for i, r := range rs {
						queue := burstPauses(closedPool, 2, float64(ns[i])).queue * (0.5 + 0.5)
						m.Value = max(m.Value, math.Abs(float64(r.VictimQueue)-queue))
					}
					return m
				})},
		{ID: "spfc/fig2/queue", Source: paper + "§II-D, Fig. 2", Printed: "2/3 B",
			Text:  "With alpha 2 a port that is overloaded alone stops at two thirds of the buffer.",
			Note:  "100 Gb/s into 10 Gb/s, without control; B is what headrooms leave.",
			Judge: claims.Within("0.66667", "0.05%", ""), Expect: claims.Holds,
			Measure: loneOverload(func(p spfc.PauseCounts,
				m *spfc.Manager) float64 {
				return float64(p.FirstQueue) / float64(m.Pool())
			})},
		{ID: "spfc/fig2/reserved", Source: paper + "§II-D", Printed: "B/3", Text: "A third stays free.",
			Judge: claims.Within("0.33333", "0.1%", ""), Expect: claims.Holds,
			Measure: loneOverload(func(_ spfc.PauseCounts, m *spfc.Manager) float64 {
				return float64(m.Pool()-m.Used()) / float64(m.Pool())
			})},
	}
}

// loneOverload runs one sender of 100 Gb/s to a receiver of 10 Gb/s until it is paused.
func loneOverload(get func(spfc.PauseCounts, *spfc.Manager) float64) claims.Measure {
	return func(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
		top := spfc.SingleSwitch(1, spfc.Microsecond, spfc.Gbps100, 4_000_000)
		top.Links[1].ByteTime = spfc.Gbps10
		sc := spfc.DefaultScenario(top)
		sc.Policy, sc.Reserve, sc.Seed = spfc.DT, 0, run.Seed
		sc.Flows = []spfc.Flow{{From: 0, To: 1, Bytes: 8_000_000, Control: spfc.Uncontrolled}}
		f, err := spfc.NewFabric(&sc)
		if err != nil {
			return claims.Measurement{}, err
		}
		m := f.Switches[0].Manager()
		for at := spfc.Microsecond; m.PausesOf(0).Pauses == 0 && at < spfc.Millisecond; at += spfc.Microsecond {
			if err := f.Run(ctx, at); err != nil {
				return claims.Measurement{}, err
			}
		}
		p := m.PausesOf(0)
		return claims.Figure(get(p, m), "", "PAUSE after %d ps with %d bytes of a pool of %d", int64(p.First),
			p.FirstQueue, m.Pool()), nil
	}
}

func rising(rows []claims.Row) bool {
	for i := 1; i < len(rows); i++ {
		if rows[i].Value <= rows[i-1].Value {
			return false
		}
	}
	return len(rows) > 1
}

func flowModelClaims() []claims.Claim {
	points := []surfacePoint{{3, 1, 5}, {5, 1, 5}, {24, 1, 5}, {3, 7, 5}, {5, 7, 5}, {24, 7, 5}} // N, 8 epsilon, K
	worst := func(get func(q surfacePoint, r surfaceResult) float64) claims.Measure {
		return claims.OfAll(surface, points, func(rs []surfaceResult) claims.Measurement {
			m := claims.Figure(0, "%", "%d pairs of N and epsilon, 400 us, egress fair to its ingress ports", len(rs))
			for i, r := range rs {
				if r.Pauses > 0 {
					return claims.Unfit("%d PAUSEs in the flow model's buffer", r.Pauses)
				}
				m.Value = max(m.Value, get(points[i], r))
			}
			return m
		})
	}
	state := func(want bool, n, congest int, text string, get func(r surfaceResult) bool) claims.Claim {
		expect := "0"
		if want {
			expect = "1"
		}
		return claims.Claim{ID: fmt.Sprintf("spfc/fig9/n%d-e%d", n, congest), Source: paper + "§IV-C, Fig. 9",
			Printed: "K = 5", Text: text, Judge: claims.Within(expect, "0", ""), Expect: claims.Holds,
			Measure: claims.Of(surface, surfacePoint{n, congest, 5}, func(r surfaceResult) claims.Measurement {
				v := 0.0
				if get(r) {
					v = 1
				}
				return claims.Figure(v, "", "1/rate of P0 is %.3f, of bursts %.3f; %d of %d burst ports and P0 %t are victims",
					1/r.Victim, 1/r.Burst, r.BurstStates, n, r.VictimState)
			})}
	}
	return []claims.Claim{
		{ID: "spfc/eq5/burst", Source: paper + "Eq. 5", Printed: "C/(N+1)",
			Text: "The departure rate of a burst port is C/(N+1).", Judge: claims.AtMost("1", "%"), Expect: claims.Holds,
			Measure: worst(
				func(q surfacePoint, r surfaceResult) float64 { return 100 * math.Abs(r.Burst*float64(q.Bursts+1)-1) },
			)},
		{ID: "spfc/eq6/victim", Source: paper + "Eq. 6", Printed: "(1-e)C + C/(N+1)",
			Text: "That of the victim's port is (1 - epsilon) C + C/(N+1).", Judge: claims.AtMost("1", "%"),
			Expect: claims.Holds,
			Measure: worst(func(q surfacePoint, r surfaceResult) float64 {
				low, _ := q.model()
				return 100 * math.Abs(r.Victim*low-1)
			})},
		state(true, 3, 1, "With N below 4 burst ports are taken for victims.",
			func(r surfaceResult) bool { return r.BurstStates == 3 }),
		state(false, 5, 1, "With five bursts they are not.", func(r surfaceResult) bool { return r.BurstStates > 0 }),
		state(true, 24, 3, "At epsilon 0.75, below 0.8 + 1/25, the victim's port is seen.",
			func(r surfaceResult) bool { return r.VictimState }),
		state(false, 24, 7, "At epsilon 0.875, above it, it is taken for a burst port.",
			func(r surfaceResult) bool { return r.VictimState }),
	}
}

// tableIIClaims are the shares of Table II, of flows as the arrivals of the experiments draw them.
func tableIIClaims() []claims.Claim {
	rows := []struct{ number, traffic [4]string }{
		{[4]string{"15.0", "39.16", "15.83", "27.0"}, [4]string{"0.04", "0.98", "4.01", "94.97"}},
		{[4]string{"70.26", "18.24", "9.0", "2.5"}, [4]string{"0.47", "7.4", "23.45", "68.68"}},
	}
	var all []claims.Claim
	for w, name := range []string{"websearch", "fbhadoop"} {
		for c, class := range sizeClasses {
			for k, of := range []string{"number", "traffic"} {
				printed := rows[w].number[c]
				if k == 1 {
					printed = rows[w].traffic[c]
				}
				cl := claims.Claim{ID: fmt.Sprintf("spfc/table2/w%d/%s/%d", w+1, of, c+1), Source: paper + "Table II",
					Printed: printed + " %",
					Text:    fmt.Sprintf("Flows of %s have this share of the %s of workload W%d.", class.Name, of, w+1),
					Judge:   claims.Within(printed, map[string]string{"number": "0.3", "traffic": "1"}[of], "%"), Expect: claims.Holds,
					Measure: tableII(name, c, k == 1)}
				if w == 0 && c == 3 && k == 0 {
					cl.Expect, cl.Recorded, cl.Reason = claims.Deviates, claims.Within("30", "0.3", "%"),
						"The published distribution has 70 % up to 1 MB; the printed shares add up to 97 %."
				}
				all = append(all, cl)
			}
		}
	}
	return all
}

func tableII(name string, class int, traffic bool) claims.Measure {
	return claims.Seeded(func(seed uint64) (claims.Measurement, error) {
		table, err := workload.ParseSizes(name)
		if err != nil {
			return claims.Measurement{}, err
		}
		const n = 400_000
		rng := rand.New(rand.NewPCG(seed, 2))
		var count, bytes [4]float64
		all := 0.0
		for range n {
			b := table.Draw(rng)
			c := sizeClass(int64(b))
			count[c]++
			bytes[c] += float64(b)
			all += float64(b)
		}
		if traffic {
			return claims.Figure(100*bytes[class]/all, "%", "of the bytes of %d flows drawn", n), nil
		}
		return claims.Figure(100*count[class]/n, "%", "of %d flows drawn", n), nil
	})
}
