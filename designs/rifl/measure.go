package rifl

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

type measure func(context.Context, *claims.Run) (claims.Measurement, error)

func count(n int64, unit, format string, args ...any) claims.Measurement {
	return claims.Measurement{Exact: big.NewRat(n, 1), Unit: unit, Detail: fmt.Sprintf(format, args...)}
}

func figure(v float64, unit, format string, args ...any) claims.Measurement {
	return claims.Measurement{Value: v, Unit: unit, Detail: fmt.Sprintf(format, args...)}
}

// with returns the default link changed.
func with(change ...func(*Config)) Config {
	c := Default()
	for _, f := range change {
		f(&c)
	}
	return c
}

func profile(p Profile) func(*Config)     { return func(c *Config) { c.Profile = p } }
func frameBits(f int) func(*Config)       { return func(c *Config) { c.FrameBits = f } }
func idBits(s int) func(*Config)          { return func(c *Config) { c.IDBits = s } }
func metres(m float64) func(*Config)      { return func(c *Config) { c.Length = m } }
func lanes(n int) func(*Config)           { return func(c *Config) { c.Lanes = n } }
func laneRate(r clock.Freq) func(*Config) { return func(c *Config) { c.LaneRate = r } }

// tableRow measures the meta code that a frame with the given bytes has, and that it decodes to the same.
func tableRow(bytes int, last bool) measure {
	return func(context.Context, *claims.Run) (claims.Measurement, error) {
		frame, back := make([]uint64, 4), make([]byte, 32)
		Encode(frame, make([]byte, bytes), last)
		n, end := Decode(back, frame)
		if n != bytes || end != last {
			return claims.Measurement{}, fmt.Errorf("%d bytes (last %v) come back as %d (last %v)", bytes, last, n, end)
		}
		return count(int64(Meta(frame)), "", "frame of 256 bits with %d bytes, end of packet %v: meta code %02b", bytes, last, Meta(frame)), nil
	}
}

var frameSizes = []int{128, 256, 512, 1024, 2048}

// perSize measures a figure of each frame size; the claim's own is that of size i.
func perSize(i int, f func(frameBits int) int, what string) measure {
	return func(context.Context, *claims.Run) (claims.Measurement, error) {
		return count(int64(f(frameSizes[i])), "bits", "%s at %d bits a frame", what, frameSizes[i]), nil
	}
}

// payloadShare counts payload bits in the frames that a saturated link delivers.
func payloadShare(f int) measure {
	return func(context.Context, *claims.Run) (claims.Measurement, error) {
		cfg := LinkConfig{Config: with(frameBits(f), idBits(6))}
		payload := cfg.PayloadBytes()
		cfg.Send[0], cfg.Expect[1] = Packets(1, payload, payload), Packets(1, payload, payload)
		cfg.UserBytes = f / 8
		l, err := NewLink(cfg)
		if err != nil {
			return claims.Measurement{}, err
		}
		frame, v := l.Ends[1].Frame, l.Ends[1].Validator
		if err := frame.Run(cfg.Settle()); err != nil {
			return claims.Measurement{}, err
		}
		const frames = 400
		before := v.Bytes()
		if err := frame.Run(frames); err != nil {
			return claims.Measurement{}, err
		}
		if err := v.Err(); err != nil {
			return claims.Measurement{}, err
		}
		bits := int64(v.Bytes()-before) * 8
		m := claims.Measurement{Exact: big.NewRat(100*bits, int64(frames*f)), Unit: "%"}
		m.Detail = fmt.Sprintf("%d bits arrived in %d frames of %d bits on one lane", bits, frames, f)
		return m, nil
	}
}

// oneWay measures from handshake to handshake, with the breakdown.
func oneWay(cfg Config) measure {
	return func(ctx context.Context, _ *claims.Run) (claims.Measurement, error) {
		x, err := latency.Measure(ctx, latencyPoint{linkParams: linkOf(cfg)}, 0)
		if err != nil {
			return claims.Measurement{}, err
		}
		total, stages := x.total, x.stages
		frame := cfg.LaneRate.Times(1, int64(cfg.FrameBits)).Period()
		m := claims.Measurement{Exact: total.In(clock.Nanosecond), Unit: "ns",
			Detail: fmt.Sprintf("%s frame cycles from handshake to handshake, %d bits a frame at %v a lane", total.In(frame).RatString(), cfg.FrameBits, cfg.LaneRate)}
		for _, s := range stages {
			m.Rows = append(m.Rows, claims.Row{Kind: claims.Part, Label: s.Name, Exact: s.Took.In(clock.Nanosecond)})
		}
		return m, nil
	}
}

// byLength measures from handshake to handshake at some lengths, in frame cycles.
func byLength(ctx context.Context, _ *claims.Run) (claims.Measurement, error) {
	m := claims.Measurement{Unit: "cycles"}
	for _, f := range []int{256, 512} {
		for _, length := range []float64{1, 3, 10, 30, 100, 300, 500} {
			cfg := with(frameBits(f), metres(length), profile(Safe))
			x, err := latency.Measure(ctx, latencyPoint{linkParams: linkOf(cfg)}, 0)
			if err != nil {
				return m, err
			}
			total := x.total
			cycles := total.In(cfg.LaneRate.Times(1, int64(f)).Period())
			ns, _ := total.In(clock.Nanosecond).Float64()
			m.Rows = append(m.Rows, claims.Row{Kind: claims.Point, Series: fmt.Sprintf("F = %d", f), At: length, Label: fmt.Sprintf("F = %d, %v m (%.1f ns)", f, length, ns), Exact: cycles})
			if f == 256 && length == 10 {
				m.Exact = cycles
			}
		}
	}
	m.Detail = "frame cycles from handshake to handshake; the figure is that of 256 bits and 10 m"
	return m, nil
}

// logicOnly is oneWay without what the line takes.
func logicOnly(cfg Config) measure {
	return func(context.Context, *claims.Run) (claims.Measurement, error) {
		total, stages, err := OneWay(LinkConfig{Config: cfg})
		if err != nil {
			return claims.Measurement{}, err
		}
		logic := total.Sub(stages[3].Took)
		return claims.Measurement{Exact: logic.In(clock.Nanosecond), Unit: "ns",
			Detail: fmt.Sprintf("%v from handshake to handshake, less %v for transceivers and cable", total, stages[3].Took)}, nil
	}
}

// cable measures how much longer the line stage is with a cable of to metres than with one of from metres.
func cable(from, to float64) measure {
	return func(context.Context, *claims.Run) (claims.Measurement, error) {
		var took [2]clock.Time
		for i, m := range []float64{from, to} {
			_, stages, err := OneWay(LinkConfig{Config: with(metres(m), idBits(8))})
			if err != nil {
				return claims.Measurement{}, err
			}
			took[i] = stages[3].Took
		}
		per := new(big.Rat).Quo(took[1].Sub(took[0]).In(clock.Nanosecond), new(big.Rat).SetFloat64(to-from))
		return claims.Measurement{Exact: per, Unit: "ns/m", Detail: fmt.Sprintf("%v at %v m, %v at %v m, from the code generator's register to the aligner's input",
			took[0], from, took[1], to)}, nil
	}
}

// roundTrip measures both ways, from handshake to handshake.
func roundTrip(ctx context.Context, _ *claims.Run) (claims.Measurement, error) {
	x, err := latency.Measure(ctx, latencyPoint{linkParams: linkOf(Default())}, 0)
	if err != nil {
		return claims.Measurement{}, err
	}
	return claims.Measurement{Exact: x.total.Times(2).In(clock.Nanosecond), Unit: "ns", Detail: fmt.Sprintf("twice %v from handshake to handshake", x.total)}, nil
}

// passLength counts the frames of a retransmission on running modules.
func passLength(cfg Config) measure {
	return func(context.Context, *claims.Run) (claims.Measurement, error) {
		t, err := Flips(LinkConfig{Config: cfg}, [2][]int{nil, {20}}, 1000)
		if err != nil {
			return claims.Measurement{}, err
		}
		m := count(int64(t.In(0, Retrans)), "frames", "one bit flipped on the way to end 1, S = %d, %v profile: %d pass, all normal again after %d frames",
			cfg.S(), cfg.Profile, t.Passes[0], len(t.Trace))
		for e, name := range []string{"end 0", "end 1"} {
			for s := Init; s < numStates; s++ {
				m.Rows = append(m.Rows, claims.Row{Label: name + " " + s.String(), Exact: big.NewRat(int64(t.In(e, s)), 1)})
			}
		}
		return m, nil
	}
}

// staleFrames counts frames that were delivered wrong under bit errors both ways.
func staleFrames(cfg Config, ber float64, cycles uint64, seeds int) measure {
	return func(_ context.Context, run *claims.Run) (claims.Measurement, error) {
		var wrong, delivered, passes uint64
		for s := range seeds {
			l, err := NewFrameLink(FrameLinkConfig{Config: cfg, BER: [2]float64{ber, ber}, Seed: run.Seed + uint64(s), Skip: true})
			if err != nil {
				return claims.Measurement{}, err
			}
			l.Run(cycles)
			for e := range 2 {
				r := l.Report(e)
				wrong += r.Wrong
				delivered += r.Delivered
				passes += r.Passes
			}
		}
		if delivered == 0 || passes == 0 {
			return claims.Measurement{}, fmt.Errorf("%d frames delivered, %d retransmissions: nothing to judge", delivered, passes)
		}
		loop := cfg.Loop()
		return count(int64(wrong), "frames", "of %d delivered, %d retransmissions, BER %g both ways; %v profile, S = %d, %v m, loop of %d frames",
			delivered, passes, ber, cfg.Profile, cfg.S(), cfg.Length, loop), nil
	}
}

// pulledCables counts frames delivered wrong or lost while cables are pulled for up to 120 frames, again and again, with bit errors
// and stalling users.
func pulledCables(cfg Config, seeds int) measure {
	return func(_ context.Context, run *claims.Run) (claims.Measurement, error) {
		var wrong, delivered uint64
		pulls := 0
		for s := range seeds {
			rng := rand.New(rand.NewPCG(run.Seed, uint64(s)))
			fc := FrameLinkConfig{Config: cfg, BER: [2]float64{1e-5, 1e-6}, Seed: run.Seed + uint64(s)}
			fc.Stall[s%2] = stalls(run.Seed+uint64(s), 400)
			l, err := NewFrameLink(fc)
			if err != nil {
				return claims.Measurement{}, err
			}
			at := fc.Settle()
			for range 50 {
				at += uint64(rng.IntN(500))
				l.Damage(Damage{From: at, To: at + 1 + uint64(rng.IntN(120)), End: rng.IntN(2), Lane: -1, Kind: Pulled})
				pulls++
			}
			l.Run(at + 3000)
			for e := range 2 {
				r := l.Report(e)
				wrong += r.Wrong + r.Overflow
				delivered += r.Delivered
			}
		}
		return count(int64(wrong), "frames", "of %d delivered; a cable was pulled %d times for up to 120 frames; %v profile", delivered, pulls, cfg.Profile), nil
	}
}

// stalledUsers counts frames lost while both users stall at random and bits flip.
func stalledUsers(cfg Config, ber float64, seeds int) measure {
	return func(_ context.Context, run *claims.Run) (claims.Measurement, error) {
		var lost, delivered uint64
		high := 0
		for s := range seeds {
			fc := FrameLinkConfig{Config: cfg, BER: [2]float64{ber, ber}, Seed: run.Seed + uint64(s)}
			for e := range fc.Stall {
				fc.Stall[e] = stalls(run.Seed+uint64(2*s+e), 1500)
			}
			l, err := NewFrameLink(fc)
			if err != nil {
				return claims.Measurement{}, err
			}
			l.Run(30_000)
			for e := range 2 {
				r := l.Report(e)
				lost += r.Overflow
				delivered += r.Delivered
				high = max(high, r.High)
			}
		}
		depth, _ := flowSize(cfg.Profile, cfg.S())
		return count(int64(lost), "frames", "of %d delivered, BER %g both ways; users stall for up to 1500 frames; buffers of %d held up to %d; %v profile, %v m",
			delivered, ber, depth, high, cfg.Profile, cfg.Length), nil
	}
}

// stalls returns a pattern of phases of up to longest cycles each.
func stalls(seed uint64, longest int) func(uint64) bool {
	rng := rand.New(rand.NewPCG(seed, 3))
	on, next := false, uint64(0)
	return func(c uint64) bool {
		if c >= next {
			on, next = !on, c+1+uint64(rng.IntN(longest))
		}
		return on
	}
}

// starvation counts cycles without a frame for a user that begins to read again, once its buffer had filled.
func starvation(_ context.Context, run *claims.Run) (claims.Measurement, error) {
	var l *FrameLink
	fc := FrameLinkConfig{Config: Default(), Seed: run.Seed}
	fc.Stall[1] = func(c uint64) bool { return c >= 1000 && c < 2000 }
	l, err := NewFrameLink(fc)
	if err != nil {
		return claims.Measurement{}, err
	}
	l.Run(2000)
	before := l.Report(1).Delivered
	const reads = 3000
	l.Run(reads)
	r := l.Report(1)
	return count(int64(reads-(r.Delivered-before)), "cycles", "the user of end 1 rests for 1000 frames, then takes one a cycle for %d; the buffer held up to %d, %d lost",
		reads, r.High, r.Overflow), nil
}

// undetectedQuads counts the share of errors of four bits, all equally likely, that the code does not see. It is exact:
// quadruples are counted as pairs of pairs with the same syndrome.
func undetectedQuads(f int) measure {
	return func(context.Context, *claims.Run) (claims.Measurement, error) {
		var pairs [1 << codeBits]int64
		s := syndromes(f)
		for i, a := range s {
			for _, b := range s[:i] {
				pairs[a^b]++
			}
		}
		// no two single syndromes are equal here, so pairs of the same syndrome are disjoint; a quadruple splits in 3 ways
		var quads int64
		for _, n := range pairs {
			quads += n * (n - 1) / 2
		}
		quads /= 3
		n := int64(f)
		all := n * (n - 1) / 2 * (n - 2) / 3 * (n - 3) / 4
		m := claims.Measurement{Exact: big.NewRat(quads*4096, all), Unit: "x 2^-12"}
		m.Detail = fmt.Sprintf("%d of the %d patterns of 4 flips in a frame of %d bits leave the residue as it is", quads, all, f)
		return m, nil
	}
}

// noiseAccepted counts frames of white noise that are delivered by a verifier that misses a frame, or by one that expects a
// new one each time.
func noiseAccepted(missing bool) measure {
	return func(_ context.Context, run *claims.Run) (claims.Measurement, error) {
		rng := rand.New(rand.NewPCG(run.Seed, 4))
		v := NewVerifier(6)
		for id := range uint16(40) {
			v.Verify(id, true)
		}
		inStep := v
		v.Verify(v.FrameID^1, true)
		const trials = 1_000_000
		frame := make([]uint64, 4)
		delivered := 0
		for range trials {
			for i := range frame {
				frame[i] = rng.Uint64()
			}
			if !missing {
				v = inStep
			}
			if data := Syn(frame) == SynData; v.Verify(Residue(frame), data) && data {
				delivered++
			}
		}
		return count(int64(delivered), "frames", "delivered of %d frames of white noise", trials), nil
	}
}

// codesToTrust counts how many frames in order a receiver sees before it delivers the one that was lost.
func codesToTrust(context.Context, *claims.Run) (claims.Measurement, error) {
	v := NewVerifier(8)
	for id := range uint16(68) {
		v.Verify(id, true)
	}
	v.Verify(68^0x80, true)
	n := int64(0)
	for id := v.FrameID; !v.Verify(id, true); id++ {
		n++
	}
	return count(n, "codes", "frame 68 lost; %d frames in order before it is delivered (the example of the paper)", n), nil
}

// codeword sends one frame with an error that is a code word of the CRC and counts what the user gets wrong.
func codeword(cfg Config) measure {
	return func(_ context.Context, run *claims.Run) (claims.Measurement, error) {
		l, err := NewFrameLink(FrameLinkConfig{Config: cfg, Seed: run.Seed})
		if err != nil {
			return claims.Measurement{}, err
		}
		flips := UndetectedQuad(cfg.FrameBits, rand.New(rand.NewPCG(run.Seed, 6)))
		if cfg.FrameBits == 2048 {
			p := UndetectedPairs(cfg.FrameBits)
			flips = p[len(p)/2][:]
		}
		const settle = 2000
		l.Run(settle)
		var at []uint64
		for _, bit := range flips { // bit F-1 stands first in the frame and last in its word on the line
			word := (cfg.FrameBits - 1 - bit) / 64
			at = append(at, (settle+20)*uint64(cfg.FrameBits)+uint64(64*word+bit%64))
		}
		if err := l.Flip(1, 0, at...); err != nil {
			return claims.Measurement{}, err
		}
		l.Run(1000)
		r := l.Report(1)
		return count(int64(r.Wrong), "frames", "bits %v of one frame of %d flipped, %d retransmissions", flips, cfg.FrameBits, r.Passes), nil
	}
}

// sweepAt measures a point of Fig. 9 on four lanes.
func sweepAt(ber float64, errors int, what func(p SweepPoint) claims.Measurement) measure {
	return func(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
		p, err := swept(ctx, with(lanes(4)), ber, errors, 83_000_000, run.Seed) // 83 million cycles carry 10 GB
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

func ratio(p SweepPoint) claims.Measurement {
	return figure(100*p.Bandwidth, "%", "frames delivered of one a cycle and lane")
}

// curve measures Fig. 9 at all its rates.
func curve(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
	m := claims.Measurement{Unit: "%", Value: 100}
	for _, ber := range SweepRates() {
		p, err := swept(ctx, with(lanes(4)), ber, 100, 83_000_000, run.Seed)
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
	cfg := Default()
	t, err := FlipsByFrames(FrameLinkConfig{Config: cfg}, [2][]int{nil, {20}}, 1000)
	if err != nil {
		return claims.Measurement{}, err
	}
	// frames without new data, both directions, for an error in one of them; errors come from both
	stall := 0
	for e := range 2 {
		stall += t.In(e, Retrans) + t.In(e, SendRetrans) + t.Idles[e]
	}
	m := claims.Measurement{Unit: "%"}
	for _, ber := range []float64{1e-8, 3e-8, 1e-7, 3e-7} {
		p, err := swept(ctx, cfg, ber, 500, 400_000_000, run.Seed)
		if err != nil {
			return m, err
		}
		got, want := p.Bandwidth*float64(cfg.FrameBits-16)/float64(cfg.FrameBits), Efficiency(cfg, float64(stall), ber)
		m.Value = max(m.Value, 100*math.Abs(got-want))
		m.Rows = append(m.Rows, claims.Row{Kind: claims.Point, Series: "simulated", At: ber, Label: fmt.Sprintf("BER %.0e, simulated", ber), Value: 100 * got}, claims.Row{Kind: claims.Point, Series: "Eq. 8", At: ber, Label: fmt.Sprintf("BER %.0e, Eq. 8", ber), Value: 100 * want})
	}
	m.Detail = fmt.Sprintf("greatest difference of simulated and computed efficiency; one error costs %d frames, counted on a single flip", stall)
	return m, nil
}

// frameErrors counts frames hit on a line of a channel with errors.
func frameErrors(ber float64) measure {
	return func(_ context.Context, run *claims.Run) (claims.Measurement, error) {
		cfg := Default()
		l, err := NewFrameLink(FrameLinkConfig{Config: cfg, BER: [2]float64{ber, 0}, Seed: run.Seed})
		if err != nil {
			return claims.Measurement{}, err
		}
		hit, frames := 0, 400_000
		lane := &l.ends[1].lanes[0]
		for range frames {
			if l.corrupt(1, 0, lane) {
				hit++
			}
		}
		want := FER(ber, cfg.FrameBits)
		return figure(float64(hit)/float64(frames)/want, "", "%d of %d frames of 256 bits hit at BER %g, Eq. 9 gives a share of %.6f", hit, frames, ber, want), nil
	}
}

// mtbf computes Table 5's figure at 1e-7, in both readings, with the bandwidth that was simulated.
func mtbf(mean bool) measure {
	return func(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
		p, err := swept(ctx, with(lanes(4)), 1e-7, 300, 83_000_000, run.Seed)
		if err != nil {
			return claims.Measurement{}, err
		}
		rate := 112e9 * 0.9375 * p.Bandwidth
		ffr := FFR(12, 3, 256, 1e-7)
		years, how := MTBF(ffr, rate, 256), "time to a chance of 1 %"
		if mean {
			years, how = MeanTime(ffr, rate, 256), "mean time"
		}
		return figure(years/1e7, "x 10^7 years", "%s, FFR %.4g, 112 Gb/s x 0.9375 x the simulated ratio %.4f", how, ffr, p.Bandwidth), nil
	}
}

// bufferBytes is the least retransmission buffer by Eq. 1 for the longest cable, or the one that IDs of whole bits make of it.
func bufferBytes(built bool) measure {
	return func(context.Context, *claims.Run) (claims.Measurement, error) {
		cfg := with(laneRate(clock.MHz(100_000)), metres(500))
		cfg.Transceivers = 55 // with 45 ns of logic, the paper's 100 ns of circuits
		if built {
			bytes := int64(cfg.FrameBits/8) << cfg.S()
			return count(bytes/1000, "KB", "2^%d entries of %d bits for 500 m at 100 Gb/s", cfg.S(), cfg.FrameBits), nil
		}
		rtt := 2 * (100 + nsPerMetre*cfg.Length)
		return figure(rtt*100/8/1000, "KB", "100 Gb/s x %.0f ns: 100 ns of circuits and %.2f ns/m each way", rtt, nsPerMetre), nil
	}
}

// everySize measures the line efficiency of packets of every size at the framer of a link of laneCount lanes.
func everySize(laneCount, width int) measure {
	return func(context.Context, *claims.Run) (claims.Measurement, error) {
		const most = 8192
		frames, err := flitsBySize(laneCount, width, most)
		if err != nil {
			return claims.Measurement{}, err
		}
		same := int64(0)
		sum := 0.0
		q := laneCount * 32
		for n := 1; n <= most; n++ {
			got, want := float64(n)/float64(frames[n]*q), FlitEfficiency(n, laneCount*30, q)
			if got == want {
				same++
			}
			sum += got
		}
		return count(same, "sizes", "of %d at which the flits that left are n / (ceil(n/%d) x %d); user beats of %d bytes; mean efficiency %.4f",
			most, laneCount*30, q, width, sum/most), nil
	}
}

// flitsBySize counts the flits of a packet of each size, back to back through a framer whose lanes always accept.
func flitsBySize(laneCount, width, most int) ([]int, error) {
	sizes := make([]int, most)
	for i := range sizes {
		sizes[i] = i + 1
	}
	g := NewGenerator(width, Packets(1, 1, 1, sizes...))
	f, err := NewFramer(width, laneCount, 4)
	if err != nil {
		return nil, err
	}
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("user", clock.MHz(109.375))
	top := sim.Scope("fig8").On(clk)
	top.Add("generator", g)
	top.Add("framer", f)
	rtl.ConnectStream(g.Output(), f.Input())
	for i := range f.Accept {
		rtl.Tie(true, &f.Accept[i])
	}
	flits := make([]int, most+2)
	n, idle := 1, 0
	sim.Observe(flitCounter(func() {
		if n > most {
			return
		}
		if !f.Valid[laneCount-1].Get() {
			if n > 1 {
				idle++
			}
			return
		}
		flits[n]++
		for k := range laneCount {
			if f.Valid[k].Get() && f.Segment[4*k].Get()>>(metaShift+1)&1 == 1 {
				n++
				return
			}
		}
	}))
	if err := sim.Elaborate(); err != nil {
		return nil, err
	}
	if _, err := clk.RunUntil(1<<22, func() bool { return n > most }); err != nil {
		return nil, err
	}
	if n <= most || idle > 0 {
		return nil, fmt.Errorf("%d sizes done, %d cycles idle among them", n-1, idle)
	}
	return flits, nil
}

type flitCounter func()

func (f flitCounter) Observe(rtl.Edges) { f() }

// ranking measures mean efficiencies over the sizes of Fig. 8 from CMAC's least on.
func ranking(context.Context, *claims.Run) (claims.Measurement, error) {
	const from, to = 64, 1500
	m := claims.Measurement{Unit: "%"}
	for _, c := range []struct {
		name string
		of   func(n int) float64
	}{
		{"Ethernet (CMAC)", EthernetEfficiency},
		{"RIFL 512", func(n int) float64 { return FlitEfficiency(n, 62, 64) }},
		{"RIFL 256", func(n int) float64 { return FlitEfficiency(n, 30, 32) }},
		{"Interlaken", InterlakenEfficiency},
		{"Aurora", AuroraEfficiency},
	} {
		sum := 0.0
		for n := from; n <= to; n++ {
			sum += c.of(n)
		}
		m.Rows = append(m.Rows, claims.Row{Label: c.name, Value: 100 * sum / (to - from + 1)})
	}
	m.Value = m.Rows[0].Value
	m.Detail = fmt.Sprintf("mean over payloads of %d to %d bytes; RIFL with user flits of one frame", from, to)
	return m, nil
}

// crystals counts frames lost in a stretch with crystals 100 ppm off.
func crystals(uncompensated bool) measure {
	return func(_ context.Context, run *claims.Run) (claims.Measurement, error) {
		cfg := LinkConfig{Config: Default(), PPM: [2]float64{100, -100}, Uncompensated: uncompensated, Seed: run.Seed}
		for e := range 2 {
			cfg.Send[e], cfg.Expect[1-e] = Packets(uint64(e), 1500, 1500), Packets(uint64(e), 1500, 1500)
		}
		l, err := NewLink(cfg)
		if err != nil {
			return claims.Measurement{}, err
		}
		const frames = 100_000
		if err := l.Ends[0].Frame.Run(frames); err != nil {
			return claims.Measurement{}, err
		}
		var words uint64
		broken := "all that arrived is what was sent"
		for _, e := range l.Ends {
			words += uint64(e.Lanes[0].Receiver.Overflow.Get())
			if err := e.Validator.Err(); err != nil {
				broken = "first difference: " + err.Error()
			}
		}
		return count(int64(words), "words", "lost at clock crossings in %d frames with crystals at +100 and -100 ppm; %s", frames, broken), nil
	}
}
