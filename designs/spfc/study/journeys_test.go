package study

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload/journey"
)

func followTrace(t *testing.T, flows string) (*journey.Log, traceResult) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "flows.csv")
	require.NoError(t, os.WriteFile(path, []byte("id,type,source,destination,bytes,start_ns\n"+flows), 0o644))
	p := Trace.Params()
	require.NoError(t, p.Find("file").Set(path))
	out, err := Trace.Run(t.Context(), p, experiment.Options{Seed: 1, Journeys: 100})
	require.NoError(t, err)
	return out.Journeys, out.Points[0].Result.(traceResult)
}

// A lone packet is two lines long, bytes at 100 Gb/s and propagation, and does not wait; its total is the flow's
// completion time, which the hosts count.
func TestJourneyOfALonePacket(t *testing.T) {
	log, r := followTrace(t, "1,write,0,1,500,0\n")
	require.Len(t, log.Journeys, 1)
	designtest.CheckTraceEvents(t, log)
	j := log.Journeys[0]
	require.Len(t, j.Stages, 3)
	require.Equal(t, "flow 0, packet 0", j.Name)
	require.Equal(t, "line to switch 0", j.Stages[0].Place)
	require.Equal(t, "switch 0: buffered", j.Stages[1].Name())
	require.Equal(t, "line to host 1", j.Stages[2].Place)
	require.Equal(t, j.Stages[0].Time().String(), j.Stages[2].Time().String())
	require.Zero(t, j.Stages[1].Time().Cmp(clock.Time{}))
	require.Equal(t, clock.Picosecond.Times(r.results[0].Finish).String(), j.Total().String())
}

// Three hosts send to one at once: the line to it is never idle between the first packet and the last, no two packets
// are on it together, and the rest of the time is spent in the switch.
func TestJourneysOfAnIncast(t *testing.T) {
	log, r := followTrace(t, "1,write,0,1,8000,0\n2,write,2,1,8000,0\n3,write,3,1,8000,0\n")
	require.Equal(t, 3, r.Finished)
	require.Len(t, log.Journeys, 24)
	starts := map[string]bool{}
	waited := clock.Time{}
	first, last := log.Journeys[0].Stages[2].From, clock.Time{}
	for _, j := range log.Journeys {
		waited = waited.Add(j.Stages[1].Time())
		s := j.Stages[2].From
		require.False(t, starts[s.String()], "two packets begin on one line at %v", s)
		starts[s.String()] = true
		if s.Cmp(first) < 0 {
			first = s
		}
		if s.Cmp(last) > 0 {
			last = s
		}
	}
	packet := clock.Picosecond.Times(80 * 1048) // 1000 bytes, 48 of headers, at 80 ps a byte
	require.Equal(t, packet.Times(23).String(), last.Sub(first).String())
	// packet k of each of the three arrives at the same instant; the line has 3k packets before it: 0+1+2, 2+3+4, …
	sum := int64(0)
	for k := range int64(8) {
		sum += 3*(2*k) + 3
	}
	require.Equal(t, packet.Times(sum).String(), waited.String())
}
