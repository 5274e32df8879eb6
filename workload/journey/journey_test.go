package journey_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/workload/journey"
)

func ns(text string) clock.Time { return clock.MustTime(text + "ns") }

// record is two messages through three boxes at 2.56 ns a cycle: the second waits two cycles in the switch, until the
// first has left it.
func record(t *testing.T) *journey.Log {
	t.Helper()
	r := journey.NewRecorder(2)
	r.Describe("Two <reads>", ns("2.56"))
	r.Begin(1, "read 1", ns("10"))
	r.Reach(1, "host", "send", ns("12.56"))
	r.Begin(2, "read 2", ns("12.56"))
	r.Begin(3, "too many", ns("12.56"))
	r.Reach(2, "host", "send", ns("15.12"))
	r.Reach(3, "host", "send", ns("15.12"))
	r.Reach(1, "switch", "", ns("22.8"))
	r.Reach(2, "switch", "wait", ns("22.8"))
	r.Reach(1, "host", "receive", ns("25.36"))
	r.End(1)
	r.Reach(2, "switch", "", ns("25.36"))
	r.Reach(1, "host", "late", ns("30")) // it has ended
	r.End(2)
	r.Begin(4, "never ends", ns("40"))
	l, err := r.Log()
	require.NoError(t, err)
	return l
}

func write(t *testing.T, l *journey.Log, path string) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, l.Write(path, &b))
	return b.String()
}

// The table has a letter a cycle: counted by hand from the times above.
func TestText(t *testing.T) {
	const want = `Two <reads>
2 journeys; a column is one cycle of 2.56 ns, the first begins at 10.00 ns

 cycle  |0
read 1  ABBBBC  15.36 ns
read 2   ADDDB  12.80 ns

A  host: send       2 ×      2.56 ns        1 cycle
B  switch           2 ×      6.40 ns      2.5 cycles
C  host: receive    1 ×      2.56 ns        1 cycle
D  switch: wait     1 ×      7.68 ns        3 cycles

2 more began when there was no room
`
	require.Equal(t, want, write(t, record(t), "x.txt"))
}

// A log that is longer than the table is wide has columns of several cycles, and says so.
func TestLongText(t *testing.T) {
	r := journey.NewRecorder(1)
	r.Describe("Long", ns("1"))
	r.Begin(1, "m", ns("0"))
	r.Reach(1, "a", "", ns("600"))
	r.Reach(1, "b", "", ns("1000"))
	r.End(1)
	l, err := r.Log()
	require.NoError(t, err)
	text := write(t, l, "x.txt")
	require.Contains(t, text, "a column is 7 cycles of 1.00 ns")
	require.Contains(t, text, "cycle  |0        |70       |140 ", "the ruler counts cycles")
	require.Contains(t, text, "m  "+strings.Repeat("A", 86)+strings.Repeat("B", 57)+"  1000.00 ns",
		"600/7 and 400/7, rounded up to whole columns")
}

// Stages are drawn side by side to one scale, and the picture is XML.
func TestSVG(t *testing.T) {
	svg := write(t, record(t), "x.svg")
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else {
			require.NoError(t, err)
		}
	}
	var bars [][]string
	for _, m := range regexp.MustCompile(`<rect x="([\d.]+)" y="(\d+)" `+
		`width="([\d.]+)"[^>]*><title>([^&]+)`).FindAllStringSubmatch(svg, -1) {
		bars = append(bars, m[1:])
	}
	require.Equal(t, [][]string{ // 1000 pixels are 15.36 ns, a cycle a sixth of them
		{"55.60", "62", "166.67", "host: send"}, {"222.27", "62", "666.67", "switch"},
		{"888.93", "62", "166.67", "host: receive"},
		{"222.27", "82", "166.67", "host: send"}, {"388.93", "82", "500.00", "switch: wait"},
		{"888.93", "82", "166.67", "switch"},
	}, bars)
	require.Contains(t, svg, "Two &lt;reads&gt;")
	require.Contains(t, svg, ">ns; a cycle is 2.56 ns; 2 more began when there was no room<")
	require.Contains(t, svg, ">B</text><text x=\"30\" y=\"155\" fill=\"#333333\">switch: 2 ×, 6.40 ns on average<")
	// 2 ns apart, from the first edge on, to the last whole step before 15.36
	require.Equal(t, []string{"55.60 0", "185.81 2", "316.02 4", "446.23 6", "576.43 8", "706.64 10", "836.85 12",
		"967.06 14"}, axis(svg))
}

// axis is the places and the texts of a picture's ticks.
func axis(svg string) (ticks []string) {
	for _, m := range regexp.MustCompile(`stroke="#dddddd"/><text x="([\d.]+)"[^>]*>([\d.]+)<`).FindAllStringSubmatch(svg,
		-1) {
		ticks = append(ticks, m[1]+" "+m[2])
	}
	return ticks
}

// Names are texts, whatever is in them.
func TestHostileNames(t *testing.T) {
	const evil = `"><script>alert(1)</script>`
	r := journey.NewRecorder(1)
	r.Describe(evil, ns("1"))
	r.Add(journey.Journey{Name: evil, Stages: []journey.Stage{{Place: evil, What: evil, From: ns("1"), To: ns("2")}}})
	l, err := r.Log()
	require.NoError(t, err)
	svg := write(t, l, "x.svg")
	require.NotContains(t, svg, "<script")
	require.Equal(t, 6, strings.Count(svg, "&#34;&gt;&lt;script&gt;"),
		"title, name, and place with what happens there twice")
}

// A log is in the order of first edges, whichever journey ends first; it spans the latest end, and it counts the
// journeys for which there was no room.
func TestOrder(t *testing.T) {
	r := journey.NewRecorder(2)
	r.Describe("Order", ns("1"))
	r.Begin(1, "early", ns("0"))
	r.Begin(2, "late", ns("2"))
	r.Reach(2, "a", "", ns("3"))
	r.End(2)
	r.Reach(1, "a", "", ns("9"))
	r.End(1)
	r.Add(journey.Journey{Name: "too many", Stages: []journey.Stage{{"a", "", ns("0"), ns("1")}}})
	l, err := r.Log()
	require.NoError(t, err)
	require.Len(t, l.Journeys, 2)
	require.Equal(t, "early", l.Journeys[0].Name)
	require.Equal(t, 1, l.Missed)
	short := journey.NewRecorder(2)
	short.Describe("Order", ns("1"))
	short.Add(journey.Journey{Name: "first", Stages: []journey.Stage{{"a", "", ns("0"), ns("5")}}})
	short.Add(journey.Journey{Name: "last to begin, last to end", Stages: []journey.Stage{{"a", "", ns("1"), ns("10")}}})
	l, err = short.Log()
	require.NoError(t, err)
	require.Contains(t, write(t, l, "x.txt"), "last to begin, last to end   AAAAAAAAA  9.00 ns")
}

// Trace events are complete events in microseconds, a thread a journey.
func TestTraceEvents(t *testing.T) {
	var got struct {
		Events []struct {
			Name, Ph string
			TS, Dur  float64
			PID, TID int
			Args     map[string]string
		} `json:"traceEvents"`
	}
	require.NoError(t, json.Unmarshal([]byte(write(t, record(t), "x.json")), &got))
	require.Len(t, got.Events, 9)
	require.Equal(t, "M", got.Events[0].Ph)
	require.Equal(t, "Two <reads>", got.Events[0].Args["name"])
	require.Equal(t, "read 1", got.Events[1].Args["name"])
	e := got.Events[3]
	require.Equal(t, "X switch 1", strings.Join([]string{e.Ph, e.Name, string(rune('0' + e.TID))}, " "))
	require.Equal(t, 0.01256, e.TS)
	require.Equal(t, 0.01024, e.Dur)
	require.Equal(t, "4", e.Args["cycles"])
}

// field is a field of a protobuf message: a number or bytes.
type field struct {
	n     protowire.Number
	value uint64
	bytes []byte
}

func decode(t *testing.T, b []byte) (fields []field) {
	t.Helper()
	for len(b) > 0 {
		n, kind, size := protowire.ConsumeTag(b)
		require.Positive(t, size)
		b = b[size:]
		f := field{n: n}
		switch kind {
		case protowire.VarintType:
			f.value, size = protowire.ConsumeVarint(b)
		case protowire.BytesType:
			f.bytes, size = protowire.ConsumeBytes(b)
		default:
			require.FailNow(t, "a field of another type")
		}
		require.Positive(t, size)
		b = b[size:]
		fields = append(fields, f)
	}
	return fields
}

func find(fields []field, n protowire.Number) *field {
	for i := range fields {
		if fields[i].n == n {
			return &fields[i]
		}
	}
	return nil
}

// The trace of Perfetto, read back by the numbers of its published fields: tracks, and slices that begin and end in
// picoseconds.
func TestPerfetto(t *testing.T) {
	tracks := map[uint64]string{}
	open := map[uint64]string{}
	began := map[uint64]uint64{}
	var slices []string
	for _, f := range decode(t, []byte(write(t, record(t), "x.pftrace"))) {
		require.EqualValues(t, 1, f.n)
		packet := decode(t, f.bytes)
		require.EqualValues(t, 1, find(packet, 10).value, "trusted_packet_sequence_id")
		if d := find(packet, 60); d != nil { // track_descriptor
			track := decode(t, d.bytes)
			uuid := find(track, 1).value
			require.NotContains(t, tracks, uuid)
			tracks[uuid] = string(find(track, 2).bytes)
			if uuid != 1 {
				require.EqualValues(t, 1, find(track, 5).value, "parent_uuid")
				continue
			}
			process := decode(t, find(track, 3).bytes) // ProcessDescriptor
			require.EqualValues(t, 1, find(process, 1).value, "pid")
			require.Equal(t, tracks[1], string(find(process, 6).bytes), "process_name")
			continue
		}
		at := find(packet, 8).value
		event := decode(t, find(packet, 11).bytes)
		track := find(event, 11).value
		switch find(event, 9).value {
		case 1:
			require.NotContains(t, open, track)
			annotation := decode(t, find(event, 4).bytes)
			require.Equal(t, "cycles", string(find(annotation, 10).bytes), "name")
			open[track] = fmt.Sprintf("%s [%s] %s", find(event, 23).bytes, find(event, 22).bytes, find(annotation, 6).bytes)
			began[track] = at
		case 2:
			slices = append(slices, strings.Join([]string{tracks[track], open[track],
				clock.Picosecond.Times(int64(began[track])).String(), clock.Picosecond.Times(int64(at - began[track])).String()},
				", "))
			delete(open, track)
		}
	}
	require.Empty(t, open)
	require.Equal(t, "Two <reads> (1 ns shown is 1 ps)", tracks[1])
	require.Equal(t, []string{
		"read 1, host: send [host] 1, 10ns, 2.56ns", "read 1, switch [switch] 4, 12.56ns, 10.24ns",
		"read 1, host: receive [host] 1, 22.8ns, 2.56ns",
		"read 2, host: send [host] 1, 12.56ns, 2.56ns", "read 2, switch: wait [switch] 3, 15.12ns, 7.68ns",
		"read 2, switch [switch] 1, 22.8ns, 2.56ns",
	}, slices)
}

// Rounded to picoseconds, stages still join.
func TestRoundedStagesJoin(t *testing.T) {
	r := journey.NewRecorder(1)
	r.Describe("Thirds", clock.MustTime("1/3 ps"))
	r.Begin(1, "m", clock.Time{})
	for k := range 10 {
		r.Reach(1, "a", "", clock.MustTime("2/3 ps").Times(int64(k+1)))
	}
	r.End(1)
	l, err := r.Log()
	require.NoError(t, err)
	var got struct {
		Events []struct {
			Ph      string
			TS, Dur json.Number
		} `json:"traceEvents"`
	}
	require.NoError(t, json.Unmarshal([]byte(write(t, l, "x.json")), &got))
	sum := 0
	for _, e := range got.Events[2:] {
		require.Contains(t, []string{"0.000000", "0.000001"}, e.Dur.String())
		if e.Dur.String() == "0.000001" {
			sum++
		}
	}
	require.Equal(t, 7, sum, "20/3 ps")
}

// A journey with a gap or an overlap is refused.
func TestRefusals(t *testing.T) {
	for want, j := range map[string]journey.Journey{
		`stage "b" begins at 3ns, the one before ` +
			`ended at 2ns`: {Name: "m", Stages: []journey.Stage{{"a", "", ns("1"), ns("2")}, {"b", "", ns("3"), ns("4")}}},
		`stage "a" ends at 1ns, before its begin at 2ns`: {Name: "m", Stages: []journey.Stage{{"a", "", ns("2"), ns("1")}}},
		`no journey was recorded`:                        {Name: "m"},
	} {
		r := journey.NewRecorder(1)
		r.Describe("x", ns("1"))
		r.Add(j)
		_, err := r.Log()
		require.ErrorContains(t, err, want)
	}
	r := journey.NewRecorder(1)
	r.Add(journey.Journey{Name: "m", Stages: []journey.Stage{{"a", "", ns("1"), ns("2")}}})
	_, err := r.Log()
	require.ErrorContains(t, err, "the length of a cycle is not known")
	require.ErrorContains(t, journey.CheckPath("way.png"), ".svg (drawn)")
	none, err := journey.Join(journey.NewRecorder(1))
	require.NoError(t, err)
	require.Nil(t, none)
}

// Runs are laid one over the other from their first edges.
func TestJoin(t *testing.T) {
	var runs []*journey.Recorder
	for _, from := range []string{"7", "100"} {
		r := journey.NewRecorder(1)
		r.Describe("Run", ns("1"))
		r.Add(journey.Journey{Name: "from " + from, Stages: []journey.Stage{{"a", "", ns(from), ns(from).Add(ns("3"))}}})
		r.Begin(1, "too many", ns(from))
		runs = append(runs, r)
	}
	never := journey.NewRecorder(1) // its journey does not end
	never.Begin(1, "never ends", ns("0"))
	never.Begin(2, "too many", ns("0"))
	l, err := journey.Join(runs[0], journey.NewRecorder(5), never, runs[1])
	require.NoError(t, err)
	require.Equal(t, 3, l.Missed)
	require.Len(t, l.Journeys, 2)
	for _, j := range l.Journeys {
		require.Zero(t, j.Stages[0].From.Cmp(clock.Time{}))
		require.Zero(t, j.Total().Cmp(ns("3")))
	}
}

// A nil recorder costs no allocation.
func TestNilRecorder(t *testing.T) {
	var r *journey.Recorder
	require.Zero(t, testing.AllocsPerRun(100, func() {
		r.Describe("x", clock.Nanosecond)
		r.Begin(1, "m", clock.Nanosecond)
		r.Reach(1, "a", "", clock.Nanosecond)
		r.End(1)
		r.Add(journey.Journey{})
	}))
	require.False(t, r.Follows(1))
}
