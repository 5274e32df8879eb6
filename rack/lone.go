package rack

import (
	"context"
	"slices"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"
)

// lonePoint asks how long messages of some sizes take alone in a fabric.
type lonePoint struct {
	Fabric string
	Links  Links
	Sizes  []int
}

// loneStarts is how many lone messages are measured of each size under Shoal, where it counts which circuit comes next.
// To a message of more than loneBytes it matters less, so that fewer do.
const (
	loneStarts = 64
	loneBytes  = 2048
)

// lone measures messages that have a fabric to themselves. Points of one fabric share its result.
var lone = experiment.Inner(
	"lone",
	"Lone messages of some sizes",
	func(ctx context.Context, _ *experiment.Run, q lonePoint) (*measure.Lone, error) {
		f, err := named(q.Fabric)
		if err != nil {
			return nil, err
		}
		return measure.NewLone(
			q.Sizes, func(t workload.MessageType, bytes int) (float64, error) { return f.alone(ctx, q.Links, t, bytes) },
		)
	},
)

// alone returns the mean time in nanoseconds of a message that has the fabric to itself.
func (f fabric) alone(ctx context.Context, l Links, t workload.MessageType, bytes int) (float64, error) {
	starts := 1
	l.BER = 0
	switch f.Fidelity {
	case bySlot:
		starts = max(1, min(loneStarts, loneStarts*loneBytes/bytes))
	case byCycle:
		l.Nodes = 3 // others would tick idly
	}
	sum := 0.0
	for i := range starts {
		// Destinations and starts that together meet every place of the schedule alike.
		m := workload.Message{Type: t, Source: 0, Dest: 1 + i%(l.Nodes-1), Bytes: bytes, Start: int64(i) * 23_250 * 5 / 3}
		c, err := f.run(ctx, &experiment.Run{Seed: 1}, l, []workload.Message{m})
		if err != nil {
			return 0, err
		}
		sum += float64(c.results[0].Latency()) / 1000
	}
	return sum / float64(starts), nil
}

// aloneIn returns how long a message of any size takes alone in a fabric, in nanoseconds: measured at some sizes, or
// linear between them.
func aloneIn(
	ctx context.Context,
	fabric string,
	l Links,
	messages []workload.Message,
) (func(workload.MessageType, int) float64, error) {
	sizes := make([]int, len(messages))
	for i, m := range messages {
		sizes[i] = m.Bytes
	}
	slices.Sort(sizes)
	const most = 10
	if distinct := slices.Compact(sizes); len(distinct) > most {
		all := distinct
		sizes = nil
		for k := range most {
			sizes = append(sizes, all[k*(len(all)-1)/(most-1)])
		}
	} else {
		sizes = distinct
	}
	x, err := lone.Measure(ctx, lonePoint{fabric, l, sizes}, 0)
	if err != nil {
		return nil, err
	}
	return x.Time, nil
}
