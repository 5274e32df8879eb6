package study

import (
	"context"
	"math"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/rifl"
)

// sweptPoint is what a link did at one bit error rate, both directions together (§6.C). Latencies are in ns, from
// handshake to handshake: of frames, and of packets of 1 to 8192 bytes less their own length (see
// [FrameLinkConfig].Packets).
type sweptPoint struct {
	BER             float64
	Cycles          uint64 // frame cycles of each direction
	Retransmissions uint64
	Bandwidth       float64 // frames delivered, of one a cycle
	N               uint64  // frames whose latency was measured
	Mean, P99, P999 float64
	Packets         packetLatency
	Lossless        bool
}

// packetLatency is the latency of all packets of a run, in ns.
type packetLatency struct {
	N               uint64
	Mean, P99, P999 float64
}

// sweptPackets is the least and the greatest payload of §6.C in bytes.
var sweptPackets = [2]int{1, 8192}

// sweepRates returns the rates of Fig. 9: 1e-12 to 1e-5 in steps of 10^0.25.
func sweepRates() []float64 {
	var r []float64
	for k := -48; k <= -20; k++ {
		r = append(r, math.Pow(10, float64(k)/4))
	}
	return r
}

// sweepRunning is a link of the sweep under way.
type sweepRunning struct {
	link    *rifl.FrameLink
	settled bool
	before  [2]uint64 // frames delivered until then
}

// sweepLink runs a link at a bit error rate, the same both ways, until about the given number of errors has come. It
// takes at most most frame cycles and at least 100,000. Rest is the latency in ns of a link without errors; packets
// says whether those are counted too.
func sweepLink(
	ctx context.Context, run *experiment.Run, cfg rifl.Config, ber, rest float64, errors int, most uint64, packets bool,
) (sweptPoint, error) {
	fc := rifl.FrameLinkConfig{Config: cfg, BER: [2]float64{ber, ber}, Seed: run.Seed, Skip: true}
	if packets {
		fc.Packets = sweptPackets
	}
	l, err := rifl.NewFrameLink(fc)
	if err != nil {
		return sweptPoint{}, err
	}
	x := &sweepRunning{link: l}
	if err := run.Simulate(experiment.Simulation{Cycle: l.Cycle, Roots: []any{x}}); err != nil {
		return sweptPoint{}, err
	}
	const least = 100_000
	if !x.settled {
		l.Run(cfg.Settle())
		l.ForgetLatencies()
		x.settled, x.before = true, [2]uint64{l.Report(0).Delivered, l.Report(1).Delivered}
	}
	wanted := float64(errors) / (ber * float64(2*cfg.Lanes*cfg.FrameBits))
	cycles := max(least, uint64(min(wanted, float64(most))))
	err = runTo(ctx, l, cfg.Settle()+cycles, func() error {
		run.Progress(l.Cycle()-cfg.Settle(), cycles)
		return run.Between()
	})
	if err != nil {
		return sweptPoint{}, err
	}
	p := sweptPoint{BER: ber, Cycles: cycles, Lossless: true}
	var late, whole measure.Histogram
	var delivered uint64
	for e := range 2 {
		r := l.Report(e)
		delivered += r.Delivered - x.before[e]
		p.Retransmissions += r.Passes
		p.Lossless = p.Lossless && r.Lossless()
		late.Merge(r.Latency)
		whole.Merge(r.Packets)
	}
	ns := func(frames float64) float64 { return rest + (frames-float64(cfg.LatencyFrames()))*cfg.FrameNs() }
	p.Bandwidth = float64(delivered) / float64(2*cycles*uint64(cfg.Lanes))
	p.N = late.N
	p.Mean, p.P99, p.P999 = ns(late.Mean()), ns(float64(late.Quantile(0.99))), ns(float64(late.Quantile(0.999)))
	p.Packets = packetLatency{
		whole.N, ns(whole.Mean()), ns(float64(whole.Quantile(0.99))), ns(float64(whole.Quantile(0.999))),
	}
	return p, nil
}
