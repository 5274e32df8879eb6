package study

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/spfc"
)

// The events that a trace writes, of ports that pause and packets that are marked, come out of a manager alone as they
// came out of the switch. One answer that is turned, one setting that is another, and the file differs.
func TestMMUPlaysWhatATraceWrites(t *testing.T) {
	dir := t.TempDir()
	flows := []string{"id,type,source,destination,bytes,start_ns"}
	for _, from := range []string{"1", "2", "3", "4", "5", "6"} {
		flows = append(flows, from+",write,"+from+",31,300000,0")
	}
	trace := filepath.Join(dir, "flows.csv")
	require.NoError(t, os.WriteFile(trace, []byte(strings.Join(flows, "\n")+"\n"), 0o600))
	settings := spfc.DefaultSettings()
	settings.Static, settings.ECN = 60, "50:200:50"
	for _, scheme := range []string{"st", "spfc", "dt1"} {
		for _, mark := range []string{"departure", "arrival"} {
			settings.Mark = mark
			run := &experiment.Run{Seed: 3}
			r, err := runTrace(t.Context(), run, TracePoint{Trace: trace, Lasts: clock.MustTime("10ms"),
				networkParams: networkParams{Topology: "switch", Scheme: scheme, Settings: settings}})
			require.NoError(t, err)
			require.Equal(t, 6, r.Finished)
			file := filepath.Join(dir, scheme+mark+".csv")
			var b strings.Builder
			require.NoError(t, spfc.WriteMMUEvents(&b, r.mmu.Events))
			play := func(text string, change func(q *MMUPoint)) mmuResult {
				require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
				q := MMUPoint{Events: file}
				q.networkParams = networkParams{Topology: "switch", Scheme: scheme, Settings: settings}
				if change != nil {
					change(&q)
				}
				x, err := runMMU(t.Context(), run, q)
				require.NoError(t, err)
				return x
			}
			x := play(b.String(), nil)
			require.Empty(t, x.Difference)
			require.Equal(t, len(r.mmu.Events), x.Compared)
			require.EqualValues(t, r.Pauses, x.Pauses)
			require.Positive(t, x.Marked)
			if scheme == "st" {
				require.Positive(t, x.Pauses)
				require.Equal(t, x.Pauses, x.Resumes)
			}
			lines := strings.Split(b.String(), "\n")
			for column, turned := range []int{7, 8, 9, 10} {
				words := strings.Split(lines[40], ",")
				words[turned] = map[string]string{"0": "1", "1": "0"}[words[turned]]
				if turned == 10 {
					words[turned] = "12345"
				}
				wrong := append(append(append([]string{}, lines[:40]...), strings.Join(words, ",")), lines[41:]...)
				x := play(strings.Join(wrong, "\n"), nil)
				require.Equal(t, 1, x.Differences)
				require.Contains(t, x.Difference, "event 40 at ")
				require.Contains(t, x.Difference, []string{"accepted", "mark", "signal", "stored"}[column]+": the file has ")
			}
			if scheme == "st" {
				x := play(b.String(), func(q *MMUPoint) { q.Static = 120 })
				require.Contains(t, x.Difference, "signal: the file has ")
			}
		}
	}
}

func TestBadMMUEvents(t *testing.T) {
	const names = "time_ps,switch,event,in,prio,out,bytes\n"
	for text, want := range map[string]string{
		"":                              "line 1: expected the columns time_ps,switch,event,in,prio,out,bytes",
		"a,b\n":                         `line 1: columns "a,b", expected time_ps,`,
		names + "1,S,enqueue,0,3,1\n":   "record on line 2: wrong number of fields",
		names + "x,S,enqueue,0,3,1,9\n": `line 2: time_ps "x", expected 0 to `,
		names + "1,S,drop,0,3,1,9\n":    `line 2: event "drop", expected enqueue or dequeue`,
		names + "1,S,enqueue,0,8,1,9\n": `line 2: prio "8", expected 0 to 7`,
		names + "1,S,enqueue,0,3,1,0\n": "line 2: bytes 0, expected 1 or more",
		names:                           "no event",
		names + "1,X,enqueue,0,3,1,9\n": `no switch "X" in the network, expected S`,
		names + "1,S,dequeue,0,3,1,9\n": "event 1 of switch S: 9 bytes leave from port 0 to port 1 in " +
			"priority 3, where 0 bytes are stored",
		names + "5,S,enqueue,0,3,1,9\n4,S,enqueue,0,3,1,9\n": "event 2 of switch S: time 4 ps, after one at 5",
		names + "5,S,enqueue,0,3,40,9\n": "event 1 of switch S: from port 0 to port 40, " +
			"the switch has 32 ports",
	} {
		file := filepath.Join(t.TempDir(), "e.csv")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		_, err := runMMU(t.Context(), &experiment.Run{Seed: 1}, MMUPoint{Events: file, networkParams: usualNetwork()})
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "\n")
	}
}
