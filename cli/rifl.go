package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/designs/rifl"
	"github.com/goldwire/goldwire/plots"
)

// newRIFL is `goldwire run rifl`.
func newRIFL() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rifl SCENARIO",
		Short: "A lossless link layer with retransmission in the line (Optica, 2022)",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("unknown scenario %q of rifl, see goldwire run rifl --help", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newRIFLLatency(), newRIFLTimeline(), newRIFLSweep(), newRIFLEfficiency(), newRIFLLimits(), newRIFLTraffic())
	return cmd
}

// riflLink is what scenarios on a link of one configuration have in common.
type riflLink struct {
	frame, lanes, ids          int
	rate, metres, transceivers float64
	profile                    string
	json                       bool
}

func newRIFLLink() riflLink {
	d := rifl.Default()
	return riflLink{frame: d.FrameBits, lanes: d.Lanes, rate: 28, metres: d.Length, transceivers: d.Transceivers, profile: d.Profile.String()}
}

// riflFlags are the flags of a link, by name: each scenario takes those that it does not vary.
func (o *riflLink) flags(cmd *cobra.Command, names ...string) {
	f := cmd.Flags()
	for _, name := range names {
		switch name {
		case "frame":
			f.IntVar(&o.frame, name, o.frame, "bits a frame: 128, 256, 512, 1024 or 2048")
		case "lanes":
			f.IntVar(&o.lanes, name, o.lanes, "bonded lanes, 1 to 8")
		case "ids":
			f.IntVar(&o.ids, name, o.ids, "bits of the frame ID, S: 5 to 12; 0 for the core's sizing rule")
		case "metres":
			f.Float64Var(&o.metres, name, o.metres, "length of the cable, 0 to 500")
		case "profile":
			f.StringVar(&o.profile, name, o.profile, "core, paper or safe")
		}
	}
	f.Float64Var(&o.rate, "rate", o.rate, "Gb/s of a lane, 25 to 112")
	f.Float64Var(&o.transceivers, "transceivers", o.transceivers, "ns in the two transceivers of a direction, 0 to 10000")
	f.BoolVar(&o.json, "json", false, "print JSON")
}

// config checks the flags.
func (o *riflLink) config() (rifl.Config, error) {
	c := rifl.Config{FrameBits: o.frame, Lanes: o.lanes, Length: o.metres, IDBits: o.ids, Transceivers: o.transceivers}
	var err error
	switch {
	case !slices.Contains([]int{128, 256, 512, 1024, 2048}, o.frame):
		return c, fmt.Errorf("--frame %d: want 128, 256, 512, 1024 or 2048", o.frame)
	case o.lanes < 1 || o.lanes > 8:
		return c, fmt.Errorf("--lanes %d: want 1 to 8", o.lanes)
	case o.ids != 0 && (o.ids < 5 || o.ids > 12):
		return c, fmt.Errorf("--ids %d: want 5 to 12", o.ids)
	case !(o.rate >= 25 && o.rate <= 112):
		return c, fmt.Errorf("--rate %g: want 25 to 112 Gb/s", o.rate)
	case !(o.metres >= 0 && o.metres <= 500):
		return c, fmt.Errorf("--metres %g: want 0 to 500", o.metres)
	case !(o.transceivers >= 0 && o.transceivers <= 10_000):
		return c, fmt.Errorf("--transceivers %g: want 0 to 10000 ns", o.transceivers)
	case o.transceivers+o.metres < 0.001:
		return c, fmt.Errorf("--transceivers %g with a cable of %g m: want more than nothing", o.transceivers, o.metres)
	}
	if c.Profile, err = rifl.ParseProfile(o.profile); err != nil {
		return c, fmt.Errorf("--profile %q: want core, paper or safe", o.profile)
	}
	c.LaneRate = clock.MHz(o.rate * 1000)
	return c, c.Check()
}

// profiles checks a list of profiles.
func riflProfiles(names []string) (list []rifl.Profile, err error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("--profile: want core, paper or safe")
	}
	for _, n := range names {
		p, err := rifl.ParseProfile(n)
		if err != nil {
			return nil, fmt.Errorf("--profile %q: want core, paper or safe", n)
		}
		list = append(list, p)
	}
	return list, nil
}

// riflIDs checks a list of frame ID widths.
func riflIDs(ids []int) error {
	if len(ids) == 0 {
		return fmt.Errorf("--ids: want at least one number")
	}
	for _, s := range ids {
		if s < 5 || s > 12 {
			return fmt.Errorf("--ids %d: want 5 to 12", s)
		}
	}
	return nil
}

// parallel runs f for 0 to n-1, one a processor at a time, tells how many are done, and returns the error of the least.
func parallel(ctx context.Context, n int, done func(int), f func(i int) error) error {
	var (
		group      sync.WaitGroup
		mu         sync.Mutex // of what follows
		next, ends int
		errs       = make([]error, n)
	)
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for next < n && ctx.Err() == nil {
				i := next
				next++
				mu.Unlock()
				err := f(i)
				mu.Lock()
				if errs[i] = err; err != nil {
					next = n
				}
				ends++
				done(ends)
			}
		})
	}
	group.Wait()
	return cmp.Or(append(errs, ctx.Err())...)
}

// riflLatency is `goldwire run rifl latency`.
type riflLatency struct {
	riflLink
	lengths []float64
	frames  []int
	stages  float64
	plot    string
}

func newRIFLLatency() *cobra.Command {
	o := riflLatency{riflLink: newRIFLLink()}
	cmd := &cobra.Command{
		Use:   "latency",
		Short: "From handshake to handshake by length of the cable, stage by stage",
		Long: `Send one beat through an idle link without errors, clock edge by clock edge, and count from the edge at which the framer takes it
to the edge at which the far user takes it. Then where it goes, for one length: every stage between two observed edges, with no gap.`,
		Example: "  goldwire run rifl latency\n  goldwire run rifl latency --metres 1,50,500 --frame 128,256 --rate 56 --plot latency.svg\n  goldwire run rifl latency --stages 100 --json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.Float64SliceVar(&o.lengths, "metres", []float64{1, 3, 10, 30, 100}, "lengths of the cable, 0 to 500; several with commas")
	f.IntSliceVar(&o.frames, "frame", []int{256, 512}, "bits a frame: 128, 256, 512, 1024 or 2048; several with commas")
	f.Float64Var(&o.stages, "stages", 10, "show the stages at so many metres, with the first size of a frame")
	f.StringVar(&o.plot, "plot", "", "plot latency against metres to this SVG file")
	o.flags(cmd, "lanes", "profile")
	return cmd
}

type riflStage struct {
	Name   string  `json:"stage"`
	From   float64 `json:"from_ns"`
	Time   float64 `json:"ns"`
	Words  float64 `json:"word_cycles"`
	Cycles float64 `json:"frame_cycles"`
}

type riflLatencyPoint struct {
	FrameBits int         `json:"frame_bits"`
	Metres    float64     `json:"metres"`
	IDs       int         `json:"id_bits"`
	Cycles    float64     `json:"frame_cycles"`
	Time      float64     `json:"ns"`
	Stages    []riflStage `json:"stages,omitempty"`
}

// measureOneWay runs a link and converts what it shows.
func measureOneWay(cfg rifl.Config) (p riflLatencyPoint, err error) {
	total, stages, err := rifl.OneWay(rifl.LinkConfig{Config: cfg})
	if err != nil {
		return p, err
	}
	word := cfg.LaneRate.Times(1, 64)
	in := func(t, unit clock.Time) float64 { f, _ := t.In(unit).Float64(); return f }
	frame := word.Times(1, int64(cfg.Words())).Period()
	p = riflLatencyPoint{FrameBits: cfg.FrameBits, Metres: cfg.Length, IDs: cfg.S(), Cycles: in(total, frame), Time: nanoseconds(total)}
	var from clock.Time
	for _, s := range stages {
		p.Stages = append(p.Stages, riflStage{s.Name, nanoseconds(from), nanoseconds(s.Took), in(s.Took, word.Period()), in(s.Took, frame)})
		from = from.Add(s.Took)
	}
	if from.Cmp(total) != 0 {
		return p, fmt.Errorf("the stages take %v, the beat %v", from, total)
	}
	return p, nil
}

func (o *riflLatency) run(cmd *cobra.Command) error {
	if len(o.lengths) == 0 || len(o.frames) == 0 {
		return fmt.Errorf("--metres, --frame: want at least one number each")
	}
	if !(o.stages >= 0 && o.stages <= 500) {
		return fmt.Errorf("--stages %g: want 0 to 500 metres", o.stages)
	}
	slices.Sort(o.lengths)
	var configs []rifl.Config
	add := func(frame int, metres float64) error {
		o.frame, o.metres = frame, metres
		c, err := o.config()
		configs = append(configs, c)
		return err
	}
	for _, f := range o.frames {
		for _, m := range o.lengths {
			if err := add(f, m); err != nil {
				return err
			}
		}
	}
	if err := add(o.frames[0], o.stages); err != nil {
		return err
	}
	points := make([]riflLatencyPoint, len(configs))
	bar := newProgress(cmd.ErrOrStderr(), len(configs), "links")
	err := parallel(cmd.Context(), len(configs), func(n int) { bar.at(n, 0) }, func(i int) (err error) {
		points[i], err = measureOneWay(configs[i])
		return err
	})
	bar.finish()
	if err != nil {
		return err
	}
	points, shown := points[:len(points)-1], points[len(points)-1]
	for i := range points {
		points[i].Stages = nil
	}
	if err := writePlot(o.plot, func(w io.Writer) error { return o.draw(w, points) }); err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if o.json {
		return printJSON(w, map[string]any{"rate_gbps": o.rate, "lanes": o.lanes, "transceivers_ns": o.transceivers, "points": points, "breakdown": shown})
	}
	o.print(w, points, shown)
	return nil
}

func (o *riflLatency) print(w io.Writer, points []riflLatencyPoint, shown riflLatencyPoint) {
	fmt.Fprintf(w, "From handshake to handshake, frame cycles (ns); lanes of %g Gb/s: %d; transceivers %g ns\n\n", o.rate, o.lanes, o.transceivers)
	header := []any{"Metres"}
	for _, f := range o.frames {
		header = append(header, fmt.Sprintf("%d bits a frame", f))
	}
	t := newTable(w, header...)
	for i, m := range o.lengths {
		row := table.Row{m}
		for k := range o.frames {
			p := points[k*len(o.lengths)+i]
			row = append(row, fmt.Sprintf("%g (%.1f)", round(p.Cycles), p.Time))
		}
		t.AppendRow(row)
	}
	t.Render()
	fmt.Fprintf(w, "\nThe way of a beat, %d bits a frame, %g m\n\n", shown.FrameBits, shown.Metres)
	t = newTable(w, "At ns", "Stage", "Word cycles", "Frame cycles", "ns")
	row := func(at string, name string, words, frames, ns float64) {
		t.AppendRow(table.Row{at, name, fmt.Sprintf("%.2f", words), fmt.Sprintf("%.2f", frames), fmt.Sprintf("%.2f", ns)})
	}
	words := 0.0
	for _, s := range shown.Stages {
		row(fmt.Sprintf("%.2f", s.From), s.Name, s.Words, s.Cycles, s.Time)
		words += s.Words
	}
	row("", "all", words, shown.Cycles, shown.Time)
	t.Render()
}

func (o *riflLatency) draw(w io.Writer, points []riflLatencyPoint) error {
	chart := plots.Chart{Title: fmt.Sprintf("RIFL: latency by length, %g Gb/s a lane", o.rate), X: "cable (m)", Y: "handshake to handshake (ns)"}
	for k, f := range o.frames {
		s := plots.Series{Name: fmt.Sprintf("%d bits a frame", f)}
		for _, p := range points[k*len(o.lengths) : (k+1)*len(o.lengths)] {
			s.X, s.Y = append(s.X, p.Metres), append(s.Y, p.Time)
		}
		chart.Series = append(chart.Series, s)
	}
	return plots.Lines(w, chart)
}

// riflTimeline is `goldwire run rifl timeline`.
type riflTimeline struct {
	riflLink
	idList   []int
	profiles []string
	both     bool
	out      string
}

func newRIFLTimeline() *cobra.Command {
	o := riflTimeline{riflLink: newRIFLLink()}
	cmd := &cobra.Command{
		Use:   "timeline",
		Short: "What both ends do about one flipped bit (Figure 4, §4.C)",
		Long: `Flip one bit on the way to end 1 of a link under full load in both directions, clock edge by clock edge, and count the frames that
each end sends in each state from the first frame out of the ordinary to the last.

The exit code is 1 if a user gets a wrong frame.`,
		Example: "  goldwire run rifl timeline\n  goldwire run rifl timeline --both --ids 8 --profile safe --metres 100 --out frames.csv",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.IntSliceVar(&o.idList, "ids", []int{6, 7}, "bits of the frame ID, S: 5 to 12; several with commas")
	f.StringSliceVar(&o.profiles, "profile", []string{"core", "paper", "safe"}, "core, paper or safe; several with commas")
	f.BoolVar(&o.both, "both", false, "flip a bit on the way to end 0 too, at the same time")
	f.StringVar(&o.out, "out", "", "write what each end sent, frame by frame, to this CSV file")
	o.flags(cmd, "frame", "metres")
	return cmd
}

// riflRecovery is what an end did.
type riflRecovery struct {
	End    int            `json:"end"`
	Frames map[string]int `json:"frames"`
	Idles  int            `json:"normal_idle"`
	Passes int            `json:"retransmissions"`
}

type riflTimelineResult struct {
	Profile string          `json:"profile"`
	IDs     int             `json:"id_bits"`
	Frames  int             `json:"frames_in_all"`
	Time    float64         `json:"ns_in_all"`
	Sound   bool            `json:"sound"`
	Ends    [2]riflRecovery `json:"ends"`

	trace [][2]rifl.Sent
}

func (o *riflTimeline) run(cmd *cobra.Command) error {
	if err := riflIDs(o.idList); err != nil {
		return err
	}
	profiles, err := riflProfiles(o.profiles)
	if err != nil {
		return err
	}
	base, err := o.config()
	if err != nil {
		return err
	}
	var results []riflTimelineResult
	bar := newProgress(cmd.ErrOrStderr(), len(profiles)*len(o.idList), "links")
	defer bar.finish()
	for _, p := range profiles {
		for _, s := range o.idList {
			cfg := base
			cfg.Profile, cfg.IDBits = p, s
			flips := [2][]int{nil, {20}}
			if o.both {
				flips[0] = flips[1]
			}
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			// a pass and the idles behind it take 4 x 2^S frames at most; what the line holds comes on top
			t, err := rifl.Flips(rifl.LinkConfig{Config: cfg}, flips, 8<<s+8*cfg.FrameDelay()+200)
			if err != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "%v profile, S = %d: %v; %s\n", p, s, err, soundness(cfg))
				return errFailed
			}
			results = append(results, newRIFLTimelineResult(cfg, &t))
			bar.at(len(results), 0)
		}
	}
	if err := writePlot(o.out, func(w io.Writer) error { return writeRIFLTrace(w, results) }); err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if o.json {
		return printJSON(w, map[string]any{"both": o.both, "frame_bits": o.frame, "metres": o.metres, "rate_gbps": o.rate, "timelines": results})
	}
	to := "end 1"
	if o.both {
		to = "both ends at once"
	}
	fmt.Fprintf(w, "One bit flipped on the way to %s; %d bits a frame at %g Gb/s, %g m; frames that each end sends in a state\n\n", to, o.frame, o.rate, o.metres)
	t := newTable(w, "Profile", "S", "End", "Retransmissions", "RETRANS", "SEND_RETRANS", "PAUSE", "SEND_PAUSE", "NORMAL, idle", "In all", "ns")
	for _, r := range results {
		for e, x := range r.Ends {
			row := table.Row{r.Profile, r.IDs, e, x.Passes}
			for _, s := range []rifl.State{rifl.Retrans, rifl.SendRetrans, rifl.Pause, rifl.SendPause} {
				row = append(row, x.Frames[s.String()])
			}
			t.AppendRow(append(row, x.Idles, r.Frames, fmt.Sprintf("%.1f", r.Time)))
		}
	}
	t.Render()
	fmt.Fprintln(w, "\nThe paper (§4.C) has 2.5 x 2^S frames in RETRANS: 160 with S = 6. In all: from the first frame out of the ordinary to the last.")
	return nil
}

func newRIFLTimelineResult(cfg rifl.Config, t *rifl.Timeline) riflTimelineResult {
	r := riflTimelineResult{Profile: cfg.Profile.String(), IDs: cfg.S(), Frames: len(t.Trace), Sound: cfg.Sound() == nil, trace: t.Trace}
	r.Time = float64(r.Frames) * cfg.FrameNs()
	for e := range r.Ends {
		x := riflRecovery{End: e, Frames: map[string]int{}, Idles: t.Idles[e], Passes: t.Passes[e]}
		for s := rifl.Init; s <= rifl.Normal; s++ {
			x.Frames[s.String()] = t.In(e, s)
		}
		r.Ends[e] = x
	}
	return r
}

// writeRIFLTrace writes what each end sent, frame by frame.
func writeRIFLTrace(w io.Writer, results []riflTimelineResult) error {
	var b strings.Builder
	b.WriteString("profile,id_bits,frame,end,state,kind\n")
	for _, r := range results {
		for i, pair := range r.trace {
			for e, f := range pair {
				kind := "control"
				if f.Data {
					kind = "data"
				}
				if f.Again {
					kind = "data again"
				}
				fmt.Fprintf(&b, "%s,%d,%d,%d,%s,%s\n", r.Profile, r.IDs, i, e, f.State, kind)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
