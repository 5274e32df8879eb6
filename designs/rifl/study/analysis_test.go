package study

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/rifl"
)

// Small cases counted by hand, and the binomial sum done the slow way in high precision.
func TestEquations(t *testing.T) {
	require.InEpsilon(t, 1-math.Pow(0.999, 128), frameErrorRatio(1e-3, 128), 1e-12)
	require.InEpsilon(t, 256e-12, frameErrorRatio(1e-12, 256), 1e-9, "no cancellation")

	slow := func(m, n, f int, ber float64) float64 {
		one := func() *big.Float { return big.NewFloat(1).SetPrec(400) }
		p := big.NewFloat(ber).SetPrec(400)
		q := one().Sub(one(), p)
		rest := one()
		for i := 0; i <= n; i++ {
			term := new(big.Float).SetPrec(400).SetInt(new(big.Int).Binomial(int64(f), int64(i)))
			for k := range f {
				if k < i {
					term.Mul(term, p)
				} else {
					term.Mul(term, q)
				}
			}
			rest.Sub(rest, term)
		}
		x, _ := rest.Float64()
		return math.Ldexp(x, -m)
	}
	for _, ber := range []float64{1e-3, 1e-5, 1e-7} {
		require.InEpsilon(t, slow(12, 3, 256, ber), frameFailureRatio(12, 3, 256, ber), 1e-9)
	}
	// a year of one frame a second with a chance of 1 in 100 a frame fails in one frame
	require.InEpsilon(t, 1/(365.25*86400), timeToOnePercent(0.01, 256, 256), 1e-9)
	require.InEpsilon(t, 100/(365.25*86400), meanTime(0.01, 256, 256), 1e-9)
	require.Equal(t, 8, leastID(100e9, 500e-9, 256), "195.3 frames")
	require.InDelta(t, 240.0/256, efficiencyUnder(rifl.Default(), 0, 0), 1e-15)
}

// CRCs of Hamming distance 4 reach as far as Koopman's tables say: 119 bits of data by 8 bits, 2035 by 12.
func TestLeastChecksumReachesAsFarAsKoopman(t *testing.T) {
	require.Equal(t, 8, leastChecksum(119, 128, 1))
	require.Equal(t, 9, leastChecksum(120, 128, 1))
	require.Equal(t, 12, leastChecksum(2035, 2048, 1))
	require.Equal(t, 13, leastChecksum(2036, 2048, 1))
}

// Counted by hand from the rules.
func TestFramingEfficiency(t *testing.T) {
	require.InEpsilon(t, 31.0/64, flitEfficiency(31, 30, 32), 1e-12)
	require.InEpsilon(t, 64.0/88*64/66, ethernetEfficiency(64), 1e-12)
	require.InEpsilon(t, 9.0/16*64/66, auroraEfficiency(9), 1e-12, "a data block and a separator with one byte")
	require.InEpsilon(
		t, 65.0/(72+40)*64/67*2044/2048, interlakenEfficiency(65), 1e-12, "a long burst and a short one of 32",
	)
}
