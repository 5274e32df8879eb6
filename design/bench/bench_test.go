package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBudgets(t *testing.T) {
	three := Samples{3, 1, 2} // the median is 2
	for _, c := range []struct {
		line     Line
		met      bool
		measured string
		allowed  string
	}{
		{AtLeast("x", 2, three, "times", ""), true, "2 times", "at least 2 times"},
		{AtLeast("x", 2.5, three, "times", ""), false, "2 times", "at least 2.5 times"},
		{AtMost("x", 2, three, "ns", ""), true, "2 ns", "at most 2 ns"},
		{AtMost("x", 1.9, three, "ns", ""), false, "2 ns", "at most 1.9 ns"},
		{Figure("x", Samples{12345.6}, "a second", ""), true, "12346 a second", ""},
		{Line{What: "x", Unit: "ns", Budget: &Budget{}}, false, "not measured", "at most 0 ns"},
		{NotMeasured("x", errors.New("no simulator")), true, "not measured", ""},
	} {
		require.Equal(t, c.met, c.line.Met(), c.line)
		require.Equal(t, c.measured, c.line.Measured())
		require.Equal(t, c.allowed, c.line.Allowed())
	}
	require.Equal(t, Samples{3, 1, 2}, three, "Median sorts a copy")
	require.Equal(t, 2.0, Samples{2, 1}.Median(), "of two the larger")
	require.Equal(t, Samples{1.5, 0.25}, three.Over(Samples{2, 4}))
	require.Equal(t, Samples{2, 6, 3}, three.Rate(6))
	require.Equal(t, Samples{30, 10, 20}, three.Times(10))
}

func TestTimedWarmsUpAndTakesTurns(t *testing.T) {
	var order strings.Builder
	times, err := Timed(t.Context(),
		func() error { order.WriteByte('a'); return nil },
		func() error { order.WriteByte('b'); return nil })
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("ab", Rounds+1), order.String())
	for _, x := range times {
		require.Len(t, x.Wall, Rounds)
		require.Len(t, x.CPU, Rounds)
	}
}

func TestTimedEnds(t *testing.T) {
	broken := errors.New("broken")
	_, err := Timed(t.Context(), func() error { return broken })
	require.ErrorIs(t, err, broken)

	ctx, stop := context.WithCancel(t.Context())
	calls := 0
	_, err = Timed(ctx, func() error {
		if calls++; calls == 3 {
			stop()
		}
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 3, calls)
}

func report(lines ...Line) *Report {
	return &Report{Groups: []Group{{Name: "one", Lines: lines}}}
}

// Two reports that went through JSON, as the command writes and reads them.
func TestAgainst(t *testing.T) {
	slow := Samples{10, 11, 12, 13, 14, 15, 16}
	var file bytes.Buffer
	require.NoError(t, json.NewEncoder(&file).Encode(report(
		Figure("faster", slow, "ns", ""), Figure("the same", slow, "ns", ""), Figure("taken once", Once(10), "MB", ""),
		Figure("gone", slow, "ns", ""),
		Figure("in another unit", slow, "ns", ""), NotMeasured("never", errors.New("no simulator")),
		Figure("not now", slow, "ns", ""),
		NotMeasured("not before", errors.New("no simulator")))))
	require.Contains(t, file.String(), `"median":13`)
	text, err := json.Marshal([]Line{AtMost("x", 1, Once(2), "ns", ""), AtMost("y", 2, Once(2), "ns", ""),
		Figure("z", Once(2), "ns", "")})
	require.NoError(t, err)
	require.Contains(t, string(text), `"median":2,"met":false}`)
	require.Contains(t, string(text), `"median":2,"met":true}`)
	require.Contains(t, string(text), `"median":2}`)
	old, err := Read(&file)
	require.NoError(t, err)

	changes, onlyOld, onlyNew := report(
		Figure("faster", slow.Times(0.5), "ns", ""), Figure("the same", slow.Times(1.001), "ns", ""),
		Figure("taken once", Once(20), "MB", ""),
		Figure("in another unit", slow, "us", ""), Figure("new", slow, "ns", ""),
		NotMeasured("never", errors.New("no simulator")),
		NotMeasured("not now", errors.New("no simulator")), Figure("not before", slow, "ns", "")).Against(old)
	require.Len(t, changes, 3)
	require.Equal(t, "-50.00%", changes[0].Delta)
	require.Less(t, changes[0].P, 0.01)
	require.Equal(t, 13.0, changes[0].Old)
	require.Equal(t, 6.5, changes[0].New)
	require.Equal(t, "~", changes[1].Delta)
	require.Equal(t, "~", changes[2].Delta, "one figure tells nothing about the next")
	require.Equal(t, []string{"gone", "in another unit", "not now"}, onlyOld)
	require.Equal(t, []string{"in another unit", "new", "not before"}, onlyNew)
	require.Positive(t, changes[1].P)
}

func TestReadRefusesOtherFiles(t *testing.T) {
	for _, text := range []string{"", "{", "[]", "{}", `{"claims":[]}`} {
		_, err := Read(strings.NewReader(text))
		require.ErrorContains(t, err, "want what goldwire bench --json prints", text)
	}
}

var held *int

// One object in a million calls counts, and nothing that the runtime does meanwhile.
func TestAllocations(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	for _, want := range []uint64{0, 1, 3} {
		calls := uint64(0)
		got, err := Allocations(func() error {
			for range 1_000_000 {
				if calls++; calls <= want {
					held = new(int)
				}
			}
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	require.Equal(t, processors, runtime.GOMAXPROCS(0))
	broken := errors.New("broken")
	_, err := Allocations(func() error { return broken })
	require.ErrorIs(t, err, broken)
}
