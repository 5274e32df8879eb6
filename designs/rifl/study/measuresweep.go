package study

import (
	"fmt"
	"math"
	"math/big"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"

	"github.com/goldwire/goldwire/designs/rifl"
)

// most is how many frame cycles a point of a claim has at most: on four lanes they carry 10 GB.
const most = 83_000_000

// onFourLanes is a point of Fig. 9.
func onFourLanes(ber float64, errors int, packets bool) sweepPoint {
	return sweepPoint{fourLanes(), ber, errors, most, packets}
}

// sweepAt measures a point of Fig. 9.
func sweepAt(ber float64, errors int, what func(p sweptPoint) claims.Measurement) claims.Measure {
	return claims.Of(sweep, onFourLanes(ber, errors, true), func(r sweepRun) claims.Measurement {
		p := r.point
		if !p.Lossless {
			return claims.Unfit("BER %g: frames were lost", ber)
		}
		m := what(p)
		m.Detail = fmt.Sprintf(
			"4 lanes, BER %.3g both ways, %d frame cycles, %d retransmissions; %s", ber, p.Cycles, p.Retransmissions,
			m.Detail,
		)
		return m
	})
}

func ratio(p sweptPoint) claims.Measurement {
	return claims.Figure(100*p.Bandwidth, "%", "frames delivered of one a cycle and lane")
}

func meanLatency(p sweptPoint) claims.Measurement {
	return claims.Figure(p.Mean, "ns", "mean of all frames")
}

// curve measures Fig. 9 at all its rates.
func curve() claims.Measure {
	var points []sweepPoint
	for _, ber := range sweepRates() {
		points = append(points, onFourLanes(ber, 100, false))
	}
	return claims.OfAll(sweep, points, func(rs []sweepRun) claims.Measurement {
		m := claims.Figure(100, "%", "the least ratio up to 1e-7 of %d rates from 1e-12 to 1e-5, 4 lanes", len(rs))
		for _, r := range rs {
			p := r.point
			if !p.Lossless {
				return claims.Unfit("BER %g: frames were lost", p.BER)
			}
			m.Rows = append(
				m.Rows,
				claims.Row{Kind: claims.Point, At: p.BER, Label: fmt.Sprintf("BER %.2e", p.BER), Value: 100 * p.Bandwidth},
			)
			if p.BER < 1.01e-7 {
				m.Value = min(m.Value, 100*p.Bandwidth)
			}
		}
		return m
	})
}

// byEquation measures the efficiency of one lane at some rates beside Eq. 8, the frames that an error costs being
// counted once.
func byEquation() claims.Measure {
	cfg := rifl.Default()
	var points []sweepPoint
	for _, ber := range []float64{1e-8, 3e-8, 1e-7, 3e-7} {
		points = append(points, sweepPoint{linkOf(cfg), ber, 500, 400_000_000, false})
	}
	return claims.OfAll(sweep, points, func(rs []sweepRun) claims.Measurement {
		t, err := runFlipsByFrames(rifl.FrameLinkConfig{Config: cfg}, [2][]int{nil, {20}}, 1000)
		if err != nil {
			return claims.Unfit("%w", err)
		}
		// frames without new data, both directions, for an error in one of them; errors come from both
		stall := 0
		for e := range 2 {
			stall += t.In(e, rifl.Retrans) + t.In(e, rifl.SendRetrans) + t.Idles[e]
		}
		const what = "greatest difference of simulated and computed efficiency; one error costs %d frames, counted on a " +
			"single flip"
		m := claims.Figure(0, "%", what, stall)
		for _, r := range rs {
			ber, payload := r.point.BER, float64(cfg.FrameBits-16)/float64(cfg.FrameBits)
			got, want := r.point.Bandwidth*payload, efficiencyUnder(cfg, float64(stall), ber)
			m.Value = max(m.Value, 100*math.Abs(got-want))
			m = m.With(
				claims.Row{
					Kind: claims.Point, Series: "simulated", At: ber, Label: fmt.Sprintf("BER %.0e, simulated", ber),
					Value: 100 * got,
				},
				claims.Row{
					Kind: claims.Point, Series: "Eq. 8", At: ber, Label: fmt.Sprintf("BER %.0e, Eq. 8", ber),
					Value: 100 * want,
				},
			)
		}
		return m
	})
}

// frameErrors counts frames hit on a line of a channel with errors.
func frameErrors(ber float64) claims.Measure {
	return claims.Seeded(func(seed uint64) (m claims.Measurement, err error) {
		cfg := rifl.Default()
		l, err := rifl.NewFrameLink(rifl.FrameLinkConfig{Config: cfg, BER: [2]float64{ber, 0}, Seed: seed})
		if err != nil {
			return m, err
		}
		hit, frames := 0, 400_000
		lane := l.Ends[1].Lanes[0]
		for range frames {
			if l.Corrupt(1, 0, lane) {
				hit++
			}
		}
		want := frameErrorRatio(ber, cfg.FrameBits)
		return claims.Figure(
			float64(hit)/float64(frames)/want, "",
			"%d of %d frames of 256 bits hit at BER %g, Eq. 9 gives a share of %.6f", hit, frames, ber, want,
		), nil
	})
}

// mtbf computes a row of Table 5, in one of two readings, with the bandwidth that was simulated.
func mtbf(ber, scale float64, unit string, mean bool) claims.Measure {
	errors := fig9Errors
	if ber > 1e-7 { // no stretch is clean
		errors = 2000
	}
	q := onFourLanes(ber, errors, ber >= 1e-7) // the points of Figure 9 where it has them
	return claims.Of(sweep, q, func(r sweepRun) claims.Measurement {
		rate := 112e9 * 0.9375 * r.point.Bandwidth
		ffr := frameFailureRatio(12, 3, 256, ber)
		years, how := timeToOnePercent(ffr, rate, 256), "time to a chance of 1 %"
		if mean {
			years, how = meanTime(ffr, rate, 256), "mean time"
		}
		return claims.Figure(
			years/scale, unit, "%s, FFR %.4g, 112 Gb/s x 0.9375 x the simulated ratio %.4f", how, ffr, r.point.Bandwidth,
		)
	})
}

// lineRates runs links of modules from 25 to 200 Gb/s and counts the links whose users get the sent beats, at the rate
// of the line.
func lineRates(seed uint64) (m claims.Measurement, err error) {
	m.Unit = "links"
	n := int64(0)
	for _, c := range []struct {
		lanes int
		gbps  float64
	}{{1, 25}, {1, 28}, {4, 25.78125}, {4, 28}, {2, 100}, {4, 50}, {8, 25}} {
		cfg := rifl.LinkConfig{Config: with(lanes(c.lanes), laneRate(clock.MHz(1000*c.gbps))), Seed: seed}
		cfg.UpBit = 6
		flit := c.lanes * cfg.PayloadBytes()
		for e := range 2 { // packets of whole flits
			cfg.Send[e], cfg.Expect[1-e] = rifl.Packets(uint64(e), 20*flit, 20*flit), rifl.Packets(uint64(e), 20*flit, 20*flit)
		}
		cfg.UserBytes = 256
		const frames = 400
		l, got, err := delivered(cfg, frames)
		if err != nil {
			return m, err
		}
		lost := l.Ends[0].Collector.Overflow.Get() + l.Ends[1].Collector.Overflow.Get()
		if l.Ends[1].Validator.Err() == nil && l.Ends[0].Validator.Err() == nil && lost == 0 &&
			got+256 >= uint64(frames*flit) { // a beat may be under way
			n++
		}
		m.Rows = append(
			m.Rows,
			claims.Row{
				Kind: claims.Variant, Label: fmt.Sprintf("%d x %g Gb/s, user Gb/s", c.lanes, c.gbps),
				Value: float64(got) * 8 / (frames * cfg.FrameNs()),
			},
		)
	}
	m.Exact, m.Detail = big.NewRat(n, 1),
		fmt.Sprintf("of %d carry all that was sent, both ways, and bring a payload a frame cycle and lane", len(m.Rows))
	return m, nil
}
