package study

import (
	"context"
	"fmt"
	"math"

	"github.com/goldwire/goldwire/claims"
)

// framedFactor is the payload rate of four channels, 56 bytes in 23.25 ns each, over the 47.3 of 50 Gb/s that frames
// leave.
const framedFactor = 1.63

// lonePoint is one flow of 10 MB in a network.
func lonePoint(network string) PeersPoint {
	return PeersPoint{defaultNetwork(), network, idleLoad, 1, "fixed:10000000", awaitAll}
}

// withLone adds to a measurement of goodput the factor of a lone flow, in a last row. The framing alone decides it:
// that is the reason of the claims. Any other factor is an error.
func withLone(peer string, m measure) measure {
	return func(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
		under, err := m(ctx, run)
		if err != nil {
			return under, err
		}
		var gbps [2]float64
		for i, network := range []string{networkShoal, peer} {
			r, err := peers.Measure(ctx, lonePoint(network), run.Seed)
			if err != nil {
				return under, err
			}
			gbps[i] = r.LongGbps
		}
		factor, err := loneFactor(peer, gbps[0], gbps[1])
		return under.With(claims.Row{Kind: claims.Variant, Label: "a lone flow of 10 MB", Value: factor, Unit: "x"}), err
	}
}

// loneFactor compares goodputs of a lone flow. A factor 3 % off the framing's is an error.
func loneFactor(peer string, rack, other float64) (float64, error) {
	factor := rack / other
	if !(math.Abs(factor/framedFactor-1) <= 0.03) { // nor NaN
		return factor, fmt.Errorf("%s: a lone flow has %.2f Gb/s, and %.2f in the rack, not %g times as much: the reason "+
			"of the claim is wrong",
			peer, other, rack, framedFactor)
	}
	return factor, nil
}
