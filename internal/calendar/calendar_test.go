package calendar_test

import (
	"math"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/internal/calendar"
)

// Against a sorted list: events come by time, and events of one time in the order in which they were put.
func TestAgainstSortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := calendar.New(8)
		var list []calendar.Event
		now, id := int64(-1), int32(0)
		put := func(when int64) {
			c.At(when, 1, id, 0)
			list = append(list, calendar.Event{At: when, A: id, Kind: 1})
			id++
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			for range rapid.IntRange(0, 3).Draw(t, "puts") {
				put(now + 1 + rapid.Int64Range(0, 40).Draw(t, "ahead"))
			}
			if len(list) == 0 {
				require.EqualValues(t, int64(math.MaxInt64), c.Next())
				continue
			}
			sort.SliceStable(list, func(i, j int) bool { return list[i].At < list[j].At })
			now = c.Next()
			require.LessOrEqual(t, now, list[0].At)
			c.Open(now)
			if rapid.Bool().Draw(t, "now") {
				put(now) // is due at once, after the events put before
				sort.SliceStable(list, func(i, j int) bool { return list[i].At < list[j].At })
			}
			for len(list) > 0 && list[0].At == now {
				e, ok := c.Take()
				require.True(t, ok)
				require.Equal(t, list[0].A, e.A)
				list = list[1:]
			}
			_, ok := c.Take()
			require.False(t, ok)
		}
	})
}
