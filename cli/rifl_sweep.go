package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/goldwire/goldwire/designs/rifl"
	"github.com/goldwire/goldwire/plots"
)

// riflSweep is `goldwire run rifl sweep`.
type riflSweep struct {
	riflLink
	bers              []float64
	errors            int
	most              uint64
	seed              uint64
	runs              int
	plot, plotLatency string
}

func newRIFLSweep() *cobra.Command {
	o := riflSweep{riflLink: newRIFLLink()}
	o.lanes = 4
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Bandwidth and latency against the bit error rate (Figure 9)",
		Long: `Run a link under full load in both directions at several bit error rates, frame by frame, and print the share of frame cycles that
bring a frame to the user, and the latency of the frames from handshake to handshake. Every frame is checked: it has to come once, in order and
unchanged. Behind ± stands half of the 95 % confidence interval, by Student's t over the runs. Clean stretches are passed exactly, so a point at 1e-12 takes no longer than one at 1e-7.

The exit code is 1 if a frame is lost or wrong.`,
		Example: "  goldwire run rifl sweep --plot fig9.svg\n  goldwire run rifl sweep --ber 1e-8,1e-7,1e-6 --lanes 1 --profile safe --errors 1000 --json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.Float64SliceVar(&o.bers, "ber", []float64{1e-12, 1e-11, 1e-10, 1e-9, 3.2e-9, 1e-8, 3.2e-8, 1e-7, 3.2e-7, 1e-6, 3.2e-6, 1e-5}, "bit error rates, both directions, 0 to 0.001; several with commas")
	f.Lookup("ber").DefValue = "1e-12 to 1e-5, 12 of them"
	f.IntVar(&o.errors, "errors", 10_000, "run each rate until about so many bits have flipped, 100,000 frame cycles a run at least")
	f.IntVar(&o.runs, "runs", 5, "independent runs of each rate, from which the confidence intervals come; 1 for none")
	f.Uint64Var(&o.most, "frames", 83_000_000, "frame cycles of each rate at most; 83 million carry 10 GB on four lanes of 256 bits")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the bit errors")
	f.StringVar(&o.plot, "plot", "", "plot bandwidth against the bit error rate to this SVG file")
	f.StringVar(&o.plotLatency, "plot-latency", "", "plot latency against the bit error rate to this SVG file")
	o.flags(cmd, "frame", "lanes", "ids", "metres", "profile")
	return cmd
}

// paperBandwidth is what the paper prints of Figure 9.
var paperBandwidth = map[float64]float64{1e-7: 96.3}

type riflSweepPoint struct {
	BER             float64  `json:"ber"`
	Cycles          uint64   `json:"frame_cycles"`
	Retransmissions uint64   `json:"retransmissions"`
	Bandwidth       float64  `json:"bandwidth"`
	Paper           *float64 `json:"paper_bandwidth,omitempty"`
	Gbps            float64  `json:"gbps"`    // of user data, one direction
	Mean            *float64 `json:"mean_ns"` // null if no frame came
	P99             *float64 `json:"p99_ns"`
	P999            *float64 `json:"p99_9_ns"`
	Runs            int      `json:"runs"`
	// Half of the 95 % confidence intervals over the runs; null for one run.
	BandwidthCI *float64 `json:"bandwidth_ci95"`
	MeanCI      *float64 `json:"mean_ns_ci95"`
	P99CI       *float64 `json:"p99_ns_ci95"`
	P999CI      *float64 `json:"p99_9_ns_ci95"`
	Lossless    bool     `json:"lossless"`
}

func (o *riflSweep) run(cmd *cobra.Command) error {
	cfg, err := o.config()
	if err != nil {
		return err
	}
	if len(o.bers) == 0 {
		return fmt.Errorf("--ber: want at least one number")
	}
	for _, b := range o.bers {
		if !(b >= 0 && b <= 1e-3) {
			return fmt.Errorf("--ber %g: want 0 to 0.001", b)
		}
		if b == 0 && o.plot+o.plotLatency != "" {
			return fmt.Errorf("--ber 0: a logarithmic plot has no place for it")
		}
	}
	if o.errors < 1 {
		return fmt.Errorf("--errors %d: want at least 1", o.errors)
	}
	if o.most < 100_000 || o.most > 1e12 {
		return fmt.Errorf("--frames %d: want 100000 to 10^12", o.most)
	}
	if o.runs < 1 || o.runs > 1000 {
		return fmt.Errorf("--runs %d: want 1 to 1000", o.runs)
	}
	rest, _, err := rifl.OneWay(rifl.LinkConfig{Config: cfg})
	if err != nil {
		return err
	}
	points := make([]riflSweepPoint, len(o.bers))
	payload := float64(cfg.Lanes*cfg.PayloadBytes()) * 8 / cfg.FrameNs()
	bar := newProgress(cmd.ErrOrStderr(), len(points), "rates")
	err = parallel(cmd.Context(), len(points), func(n int) { bar.at(n, 0) }, func(i int) error {
		r := riflSweepPoint{BER: o.bers[i], Lossless: true, Runs: o.runs}
		var bandwidth, mean, p99, p999 []float64
		for k := range o.runs {
			p, err := rifl.Sweep(cfg, o.bers[i], nanoseconds(rest), max(1, o.errors/o.runs), max(100_000, o.most/uint64(o.runs)), o.seed+uint64(k)<<32)
			if err != nil {
				return err
			}
			r.Cycles += p.Cycles
			r.Retransmissions += p.Retransmissions
			r.Lossless = r.Lossless && p.Lossless
			bandwidth = append(bandwidth, 100*p.Bandwidth)
			if p.Bandwidth > 0 {
				mean, p99, p999 = append(mean, p.Mean), append(p99, p.P99), append(p999, p.P999)
			}
		}
		x, ci := confidence(bandwidth)
		r.Bandwidth, r.BandwidthCI, r.Gbps = *x, ci, payload**x/100
		if x, ok := paperBandwidth[r.BER]; ok {
			r.Paper = &x
		}
		r.Mean, r.MeanCI = confidence(mean)
		r.P99, r.P99CI = confidence(p99)
		r.P999, r.P999CI = confidence(p999)
		points[i] = r
		return nil
	})
	bar.finish()
	if err != nil {
		return err
	}
	if err := writePlot(o.plot, func(w io.Writer) error { return o.draw(w, points) }); err != nil {
		return err
	}
	if err := writePlot(o.plotLatency, func(w io.Writer) error { return o.drawLatency(w, points) }); err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if o.json {
		err = printJSON(w, map[string]any{"profile": o.profile, "lanes": o.lanes, "frame_bits": o.frame, "id_bits": cfg.S(), "metres": o.metres, "rate_gbps": o.rate,
			"rest_ns": nanoseconds(rest), "sound": cfg.Sound() == nil, "seed": o.seed, "points": points})
	} else {
		o.print(w, cfg, points)
	}
	for _, p := range points {
		if err == nil && !p.Lossless {
			fmt.Fprintf(cmd.ErrOrStderr(), "BER %g: frames were lost or wrong; %s\n", p.BER, soundness(cfg))
			err = errFailed
		}
	}
	return err
}

// confidence returns the mean of independent values and half of its 95 % confidence interval: nothing for no value, no interval for
// one.
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

// soundness says what the analysis has to say about a configuration.
func soundness(cfg rifl.Config) string {
	if err := cfg.Sound(); err != nil {
		return err.Error()
	}
	return "the configuration is sound"
}

func (o *riflSweep) print(w io.Writer, cfg rifl.Config, points []riflSweepPoint) {
	fmt.Fprintf(w, "%v profile, S = %d, lanes of %g Gb/s: %d; %d bits a frame, %g m, both directions full, seed %d\n", cfg.Profile, cfg.S(), o.rate, o.lanes, o.frame, o.metres, o.seed)
	if err := cfg.Sound(); err != nil {
		fmt.Fprintf(w, "Not sound: %v.\n", err)
	}
	fmt.Fprintln(w)
	t := newTable(w, "BER", "Frame cycles", "Retransmissions", "Bandwidth", "Paper", "Gb/s", "Mean ns", "p99", "p99.9", "Lossless")
	for _, p := range points {
		paper, lossless := "", "yes"
		if p.Paper != nil {
			paper = fmt.Sprintf("%g %%", *p.Paper)
		}
		if !p.Lossless {
			lossless = "NO"
		}
		row := table.Row{fmt.Sprintf("%g", p.BER), p.Cycles, p.Retransmissions, plusMinus("%.3f", &p.Bandwidth, p.BandwidthCI) + " %", paper, fmt.Sprintf("%.2f", p.Gbps)}
		row = append(row, plusMinus("%.1f", p.Mean, p.MeanCI), plusMinus("%.1f", p.P99, p.P99CI), plusMinus("%.1f", p.P999, p.P999CI))
		t.AppendRow(append(row, lossless))
	}
	t.Render()
	fmt.Fprintln(w, "\nBandwidth: frames delivered of one a cycle and lane. Gb/s: user data of one direction. Latency: of frames, handshake to handshake.")
}

func (o *riflSweep) draw(w io.Writer, points []riflSweepPoint) error {
	s, paper := plots.Series{Name: o.profile + " profile"}, plots.Series{Name: "paper"}
	for _, p := range points {
		s.X, s.Y = append(s.X, p.BER), append(s.Y, p.Bandwidth)
		if p.Paper != nil {
			paper.X, paper.Y = append(paper.X, p.BER), append(paper.Y, *p.Paper)
		}
	}
	chart := plots.Chart{Title: "RIFL: bandwidth under bit errors", X: "bit error rate", Y: "bandwidth (% of that without errors)", LogX: true, Series: []plots.Series{s}}
	if len(paper.X) > 0 {
		chart.Series = append(chart.Series, paper)
	}
	return plots.Lines(w, chart)
}

func (o *riflSweep) drawLatency(w io.Writer, points []riflSweepPoint) error {
	chart := plots.Chart{Title: "RIFL: latency under bit errors", X: "bit error rate", Y: "handshake to handshake (ns)", LogX: true, LogY: true}
	for _, q := range []struct {
		name string
		of   func(p riflSweepPoint) *float64
	}{
		{"mean", func(p riflSweepPoint) *float64 { return p.Mean }},
		{"99 %", func(p riflSweepPoint) *float64 { return p.P99 }},
		{"99.9 %", func(p riflSweepPoint) *float64 { return p.P999 }},
	} {
		s := plots.Series{Name: q.name}
		for _, p := range points {
			if y := q.of(p); y != nil {
				s.X, s.Y = append(s.X, p.BER), append(s.Y, *y)
			}
		}
		chart.Series = append(chart.Series, s)
	}
	return plots.Lines(w, chart)
}

// riflEfficiency is `goldwire run rifl efficiency`.
type riflEfficiency struct {
	riflLink
	frames      []int
	width, most int
	plot, out   string
}

func newRIFLEfficiency() *cobra.Command {
	o := riflEfficiency{riflLink: newRIFLLink()}
	cmd := &cobra.Command{
		Use:   "efficiency",
		Short: "Framing efficiency against payload size (Figure 8)",
		Long: `Send packets of every size through the framer of a link, clock edge by clock edge, count the frames that each takes, and print user bytes
by line bytes beside those of 100G Ethernet, Aurora 64B/66B and Interlaken, which are computed from the rules of their standards.

The exit code is 1 if a packet takes other than the paper's n / (ceil(n / p) q).`,
		Example: "  goldwire run rifl efficiency --plot fig8.svg --out fig8.csv\n  goldwire run rifl efficiency --lanes 4 --frame 256 --most 2000 --json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.IntSliceVar(&o.frames, "frame", []int{256, 512}, "bits a frame: 128, 256, 512, 1024 or 2048; several with commas")
	f.IntVar(&o.width, "width", 0, "bytes of a user's beat, a power of two from 1 to 2048; 0 for that which fills the lanes")
	f.IntVar(&o.most, "most", 8192, "largest payload in bytes, 1 to 65536")
	f.StringVar(&o.plot, "plot", "", "plot efficiency against payload to this SVG file")
	f.StringVar(&o.out, "out", "", "write the efficiency of every size to this CSV file")
	f.IntVar(&o.lanes, "lanes", o.lanes, "bonded lanes, 1 to 8")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

// beatBytes returns the user's width: as given, or that which fills the lanes.
func beatBytes(width int, cfg rifl.Config) (int, error) {
	if width == 0 {
		return 1 << (bits.Len(uint(cfg.Lanes*cfg.FrameBits/8)) - 1), nil
	}
	if width < 0 || width > 2048 || bits.OnesCount(uint(width)) != 1 {
		return 0, fmt.Errorf("--width %d: want a power of two from 1 to 2048, or 0", width)
	}
	return width, nil
}

// framing is a protocol's efficiency by payload.
type framing struct {
	name string // as a column: rifl_256
	long string
	of   func(n int) float64
}

func (o *riflEfficiency) run(cmd *cobra.Command) error {
	if len(o.frames) == 0 {
		return fmt.Errorf("--frame: want at least one number")
	}
	if o.most < 1 || o.most > 65536 {
		return fmt.Errorf("--most %d: want 1 to 65536", o.most)
	}
	var configs []rifl.Config
	var widths []int
	for _, f := range o.frames {
		o.frame = f
		cfg, err := o.config()
		if err != nil {
			return err
		}
		w, err := beatBytes(o.width, cfg)
		if err != nil {
			return err
		}
		configs, widths = append(configs, cfg), append(widths, w)
	}
	counted := make([][]int, len(configs))
	bar := newProgress(cmd.ErrOrStderr(), len(configs), "framers")
	err := parallel(cmd.Context(), len(configs), func(n int) { bar.at(n, 0) }, func(i int) (err error) {
		counted[i], err = rifl.PacketFrames(cmd.Context(), configs[i], widths[i], o.most)
		return err
	})
	bar.finish()
	if err != nil {
		return err
	}
	var all []framing
	equal := 0
	for i, cfg := range configs {
		bytes := cfg.FrameBits / 8
		rifls := framing{fmt.Sprintf("rifl_%d", cfg.FrameBits), fmt.Sprintf("RIFL, %d bits", cfg.FrameBits), func(n int) float64 { return float64(n) / float64(counted[i][n]*bytes) }}
		for n := 1; n <= o.most; n++ {
			if rifls.of(n) == rifl.FlitEfficiency(n, cfg.Lanes*cfg.PayloadBytes(), cfg.Lanes*bytes) {
				equal++
			}
		}
		all = append(all, rifls)
	}
	all = append(all, framing{"ethernet_100g", "100G Ethernet", rifl.EthernetEfficiency}, framing{"aurora_64b66b", "Aurora 64B/66B", rifl.AuroraEfficiency},
		framing{"interlaken", "Interlaken", rifl.InterlakenEfficiency})
	if err := writePlot(o.out, func(w io.Writer) error { return o.write(w, all) }); err != nil {
		return err
	}
	if err := writePlot(o.plot, func(w io.Writer) error { return o.draw(w, all) }); err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if o.json {
		series := map[string][]float64{}
		for _, f := range all {
			for n := 1; n <= o.most; n++ {
				series[f.name] = append(series[f.name], f.of(n))
			}
		}
		err = printJSON(w, map[string]any{"lanes": o.lanes, "bytes_from": 1, "bytes_to": o.most, "efficiency": series, "as_printed": equal, "sizes": o.most * len(configs)})
	} else {
		o.print(w, all, equal)
	}
	if err == nil && equal < o.most*len(configs) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%d of %d sizes take other than the equation says\n", o.most*len(configs)-equal, o.most*len(configs))
		err = errFailed
	}
	return err
}

func (o *riflEfficiency) print(w io.Writer, all []framing, equal int) {
	fmt.Fprintf(w, "User bytes by line bytes, %%; bonded lanes: %d\n\n", o.lanes)
	header := []any{"Bytes"}
	for _, f := range all {
		header = append(header, f.long)
	}
	t := newTable(w, header...)
	row := func(name any, of func(f framing) float64) {
		r := table.Row{name}
		for _, f := range all {
			r = append(r, fmt.Sprintf("%.2f", 100*of(f)))
		}
		t.AppendRow(r)
	}
	for _, n := range []int{1, 8, 16, 30, 31, 32, 60, 62, 64, 128, 256, 512, 1024, 1500, 4096, 8192, 9000, 65536} {
		if n <= o.most {
			row(n, func(f framing) float64 { return f.of(n) })
		}
	}
	row(fmt.Sprintf("mean of 1 to %d", o.most), func(f framing) (sum float64) {
		for n := 1; n <= o.most; n++ {
			sum += f.of(n) / float64(o.most)
		}
		return sum
	})
	t.Render()
	fmt.Fprintf(w, "\nRIFL is counted on running framers: %d of %d packets take n / (ceil(n / p) q). The others are computed from their standards.\n", equal, o.most*len(o.frames))
}

func (o *riflEfficiency) write(w io.Writer, all []framing) error {
	var b strings.Builder
	b.WriteString("bytes")
	for _, f := range all {
		b.WriteString("," + f.name)
	}
	for n := 1; n <= o.most; n++ {
		fmt.Fprintf(&b, "\n%d", n)
		for _, f := range all {
			fmt.Fprintf(&b, ",%.6f", f.of(n))
		}
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// draw takes points half a per cent apart: nobody sees more of 8192.
func (o *riflEfficiency) draw(w io.Writer, all []framing) error {
	chart := plots.Chart{Title: "Framing efficiency", X: "payload (bytes)", Y: "user bytes by line bytes (%)", LogX: true}
	for i, f := range all {
		s := plots.Series{Name: f.long, Dashed: i >= len(o.frames)}
		for n := 1; n <= o.most; n = max(n+1, int(math.Round(float64(n)*1.005))) {
			s.X, s.Y = append(s.X, float64(n)), append(s.Y, 100*f.of(n))
		}
		chart.Series = append(chart.Series, s)
	}
	return plots.Lines(w, chart)
}

// riflLimits is `goldwire run rifl limits`.
type riflLimits struct {
	riflLink
	idList   []int
	profiles []string
	ber      float64
	runs     int
	cycles   uint64
	seed     uint64
}

func newRIFLLimits() *cobra.Command {
	o := riflLimits{riflLink: newRIFLLink()}
	cmd := &cobra.Command{
		Use:   "limits",
		Short: "The round trip at which stale frames are taken for new ones",
		Long: `Lengthen the line of a link under full load with bit errors in both directions, frame by frame, until a user gets a frame that is stale, or
until the link brings nothing any more. The loop is counted from a frame leaving to the first frame sent in the knowledge of the far end's
verdict. Beside what the simulation finds stands the longest loop that the analysis calls sound.

The exit code is 1 if a frame is wrong where the analysis says that none can be.`,
		Example: "  goldwire run rifl limits\n  goldwire run rifl limits --ids 8 --profile core,paper --runs 30 --json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.IntSliceVar(&o.idList, "ids", []int{6, 7}, "bits of the frame ID, S: 5 to 9; several with commas")
	f.StringSliceVar(&o.profiles, "profile", []string{"core", "paper", "safe"}, "core, paper or safe; several with commas")
	f.Float64Var(&o.ber, "ber", 2e-5, "bit error rate of both directions, above 0 up to 0.001")
	f.IntVar(&o.runs, "runs", 12, "runs at each length")
	f.Uint64Var(&o.cycles, "frames", 20_000, "frame cycles of a run, 1000 to 100 million")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the bit errors")
	o.flags(cmd, "frame")
	return cmd
}

type riflLimit struct {
	Profile string   `json:"profile"`
	IDs     int      `json:"id_bits"`
	Ends    string   `json:"found"` // stale, stalled or nothing
	Loop    int      `json:"loop_frames"`
	Time    float64  `json:"loop_ns"`
	Metres  *float64 `json:"metres"` // null: more than 500
	Wrong   uint64   `json:"wrong"`
	Of      uint64   `json:"of_delivered"`
	Sound   int      `json:"longest_sound_loop"` // 0: none

	Unexpected bool `json:"stale_though_sound"`
}

func (o *riflLimits) run(cmd *cobra.Command) error {
	if err := riflIDs(o.idList); err != nil {
		return err
	}
	profiles, err := riflProfiles(o.profiles)
	if err != nil {
		return err
	}
	for _, s := range o.idList {
		if s > 9 {
			return fmt.Errorf("--ids %d: want 5 to 9", s)
		}
	}
	if !(o.ber > 0 && o.ber <= 1e-3) {
		return fmt.Errorf("--ber %g: want above 0 up to 0.001", o.ber)
	}
	if o.runs < 1 || o.runs > 10_000 {
		return fmt.Errorf("--runs %d: want 1 to 10000", o.runs)
	}
	if o.cycles < 1000 || o.cycles > 1e8 {
		return fmt.Errorf("--frames %d: want 1000 to 100000000", o.cycles)
	}
	base, err := o.config()
	if err != nil {
		return err
	}
	limits := make([]riflLimit, len(profiles)*len(o.idList))
	bar := newProgress(cmd.ErrOrStderr(), len(limits), "limits")
	err = parallel(cmd.Context(), len(limits), func(n int) { bar.at(n, 0) }, func(i int) (err error) {
		cfg := base
		cfg.Profile, cfg.IDBits = profiles[i/len(o.idList)], o.idList[i%len(o.idList)]
		limits[i], err = o.find(cmd.Context(), cfg)
		return err
	})
	bar.finish()
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if o.json {
		err = printJSON(w, map[string]any{"frame_bits": o.frame, "rate_gbps": o.rate, "transceivers_ns": o.transceivers, "ber": o.ber, "runs": o.runs, "frame_cycles": o.cycles, "seed": o.seed, "limits": limits})
	} else {
		o.print(w, limits)
	}
	for _, l := range limits {
		if err == nil && l.Unexpected {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s profile, S = %d: frames were wrong in a loop that the analysis calls sound\n", l.Profile, l.IDs)
			err = errFailed
		}
	}
	return err
}

// withDelay returns the configuration with a line that makes the way to the verdict so many frames, and the cable that does it
// with the transceivers given.
func withDelay(c rifl.Config, delay int) (at rifl.Config, metres float64) {
	logic := float64(c.Words()+6) / float64(c.Words()) // frames, see [rifl.Config.FrameDelay]
	at = c
	at.Length, at.Transceivers = 0, max(0, (float64(delay)-0.1-logic)*c.FrameNs())
	for c.Length = 0; c.FrameDelay() < delay; c.Length++ {
	}
	return at, c.Length
}

// find lengthens the line by frames until something gives.
func (o *riflLimits) find(ctx context.Context, cfg rifl.Config) (riflLimit, error) {
	r := riflLimit{Profile: cfg.Profile.String(), IDs: cfg.IDBits, Ends: "nothing"}
	least, _ := withDelay(cfg, 0)
	first := least.FrameDelay()
	for d := first; ; d++ {
		at, _ := withDelay(cfg, d)
		if at.Sound() != nil {
			break
		}
		r.Sound = at.Loop()
	}
	for d := first; r.Ends == "nothing" && d <= 1<<cfg.IDBits; d++ { // to a loop of twice the ID space
		at, metres := withDelay(cfg, d)
		wrong, delivered, stalled, err := o.simulate(ctx, at)
		if err != nil {
			return r, err
		}
		r.Loop, r.Time, r.Wrong, r.Of = at.Loop(), float64(at.Loop())*at.FrameNs(), wrong, delivered
		if r.Metres = &metres; metres > 500 {
			r.Metres = nil
		}
		if stalled {
			r.Ends = "stalled"
		}
		if wrong > 0 {
			r.Ends = "stale"
			r.Unexpected = r.Loop <= r.Sound
		}
	}
	return r, nil
}

// simulate runs links with other errors each, and tells whether none of them brought anything in the second half.
func (o *riflLimits) simulate(ctx context.Context, cfg rifl.Config) (wrong, delivered uint64, stalled bool, err error) {
	stalled = true
	for run := range o.runs {
		if err := ctx.Err(); err != nil {
			return 0, 0, false, err
		}
		l, err := rifl.NewFrameLink(rifl.FrameLinkConfig{Config: cfg, BER: [2]float64{o.ber, o.ber}, Seed: o.seed<<16 + uint64(run)})
		if err != nil {
			return 0, 0, false, err
		}
		l.Run(o.cycles / 2)
		before := l.Report(0).Delivered + l.Report(1).Delivered
		l.Run(o.cycles - o.cycles/2)
		a, b := l.Report(0), l.Report(1)
		wrong += a.Wrong + b.Wrong
		delivered += a.Delivered + b.Delivered
		stalled = stalled && a.Delivered+b.Delivered == before
	}
	return wrong, delivered, stalled, nil
}

func (o *riflLimits) print(w io.Writer, limits []riflLimit) {
	fmt.Fprintf(w, "%d bits a frame at %g Gb/s, BER %g both ways, %d runs of %d frames at each length, seed %d\n\n", o.frame, o.rate, o.ber, o.runs, o.cycles, o.seed)
	t := newTable(w, "Profile", "S", "Found", "At a loop of", "ns", "Cable, m", "Wrong", "Longest sound loop")
	for _, l := range limits {
		found := map[string]string{"stale": "stale frames", "stalled": "nothing arrives", "nothing": "nothing wrong"}[l.Ends]
		cable := "> 500"
		if l.Metres != nil {
			cable = fmt.Sprintf("%g", *l.Metres)
		}
		sound := "none"
		if l.Sound > 0 {
			sound = fmt.Sprint(l.Sound)
		}
		t.AppendRow(table.Row{l.Profile, l.IDs, found, l.Loop, fmt.Sprintf("%.1f", l.Time), cable, fmt.Sprintf("%d of %d", l.Wrong, l.Of), sound})
	}
	t.Render()
	fmt.Fprintf(w, "\nCable: the whole metres that make such a loop with %g ns of transceivers.\n", o.transceivers)
}
