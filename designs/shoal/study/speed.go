package study

import (
	"context"
	"fmt"
	"runtime"

	"github.com/goldwire/goldwire/design/bench"
	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/shoal"
)

// speed is what `goldwire bench` prints: the slot-accurate rack with every node in a permutation, and under load. The
// paper's authors' own simulator, which has no cycles either, does 561 to 1,040 slots a second at 512 nodes and takes
// 7.6 GiB.
func speed(ctx context.Context) ([]bench.Line, error) {
	var lines []bench.Line
	perCell, small := map[string]float64{}, 0.0
	for _, c := range []struct {
		nodes, channels int
		least           float64 // slots a second, 0 for none
	}{{512, 1, 20_000}, {512, 4, 0}, {1024, 4, 0}} {
		what := fmt.Sprintf("Shoal, permutation of %d nodes, %d channels", c.nodes, c.channels)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s, err := shoal.Cyclic(c.nodes, c.channels)
		if err != nil {
			return nil, err
		}
		r, err := shoal.NewRack(shoal.RackConfig{Schedule: s})
		if err != nil {
			return nil, err
		}
		for i := range c.nodes {
			// 5 and 1024 have no divisor in common: a permutation
			if err := r.Offer(uint64(i), i, (i*5+3)%c.nodes, 1<<31); err != nil {
				return nil, err
			}
		}
		if err := r.Run(ctx, 4*uint64(r.Epoch())); err != nil {
			return nil, err
		}
		const slots = 300
		t, err := bench.Timed(ctx, func() error {
			for range slots {
				r.Step()
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		rate := t[0].CPU.Rate(slots)
		if err := r.Broken(); err != nil {
			return nil, err
		}
		runtime.ReadMemStats(&after)
		mib := float64(after.HeapAlloc-before.HeapAlloc) / (1 << 20)
		perCell[what] = 1e9 / rate.Median() / float64(c.nodes*c.channels)
		note := fmt.Sprintf("%.0f ns a node and channel, %.0f MiB", perCell[what], mib)
		if small > 0 {
			note += fmt.Sprintf(", %.2f times the time of 512 nodes and one channel", perCell[what]/small)
		} else {
			small = perCell[what]
		}
		if c.least > 0 {
			lines = append(lines, bench.AtLeast(what, c.least, rate, "slots a second", note))
		} else {
			lines = append(lines, bench.Figure(what, rate, "slots a second", note))
		}
		runtime.KeepAlive(r)
	}
	for _, load := range []float64{0.5, 1} {
		var slots uint64
		var took bench.Times
		const rounds = 4
		for range rounds {
			w := bench.Start()
			r, err := runLoad(ctx, &experiment.Run{Seed: 1}, LoadPoint{Load: load, Flows: 300, Sizes: "pareto",
				Fabric: shoal.FabricParams{Nodes: 512, Channels: 4, Schedule: "cyclic"}})
			if err != nil {
				return nil, err
			}
			slots = uint64(r.Slots)
			took.Add(w)
		}
		lines = append(
			lines,
			bench.Figure(
				fmt.Sprintf("Shoal, 512 nodes, 4 channels, load %g", load), took.CPU.Rate(float64(slots)), "slots a second",
				fmt.Sprintf("%d slots, set-up included", slots),
			),
		)
	}
	return lines, nil
}
