package workload

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const testTrace = `id,type,source,destination,bytes,start_ns
7,read,0,3,64,2.56
0,write,1,2,1460,0
18446744073709551615,cas,2,1,8,0.001
8,read,0,3,64,2.560
`

func TestReadMessages(t *testing.T) {
	want := []Message{
		{ID: 0, Type: Write, Source: 1, Dest: 2, Bytes: 1460, Start: 0},
		{ID: math.MaxUint64, Type: CompareSwap, Source: 2, Dest: 1, Bytes: 8, Start: 1},
		{ID: 7, Type: Read, Source: 0, Dest: 3, Bytes: 64, Start: 2560},
		{ID: 8, Type: Read, Source: 0, Dest: 3, Bytes: 64, Start: 2560},
	}
	for _, trace := range []string{testTrace, strings.ReplaceAll(testTrace, "\n", "\r\n")} {
		got, err := ReadMessages(strings.NewReader(trace), "x", 4)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(want, got))
	}
}

func TestReadMessagesErrors(t *testing.T) {
	const head = messageColumns + "\n"
	for trace, want := range map[string]string{
		"":   "t.csv:1: no header, want id,type,source,destination,bytes,start_ns",
		head: "t.csv:2: no message, want at least one",
		"1,read,0,1,64,0\n": `t.csv:1: header "1,read,0,1,64,0", want ` +
			`id,type,source,destination,bytes,start_ns`,
		head[:len(head)-1]: `t.csv:1: truncated: the trace ends in ` +
			`"id,type,source,destination,bytes,start_ns", want a line feed`,
		head + "1,read,0,1,64,0": `t.csv:2: truncated: the trace ends in "1,read,0,1,64,0", want a ` +
			`line feed`,
		head + "\n": "t.csv:2: 1 columns, want 6: " +
			"id,type,source,destination,bytes,start_ns",
		head + "1,read,0,1,64\n": "t.csv:2: 5 columns, want 6: " +
			"id,type,source,destination,bytes,start_ns",
		head + "1,read,0,1,64,0,0\n": "t.csv:2: 7 columns, want 6: " +
			"id,type,source,destination,bytes,start_ns",
		head + "-1,read,0,1,64,0\n": `t.csv:2: id "-1", want a whole number below 2^64`,
		head + "1,Read,0,1,64,0\n":  `t.csv:2: type "Read", want read, write or cas`,
		head + "1,read,4,1,64,0\n":  `t.csv:2: source "4", want a node from 0 to 3`,
		head + "1,read,a,1,64,0\n":  `t.csv:2: source "a", want a node from 0 to 3`,
		head + "1,read,0,-1,64,0\n": `t.csv:2: destination "-1", want a node from 0 to 3`,
		head + "1,read,0, 1,64,0\n": `t.csv:2: destination " 1", want a node from 0 to 3`,
		head + "1,read,2,2,64,0\n":  "t.csv:2: destination 2 is the source, want another node",
		head + "1,read,0,1,0,0\n":   `t.csv:2: bytes "0", want a whole number from 1 on`,
		head + "1,read,0,1,+1,0\n":  `t.csv:2: bytes "+1", want a whole number from 1 on`,
		head + "1,read,0,1,,0\n":    `t.csv:2: bytes "", want a whole number from 1 on`,
		head + "1,read,0,1,64,0.1234\n": `t.csv:2: start_ns "0.1234", want nanoseconds from 0 on, less than ` +
			`2^63 ps, with at most 3 decimals`,
		head + "1,read,0,1,64,-0.1\n": `t.csv:2: start_ns "-0.1", want nanoseconds from 0 on, less than ` +
			`2^63 ps, with at most 3 decimals`,
		head + "1,read,0,1,64,1.\n": `t.csv:2: start_ns "1.", want nanoseconds from 0 on, less than 2^63 ` +
			`ps, with at most 3 decimals`,
		head + "1,read,0,1,64,1e3\n": `t.csv:2: start_ns "1e3", want nanoseconds from 0 on, less than ` +
			`2^63 ps, with at most 3 decimals`,
		head + "1,read,0,1,64,1.-1\n": `t.csv:2: start_ns "1.-1", want nanoseconds from 0 on, less than ` +
			`2^63 ps, with at most 3 decimals`,
		testTrace + "7,read,0,1,64,0\n":  "t.csv:6: id 7 is that of line 2, want each once",
		head + strings.Repeat("1", 5000): "t.csv:2: line of more than 4096 bytes",
		head + "1,read,0,1,64,9223372036854775.808\n": `t.csv:2: start_ns "9223372036854775.808", want nanoseconds from 0 ` +
			`on, less than 2^63 ps, with at most 3 decimals`,
	} {
		_, err := ReadMessages(strings.NewReader(trace), "t.csv", 4)
		require.EqualError(t, err, want)
	}
	_, err := ReadMessages(iotest.ErrReader(errors.New("disk")), "t.csv", 4)
	require.EqualError(t, err, "t.csv:1: disk")
}

func drawMessages(t *rapid.T, nodes int) []Message {
	message := rapid.Custom(func(t *rapid.T) Message {
		source := rapid.IntRange(0, nodes-1).Draw(t, "source")
		return Message{
			ID:     rapid.Uint64().Draw(t, "id"),
			Type:   MessageType(rapid.IntRange(0, 2).Draw(t, "type")),
			Source: source,
			Dest:   (source + rapid.IntRange(1, nodes-1).Draw(t, "on")) % nodes,
			Bytes:  rapid.IntRange(1, math.MaxInt).Draw(t, "bytes"),
			Start:  rapid.Int64Range(0, math.MaxInt64).Draw(t, "start"),
		}
	})
	return rapid.SliceOfNDistinct(message, 1, 20, func(m Message) uint64 { return m.ID }).Draw(t, "messages")
}

func TestWriteMessagesThenRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const nodes = 5
		want := drawMessages(t, nodes)
		var trace bytes.Buffer
		require.NoError(t, WriteMessages(&trace, want))
		got, err := ReadMessages(&trace, "x", nodes)
		require.NoError(t, err)
		slices.SortFunc(want, func(a, b Message) int {
			if a.Start < b.Start || a.Start == b.Start && a.ID < b.ID {
				return -1
			}
			return 1
		})
		require.Empty(t, cmp.Diff(want, got))
	})
}

func TestWriteErrors(t *testing.T) {
	good := Message{ID: 9, Dest: 1, Bytes: 1, Start: 5}
	for want, change := range map[string]func(*Result){
		"message 9: type MessageType(3), want read, write or cas":      func(r *Result) { r.Type = 3 },
		"message 9: from node 1 to node 1, want two nodes from 0 on":   func(r *Result) { r.Source = 1 },
		"message 9: from node -1 to node 1, want two nodes from 0 on":  func(r *Result) { r.Source = -1 },
		"message 9: 0 bytes, want at least 1":                          func(r *Result) { r.Bytes = 0 },
		"message 9: start -1 ps, want at least 0":                      func(r *Result) { r.Start = -1 },
		"message 9: finish 4 ps, want no earlier than its start, 5 ps": func(r *Result) { r.Finish = 4 },
	} {
		r := Result{Message: good, Finished: true, Finish: 5}
		change(&r)
		require.EqualError(t, WriteResults(&bytes.Buffer{}, []Result{r}), want)
	}
	require.EqualError(t, WriteMessages(&bytes.Buffer{}, nil), "no message to write, want at least one")
	require.EqualError(t, WriteMessages(failingWriter{}, []Message{good}), "disk")
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("disk") }

func TestMessageFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.csv")
	want := []Message{{ID: 1, Dest: 1, Bytes: 64, Start: 1500}}
	require.NoError(t, WriteMessagesFile(path, want))
	got, err := ReadMessagesFile(path, 2)
	require.NoError(t, err)
	require.Equal(t, want, got)

	require.NoError(t, WriteResultsFile(path, []Result{{Message: want[0], Finished: true, Finish: 1 << 40}}))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, resultColumns+"\n1,read,0,1,64,1.5,1099511627.776,1099511626.276\n", string(text))
	_, err = ReadMessagesFile(path, 2)
	require.EqualError(t, err, path+`:1: header "`+resultColumns+`", want `+messageColumns)
}

// Whatever is read can be written and read again.
func FuzzReadMessages(f *testing.F) {
	f.Add([]byte(testTrace))
	f.Add([]byte(messageColumns + "\n1,read,0,1,64,9223372036854775.807\n"))
	f.Add([]byte(messageColumns + "\r\n1,cas,0,1,8,0.1"))
	f.Fuzz(func(t *testing.T, trace []byte) {
		messages, err := ReadMessages(bytes.NewReader(trace), "trace", 100)
		if err != nil {
			require.Regexp(t, `^trace:\d+: [^\n]+$`, err.Error())
			return
		}
		var out bytes.Buffer
		require.NoError(t, WriteMessages(&out, messages))
		again, err := ReadMessages(&out, "again", 100)
		require.NoError(t, err)
		require.Equal(t, messages, again)
	})
}
