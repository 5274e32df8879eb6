package study

import (
	"context"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"

	"github.com/goldwire/goldwire/designs/rifl"
)

// sweepParams are what the flags of the experiment sweep set.
type sweepParams struct {
	BERs []float64 `flag:"ber" each:"BER" min:"0" max:"0.001" help:"bit error rates, both directions; several with commas"`
	Runs int       `flag:"runs" min:"1" max:"1000" help:"independent runs of each rate, from which the confidence intervals come; 1 for none"`
	sweepPoint
	PlotLatency string `flag:"plot-latency" file:"out" help:"plot latency against the bit error rate to this SVG file"`
}

// sweepPoint is one run of a link at one bit error rate.
type sweepPoint struct {
	linkParams
	BER    float64 `flag:"-" json:"ber"`
	Errors int     `flag:"errors" min:"1" max:"1000000000" help:"run each rate until about this many bits have flipped, 100,000 frame cycles a run at least" json:"errors"`
	Most   uint64  `flag:"frames" min:"100000" max:"1000000000000" help:"frame cycles of each rate at most; 83 million carry 10 GB on four lanes of 256 bits" json:"frames"`
	// Packets says that they are counted too: where errors are rare that takes longer than all else.
	Packets bool `flag:"-" json:"packets"`
}

// sweepRun is what the link did. A latency is null where too few frames came: see [enoughFor].
type sweepRun struct {
	Cycles          uint64   `json:"frame_cycles"`
	Retransmissions uint64   `json:"retransmissions"`
	Bandwidth       float64  `json:"bandwidth"` // %
	Frames          uint64   `json:"frames"`    // whose latency was measured
	Mean            *float64 `json:"mean_ns"`
	P99             *float64 `json:"p99_ns"`
	P999            *float64 `json:"p99_9_ns"`
	PacketMean      *float64 `json:"packet_mean_ns"`
	PacketP99       *float64 `json:"packet_p99_ns"`
	PacketP999      *float64 `json:"packet_p99_9_ns"`
	Lossless        bool     `json:"lossless"`

	point sweptPoint
}

// fig9 is what the paper prints of Figure 9: bandwidth in per cent by bit error rate, of the link of [fourLanes].
var fig9 = map[float64]float64{1e-7: 96.3}

// printed returns what the paper prints of a link's bandwidth; nothing of another link than its own.
func (p *sweepParams) printed(ber float64) (percent float64, ok bool) {
	percent, ok = fig9[ber]
	return percent, ok && p.linkParams == fourLanes()
}

// sweep is Figure 9.
var sweep = experiment.Define(experiment.Spec[sweepParams, sweepPoint, sweepRun]{
	Name: "sweep", Checkpoints: true, Short: "Bandwidth and latency against the bit error rate (Figure 9)",
	Source: "§6.C, Figure 9",
	Long: `Run a link under full load in both directions at several bit error rates, frame by frame, and print the share
of frame cycles that bring a frame to the user, and the latency from handshake to handshake of the frames, and of
packets of 1 to 8192 bytes less the cycles that their own flits take. Every frame is checked: it has to come once, in
order and unchanged. After ± stands half of the 95 % confidence interval, by Student's t over the runs. Clean
stretches are passed exactly, so a point at 1e-12 takes no longer than one at 1e-7.

The exit code is 1 if a frame is lost or wrong.`,
	Examples: []string{
		"sweep --plot fig9.svg", "sweep --ber 1e-8,1e-7,1e-6 --lanes 1 --profile safe --errors 1000 --json",
	},
	Defaults: sweepParams{
		BERs: []float64{1e-12, 1e-11, 1e-10, 1e-9, 3.2e-9, 1e-8, 3.2e-8, 1e-7, 3.2e-7, 1e-6, 3.2e-6, 1e-5}, Runs: 5,
		sweepPoint: sweepPoint{fourLanes(), 0, 10_000, 83_000_000, true},
	},
	Check: func(p *sweepParams) error { return p.check() },
	Points: func(p *sweepParams, seed uint64) ([]experiment.Point[sweepPoint], error) {
		part := *p // of each run
		part.Errors, part.Most = max(1, p.Errors/p.Runs), max(100_000, p.Most/uint64(p.Runs))
		return experiment.Repeat(p.Runs, seed, 1<<32, experiment.Grid[sweepPoint](&part)...), nil
	},
	Run: func(ctx context.Context, run *experiment.Run, q sweepPoint) (r sweepRun, err error) {
		cfg, err := q.config()
		if err != nil {
			return r, err
		}
		rest, err := latency.Measure(ctx, latencyPoint{linkParams: q.linkParams}, 0)
		if err != nil {
			return r, err
		}
		p, err := sweepLink(ctx, run, cfg, q.BER, rest.Time, q.Errors, q.Most, q.Packets)
		if err != nil {
			return r, err
		}
		r = sweepRun{
			Cycles: p.Cycles, Retransmissions: p.Retransmissions, Bandwidth: 100 * p.Bandwidth, Lossless: p.Lossless,
			point: p,
		}
		r.Frames = p.N
		r.Mean, r.P99, r.P999 = enoughFor(p.N, &p.Mean, &p.P99, &p.P999)
		r.PacketMean, r.PacketP99, r.PacketP999 = enoughFor(p.Packets.N, &p.Packets.Mean, &p.Packets.P99, &p.Packets.P999)
		return r, nil
	},
	Report: reportSweep,
})

// enoughFor returns the figures that n samples can tell, nil in place of the others. A quantile has at least ten
// samples beyond it. The few frames that pass a link with very many errors were under way before the first one: they
// would make 109.7 ± 0.0 ns of 0.002 % of the frames.
func enoughFor(n uint64, mean, p99, p999 *float64) (*float64, *float64, *float64) {
	if n < 10_000 {
		p999 = nil
	}
	if n < 1000 {
		p99 = nil
	}
	if n == 0 {
		mean = nil
	}
	return mean, p99, p999
}

// known adds the figures of a run to lists, but for nil.
func known(lists *[3][]float64, figures ...*float64) {
	for i, f := range figures {
		if f != nil {
			lists[i] = append(lists[i], *f)
		}
	}
}

func fourLanes() linkParams {
	p := linkOf(rifl.Default())
	p.Lanes = 4 // §6.C
	return p
}

// sweptRate is all runs of a rate: means and halves of their 95 % confidence intervals, nil if there is none.
type sweptRate struct {
	ber                             float64
	cycles, retransmissions, frames uint64
	lossless                        bool
	bandwidth, mean, p99, p999      *float64
	bandwidthCI, meanCI, p99CI, ci9 *float64
	packets, packetsCI              [3]*float64 // mean, 99 %, 99.9 %
}

func reportSweep(p *sweepParams, done []experiment.Result[sweepPoint, sweepRun]) (*experiment.Report, error) {
	cfg, err := p.config()
	if err != nil {
		return nil, err
	}
	r := &experiment.Report{}
	r.Linef(
		"%v profile, S = %d, lanes of %g Gb/s: %d; %d bits a frame, %g m, both directions full, seed %d", cfg.Profile,
		cfg.S(), p.Rate, p.Lanes, p.Frame, p.Metres, done[0].Seed,
	)
	sayBuffers(r, cfg)
	r.Linef("")
	payload := float64(cfg.Lanes*cfg.PayloadBytes()) * 8 / cfg.FrameNs()
	t := &experiment.Table{
		Name: "sweep",
		Columns: experiment.Columns(
			"BER", "%g", "Frame cycles", "", "Retransmissions", "", "Bandwidth", "", "Paper", "", "Gb/s", "%.2f",
			"Frames", "", "Mean ns", "", "p99", "", "p99.9", "", "Lossless", "",
		),
	}
	var rates []sweptRate
	for _, ber := range p.BERs {
		x := sweptRate{ber: ber, lossless: true}
		var bandwidth []float64
		var latency, packets [3][]float64 // means, 99th and 99.9th percentiles
		for _, d := range done {
			v := d.Value
			if d.Point.BER != ber {
				continue
			}
			x.cycles += v.Cycles
			x.retransmissions += v.Retransmissions
			x.frames += v.Frames
			x.lossless = x.lossless && v.Lossless
			bandwidth = append(bandwidth, v.Bandwidth)
			known(&latency, v.Mean, v.P99, v.P999)
			known(&packets, v.PacketMean, v.PacketP99, v.PacketP999)
		}
		if len(bandwidth) == 0 {
			continue
		}
		x.bandwidth, x.bandwidthCI = confidence(bandwidth)
		x.mean, x.meanCI = confidence(latency[0])
		x.p99, x.p99CI = confidence(latency[1])
		x.p999, x.ci9 = confidence(latency[2])
		for i := range packets {
			x.packets[i], x.packetsCI[i] = confidence(packets[i])
		}
		rates = append(rates, x)
		paper, lossless := "", "yes"
		if printed, ok := p.printed(ber); ok {
			paper = fmt.Sprintf("%g %%", printed)
		}
		if !x.lossless {
			lossless = "NO"
			r.Failf("BER %g: frames were lost or wrong; %s", ber, soundness(cfg))
		}
		t.Row(
			ber, x.cycles, x.retransmissions, plusMinus("%.3f", x.bandwidth, x.bandwidthCI)+" %", paper,
			payload**x.bandwidth/100, x.frames, plusMinus("%.1f", x.mean, x.meanCI), plusMinus("%.1f", x.p99, x.p99CI),
			plusMinus("%.1f", x.p999, x.ci9), lossless,
		)
	}
	r.Table(t)
	r.Linef(
		"\nBandwidth: frames delivered of one a cycle and lane. Gb/s: user data of one direction. Latency: of Frames, " +
			"handshake to handshake; 99th and 99.9th percentiles of runs of at least 1,000 and 10,000 of them.",
	)
	r.Linef(
		"\nPackets of %d to %d bytes, from the first beat's handshake to the last one's, less what their own flits take\n",
		sweptPackets[0], sweptPackets[1],
	)
	pt := &experiment.Table{
		Name: "packets", Columns: experiment.Columns("BER", "%g", "Mean ns", "", "p99", "", "p99.9", ""),
	}
	for _, x := range rates {
		row := []any{x.ber}
		for i := range x.packets {
			row = append(row, plusMinus("%.1f", x.packets[i], x.packetsCI[i]))
		}
		pt.Row(row...)
	}
	r.Table(pt)
	sweepCharts(r, p, rates)
	return r, nil
}

// sweepCharts draws the points that have a place on a logarithmic axis: rates above 0.
func sweepCharts(r *experiment.Report, p *sweepParams, rates []sweptRate) {
	curve := func(name string, of func(x *sweptRate) (mean, half *float64)) (s plots.Series) {
		s.Name = name
		for i := range rates {
			y, half := of(&rates[i])
			if y == nil || rates[i].ber == 0 {
				continue
			}
			s.X, s.Y = append(s.X, rates[i].ber), append(s.Y, *y)
			if half != nil { // a latency's interval ends above 0: the axis is logarithmic
				s.Low, s.High = append(s.Low, max(*y-*half, *y/100)), append(s.High, *y+*half)
			}
		}
		return s
	}
	s := curve(
		p.Profile.String()+" profile, 95 % interval",
		func(x *sweptRate) (*float64, *float64) { return x.bandwidth, x.bandwidthCI },
	)
	if len(s.X) == 0 {
		return
	}
	bandwidth := &plots.Chart{
		Title: "RIFL: bandwidth under bit errors", X: "bit error rate", Y: "bandwidth (% of that without errors)",
		LogX: true, Series: []plots.Series{s},
	}
	paper := plots.Series{Name: "paper", Dashed: true}
	for i := range rates {
		if y, ok := p.printed(rates[i].ber); ok {
			paper.X, paper.Y = append(paper.X, rates[i].ber), append(paper.Y, y)
		}
	}
	if len(paper.X) > 0 {
		bandwidth.Series = append(bandwidth.Series, paper)
	}
	r.Chart(experiment.Chart{Name: "bandwidth", Lines: bandwidth})
	late := &plots.Chart{
		Title: "RIFL: latency under bit errors", X: "bit error rate", Y: "handshake to handshake (ns)", LogX: true,
		LogY: true,
	}
	for _, q := range []plots.Series{
		curve("mean", func(x *sweptRate) (*float64, *float64) { return x.mean, x.meanCI }),
		curve("99 %", func(x *sweptRate) (*float64, *float64) { return x.p99, x.p99CI }),
		curve("99.9 %", func(x *sweptRate) (*float64, *float64) { return x.p999, x.ci9 }),
	} {
		if len(q.X) > 0 {
			late.Series = append(late.Series, q)
		}
	}
	if len(late.Series) == 0 {
		return
	}
	c := experiment.Chart{Name: "latency", Lines: late}
	r.Chart(c)
	r.File(p.PlotLatency, func(w io.Writer) error { return c.Draw(w) })
}

// confidence returns the mean of independent values and half of its 95 % confidence interval: nothing for no value, no
// interval for one.
func confidence(x []float64) (mean, half *float64) {
	if len(x) == 0 {
		return nil, nil
	}
	m, sd := stat.MeanStdDev(x, nil)
	if len(x) == 1 {
		return &m, nil
	}
	n := float64(len(x))
	h := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975) * sd / math.Sqrt(n)
	return &m, &h
}

// plusMinus prints a mean with its interval.
func plusMinus(format string, x, half *float64) string {
	switch {
	case x == nil:
		return ""
	case half == nil:
		return fmt.Sprintf(format, *x)
	}
	return fmt.Sprintf(format+" ± "+format, *x, *half)
}
