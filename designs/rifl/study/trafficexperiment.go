package study

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/internal/input"

	"github.com/goldwire/goldwire/designs/rifl"
)

// trafficParams are what the flags of the experiment traffic set.
type trafficParams struct {
	trafficPoint
	Out string `flag:"out" file:"out" help:"write the beats received, with the cycles in which they were taken, to this CSV file"`
}

// trafficPoint is a file of beats and a link.
type trafficPoint struct {
	Trace string  `arg:"FILE" file:"in" required:"true" help:"the beats, CSV: cycle, tdata, tlast" json:"file"`
	BER   float64 `flag:"ber" min:"0" max:"0.001" help:"bit error rate of both directions" json:"ber" knob:"true"`
	Width int     `flag:"width" min:"0" max:"2048" unit:"bytes" help:"bytes of a beat, a power of two; 0 for that which fills the lanes: 32 for one of 256 bits" json:"beat_bytes"`
	linkParams
}

// trafficResult is what arrived.
type trafficResult struct {
	Cycles          uint64         `json:"user_cycles"`
	SentBeats       int            `json:"sent_beats"`
	SentBytes       int            `json:"sent_bytes"`
	Beats           int            `json:"received_beats"`
	Bytes           int            `json:"received_bytes"`
	Lost            int            `json:"lost_bytes"`
	Changed         int            `json:"changed_bytes"`
	Surplus         int            `json:"surplus_bytes"`
	First           string         `json:"first_difference,omitempty"`
	Sound           bool           `json:"sound"`
	Retransmissions int            `json:"retransmissions"`
	Gbps            float64        `json:"gbps"`
	Latency         trafficLatency `json:"latency"`

	received []rifl.TrafficBeat
	ns       []float64 // latencies, sorted
}

// trafficLatency is the latency of beats, from handshake to handshake.
type trafficLatency struct {
	Least  float64      `json:"least_ns"`
	Mean   float64      `json:"mean_ns"`
	Median float64      `json:"median_ns"`
	P99    float64      `json:"p99_ns"`
	Most   float64      `json:"most_ns"`
	Bins   []trafficBin `json:"histogram"`
}

type trafficBin struct {
	From  float64 `json:"from_ns"`
	To    float64 `json:"below_ns"`
	Beats int     `json:"beats"`
}

// trafficFile sends beats of a file (§6.A).
var trafficFile = experiment.Define(experiment.Spec[trafficParams, trafficPoint, trafficResult]{
	Name: "traffic", Waves: true, Checkpoints: true, Short: "Send the beats of a CSV file, cycle by cycle (§6.A)",
	Source: "§6.A",
	Long: `Send AXI4-Stream beats from end 0 to end 1 of a link with bit errors, clock edge by clock edge, and compare
what arrives byte by byte. The file has the columns cycle, tdata and tlast: the cycle of the user's clock from which
on a beat is offered, its bytes in hexadecimal, the first first, and 1 if it ends a packet. Only a packet's last beat
may have fewer bytes than the user's interface.

A fault is a byte that is lost or wrong. The exit code is 1 if there is one, or if nothing arrives for 200,000 cycles.`,
	Examples: []string{
		"traffic beats.csv --ber 1e-5 --out received.csv",
		"traffic beats.csv --lanes 4 --metres 100 --profile safe --json",
	},
	Defaults: trafficParams{trafficPoint: trafficPoint{linkParams: linkOf(rifl.Default())}},
	Fit: func(q *trafficPoint) error {
		if err := q.check(); err != nil {
			return err
		}
		_, err := userWidth(q.Width, q.Lanes, q.Frame)
		return err
	},
	Run:    runTraffic,
	Report: reportTraffic,
})

// trafficRun is a link while it carries the beats of a file.
type trafficRun struct {
	link     *rifl.Link
	received []rifl.TrafficBeat
	passes   int
	inPass   []bool // by end and lane: was in RETRANS
	idle     int    // cycles in which nothing has come
	ended    bool
}

func runTraffic(ctx context.Context, run *experiment.Run, q trafficPoint) (r trafficResult, err error) {
	cfg, err := q.config()
	if err != nil {
		return r, err
	}
	width, err := userWidth(q.Width, q.Lanes, q.Frame)
	if err != nil {
		return r, err
	}
	beats, err := readTrafficFile(q.Trace, width)
	if err != nil {
		return r, err
	}
	const beatMemory = 200 // beside its bytes, sent and received
	cycles := float64(max(beats[len(beats)-1].Cycle, uint64(len(beats))))
	if err := run.Expect(cycles, float64(len(beats))*float64(beatMemory+2*width)); err != nil {
		return r, fmt.Errorf("%s: %w", q.Trace, err)
	}
	lc := rifl.LinkConfig{Config: cfg, UserBytes: width, BER: [2]float64{q.BER, q.BER}, Seed: run.Seed}
	lc.Send[0], lc.Expect[1] = rifl.Play(beats), rifl.Play(beats)
	link, err := rifl.NewLink(lc)
	if err != nil {
		return r, err
	}
	to := link.Ends[1]
	x := &trafficRun{link: link, inPass: make([]bool, 2*cfg.Lanes)}
	err = run.Simulate(
		experiment.Simulation{Sim: link.Sim, Clock: to.User, Faulty: func() bool { return to.Validator.Err() != nil },
			Roots: []any{x}, Knobs: func() error { return link.SetRate(q.BER) }},
	)
	if err != nil {
		return r, err
	}
	progress := func() error {
		run.Progress(uint64(min(len(x.received), len(beats))), uint64(len(beats)))
		return run.Between()
	}
	if err := x.carry(ctx, len(beats), 8<<cfg.S(), progress); err != nil {
		return r, err
	}
	r = x.result(beats)
	r.received, r.Sound = x.received, cfg.Sound() == nil
	return r, nil
}

func readTrafficFile(path string, width int) ([]rifl.TrafficBeat, error) {
	f, err := input.Open(path, input.MostTrace)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return rifl.ReadTraffic(path, f, width)
}

// carry runs until all beats have come and the cycles to settle are over, in which nothing else may, or until nothing
// has come for long.
func (x *trafficRun) carry(ctx context.Context, beats, settle int, progress func() error) error {
	const patience = 200_000 // cycles
	from, to := x.link.Ends[0], x.link.Ends[1]
	for !x.ended {
		if c := to.Collector.Control.Get(); c.Valid && to.Validator.Ready.Get() { // it is taken at the next edge
			b := rifl.TrafficBeat{Cycle: to.User.Cycle() + 1, Last: c.Last}
			for i := range int(c.Bytes) {
				b.Data = append(b.Data, byte(to.Collector.Data[i/8].Get()>>(8*(i%8))))
			}
			x.received = append(x.received, b)
			x.idle = 0
		}
		if err := to.User.Run(1); err != nil {
			return err
		}
		x.countPasses()
		sent := from.Generator.Beats()
		underway := sent > len(x.received) || from.Generator.Control.Get().Valid
		if sent < beats && !underway { // the file has a pause
			x.idle = 0
		} else {
			x.idle++
		}
		x.ended = x.idle > patience || sent == beats && !underway && x.idle > settle
		if x.ended || to.User.Cycle()%256 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := progress(); err != nil {
				return err
			}
		}
	}
	return nil
}

// countPasses counts the passes that transmitters go into.
func (x *trafficRun) countPasses() {
	for e, end := range x.link.Ends {
		for k, lane := range end.Lanes {
			i := e*len(end.Lanes) + k
			in := rifl.State(lane.Transmitter.State.Get().Value) == rifl.Retrans
			if in && !x.inPass[i] {
				x.passes++
			}
			x.inPass[i] = in
		}
	}
}

// result compares byte by byte.
func (x *trafficRun) result(beats []rifl.TrafficBeat) trafficResult {
	var sent, got []byte
	for _, b := range beats {
		sent = append(sent, b.Data...)
	}
	for _, b := range x.received {
		got = append(got, b.Data...)
	}
	end := x.link.Ends[1]
	r := trafficResult{
		Cycles: end.User.Cycle(), SentBeats: len(beats), SentBytes: len(sent), Beats: len(x.received), Bytes: len(got),
		Lost: max(0, len(sent)-len(got)), Surplus: max(0, len(got)-len(sent)), Retransmissions: x.passes,
	}
	for i := range min(len(sent), len(got)) {
		if sent[i] != got[i] {
			r.Changed++
		}
	}
	if err := end.Validator.Err(); err != nil {
		r.First = err.Error()
		return r // whose latency the beats have is not known
	}
	r.measure(x.link)
	return r
}

// measure takes the stamps of generator and validator. Beats arrive as they were sent.
func (r *trafficResult) measure(link *rifl.Link) {
	from, to := link.Ends[0], link.Ends[1]
	period := nanosecondsOf(to.User.Freq().Period()) // both ends' crystals are alike
	arrived, taken := to.Validator.Arrived(), from.Generator.Taken()
	if len(arrived) == 0 {
		return
	}
	r.Gbps = float64(r.Bytes) * 8 / (float64(arrived[len(arrived)-1]-taken[0]) * period)
	l := &r.Latency
	var ns []float64
	for k, at := range arrived {
		ns = append(ns, float64(at-taken[k])*period)
		l.Mean += ns[k] / float64(len(arrived))
	}
	slices.Sort(ns)
	r.ns = slices.Clone(ns)
	quantile := func(q float64) float64 { return ns[max(0, int(math.Ceil(q*float64(len(ns))))-1)] }
	l.Least, l.Median, l.P99, l.Most = ns[0], quantile(0.5), quantile(0.99), ns[len(ns)-1]
	width := max(
		1, math.Ceil((l.Most-l.Least)/period/12),
	) * period // some dozen bins of whole cycles, the empty ones left out
	for len(ns) > 0 {
		bin := trafficBin{From: l.Least + math.Floor((ns[0]-l.Least)/width+1e-9)*width}
		bin.To = bin.From + width
		for len(ns) > 0 && ns[0] < bin.To-period/2 {
			bin.Beats++
			ns = ns[1:]
		}
		l.Bins = append(l.Bins, bin)
	}
}

func reportTraffic(
	p *trafficParams, done []experiment.Result[trafficPoint, trafficResult],
) (*experiment.Report, error) {
	x := done[0].Value
	r := &experiment.Report{}
	r.Linef(
		"%d of %d beats, %d of %d bytes arrived in %d cycles: %d lost, %d changed, %d surplus", x.Beats, x.SentBeats,
		x.Bytes, x.SentBytes, x.Cycles, x.Lost, x.Changed, x.Surplus,
	)
	r.Linef("%d retransmissions, seed %d", x.Retransmissions, done[0].Seed)
	cfg, err := p.config()
	if err != nil {
		return nil, err
	}
	sayBuffers(r, cfg)
	t := &experiment.Table{
		Name: "latency", Columns: experiment.Columns("From ns", "%.1f", "Below", "%.1f", "Beats", "", "", ""),
	}
	if l := x.Latency; len(l.Bins) > 0 {
		r.Linef("%.2f Gb/s of user data from the first handshake to the last", x.Gbps)
		r.Linef(
			"latency from handshake to handshake: %.1f ns at least, %.1f on average, median %.1f, p99 %.1f, %.1f at most\n",
			l.Least, l.Mean, l.Median, l.P99, l.Most,
		)
		for _, b := range l.Bins {
			t.Row(b.From, b.To, b.Beats, strings.Repeat("█", (60*b.Beats+x.Beats-1)/x.Beats))
		}
		r.Chart(
			experiment.Chart{
				Name: "latency",
				Lines: &plots.Chart{Title: "RIFL: latency of beats", X: "handshake to handshake (ns)", Y: "share of beats",
					Series: []plots.Series{plots.CDF("beats", x.ns)}},
			},
		)
	}
	r.Table(t)
	r.File(p.Out, func(w io.Writer) error { return rifl.WriteTraffic(w, x.received) })
	if x.First != "" || x.Lost > 0 {
		r.Failf("%s: %s", p.Trace, cmp.Or(x.First, "nothing arrived any more"))
		if !x.Sound {
			r.Failf("%s: %s", p.Trace, soundness(cfg))
		}
	}
	return r, nil
}
