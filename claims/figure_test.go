package claims

import (
	"math/big"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestExactFiguresAreShortestDecimals(t *testing.T) {
	for _, c := range []struct {
		num, den int64
		want     string
	}{
		{0, 1, "0"},
		{2 * 64, 25, "5.12"},          // two cycles of 66 bits / 25.78125 Gb/s
		{2578125, 100000, "25.78125"}, // the line rate of 25GBASE-R
		{299520, 1000, "299.52"},      // EDM Table 1, read, with wires
		{-3, 2, "-1.5"},
		{1000000, 1, "1000000"},
		{1, 4096, "0.000244140625"},        // twelve decimals are still shown
		{1, 8192, "1/8192 ≈ 0.0001221"},    // thirteen are not
		{400, 7, "400/7 ≈ 57.14"},          // Shoal, N = k = 8: (2N-k) / (2(N-1)) in per cent
		{51200, 33, "51200/33 ≈ 1552"},     // the period of 644.53125 MHz in ps, whole digits kept
		{1000000007, 998244353, "≈ 1.002"}, // too long for a fraction
	} {
		require.Equal(t, c.want, formatRat(big.NewRat(c.num, c.den)))
	}
}

func TestOtherFiguresHaveFourSignificantDigits(t *testing.T) {
	for _, c := range []struct {
		f    float64
		want string
	}{
		{0, "0"},
		{1.31, "1.31"},
		{1.30000001, "1.3"},
		{0.1 + 0.2, "0.3"},
		{57.142857, "57.14"},
		{-57.142857, "-57.14"},
		{9.99996, "10"},
		{299.52, "299.5"},
		{12345.6, "12346"},
		{999999.4, "999999"},
		{1000000, "1e6"},
		{1.8849e7, "1.885e7"},
		{0.00012345, "0.0001234"}, // the double is just below the middle
		{0.000012345, "1.234e-5"}, // likewise
		{-1e-30, "-1e-30"},
		{100, "100"},
	} {
		require.Equal(t, c.want, formatFloat(c.f), "%v", c.f)
	}
}

// The printed text of a float is never further from it than half a unit of the fourth digit.
func TestRoundedFigureIsNearTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64Range(-1e12, 1e12).Draw(t, "f")
		shown, err := strconv.ParseFloat(formatFloat(f), 64)
		require.NoError(t, err)
		require.InDelta(t, f, shown, 0.00050001*abs(f))
	})
}

// A decimal comes out as it went in, so a printed figure and an equal measured one look the same.
func TestExactDecimalRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(-1e15, 1e15).Draw(t, "n")
		decimals := rapid.IntRange(0, maxDecimals).Draw(t, "decimals")
		den := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
		r := new(big.Rat).SetFrac(big.NewInt(n), den)
		back, err := parseFigure(formatRat(r))
		require.NoError(t, err)
		require.Zero(t, r.Cmp(back))
	})
}

func TestInFullIsNeverRounded(t *testing.T) {
	require.Equal(t, "1.2004", inFull(nil, 1.2004, ""))
	require.Equal(t, "1000000007/998244353 ns", inFull(big.NewRat(1000000007, 998244353), 0, "ns"))
	require.Equal(t, "400/7 ≈ 57.14 %", inFull(big.NewRat(400, 7), 0, "%"))
}

func abs(f float64) float64 { return max(f, -f) }
