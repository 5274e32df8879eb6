package study

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Table 5's totals and Table 6, as printed, from their parts.
func TestPrintedAreas(t *testing.T) {
	for i, want := range []float64{1.243, 1.056, 1.367} {
		require.InDelta(t, want, perProcessor(i), 1e-9)
	}
	for n, want := range map[int][3]float64{16: {19.9, 17.7, 22.7}, 24: {29.9, 26.6, 34.1}, 32: {39.8, 35.5, 45.5}} {
		for i := range want {
			got := float64(n) * perProcessor(i)
			if i > 0 {
				got += crossbarOf(crossbarArea, n)
			}
			require.InDelta(t, want[i], got, 0.07) // the printed parts are rounded
		}
	}
}

// The parameters of the experiment are the figures of Table 5 that the claims print.
func TestGivenAreasAreTheParameters(t *testing.T) {
	var printed []string
	for _, c := range areaClaims() {
		if strings.HasPrefix(c.ID, "drmt/table5/") && c.Measure == nil {
			printed = append(printed, c.Printed)
		}
	}
	require.Len(t, printed, len(table5))
	for i, c := range table5 {
		text := fmt.Sprintf("%.3f, %.3f, %.3f", c.area[0], c.area[1], c.area[2])
		if c.area[0] == 0 {
			text = fmt.Sprintf("N/A, %.3f, %.3f", c.area[1], c.area[2])
		}
		require.Equal(t, printed[i], text, c.name)
	}
}

// The reasons of the two sums that deviate: which areas of a processor give all of Table 6's column, to its digit.
func TestAreasThatGiveTable6(t *testing.T) {
	for _, c := range []struct {
		printed   [3]float64 // for 16, 24, 32 processors
		crossbars bool
		low, high float64
	}{{[3]float64{19.9, 29.9, 39.8}, false, 1.2438, 1.2453}, {[3]float64{17.7, 26.6, 35.5}, true, 1.0540, 1.0558}} {
		fits := func(area float64) bool {
			for i, want := range c.printed {
				n := []int{16, 24, 32}[i]
				sum := float64(n) * area
				if c.crossbars {
					sum += crossbarArea[n]
				}
				if sum < want-0.05 || sum >= want+0.05 {
					return false
				}
			}
			return true
		}
		require.True(t, fits(c.low) && fits(c.high))
		require.False(t, fits(c.low-1e-4) || fits(c.high+1e-4))
	}
	require.InDelta(t, 1.243, perProcessor(0), 1e-9) // outside
	require.InDelta(t, 1.056, perProcessor(1), 1e-9)
}
