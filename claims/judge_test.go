package claims_test

import (
	"context"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
)

// outcome verifies one claim that is recorded as holding.
func outcome(t *testing.T, judge claims.Judge, m claims.Measurement) claims.Result {
	t.Helper()
	c := holding("a/b")
	c.Judge, c.Measure = judge, gives(m)
	set, err := claims.NewSet([]claims.Claim{c})
	require.NoError(t, err)
	report, err := claims.Verify(context.Background(), set, claims.Options{})
	require.NoError(t, err)
	return report.Results[0]
}

func TestJudges(t *testing.T) {
	rises := claims.Shape("latency rises with load", "ns", func(m claims.Measurement) bool {
		return m.Rows[0].Value < m.Rows[1].Value
	})
	curve := func(first, second int64) claims.Measurement {
		m := exact(1, 1, "ns")
		m.Rows = []claims.Row{{Label: "0.2", Exact: big.NewRat(first, 3)}, {Label: "0.9", Exact: big.NewRat(second, 3)}}
		return m
	}
	const holds, deviates = claims.Holds, claims.Deviates

	for _, c := range []struct {
		judge claims.Judge
		text  string
		m     claims.Measurement
		want  claims.Verdict
	}{
		{claims.Exactly("5.12", "ns"), "exactly 5.12 ns", exact(128, 25, "ns"), holds},
		{claims.Exactly("5.12", "ns"), "exactly 5.12 ns", exact(512000000000001, 100000000000000, "ns"), deviates},
		{claims.Exactly("51200/33", "ps"), "exactly 51200/33 ≈ 1552 ps", exact(102400, 66, "ps"), holds},

		{claims.Within("1.2", "0.05", ""), "1.2 ± 0.05", approx(1.25, ""), holds}, // 1.25-1.2 > 0.05 in floating point
		{claims.Within("1.2", "0.05", ""), "1.2 ± 0.05", approx(1.15, ""), holds},
		{claims.Within("1.2", "0.05", ""), "1.2 ± 0.05", approx(1.2501, ""), deviates},
		{claims.Within("1.2", "0.05", ""), "1.2 ± 0.05", approx(1.1499, ""), deviates},
		{claims.Within("400", "1%", "ns"), "400 ns ± 1 % of that", exact(404, 1, "ns"), holds},
		{claims.Within("400", "1 %", "ns"), "400 ns ± 1 % of that", exact(396, 1, "ns"), holds},
		{claims.Within("400", "1%", "ns"), "400 ns ± 1 % of that", exact(40401, 100, "ns"), deviates},
		{claims.Within("-400", "1%", "ns"), "-400 ns ± 1 % of that", exact(-404, 1, "ns"), holds},
		{claims.Within("-400", "1%", "ns"), "-400 ns ± 1 % of that", exact(-39599, 100, "ns"), deviates},

		{claims.AtMost("1.3", "x"), "at most 1.3 x", approx(1.3, "x"), holds},
		{claims.AtMost("1.3", "x"), "at most 1.3 x", approx(-7, "x"), holds},
		{claims.AtMost("1.3", "x"), "at most 1.3 x", approx(1.3000001, "x"), deviates},
		{claims.AtLeast("0.95", ""), "at least 0.95", approx(0.95, ""), holds}, // the double 0.95 is less than 0.95
		{claims.AtLeast("0.95", ""), "at least 0.95", approx(2, ""), holds},
		{claims.AtLeast("0.95", ""), "at least 0.95", exact(949, 1000, ""), deviates},

		{rises, "latency rises with load", curve(4, 5), holds},
		{rises, "latency rises with load", curve(5, 5), deviates},
	} {
		require.Equal(t, c.text, c.judge.String())
		r := outcome(t, c.judge, c.m)
		require.Equal(t, c.want, r.Verdict, "%s: %s", c.text, c.m)
		require.Equal(t, c.want == holds, r.AsRecorded())
	}
}

func TestMeasurementsThatCannotBeJudged(t *testing.T) {
	undetailed := exact(1, 1, "ns")
	undetailed.Detail = " "
	twoLines := exact(1, 1, "ns")
	twoLines.Detail = "a\nb"
	contradiction := exact(128, 25, "ns")
	contradiction.Value = 5.13
	badRow := exact(1, 1, "ns")
	badRow.Rows = []claims.Row{{Label: "p99", Value: math.NaN()}}

	for _, c := range []struct {
		judge claims.Judge
		m     claims.Measurement
		want  string
	}{
		{claims.Exactly("5.12", "ns"), approx(5.12, "ns"),
			`judged by "exactly 5.12 ns", but the measurement has no exact value`},
		{claims.AtMost("5", "cycles"), exact(3, 1, "ns"), `measured in "ns", judged in "cycles"`},
		{claims.AtMost("5", "ns"), approx(math.NaN(), "ns"), "value is NaN"},
		{claims.AtMost("5", "ns"), approx(math.Inf(-1), "ns"), "value is -Inf"},
		{claims.AtMost("5", "ns"), undetailed, "no Detail: the measurement does not say how it was counted"},
		{claims.AtMost("5", "ns"), twoLines, "Detail is more than one line"},
		{claims.AtMost("6", "ns"), contradiction, "value 5.13 contradicts the exact value 128/25"},
		{claims.AtMost("5", "ns"), badRow, `row "p99": value is NaN`},
	} {
		r := outcome(t, c.judge, c.m)
		require.Equal(t, claims.Failed, r.Verdict)
		require.Equal(t, "measurement failed: "+c.want, r.Difference)
		require.Nil(t, r.Measured)
		require.False(t, r.AsRecorded())
	}
}

func TestMeasurementIsCompleted(t *testing.T) {
	m := exact(128, 25, "ns")
	m.Value = 5.12 // may be given as well
	m.Rows = []claims.Row{{Label: "encoder", Exact: big.NewRat(64, 25)}, {Label: "cycles", Value: 2, Unit: "cycles"}}
	r := outcome(t, claims.AtMost("6", "ns"), m)
	require.Equal(t, 5.12, r.Measured.Value)
	require.Equal(t, 2.56, r.Measured.Rows[0].Value)
	require.Equal(t, "ns", r.Measured.Rows[0].Unit)
	require.Equal(t, "cycles", r.Measured.Rows[1].Unit)
	require.Empty(t, m.Rows[0].Unit, "the rows of the measurement's author are left alone")
}
