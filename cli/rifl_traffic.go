package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/designs/rifl"
)

// riflTraffic is `goldwire run rifl traffic`.
type riflTraffic struct {
	riflLink
	ber   float64
	width int
	seed  uint64
	out   string
}

func newRIFLTraffic() *cobra.Command {
	o := riflTraffic{riflLink: newRIFLLink()}
	cmd := &cobra.Command{
		Use:   "traffic FILE",
		Short: "Send the beats of a CSV file, cycle by cycle (§6.A)",
		Long: `Send AXI4-Stream beats from end 0 to end 1 of a link with bit errors, clock edge by clock edge, and compare what arrives byte by byte.
The file has the columns cycle, tdata and tlast: the cycle of the user's clock from which on a beat is offered, its bytes in hexadecimal, the
first first, and 1 if it ends a packet. Only a packet's last beat may have fewer bytes than the user's interface.

The exit code is 1 if a byte is lost or wrong, or if nothing arrives for 200,000 cycles.`,
		Example: "  goldwire run rifl traffic beats.csv --ber 1e-5 --out received.csv\n  goldwire run rifl traffic beats.csv --lanes 4 --metres 100 --profile safe --json",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.Float64Var(&o.ber, "ber", 0, "bit error rate of both directions, 0 to 0.001")
	f.IntVar(&o.width, "width", 0, "bytes of a beat, a power of two from 1 to 2048; 0 for that which fills the lanes: 32 for one of 256 bits")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the bit errors")
	f.StringVar(&o.out, "out", "", "write the beats received, with the cycles in which they were taken, to this CSV file")
	o.flags(cmd, "frame", "lanes", "ids", "metres", "profile")
	return cmd
}

type riflTrafficResult struct {
	Seed            uint64             `json:"seed"`
	Cycles          uint64             `json:"user_cycles"`
	SentBeats       int                `json:"sent_beats"`
	SentBytes       int                `json:"sent_bytes"`
	Beats           int                `json:"received_beats"`
	Bytes           int                `json:"received_bytes"`
	Lost            int                `json:"lost_bytes"`
	Changed         int                `json:"changed_bytes"`
	Surplus         int                `json:"surplus_bytes"`
	First           string             `json:"first_difference,omitempty"`
	Sound           bool               `json:"sound"`
	Retransmissions int                `json:"retransmissions"`
	Gbps            float64            `json:"gbps"`
	Latency         riflTrafficLatency `json:"latency"`
}

// riflTrafficLatency is that of beats, from handshake to handshake.
type riflTrafficLatency struct {
	Least  float64          `json:"least_ns"`
	Mean   float64          `json:"mean_ns"`
	Median float64          `json:"median_ns"`
	P99    float64          `json:"p99_ns"`
	Most   float64          `json:"most_ns"`
	Bins   []riflTrafficBin `json:"histogram"`
}

type riflTrafficBin struct {
	From  float64 `json:"from_ns"`
	To    float64 `json:"below_ns"`
	Beats int     `json:"beats"`
}

// riflRun is a link while it carries the beats of a file.
type riflRun struct {
	link     *rifl.Link
	received []rifl.TrafficBeat
	passes   int
	inPass   []bool // by end and lane: was in RETRANS
}

func (o *riflTraffic) run(cmd *cobra.Command, path string) error {
	cfg, err := o.config()
	if err != nil {
		return err
	}
	if !(o.ber >= 0 && o.ber <= 1e-3) {
		return fmt.Errorf("--ber %g: want 0 to 0.001", o.ber)
	}
	width, err := beatBytes(o.width, cfg)
	if err != nil {
		return err
	}
	beats, err := readTraffic(path, width)
	if err != nil {
		return err
	}
	lc := rifl.LinkConfig{Config: cfg, UserBytes: width, BER: [2]float64{o.ber, o.ber}, Seed: o.seed}
	lc.Send[0], lc.Expect[1] = rifl.Play(beats), rifl.Play(beats)
	link, err := rifl.NewLink(lc)
	if err != nil {
		return err
	}
	x := &riflRun{link: link, inPass: make([]bool, 2*cfg.Lanes)}
	bar := newProgress(cmd.ErrOrStderr(), len(beats), "beats")
	err = x.carry(cmd.Context(), len(beats), 8<<cfg.S(), bar)
	bar.finish()
	if err != nil {
		return err
	}
	if err := writePlot(o.out, func(w io.Writer) error { return rifl.WriteTraffic(w, x.received) }); err != nil {
		return err
	}
	r := x.result(beats)
	r.Seed, r.Sound = o.seed, cfg.Sound() == nil
	if o.json {
		err = printJSON(cmd.OutOrStdout(), r)
	} else {
		r.print(cmd.OutOrStdout())
	}
	if err == nil && (r.First != "" || r.Lost > 0) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", path, cmp.Or(r.First, "nothing arrived any more"))
		if err := cfg.Sound(); err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %v\n", path, err)
		}
		err = errFailed
	}
	return err
}

func readTraffic(path string, width int) ([]rifl.TrafficBeat, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return rifl.ReadTraffic(path, f, width)
}

// carry runs until all beats have come and so many cycles more, in which nothing else may, or until nothing has come for long.
func (x *riflRun) carry(ctx context.Context, beats, settle int, bar *progress) error {
	const patience = 200_000 // cycles
	from, to := x.link.Ends[0], x.link.Ends[1]
	idle := 0
	for {
		if to.User.Cycle()%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if c := to.Collector.Control.Get(); c.Valid && to.Validator.Ready.Get() { // it is taken at the next edge
			b := rifl.TrafficBeat{Cycle: to.User.Cycle() + 1, Last: c.Last}
			for i := range int(c.Bytes) {
				b.Data = append(b.Data, byte(to.Collector.Data[i/8].Get()>>(8*(i%8))))
			}
			x.received = append(x.received, b)
			idle = 0
			bar.at(min(len(x.received), beats), to.User.Cycle())
		}
		if err := to.User.Run(1); err != nil {
			return err
		}
		x.countPasses()
		sent := len(from.Generator.Taken())
		underway := sent > len(x.received) || from.Generator.Control.Get().Valid
		if sent < beats && !underway { // the file has a pause
			idle = 0
			continue
		}
		if idle++; idle > patience || sent == beats && !underway && idle > settle {
			return nil
		}
	}
}

// countPasses counts the passes that transmitters go into.
func (x *riflRun) countPasses() {
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
func (x *riflRun) result(beats []rifl.TrafficBeat) riflTrafficResult {
	var sent, got []byte
	for _, b := range beats {
		sent = append(sent, b.Data...)
	}
	for _, b := range x.received {
		got = append(got, b.Data...)
	}
	end := x.link.Ends[1]
	r := riflTrafficResult{Cycles: end.User.Cycle(), SentBeats: len(beats), SentBytes: len(sent), Beats: len(x.received), Bytes: len(got),
		Lost: max(0, len(sent)-len(got)), Surplus: max(0, len(got)-len(sent)), Retransmissions: x.passes}
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
func (r *riflTrafficResult) measure(link *rifl.Link) {
	from, to := link.Ends[0], link.Ends[1]
	period := nanoseconds(to.User.Freq().Period()) // both ends' crystals are alike
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
	quantile := func(q float64) float64 { return ns[max(0, int(math.Ceil(q*float64(len(ns))))-1)] }
	l.Least, l.Median, l.P99, l.Most = ns[0], quantile(0.5), quantile(0.99), ns[len(ns)-1]
	width := max(1, math.Ceil((l.Most-l.Least)/period/12)) * period // some dozen bins of whole cycles, the empty ones left out
	for len(ns) > 0 {
		bin := riflTrafficBin{From: l.Least + math.Floor((ns[0]-l.Least)/width+1e-9)*width}
		bin.To = bin.From + width
		for len(ns) > 0 && ns[0] < bin.To-period/2 {
			bin.Beats++
			ns = ns[1:]
		}
		l.Bins = append(l.Bins, bin)
	}
}

func (r *riflTrafficResult) print(w io.Writer) {
	fmt.Fprintf(w, "%d of %d beats, %d of %d bytes arrived in %d cycles: %d lost, %d changed, %d surplus\n", r.Beats, r.SentBeats, r.Bytes, r.SentBytes, r.Cycles, r.Lost, r.Changed, r.Surplus)
	fmt.Fprintf(w, "%d retransmissions, seed %d\n", r.Retransmissions, r.Seed)
	l := r.Latency
	if len(l.Bins) == 0 {
		return
	}
	fmt.Fprintf(w, "%.2f Gb/s of user data from the first handshake to the last\n", r.Gbps)
	fmt.Fprintf(w, "latency from handshake to handshake: %.1f ns at least, %.1f on average, median %.1f, p99 %.1f, %.1f at most\n\n", l.Least, l.Mean, l.Median, l.P99, l.Most)
	t := newTable(w, "From ns", "Below", "Beats", "")
	for _, b := range l.Bins {
		t.AppendRow([]any{fmt.Sprintf("%.1f", b.From), fmt.Sprintf("%.1f", b.To), b.Beats, strings.Repeat("█", (60*b.Beats+r.Beats-1)/r.Beats)})
	}
	t.Render()
}
