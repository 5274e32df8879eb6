package study

import (
	"context"

	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/edm"
)

// interferencePoint is lone messages under one policy of the multiplexers, beside frames or not.
type interferencePoint struct {
	Policy   edm.Sharing `flag:"-" json:"policy"`
	Frames   bool        `flag:"-" json:"frames"`
	Messages int         `flag:"messages" min:"2" max:"20000" help:"reads and writes" json:"messages"`
}

// interference is what §3.2.3 and §4.2.1 say of frames beside memory messages.
var interference = experiment.Define(experiment.Spec[interferencePoint, interferencePoint, *Interference]{
	Name: "interference", Waves: true, Checkpoints: true,
	Short: "Memory accesses on links full of IP frames (§3.2.3)", Source: "§3.2.3, §4.2.1",
	Long: `Send lone reads and writes over links of 25 Gb/s that are full of frames of 1,518 bytes in both directions,
with each policy of the transmit multiplexer, and without frames. A fault is an invariant that is violated. The exit
code is 1 if a frame is damaged.`,
	Examples: []string{"interference"},
	Defaults: interferencePoint{Messages: 200},
	Points: func(p *interferencePoint, seed uint64) ([]experiment.Point[interferencePoint], error) {
		return experiment.Each(
			seed, interferencePoint{edm.Fair, false, p.Messages}, interferencePoint{edm.Fair, true, p.Messages},
			interferencePoint{edm.MemoryFirst, true, p.Messages},
		), nil
	},
	Run: func(ctx context.Context, run *experiment.Run, q interferencePoint) (*Interference, error) {
		return runInterference(ctx, q.Policy, q.Frames, q.Messages, run.Seed, Watched(run))
	},
	Report: func(_ *interferencePoint, done []experiment.Result[interferencePoint, *Interference]) (*experiment.Report,
		error) {
		r := &experiment.Report{}
		t := &experiment.Table{
			Name: "interference",
			Columns: experiment.Columns(
				"Policy", "", "Frames", "", "Gb/s a link", "%.1f", "Damaged", "", "Read ns", "%.1f", "Most", "%.1f",
				"Write ns", "%.1f", "Most", "%.1f", "Frame blocks held", "", "Reassembled", "",
			),
		}
		for _, d := range done {
			x := d.Value
			t.Row(
				x.Policy, x.Frames, x.FrameGbps, x.Damaged, x.Read.Mean, x.Read.Most, x.Write.Mean, x.Write.Most,
				x.MostFrames, x.MostReceived,
			)
			if x.Damaged > 0 {
				r.Failf("%s, %d frames: %d are damaged", x.Policy, x.Frames, x.Damaged)
			}
		}
		r.Table(t)
		return r, nil
	},
})
