package study

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"

	"github.com/goldwire/goldwire/designs/rifl"
)

// idle is a beat through an idle link of a configuration.
func idle(cfg rifl.Config) latencyPoint { return latencyPoint{linkParams: linkOf(cfg)} }

// frameTime is the period of a frame on a lane.
func frameTime(cfg rifl.Config) clock.Time {
	return cfg.LaneRate.Times(1, int64(cfg.FrameBits)).Period()
}

// lengths are the lengths of rifl/latency/length, in metres, for frames of 256 and of 512 bits.
var lengths = []float64{1, 3, 10, 30, 100, 300, 500}

// byLength measures from handshake to handshake at some lengths, in frame cycles.
func byLength() claims.Measure {
	var cfgs []rifl.Config
	var points []latencyPoint
	for _, f := range []int{256, 512} {
		for _, length := range lengths {
			cfgs = append(cfgs, with(frameBits(f), metres(length), profile(rifl.Safe)))
			points = append(points, idle(cfgs[len(cfgs)-1]))
		}
	}
	return claims.OfAll(latency, points, func(xs []latencyResult) claims.Measurement {
		m := claims.Measurement{
			Unit: "cycles", Detail: "frame cycles from handshake to handshake; the figure is that of 256 bits and 10 m",
		}
		for i, x := range xs {
			f, length := cfgs[i].FrameBits, cfgs[i].Length
			cycles := x.total.In(frameTime(cfgs[i]))
			m.Rows = append(m.Rows, claims.Row{Kind: claims.Point, Series: fmt.Sprintf("F = %d", f), At: length, Exact: cycles,
				Label: fmt.Sprintf("F = %d, %v m (%.1f ns)", f, length, x.Time)})
			if f == 256 && length == 10 {
				m.Exact = cycles
			}
		}
		return m
	})
}

// byFrameSize measures from handshake to handshake with frames of 256 and of 512 bits, on the lanes of Figure 8.
func byFrameSize() claims.Measure {
	fig8 := func(f int) latencyPoint { return idle(with(frameBits(f), lanes(4), laneRate(clock.MHz(25_781.25)))) }
	return claims.OfAll(latency, []latencyPoint{fig8(256), fig8(512)}, func(xs []latencyResult) claims.Measurement {
		small, large := xs[0].total.In(clock.Nanosecond), xs[1].total.In(clock.Nanosecond)
		const what = "from handshake to handshake over 10 m, four lanes of 25.78125 Gb/s; the figure is that of 512 bits"
		return claims.Exact(large, "ns", what).
			With(claims.Row{Label: "F = 256", Exact: small}, claims.Row{Label: "F = 512", Exact: large})
	})
}

// transceiverRange measures the latency over 10 m for every delay of transceivers and cable in whole cycles from the
// cable's alone to 40, and counts the delays that print as 110 ns.
func transceiverRange() (m claims.Measurement, err error) {
	var rows []claims.Row
	var fit []float64
	cable := rifl.NsPerMetre * rifl.Default().Length
	word := rifl.Default().FrameNs() / float64(rifl.Default().Words())
	for d := int(math.Ceil(cable / word)); d <= 40; d++ {
		total, _, err := beatWay(rifl.LinkConfig{Config: with(lineCycles(d))})
		if err != nil {
			return m, err
		}
		ns := total.In(clock.Nanosecond)
		rows = append(
			rows,
			claims.Row{
				Kind: claims.Point, At: float64(d), Exact: ns, Unit: "ns",
				Label: fmt.Sprintf("D = %d: %.1f ns of transceivers", d, float64(d)*word-cable),
			},
		)
		if f, _ := ns.Float64(); math.Round(f) == 110 {
			fit = append(fit, float64(d)*word-cable)
		}
	}
	if len(fit) == 0 {
		return m, fmt.Errorf("no delay gives 110 ns")
	}
	const what = "with %.1f to less than %.1f ns of transceivers over 10 m a beat takes 110 ns"
	return claims.Count(len(fit), "delays", what, fit[0], fit[len(fit)-1]+word).With(rows...), nil
}
