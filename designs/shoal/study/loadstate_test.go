package study

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/shoal"
)

// Parts that a file has are not run again, whichever run wrote them; a line that was cut off is; and the whole is what
// one command finds that is not interrupted.
func TestLoadGoesOnWhereItWasInterrupted(t *testing.T) {
	dir := t.TempDir()
	q := LoadPoint{
		Fabric: shoal.FabricParams{Nodes: 16, Channels: 1, Schedule: "cyclic", Pair: shoal.PairTurns}, Load: 0.5,
		Flows: 100, Sizes: "fixed:2000",
	}
	part := func(state string, seed uint64) experiment.Result[LoadPoint, loadResult] {
		q.State = filepath.Join(dir, state)
		if state == "" {
			q.State = ""
		}
		v, err := runLoadKept(t.Context(), &experiment.Run{Seed: seed}, q)
		require.NoError(t, err)
		q.State = ""
		return experiment.Result[LoadPoint, loadResult]{Point: q, Value: v}
	}
	read := func(state string) string {
		b, err := os.ReadFile(filepath.Join(dir, state))
		require.NoError(t, err)
		return string(b)
	}
	write := func(state, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, state), []byte(text), 0o644))
	}

	var straight []experiment.Result[LoadPoint, loadResult]
	for seed := range uint64(3) {
		straight = append(straight, part("", seed))
	}
	part("a", 0)
	part("b", 2)
	both := read("a") + read("b")
	for _, cut := range []int{1, 10, 3000} { // of the last line: it is run again
		write("both", both[:len(both)-cut])
		var resumed []experiment.Result[LoadPoint, loadResult]
		for seed := range uint64(3) {
			resumed = append(resumed, part("both", seed))
		}
		require.Equal(t, mergeLoads(straight), mergeLoads(resumed), "cut by %d", cut)
		require.Equal(t, read("a"), read("both")[:len(read("a"))])
		lines := strings.Count(read("both"), "\n")
		part("both", 2)
		require.Equal(t, lines, strings.Count(read("both"), "\n"), "a part that is there was run again")
	}

	write("changed", strings.Replace(both, `"Slots":`, `"Slots":9`, 1))
	require.NotEqual(t, straight[0].Value.Slots, part("changed", 0).Value.Slots, "a part that is there was run again")
	q.Load = 0.6
	require.NotEqual(t, straight[0].Value, part("both", 0).Value, "a part of another load was taken")

	write("other", "id,type\n")
	q.State = filepath.Join(dir, "other")
	_, err := runLoadKept(t.Context(), &experiment.Run{}, q)
	require.ErrorContains(t, err, "other:1: no file of finished parts")
}
