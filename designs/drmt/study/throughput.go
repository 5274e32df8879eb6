package study

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/rtl"
)

// ThroughputParams are the parameters of the experiment throughput.
type ThroughputParams struct {
	ProgramParams
	Packets int `flag:"packets" min:"100" max:"10000000" help:"packets of each machine" json:"packets"`
	Most    int `flag:"most" min:"1" max:"32" help:"greatest number of processors, or of stages" json:"most"`
}

// throughputPoint is a number of processors and of stages.
type throughputPoint struct {
	ThroughputParams
	Units int
}

// throughputResult is what both machines did with one number of processors or stages.
type throughputResult struct {
	Program string
	Period  [2]int // of IPC 1 and 2
	DRMT    [2]float64
	Stages  int // that RMT needs
	RMT     float64
}

func runThroughput(ctx context.Context, run *experiment.Run, q throughputPoint) (r throughputResult, err error) {
	p, err := q.load(run.Seed)
	if err != nil {
		return r, err
	}
	r.Program = p.P4.Name
	for i := range r.DRMT {
		s, c, err := Build(ctx, p, i+1, 0, run.Seed)
		if err != nil {
			return r, err
		}
		r.Period[i] = s.Period
		most, _ := c.Pace()
		o, err := RunSwitch(ctx, p, c, min(q.Units, most), q.Packets, always(p, q.Packets, run.Seed), rtl.Config{}, run)
		if err == nil && o.Faults > 0 {
			err = fmt.Errorf("a fault: %s", o.FirstFault)
		}
		if err != nil {
			return r, err
		}
		r.DRMT[i] = o.Throughput
	}
	opt, err := p.options()
	if err != nil {
		return r, err
	}
	c, err := compile.RMT(p.P4, nil, opt)
	if err != nil {
		return r, err
	}
	r.Stages = len(c.Image.Stages)
	o, err := RunPipeline(ctx, p, c, q.Units, q.Packets, always(p, q.Packets, run.Seed), rtl.Config{}, run)
	if err == nil && o.Faults > 0 {
		err = fmt.Errorf("a fault: %s", o.FirstFault)
	}
	r.RMT = o.Throughput
	return r, err
}

func always(p Program, count int, seed uint64) func() Source {
	return func() Source { return NewTraffic(p.P4, p.Entries, count, seed) }
}

// throughput is Figure 7, measured on the machines.
var throughput = experiment.Define(experiment.Spec[ThroughputParams, throughputPoint, throughputResult]{
	Name: "throughput", Checkpoints: true, Short: "Throughput against processors, on both machines",
	Source: "dRMT Figure 7, Eq. 9 and 10",
	Long: "With fewer processors than the period has cycles dRMT takes a packet in N of P cycles; with fewer stages " +
		"than the program has RMT recirculates. Both machines run, all packets are compared with the interpreter's, and " +
		"packets are counted between the first and the last that leaves.",
	Examples: []string{"throughput --program rewriter"},
	Defaults: ThroughputParams{
		ProgramParams: ProgramParams{ProgramSource: ProgramSource{Program: "l2l3"}, Fill: 24}, Packets: 4000, Most: 8,
	},
	Points: func(p *ThroughputParams, seed uint64) ([]experiment.Point[throughputPoint], error) {
		var qs []throughputPoint
		for n := 1; n <= p.Most; n++ {
			qs = append(qs, throughputPoint{*p, n})
		}
		return experiment.Each(seed, qs...), nil
	},
	Run: runThroughput,
	Report: func(p *ThroughputParams, done []experiment.Result[throughputPoint, throughputResult]) (*experiment.Report,
		error) {
		r := &experiment.Report{}
		t := &experiment.Table{
			Name: "throughput",
			Columns: experiment.Columns("Processors", "", "RMT", "%.4f", "min(1, 1/ceil(S/N))", "%.4f",
				"dRMT IPC 1", "%.4f", "N/P", "%.4f", "dRMT IPC 2", "%.4f", "N/P", "%.4f"),
		}
		rmt, one, two := plots.Series{Name: "RMT"}, plots.Series{Name: "dRMT (IPC=1)"}, plots.Series{Name: "dRMT (IPC=2)"}
		add := func(s *plots.Series, n int, y float64) { s.X, s.Y = append(s.X, float64(n)), append(s.Y, y) }
		for _, d := range done {
			n, v := d.Point.Units, d.Value
			t.Row(
				n, v.RMT, 1/float64((v.Stages+n-1)/n), v.DRMT[0], min(1, float64(n)/float64(v.Period[0])), v.DRMT[1],
				min(1, float64(n)/float64(v.Period[1])),
			)
			add(&rmt, n, v.RMT)
			add(&one, n, v.DRMT[0])
			add(&two, n, v.DRMT[1])
		}
		r.Table(t)
		if len(done) > 0 {
			v := done[0].Value
			r.Linef("%s: S = %d stages, P = %d at IPC 1, %d at IPC 2.", v.Program, v.Stages, v.Period[0], v.Period[1])
		}
		r.Chart(
			experiment.Chart{
				Lines: &plots.Chart{
					Title: "Throughput against processors", X: "processors or stages", Y: "packets a cycle",
					Series: []plots.Series{rmt, one, two},
				},
			},
		)
		return r, nil
	},
})
