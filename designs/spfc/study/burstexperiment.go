package study

import (
	"fmt"
	"io"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"

	"github.com/goldwire/goldwire/designs/spfc"
)

// burst is §III: a host whose flow to an idle receiver suffers when others burst to the receiver of its other flow.
var burst = experiment.Define(experiment.Spec[burstParams, BurstPoint, burstResult]{
	Name: "burst", Checkpoints: true, Short: "A victim flow beside bursts, on one switch",
	Source: "SPFC §III, Figures 2, 4, 5, 6",
	Long: "H0 sends F1 to R1 and F2 to R2; from 1 ms on hosts H1 to HN send uncontrolled bursts to R2. Counted while " +
		"the bursts last: PAUSE decisions and frames of port P0, rates of F1 and F2 on the line. F1 is recovered when it " +
		"has 90 Gb/s in all windows of 100 us from then on. With one N there are charts of queue and threshold over time " +
		"(Figure 5), with several of PAUSE frames and F1 by N (Figure 4).",
	Examples: []string{"burst --n 24", "burst --n 24 --scheme spfc --vcd states.vcd",
		"burst --n 1,4,8,16,24,29 --scheme dt2,spfc --timers paper", "burst --n 20 --lasts 20ms --scheme dt2,pinned"},
	Defaults: burstParams{Settings: spfc.DefaultSettings(), Bursts: []int{1, 4, 8, 12, 16, 20, 24, 29},
		Schemes: spfc.Schemes, Lasts: clock.MustTime("11ms"),
		Offset: clock.MustTime("0us"), Far: clock.MustTime("9us"), Congest: 1, Interval: clock.MustTime("20us")},
	Check: func(p *burstParams) error {
		for _, n := range p.Bursts {
			if p.Testbed && n >= spfc.TestbedSenders {
				return fmt.Errorf("--n %d with --testbed, want at most %d", n, spfc.TestbedSenders-1)
			}
		}
		return p.Check(p.Schemes...)
	},
	Points: burstPoints,
	Run:    runBurst,
	Report: reportBurst,
})

func burstPoints(p *burstParams, seed uint64) ([]experiment.Point[BurstPoint], error) {
	q := BurstPoint{Settings: p.Settings, Congest: p.Congest, Testbed: p.Testbed, Record: p.VCD != ""}
	var err error
	for _, of := range []struct {
		flag string
		from clock.Time
		to   *spfc.Time
	}{{"lasts", p.Lasts, &q.Lasts}, {"offset", p.Offset, &q.Offset}, {"delay", p.Far, &q.Far},
		{"every", p.Interval, &q.Every}} {
		if *of.to, err = spfc.Picoseconds(of.from); err != nil {
			return nil, fmt.Errorf("--%s: %w", of.flag, err)
		}
	}
	if len(p.Bursts) > 1 && p.Samples == "" && p.VCD == "" {
		q.Every = 0
	}
	var qs []BurstPoint
	for _, s := range p.Schemes {
		for _, n := range p.Bursts {
			q.Scheme, q.Bursts = s, n
			qs = append(qs, q)
		}
	}
	return experiment.Each(seed, qs...), nil
}

func reportBurst(p *burstParams, done []experiment.Result[BurstPoint, burstResult]) (*experiment.Report, error) {
	r := &experiment.Report{}
	t := &experiment.Table{
		Name: "burst",
		Columns: experiment.Columns(
			"Scheme", "", "N", "", "PAUSEs of P0", "", "Frames", "", "Mb/s", "%.3f", "PAUSEs of all", "", "H0 paused",
			"%.3f", "F1 Gb/s", "%.2f", "F2 Gb/s", "%.2f", "Recovery us", "%.0f", "Most stored MB", "%.2f", "Answers lost",
			"",
		),
	}
	frames, rate := map[string]*plots.Series{}, map[string]*plots.Series{}
	for _, d := range done {
		q, v := d.Point, d.Value
		t.Row(q.Scheme, q.Bursts, v.Pauses, v.Frames, v.PauseMbps, v.AllPauses, v.PausedShare, v.F1Gbps, v.F2Gbps,
			spfc.Microseconds(v.Recovery), float64(v.MaxStored)/1e6, v.AnswersLost)
		for m, y := range map[*map[string]*plots.Series]float64{&frames: v.PauseMbps, &rate: v.F1Gbps} {
			if (*m)[q.Scheme] == nil {
				(*m)[q.Scheme] = &plots.Series{Name: q.Scheme}
			}
			s := (*m)[q.Scheme]
			s.X, s.Y = append(s.X, float64(q.Bursts)), append(s.Y, y)
		}
		if len(p.Bursts) == 1 {
			for _, c := range sampleCharts(q.Scheme, v.Samples) {
				r.Chart(c)
			}
		}
	}
	r.Table(t)
	r.File(p.VCD, func(w io.Writer) error { return writeStates(w, done) })
	r.File(p.Samples, func(w io.Writer) error { return writeSamples(w, done) })
	if len(p.Bursts) > 1 {
		of := func(m map[string]*plots.Series) (all []plots.Series) {
			for _, s := range p.Schemes {
				if m[s] != nil {
					all = append(all, *m[s])
				}
			}
			return all
		}
		r.Chart(experiment.Chart{Name: "pause", Lines: &plots.Chart{Title: "PAUSE frames of P0 (Figure 4a)", X: "bursts",
			Y: "Mb/s", Series: of(frames)}})
		r.Chart(experiment.Chart{Name: "throughput", Lines: &plots.Chart{Title: "F1 (Figure 4b)", X: "bursts", Y: "Gb/s",
			Series: of(rate)}})
	}
	r.Linef(
		"A link has 1,048 bytes of line time for 1,000 of payload; rates are on the line. %s timers, headroom %s, %s, "+
			"offset %v.",
		p.Timers, p.Headroom, p.Arbitration, p.Offset,
	)
	return r, nil
}

// sampleCharts are a column of Figure 5: queues with their thresholds, and rates.
func sampleCharts(scheme string, samples []burstSample) []experiment.Chart {
	line := func(name string, dashed bool, y func(s burstSample) float64) plots.Series {
		s := plots.Series{Name: name, Dashed: dashed}
		for _, x := range samples {
			s.X, s.Y = append(s.X, spfc.Microseconds(x.At)/1000), append(s.Y, y(x))
		}
		return s
	}
	kb := func(of func(s burstSample) int64) func(burstSample) float64 {
		return func(s burstSample) float64 { return float64(of(s)) / 1000 }
	}
	return []experiment.Chart{
		{
			Name: scheme + "-queue",
			Lines: &plots.Chart{Title: "Queue and threshold, " + scheme, X: "ms", Y: "KB", Series: []plots.Series{
				line("P0", false, kb(func(s burstSample) int64 { return s.Victim })),
				line("P0's threshold", true, kb(func(s burstSample) int64 { return min(s.VictimT, 3_000_000) })),
				line(
					"P1", false, kb(func(s burstSample) int64 { return s.Burst }),
				), line("P1's threshold", true, kb(func(s burstSample) int64 { return min(s.BurstT, 3_000_000) }))}},
		},
		{Name: scheme + "-rate", Lines: &plots.Chart{Title: "Rates, " + scheme, X: "ms", Y: "Gb/s", Series: []plots.Series{
			line(
				"F1", false, func(s burstSample) float64 { return s.F1 },
			), line("F2", false, func(s burstSample) float64 { return s.F2 })}}},
	}
}

// writeSamples writes them as CSV.
func writeSamples(w io.Writer, done []experiment.Result[BurstPoint, burstResult]) error {
	if _, err := fmt.Fprintln(w,
		"scheme,n,time_us,p0_bytes,p0_threshold,p0_victim,p1_bytes,p1_threshold,f1_gbps,f2_gbps,p0_pauses"); err != nil {
		return err
	}
	for _, d := range done {
		for _, x := range d.Value.Samples {
			if _, err := fmt.Fprintf(w, "%s,%d,%.3f,%d,%d,%t,%d,%d,%.4f,%.4f,%d\n", d.Point.Scheme, d.Point.Bursts,
				spfc.Microseconds(x.At),
				x.Victim, x.VictimT, x.VictimPort, x.Burst, x.BurstT, x.F1, x.F2, x.Pauses); err != nil {
				return err
			}
		}
	}
	return nil
}
