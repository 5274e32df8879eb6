package study

import (
	"context"
	"fmt"
	"math"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"

	"github.com/goldwire/goldwire/designs/rifl"
)

// oneWay measures from handshake to handshake, with the breakdown.
func oneWay(cfg rifl.Config) measuring {
	return func(ctx context.Context, _ *claims.Run) (claims.Measurement, error) {
		x, err := latency.Measure(ctx, latencyPoint{linkParams: linkOf(cfg)}, 0)
		if err != nil {
			return claims.Measurement{}, err
		}
		total, stages := x.total, x.stages
		frame := cfg.LaneRate.Times(1, int64(cfg.FrameBits)).Period()
		m := claims.Measurement{Exact: total.In(clock.Nanosecond), Unit: "ns",
			Detail: fmt.Sprintf("%s frame cycles from handshake to handshake, %d bits a frame at %v a lane", total.In(frame).RatString(), cfg.FrameBits, cfg.LaneRate)}
		for _, s := range stages {
			m.Rows = append(m.Rows, claims.Row{Kind: claims.Part, Label: s.Place, Exact: s.Time().In(clock.Nanosecond)})
		}
		return m, nil
	}
}

// byLength measures from handshake to handshake at some lengths, in frame cycles.
func byLength(ctx context.Context, _ *claims.Run) (claims.Measurement, error) {
	m := claims.Measurement{Unit: "cycles"}
	for _, f := range []int{256, 512} {
		for _, length := range []float64{1, 3, 10, 30, 100, 300, 500} {
			cfg := with(frameBits(f), metres(length), profile(rifl.Safe))
			x, err := latency.Measure(ctx, latencyPoint{linkParams: linkOf(cfg)}, 0)
			if err != nil {
				return m, err
			}
			total := x.total
			cycles := total.In(cfg.LaneRate.Times(1, int64(f)).Period())
			ns, _ := total.In(clock.Nanosecond).Float64()
			m.Rows = append(m.Rows, claims.Row{Kind: claims.Point, Series: fmt.Sprintf("F = %d", f), At: length, Label: fmt.Sprintf("F = %d, %v m (%.1f ns)", f, length, ns), Exact: cycles})
			if f == 256 && length == 10 {
				m.Exact = cycles
			}
		}
	}
	m.Detail = "frame cycles from handshake to handshake; the figure is that of 256 bits and 10 m"
	return m, nil
}

// byFrameSize measures from handshake to handshake with frames of 256 and of 512 bits, on the lanes of Figure 8.
func byFrameSize(ctx context.Context, _ *claims.Run) (claims.Measurement, error) {
	m := claims.Measurement{Unit: "ns", Detail: "from handshake to handshake over 10 m, four lanes of 25.78125 Gb/s; the figure is that of 512 bits"}
	for _, f := range []int{256, 512} {
		x, err := latency.Measure(ctx, latencyPoint{linkParams: linkOf(with(frameBits(f), lanes(4), laneRate(clock.MHz(25_781.25))))}, 0)
		if err != nil {
			return m, err
		}
		m.Exact = x.total.In(clock.Nanosecond)
		m.Rows = append(m.Rows, claims.Row{Label: fmt.Sprintf("F = %d", f), Exact: m.Exact})
	}
	return m, nil
}

// transceiverRange measures the latency over 10 m for every delay of transceivers and cable in whole cycles from that of the cable alone
// to 40, and counts those that print as 110 ns.
func transceiverRange(ctx context.Context, _ *claims.Run) (claims.Measurement, error) {
	var rows []claims.Row
	n := int64(0)
	var fit []float64
	cable := rifl.NsPerMetre * rifl.Default().Length
	word := rifl.Default().FrameNs() / float64(rifl.Default().Words())
	for d := int(math.Ceil(cable / word)); d <= 40; d++ {
		total, _, err := beatWay(rifl.LinkConfig{Config: with(lineCycles(d))})
		if err != nil {
			return claims.Measurement{}, err
		}
		ns := total.In(clock.Nanosecond)
		rows = append(rows, claims.Row{Kind: claims.Point, At: float64(d), Exact: ns, Label: fmt.Sprintf("D = %d: %.1f ns of transceivers", d, float64(d)*word-cable)})
		if f, _ := ns.Float64(); math.Round(f) == 110 {
			n++
			fit = append(fit, float64(d)*word-cable)
		}
	}
	if len(fit) == 0 {
		return claims.Measurement{}, fmt.Errorf("no delay gives 110 ns")
	}
	m := count(n, "delays", "with %.1f to less than %.1f ns of transceivers over 10 m a beat takes 110 ns", fit[0], fit[len(fit)-1]+word)
	m.Rows = rows
	return m, nil
}
