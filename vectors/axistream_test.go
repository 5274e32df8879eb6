package vectors

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/rtl"
)

// streamFields are an input stream with a side band, its ready, and an enable.
var streamFields = []Field{
	{Name: "in_data", Port: "in", Width: 64}, {Name: "in_keep", Port: "in", Width: 8},
	{Name: "in_last", Port: "in", Width: 1},
	{Name: "in_valid", Port: "in", Width: 1}, {Name: "in_fault", Port: "in", Width: 3},
	{Name: "in_lane", Port: "in", Width: 5},
	{Name: "enable", Port: "enable", Width: 1}, {Name: "ready", Port: "ready", Dir: rtl.Output, Width: 1},
}

// axiText returns the CSV of the set's one stream.
func axiText(t require.TestingT, s *Set) string {
	ports := s.axiPorts()
	require.Len(t, ports, 1)
	require.Equal(t, "in", ports[0].port)
	var b bytes.Buffer
	x := newAXIWriter(&b, s, ports[0])
	for _, row := range s.Rows {
		x.row(row)
	}
	require.NoError(t, x.end())
	return b.String()
}

// ReadAXIStream returns the written beats, cycle by cycle, whatever the values.
func TestAXIStreamRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &Set{Unit: "test/stream", Fields: streamFields, Ready: map[string]string{"in": "ready"}}
		for range rapid.IntRange(1, 20).Draw(t, "rows") {
			row := make([]uint64, len(streamFields))
			for c, f := range streamFields {
				row[c] = rapid.Uint64Max(f.max()).Draw(t, f.Name)
			}
			row[6] = 1
			s.Rows = append(s.Rows, row)
		}
		beats, err := ReadAXIStream("in.csv", strings.NewReader(axiText(t, s)))
		require.NoError(t, err)
		next, rows, err := RowsFromBeats(streamFields, "in", beats, map[string]uint64{"enable": 1})
		require.NoError(t, err)
		require.Equal(t, len(s.Rows), rows)
		row := make([]uint64, len(streamFields))
		for k := range rows {
			require.True(t, next(row))
			require.Equal(t, s.Rows[k][:7], row[:7])
			require.Equal(t, s.Rows[k][7] == 1, beats[k].Ready)
		}
		require.False(t, next(row))
	})
}

func TestAXIStreamText(t *testing.T) {
	s := &Set{Unit: "test/stream", Seed: 9, Fields: streamFields, Rows: [][]uint64{{0x1234, 0xff, 1, 1, 5, 3, 1, 0}}}
	// 5 in three bits, 3 in five: 101 00011
	require.Equal(t, `# test/stream, port in, seed 9; tuser is {in_fault[3], in_lane[5]}
cycle,tvalid,tready,tdata,tkeep,tlast,tuser
0,1,1,0000000000001234,ff,1,a3
`, axiText(t, s))
}

func TestReadAXIStreamOfBadFiles(t *testing.T) {
	const head = "# a comment\ncycle,tvalid,tready,tdata,tkeep,tlast,tuser\n"
	for text, want := range map[string]string{
		"":                                      "in.csv:0: no beats",
		head:                                    "in.csv:2: no beats",
		"cycle,data\n":                          `in.csv:1: header "cycle,data", want cycle,tvalid`,
		head + "0,1,1,0,0\n":                    "in.csv:3: 5 columns, want 7",
		head + "0,1,1,0,0,0,0\n0,1,1,0,0,0,0\n": `in.csv:4: cycle "0", want a number above 0`,
		head + "0,1,1,xyz,0,0,0\n":              `in.csv:3: tdata "xyz", want a hexadecimal`,
		head + "0,2,1,0,0,0,0\n":                "in.csv:3: tvalid, tready or tlast is more than 1",
		head + "-1,1,1,0,0,0,0\n":               `in.csv:3: cycle "-1"`,
	} {
		_, err := ReadAXIStream("in.csv", strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
	beats, err := ReadAXIStream("in.csv", strings.NewReader(head+"2,1,1,0x1ff,1ff,1,0\n"))
	require.NoError(t, err)
	_, _, err = RowsFromBeats(streamFields, "in", beats, nil)
	require.ErrorContains(t, err, "cycle 2: 0x1ff has more than the 8 bits of in_keep")
	_, _, err = RowsFromBeats(streamFields, "ready", beats, nil)
	require.ErrorContains(t, err, "port ready: want an input")
}

func FuzzReadAXIStream(f *testing.F) {
	f.Add("cycle,tvalid,tready,tdata,tkeep,tlast,tuser\n0,1,1,ff,1,0,0\n")
	f.Fuzz(func(t *testing.T, text string) {
		beats, err := ReadAXIStream("in.csv", strings.NewReader(text))
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.NotEmpty(t, beats)
	})
}
