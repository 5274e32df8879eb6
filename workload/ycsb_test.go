package workload

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Pearson's chi-square against the exact probabilities; ranks that expect few draws share a bin.
func TestZipfChiSquare(t *testing.T) {
	for _, test := range []struct {
		ranks int
		skew  float64
	}{{1, 0.99}, {2, 0.99}, {1000, 0.99}, {100_000, 0.99}, {500, 0}, {500, 0.5}, {500, 1}, {500, 2.5}} {
		t.Run(fmt.Sprintf("%d ranks, skew %g", test.ranks, test.skew), func(t *testing.T) {
			const n = 1_000_000
			z := NewZipf(newRand(8), test.ranks, test.skew)
			count := make([]int, test.ranks)
			for range n {
				count[z.Draw()]++
			}
			total := 0.0
			for k := range test.ranks {
				total += math.Pow(float64(k+1), -test.skew)
			}
			var square, got, want float64
			bins := 0
			for k := range test.ranks {
				got += float64(count[k])
				want += n * math.Pow(float64(k+1), -test.skew) / total
				if want >= 100 || k == test.ranks-1 {
					square += (got - want) * (got - want) / want
					bins++
					got, want = 0, 0
				}
			}
			// The mean of chi-square is its degrees of freedom d, its deviation √2d.
			d := float64(bins - 1)
			require.InDelta(t, d, square, 5*math.Sqrt(2*d))
		})
	}
}

func TestYCSBMix(t *testing.T) {
	const n, records = 200_000, 10_000
	harmonic := 0.0
	for k := range records {
		harmonic += math.Pow(float64(k+1), -0.99)
	}
	for workload, writes := range map[string]float64{"A": 0.5, "B": 0.05, "F": 1. / 3} {
		t.Run(workload, func(t *testing.T) {
			y, err := NewYCSB(workload, records, newRand(9))
			require.NoError(t, err)
			got, first := 0, 0
			var last Operation
			for i := range n {
				op := y.Next()
				require.Less(t, op.Key, uint64(records))
				if op.Key == 0 {
					first++
				}
				switch op.Type {
				case Write:
					got++
					require.Equal(t, 100, op.Bytes)
					if workload == "F" { // F reads a key, then writes it
						require.NotZero(t, i)
						require.Equal(t, Operation{Key: op.Key, Type: Read, Bytes: 1000}, last)
					}
				default:
					require.Equal(t, Read, op.Type)
					require.Equal(t, 1000, op.Bytes)
				}
				last = op
			}
			require.InDelta(t, writes*n, got, 5*0.5*math.Sqrt(n))
			// Twice the variance, as operations of F come in pairs.
			require.InDelta(t, n/harmonic, first, 5*math.Sqrt(2*n/harmonic))
		})
	}
}

func TestNewYCSBErrors(t *testing.T) {
	_, err := NewYCSB("C", 10, newRand(1))
	require.EqualError(t, err, `YCSB workload "C", want A, B or F`)
	_, err = NewYCSB("A", 0, newRand(1))
	require.EqualError(t, err, "YCSB on 0 records, want at least 1")
	require.PanicsWithValue(t, "workload: Zipf of 0 ranks with skew 1, want at least 1 and 0",
		func() { NewZipf(newRand(1), 0, 1) })
}

func BenchmarkZipf(b *testing.B) {
	z := NewZipf(newRand(1), 1_000_000, YCSBSkew)
	for b.Loop() {
		z.Draw()
	}
}
