package study

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strings"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"

	"github.com/goldwire/goldwire/designs/rifl"
)

// efficiencyParams are what the flags of the experiment efficiency set.
type efficiencyParams struct {
	Frames []int `flag:"frame" each:"Frame" choices:"128,256,512,1024,2048" unit:"bits" help:"bits a frame: 128, 256, 512, 1024 or 2048; several with commas"`
	efficiencyPoint
	Out string `flag:"out" file:"out" help:"write the efficiency of every size to this CSV file"`
}

// efficiencyPoint is one framer.
type efficiencyPoint struct {
	Frame int `flag:"-" json:"frame_bits"`
	Lanes int `flag:"lanes" min:"1" max:"8" help:"bonded lanes" json:"lanes"`
	Width int `flag:"width" min:"0" max:"2048" unit:"bytes" help:"bytes of a user's beat, a power of two; 0 for that which fills the lanes" json:"beat_bytes"`
	Most  int `flag:"most" min:"1" max:"65536" unit:"bytes" help:"largest payload" json:"bytes_to"`
}

// efficiencyResult is how many frames a packet of each size took.
type efficiencyResult struct {
	Efficiency []float64 `json:"efficiency"` // by size, from 1 byte
	Equal      int       `json:"as_printed"` // sizes that take the paper's n / (ceil(n / p) q)
}

// efficiency is Figure 8.
var efficiency = experiment.Define(experiment.Spec[efficiencyParams, efficiencyPoint, efficiencyResult]{
	Name: "efficiency", Short: "Framing efficiency against payload size (Figure 8)", Source: "§6.B, Figure 8",
	Long: `Send packets of every size through the framer of a link, clock edge by clock edge, count the frames that each
takes, and print user bytes by line bytes beside those of 100G Ethernet, Aurora 64B/66B and Interlaken, which are
computed from the rules of their standards.

The exit code is 1 if a packet takes other than the paper's n / (ceil(n / p) q).`,
	Examples: []string{"efficiency --plot fig8.svg --out fig8.csv", "efficiency --lanes 4 --frame 256 --most 2000 --json"},
	Defaults: efficiencyParams{
		Frames: []int{256, 512}, efficiencyPoint: efficiencyPoint{Most: 8192, Lanes: rifl.Default().Lanes},
	},
	Fit: func(q *efficiencyPoint) (err error) {
		q.Width, err = userWidth(q.Width, q.Lanes, q.Frame)
		return err
	},
	Run: func(ctx context.Context, _ *experiment.Run, q efficiencyPoint) (r efficiencyResult, err error) {
		cfg := rifl.Default()
		cfg.FrameBits, cfg.Lanes = q.Frame, q.Lanes
		counted, err := packetFrames(ctx, cfg, q.Width, q.Most)
		if err != nil {
			return r, err
		}
		for n := 1; n <= q.Most; n++ {
			e := float64(n) / float64(counted[n]*q.Frame/8)
			r.Efficiency = append(r.Efficiency, e)
			if e == flitEfficiency(n, cfg.Lanes*cfg.PayloadBytes(), cfg.Lanes*q.Frame/8) {
				r.Equal++
			}
		}
		return r, nil
	},
	Report: reportEfficiency,
})

// userWidth returns the user's width: as given, or the load that fills the lanes.
func userWidth(width, lanes, frameBits int) (int, error) {
	if width == 0 {
		return 1 << (bits.Len(uint(lanes*frameBits/8)) - 1), nil
	}
	if bits.OnesCount(uint(width)) != 1 {
		return 0, fmt.Errorf("--width %d: want a power of two from 1 to 2048, or 0", width)
	}
	return width, nil
}

// framing is a protocol's efficiency by payload.
type framing struct {
	name   string // as a column: rifl_256
	long   string
	dashed bool // computed, not counted
	of     func(n int) float64
}

func reportEfficiency(
	p *efficiencyParams, done []experiment.Result[efficiencyPoint, efficiencyResult],
) (*experiment.Report, error) {
	r := &experiment.Report{}
	var all []framing
	equal, asked := 0, p.Most*len(done)
	for _, d := range done {
		e := d.Value.Efficiency
		all = append(
			all,
			framing{
				fmt.Sprintf("rifl_%d", d.Point.Frame), fmt.Sprintf("RIFL, %d bits", d.Point.Frame), false,
				func(n int) float64 { return e[n-1] },
			},
		)
		equal += d.Value.Equal
	}
	all = append(
		all, framing{"ethernet_100g", "100G Ethernet", true, ethernetEfficiency},
		framing{"aurora_64b66b", "Aurora 64B/66B", true, auroraEfficiency},
		framing{"interlaken", "Interlaken", true, interlakenEfficiency},
	)
	r.Linef("User bytes by line bytes, %%; bonded lanes: %d\n", p.Lanes)
	t := &experiment.Table{Name: "efficiency", Columns: experiment.Columns("Bytes", "")}
	for _, f := range all {
		t.Columns = append(t.Columns, experiment.Column{Name: f.long, Format: "%.2f"})
	}
	row := func(name any, of func(f framing) float64) {
		cells := []any{name}
		for _, f := range all {
			cells = append(cells, 100*of(f))
		}
		t.Row(cells...)
	}
	for _, n := range []int{1, 8, 16, 30, 31, 32, 60, 62, 64, 128, 256, 512, 1024, 1500, 4096, 8192, 9000, 65536} {
		if n <= p.Most {
			row(n, func(f framing) float64 { return f.of(n) })
		}
	}
	row(fmt.Sprintf("mean of 1 to %d", p.Most), func(f framing) (sum float64) {
		for n := 1; n <= p.Most; n++ {
			sum += f.of(n) / float64(p.Most)
		}
		return sum
	})
	r.Table(t)
	r.Linef(
		"\nRIFL is counted on running framers: %d of %d packets take n / (ceil(n / p) q). The others are computed from "+
			"their standards.",
		equal, asked,
	)
	if equal < asked {
		r.Failf("%d of %d sizes take other than the equation says", asked-equal, asked)
	}
	r.File(p.Out, func(w io.Writer) error { return writeEfficiency(w, all, p.Most) })
	efficiencyCharts(r, all, p.Most)
	return r, nil
}

// efficiencyCharts draws short payloads size by size. Of longer ones, whose curves are saws with hundreds of teeth, it
// draws means over sizes within 5 %, in bands from the least to the greatest of them.
func efficiencyCharts(r *experiment.Report, all []framing, most int) {
	const short = 128
	few := &plots.Chart{
		Title: "Framing efficiency, short payloads", X: "payload (bytes)", Y: "user bytes by line bytes (%)",
	}
	many := &plots.Chart{
		Title: "Framing efficiency, means over sizes within 5 %", X: "payload (bytes)", Y: "user bytes by line bytes (%)",
		LogX: true,
	}
	for _, f := range all {
		s := plots.Series{Name: f.long, Dashed: f.dashed}
		for n := 1; n <= min(most, short); n++ {
			s.X, s.Y = append(s.X, float64(n)), append(s.Y, 100*f.of(n))
		}
		few.Series = append(few.Series, s)
		s = plots.Series{Name: f.long, Dashed: f.dashed}
		for from := short / 2; from <= most; {
			to := min(most, int(math.Ceil(float64(from)*1.05)))
			sum, low, high := 0.0, 100.0, 0.0
			for n := from; n <= to; n++ {
				e := 100 * f.of(n)
				sum, low, high = sum+e, min(low, e), max(high, e)
			}
			s.X, s.Y = append(s.X, float64(from+to)/2), append(s.Y, sum/float64(to-from+1))
			s.Low, s.High = append(s.Low, low), append(s.High, high)
			from = to + 1
		}
		if len(s.X) > 0 {
			many.Series = append(many.Series, s)
		}
	}
	if len(many.Series) > 0 {
		r.Chart(experiment.Chart{Name: "efficiency", Lines: many})
	}
	r.Chart(experiment.Chart{Name: "short", Lines: few})
}

// writeEfficiency writes every size.
func writeEfficiency(w io.Writer, all []framing, most int) error {
	var b strings.Builder
	b.WriteString("bytes")
	for _, f := range all {
		b.WriteString("," + f.name)
	}
	for n := 1; n <= most; n++ {
		fmt.Fprintf(&b, "\n%d", n)
		for _, f := range all {
			fmt.Fprintf(&b, ",%.6f", f.of(n))
		}
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}
