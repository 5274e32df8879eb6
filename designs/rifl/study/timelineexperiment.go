package study

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"

	"github.com/goldwire/goldwire/designs/rifl"
)

// timelineParams are what the flags of the experiment timeline set.
type timelineParams struct {
	Profiles      []rifl.Profile `flag:"profile" each:"Profile" choices:"core,paper,safe" help:"whose rules the ends follow; several with commas"`
	IDs           []int          `flag:"ids" each:"IDs" min:"5" max:"12" help:"bits of the frame ID, S; several with commas"`
	timelinePoint `hide:"lanes"`
	Out           string `flag:"out" file:"out" help:"write what each end sent, frame by frame, to this CSV file"`
}

// timelinePoint is one flipped bit, or two, on one link.
type timelinePoint struct {
	linkParams
	Both bool `flag:"both" help:"flip a bit on the way to end 0 too, at the same time" json:"both"`
}

// timelineResult is what both ends did about it.
type timelineResult struct {
	Frames int                 `json:"frames_in_all"`
	Time   float64             `json:"ns_in_all"`
	Sound  bool                `json:"sound"`
	Ends   [2]timelineRecovery `json:"ends"`
	Fault  string              `json:"fault,omitempty"` // a user got a wrong frame

	trace *flipTimeline
}

// timelineRecovery is what an end did.
type timelineRecovery struct {
	End    int            `json:"end"`
	Frames map[string]int `json:"frames"`
	Idles  int            `json:"normal_idle"`
	Passes int            `json:"retransmissions"`
}

// timeline is Figure 4.
var timeline = experiment.Define(experiment.Spec[timelineParams, timelinePoint, timelineResult]{
	Name: "timeline", Waves: true, Checkpoints: true, Short: "What both ends do about one flipped bit (Figure 4, §4.C)",
	Source: "Figure 4, §4.C",
	Long: `Flip one bit on the way to end 1 of a link under full load in both directions, clock edge by clock edge, and
count the frames that each end sends in each state from the first frame out of the ordinary to the last.

The exit code is 1 if a user gets a wrong frame.`,
	Examples: []string{
		"timeline --vcd timeline.vcd", "timeline", "timeline --both --ids 8 --profile safe --metres 100 --out frames.csv",
	},
	Defaults: timelineParams{IDs: []int{6, 7}, Profiles: []rifl.Profile{rifl.Core, rifl.Paper, rifl.Safe},
		timelinePoint: timelinePoint{linkParams: linkOf(rifl.Default())}},
	Fit:    (*timelinePoint).check,
	Run:    runTimeline,
	Report: reportTimeline,
})

func runTimeline(ctx context.Context, run *experiment.Run, q timelinePoint) (r timelineResult, err error) {
	cfg, err := q.config()
	if err != nil {
		return r, err
	}
	if err := ctx.Err(); err != nil {
		return r, err
	}
	flips := [2][]int{nil, {20}}
	if q.Both {
		flips[0] = flips[1]
	}
	r.Sound = cfg.Sound() == nil
	// a pass and the idles after it take 4 x 2^S frames at most; what the line holds comes on top
	t, err := runFlips(rifl.LinkConfig{Config: cfg}, flips, 8<<q.IDs+8*cfg.FrameDelay()+200, run)
	if wrong, ok := errors.AsType[wrongAtUser](err); ok {
		r.Fault = fmt.Sprintf("%v; %s", wrong, soundness(cfg))
		return r, nil
	}
	if err != nil {
		return r, err
	}
	r.trace, r.Frames, r.Time = &t, len(t.Trace), float64(len(t.Trace))*cfg.FrameNs()
	for e := range r.Ends {
		x := timelineRecovery{End: e, Frames: map[string]int{}, Idles: t.Idles[e], Passes: t.Passes[e]}
		for s := rifl.Init; s <= rifl.Normal; s++ {
			x.Frames[s.String()] = t.In(e, s)
		}
		r.Ends[e] = x
	}
	return r, nil
}

func reportTimeline(
	p *timelineParams, done []experiment.Result[timelinePoint, timelineResult],
) (*experiment.Report, error) {
	to := "end 1"
	if p.Both {
		to = "both ends at once"
	}
	r := &experiment.Report{}
	r.Linef(
		"One bit flipped on the way to %s; %d bits a frame at %g Gb/s, %g m; frames that each end sends in a state\n", to,
		p.Frame, p.Rate, p.Metres,
	)
	t := &experiment.Table{
		Name: "timeline",
		Columns: experiment.Columns(
			"Profile", "", "S", "", "End", "", "Retransmissions", "", "RETRANS", "", "SEND_RETRANS", "", "PAUSE", "",
			"SEND_PAUSE", "", "NORMAL, idle", "", "In all", "", "ns", "%.1f",
		),
	}
	bars := &plots.BarChart{Title: "RIFL: what a flipped bit costs", X: "profile and S", Y: "frames",
		Series: []plots.BarSeries{{Name: "RETRANS, end 0"}, {Name: "in all"}, {Name: "paper, §4.C: 2.5 x 2^S in RETRANS"}}}
	whole := true
	for _, d := range done {
		v := d.Value
		if v.Fault != "" {
			whole = false
			r.Failf("%s profile, S = %d: %s", d.Point.Profile, d.Point.IDs, v.Fault)
			continue
		}
		for e, x := range v.Ends {
			row := []any{d.Point.Profile, d.Point.IDs, e, x.Passes}
			for _, s := range []rifl.State{rifl.Retrans, rifl.SendRetrans, rifl.Pause, rifl.SendPause} {
				row = append(row, x.Frames[s.String()])
			}
			t.Row(append(row, x.Idles, v.Frames, v.Time)...)
		}
		bars.Groups = append(bars.Groups, fmt.Sprintf("%s %d", d.Point.Profile, d.Point.IDs))
		for i, y := range []float64{float64(v.Ends[0].Frames[rifl.Retrans.String()]), float64(v.Frames),
			2.5 * math.Exp2(float64(d.Point.IDs))} {
			bars.Series[i].Values = append(bars.Series[i].Values, y)
		}
	}
	r.Table(t)
	if len(t.Rows) > 0 {
		r.Linef(
			"\nThe paper (§4.C) has 2.5 x 2^S frames in RETRANS: 160 with S = 6. In all: from the first frame out of the " +
				"ordinary to the last.",
		)
		r.Chart(experiment.Chart{Name: "timeline", Bars: bars})
	}
	if whole {
		r.File(p.Out, func(w io.Writer) error { return writeTrace(w, done) })
	}
	return r, nil
}

// writeTrace writes what each end sent, frame by frame.
func writeTrace(w io.Writer, done []experiment.Result[timelinePoint, timelineResult]) error {
	var b strings.Builder
	b.WriteString("profile,id_bits,frame,end,state,kind\n")
	for _, d := range done {
		for i, pair := range d.Value.trace.Trace {
			for e, f := range pair {
				kind := "control"
				if f.Data {
					kind = "data"
				}
				if f.Again {
					kind = "data again"
				}
				fmt.Fprintf(&b, "%s,%d,%d,%d,%s,%s\n", d.Point.Profile, d.Point.IDs, i, e, f.State, kind)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
