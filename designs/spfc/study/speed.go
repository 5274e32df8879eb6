package study

import (
	"context"
	"fmt"
	"runtime"

	"github.com/goldwire/goldwire/design/bench"

	"github.com/goldwire/goldwire/designs/spfc"
)

// speed is what `goldwire bench` prints: 13.5 ms of §III, for which a packet simulator in C++ takes 1.3 to 2.0 s, and
// 512 hosts at load 0.5.
func speed(ctx context.Context) ([]bench.Line, error) {
	q := BurstPoint{Settings: spfc.DefaultSettings(), Bursts: 24, Scheme: "dt2", Lasts: 11 * spfc.Millisecond,
		Far: 9 * spfc.Microsecond, Congest: 1}
	var events int64
	t, err := bench.Timed(ctx, func() error {
		f, err := q.fabric(1)
		if err != nil {
			return err
		}
		err = f.Run(ctx, 13500*spfc.Microsecond)
		events = f.Net.Events
		return err
	})
	if err != nil {
		return nil, err
	}
	seconds := t[0].CPU.Median()
	lines := []bench.Line{bench.AtMost(
		"SPFC, 13.5 ms of Section III, 24 bursts",
		1,
		t[0].CPU,
		"s",
		fmt.Sprintf(
			"set-up included; a packet simulator in C++ takes 1.3 to 2.0 s; %.0f ns an event, %.2g simulated us a second",
			seconds*1e9/float64(events), 13500/seconds,
		),
	)}

	for _, sizes := range []string{"websearch", "fbhadoop"} {
		line, err := speedOfFabric(ctx, sizes)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// speedOfFabric is 512 hosts at load 0.5 with flows of a published distribution.
func speedOfFabric(ctx context.Context, sizes string) (bench.Line, error) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	const rounds, span = 5, spfc.Millisecond / 10
	large := FabricPoint{Settings: spfc.DefaultSettings(), Pods: 8, Scheme: "spfc", Load: 0.5, Lasts: rounds * span,
		Sizes: sizes, Memory: 32}
	f, err := large.fabric(1)
	if err != nil {
		return bench.Line{}, err
	}
	var took bench.Times
	for round := range rounds {
		w := bench.Start()
		if err := f.Run(ctx, spfc.Time(round+1)*span); err != nil {
			return bench.Line{}, err
		}
		took.Add(w)
	}
	runtime.ReadMemStats(&after)
	defer runtime.KeepAlive(f)
	return bench.Figure(
		fmt.Sprintf("SPFC, 512 hosts, %s at load 0.5",
			map[string]string{"websearch": "web search", "fbhadoop": "Hadoop"}[sizes]),
		took.CPU.Rate(spfc.Microseconds(span)),
		"simulated us a second",
		fmt.Sprintf(
			"the first %.0f us; %.0f MiB", spfc.Microseconds(rounds*span),
			float64(after.HeapSys-before.HeapSys+after.HeapAlloc)/(1<<20),
		),
	), nil
}
