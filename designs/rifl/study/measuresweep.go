package study

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"

	"github.com/goldwire/goldwire/designs/rifl"
)

// sweepAt measures a point of Fig. 9 on four lanes.
func sweepAt(ber float64, errors int, what func(p sweptPoint) claims.Measurement) measuring {
	return func(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
		p, err := swept(ctx, with(lanes(4)), ber, errors, 83_000_000, run.Seed, true) // 83 million cycles carry 10 GB
		if err != nil {
			return claims.Measurement{}, err
		}
		if !p.Lossless {
			return claims.Measurement{}, fmt.Errorf("BER %g: frames were lost", ber)
		}
		m := what(p)
		m.Detail = fmt.Sprintf("4 lanes, BER %.3g both ways, %d frame cycles, %d retransmissions; %s", ber, p.Cycles, p.Retransmissions, m.Detail)
		return m, nil
	}
}

func ratio(p sweptPoint) claims.Measurement {
	return figure(100*p.Bandwidth, "%", "frames delivered of one a cycle and lane")
}

// curve measures Fig. 9 at all its rates.
func curve(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
	m := claims.Measurement{Unit: "%", Value: 100}
	for _, ber := range sweepRates() {
		p, err := swept(ctx, with(lanes(4)), ber, 100, 83_000_000, run.Seed, false)
		if err != nil {
			return m, err
		}
		if !p.Lossless {
			return m, fmt.Errorf("BER %g: frames were lost", ber)
		}
		m.Rows = append(m.Rows, claims.Row{Kind: claims.Point, At: ber, Label: fmt.Sprintf("BER %.2e", ber), Value: 100 * p.Bandwidth})
		if ber < 1.01e-7 {
			m.Value = min(m.Value, 100*p.Bandwidth)
		}
	}
	m.Detail = fmt.Sprintf("the least ratio up to 1e-7 of %d rates from 1e-12 to 1e-5, 4 lanes", len(m.Rows))
	return m, nil
}

// byEquation measures the efficiency of one lane at some rates beside Eq. 8, the frames that an error costs being counted once.
func byEquation(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
	cfg := rifl.Default()
	t, err := runFlipsByFrames(rifl.FrameLinkConfig{Config: cfg}, [2][]int{nil, {20}}, 1000)
	if err != nil {
		return claims.Measurement{}, err
	}
	// frames without new data, both directions, for an error in one of them; errors come from both
	stall := 0
	for e := range 2 {
		stall += t.In(e, rifl.Retrans) + t.In(e, rifl.SendRetrans) + t.Idles[e]
	}
	m := claims.Measurement{Unit: "%"}
	for _, ber := range []float64{1e-8, 3e-8, 1e-7, 3e-7} {
		p, err := swept(ctx, cfg, ber, 500, 400_000_000, run.Seed, false)
		if err != nil {
			return m, err
		}
		got, want := p.Bandwidth*float64(cfg.FrameBits-16)/float64(cfg.FrameBits), efficiencyUnder(cfg, float64(stall), ber)
		m.Value = max(m.Value, 100*math.Abs(got-want))
		m.Rows = append(m.Rows, claims.Row{Kind: claims.Point, Series: "simulated", At: ber, Label: fmt.Sprintf("BER %.0e, simulated", ber), Value: 100 * got}, claims.Row{Kind: claims.Point, Series: "Eq. 8", At: ber, Label: fmt.Sprintf("BER %.0e, Eq. 8", ber), Value: 100 * want})
	}
	m.Detail = fmt.Sprintf("greatest difference of simulated and computed efficiency; one error costs %d frames, counted on a single flip", stall)
	return m, nil
}

// frameErrors counts frames hit on a line of a channel with errors.
func frameErrors(ber float64) measuring {
	return func(_ context.Context, run *claims.Run) (claims.Measurement, error) {
		cfg := rifl.Default()
		l, err := rifl.NewFrameLink(rifl.FrameLinkConfig{Config: cfg, BER: [2]float64{ber, 0}, Seed: run.Seed})
		if err != nil {
			return claims.Measurement{}, err
		}
		hit, frames := 0, 400_000
		lane := l.Ends[1].Lanes[0]
		for range frames {
			if l.Corrupt(1, 0, lane) {
				hit++
			}
		}
		want := frameErrorRatio(ber, cfg.FrameBits)
		return figure(float64(hit)/float64(frames)/want, "", "%d of %d frames of 256 bits hit at BER %g, Eq. 9 gives a share of %.6f", hit, frames, ber, want), nil
	}
}

// mtbf computes a row of Table 5, in one of two readings, with the bandwidth that was simulated.
func mtbf(ber, scale float64, unit string, mean bool) measuring {
	return func(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
		errors := fig9Errors
		if ber > 1e-7 { // no stretch is clean
			errors = 2000
		}
		p, err := swept(ctx, with(lanes(4)), ber, errors, 83_000_000, run.Seed, ber >= 1e-7) // the points of Figure 9 where it has them
		if err != nil {
			return claims.Measurement{}, err
		}
		rate := 112e9 * 0.9375 * p.Bandwidth
		ffr := frameFailureRatio(12, 3, 256, ber)
		years, how := timeToOnePercent(ffr, rate, 256), "time to a chance of 1 %"
		if mean {
			years, how = meanTime(ffr, rate, 256), "mean time"
		}
		return figure(years/scale, unit, "%s, FFR %.4g, 112 Gb/s x 0.9375 x the simulated ratio %.4f", how, ffr, p.Bandwidth), nil
	}
}

// lineRates runs links of modules from 25 to 200 Gb/s and counts those whose users get what was sent, at the rate of the line.
func lineRates(_ context.Context, run *claims.Run) (claims.Measurement, error) {
	m := claims.Measurement{Unit: "links"}
	n := int64(0)
	for _, c := range []struct {
		lanes int
		gbps  float64
	}{{1, 25}, {1, 28}, {4, 25.78125}, {4, 28}, {2, 100}, {4, 50}, {8, 25}} {
		cfg := rifl.LinkConfig{Config: with(lanes(c.lanes), laneRate(clock.MHz(1000*c.gbps))), Seed: run.Seed}
		cfg.UpBit = 6
		flit := c.lanes * cfg.PayloadBytes()
		for e := range 2 { // packets of whole flits
			cfg.Send[e], cfg.Expect[1-e] = rifl.Packets(uint64(e), 20*flit, 20*flit), rifl.Packets(uint64(e), 20*flit, 20*flit)
		}
		cfg.UserBytes = 256
		l, err := rifl.NewLink(cfg)
		if err != nil {
			return m, err
		}
		frame, v := l.Ends[1].Frame, l.Ends[1].Validator
		if err := frame.Run(cfg.Settle()); err != nil {
			return m, err
		}
		const frames = 400
		before := v.Bytes()
		if err := frame.Run(frames); err != nil {
			return m, err
		}
		got := v.Bytes() - before
		if lost := l.Ends[0].Collector.Overflow.Get() + l.Ends[1].Collector.Overflow.Get(); v.Err() == nil && l.Ends[0].Validator.Err() == nil && lost == 0 &&
			got+256 >= uint64(frames*flit) { // a beat may be under way
			n++
		}
		m.Rows = append(m.Rows, claims.Row{Kind: claims.Variant, Label: fmt.Sprintf("%d x %g Gb/s, user Gb/s", c.lanes, c.gbps), Value: float64(got) * 8 / (frames * cfg.FrameNs())})
	}
	m.Exact, m.Detail = big.NewRat(n, 1), fmt.Sprintf("of %d carry all that was sent, both ways, and bring a payload a frame cycle and lane", len(m.Rows))
	return m, nil
}
