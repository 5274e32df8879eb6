package spfc

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/goldwire/goldwire/bench"
)

// speed is what `goldwire bench` prints: 13.5 ms of §III, for which a packet simulator in C++ takes 1.3 to 2.0 s, and 512 hosts at load 0.5.
func speed(ctx context.Context) ([]bench.Line, error) {
	q := BurstPoint{Settings: DefaultSettings(), Bursts: 24, Scheme: "dt2", Lasts: 11 * Millisecond, Far: 9 * Microsecond, Congest: 1}
	var err error
	var events int64
	seconds := bench.Timed(func() {
		f, e := q.fabric(1)
		if e == nil {
			e = f.Run(ctx, 13500*Microsecond)
			events = f.Net.Events
		}
		if e != nil {
			err = e
		}
	})[0]
	if err != nil {
		return nil, err
	}
	lines := []bench.Line{bench.AtMost("SPFC, 13.5 ms of Section III, 24 bursts", 1, seconds, " s", fmt.Sprintf("%.0f ns an event, %.2g simulated us a second", seconds*1e9/float64(events), 13500/seconds))}

	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	const span = Millisecond
	large := FabricPoint{Settings: DefaultSettings(), Pods: 8, Scheme: "spfc", Load: 0.5, Lasts: span, Sizes: "websearch", Memory: 32}
	f, err := large.fabric(1)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	if err := f.Run(ctx, span); err != nil {
		return nil, err
	}
	took := time.Since(start).Seconds()
	runtime.ReadMemStats(&after)
	lines = append(lines, bench.Figure("SPFC, 512 hosts, web search at load 0.5", fmt.Sprintf("%.0f simulated us a second", micros(span)/took),
		fmt.Sprintf("the first %d us; %.0f ns an event, %.0f MiB", span/Microsecond, took*1e9/float64(f.Net.Events), float64(after.HeapSys-before.HeapSys+after.HeapAlloc)/(1<<20))))
	runtime.KeepAlive(f)
	return lines, nil
}
