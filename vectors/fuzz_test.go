package vectors

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

func readHex(name string, data []byte, l lane, fields, cycles int) ([][]uint64, error) {
	x := newHexReader(name, bytes.NewReader(data), l, cycles)
	var rows [][]uint64
	for range cycles {
		row := make([]uint64, fields)
		if err := x.read(row); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, x.end()
}

func writeHex(t require.TestingT, w io.Writer, l lane, rows [][]uint64) {
	x := newHexWriter(w, "u", l)
	for _, row := range rows {
		x.row(row)
	}
	require.NoError(t, x.end())
}

// What the reader accepts, the writer writes with the same rows.
func FuzzReadHex(f *testing.F) {
	f.Add([]byte("// a comment\n00f\n1ff\n"), uint8(3), uint8(6))
	f.Add([]byte("0\n"), uint8(1), uint8(1))
	f.Add([]byte("0123456789abcdef0123\r\n"), uint8(64), uint8(16))
	f.Add([]byte("zz\n@1 x\n"), uint8(5), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, a, b uint8) {
		fields := []Field{
			{Name: "a", Port: "a", Dir: rtl.Output, Width: 1 + int(a)%64},
			{Name: "b", Port: "b", Dir: rtl.Output, Width: 1 + int(b)%64},
		}
		l := laneOf(fields, rtl.Output)
		for cycles := range 4 {
			rows, err := readHex("f", data, l, len(fields), cycles)
			if err != nil {
				require.NotContains(t, err.Error(), "\n")
				continue
			}
			require.Len(t, rows, cycles)
			require.NoError(t, checkRows(fields, rows))
			var out bytes.Buffer
			writeHex(t, &out, l, rows)
			again, err := readHex("g", out.Bytes(), l, len(fields), cycles)
			require.NoError(t, err)
			require.Equal(t, rows, again)
		}
	})
}

// What the reader accepts is a set that can be exported, and reads back as the same manifest.
func FuzzParseManifest(f *testing.F) {
	s := &Set{
		Unit: "a/b", Clock: clock.MHz(644.53125), Seed: 1<<64 - 1, Rows: [][]uint64{{1, 0, 3}},
		Fields: []Field{
			{Name: "in", Port: "in", Width: 1},
			{Name: "out_valid", Port: "out", Dir: rtl.Output, Width: 1},
			{Name: "out_x", Port: "out", Dir: rtl.Output, Kind: rtl.Combinational, Width: 64, Valid: "out_valid"},
		},
	}
	m := s.manifest()
	m.Files = []manifestFile{{stimulusName, ""}, {expectedName, ""}}
	seed, err := m.encode()
	require.NoError(f, err)
	f.Add(seed)
	f.Add([]byte(`{"schema":"goldwire-vectors-1","fields":[{}]}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, s, err := parseManifest(data)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.NoError(t, checkFields(s.Fields))
		s.Rows = make([][]uint64, 1)
		s.Rows[0] = make([]uint64, len(s.Fields))
		again := s.manifest()
		again.Cycles, again.Files = m.Cycles, m.Files
		encoded, err := again.encode()
		require.NoError(t, err)
		_, back, err := parseManifest(encoded)
		require.NoError(t, err)
		require.Equal(t, s.Fields, back.Fields)
		require.Equal(t, s.Seed, back.Seed)
		require.Zero(t, s.Clock.Hz().Cmp(back.Clock.Hz()))
	})
}

func TestRowsSurviveHex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var fields []Field
		for _, w := range rapid.SliceOfN(rapid.IntRange(1, 64), 1, 12).Draw(t, "widths") {
			fields = append(fields, Field{Dir: rtl.Output, Width: w})
		}
		rows := make([][]uint64, rapid.IntRange(1, 4).Draw(t, "rows"))
		for k := range rows {
			for _, f := range fields {
				rows[k] = append(rows[k], rapid.Uint64Range(0, f.max()).Draw(t, "value"))
			}
		}
		l := laneOf(fields, rtl.Output)
		var out bytes.Buffer
		writeHex(t, &out, l, rows)
		back, err := readHex("f", out.Bytes(), l, len(fields), len(rows))
		require.NoError(t, err)
		require.Equal(t, rows, back)
	})
}

func TestPortNames(t *testing.T) {
	for _, name := range []string{"in", "rx_data_3", "_x", "check"} {
		require.NoError(t, checkPortName(name))
	}
	for name, want := range map[string]string{
		"":        `field "": want a name of lower-case letters, digits and _`,
		"3a":      `field "3a": want a name of lower-case letters, digits and _`,
		"a.b":     `field "a.b": want a name of lower-case letters, digits and _`,
		"rst":     "field rst: the Verilog module has a port of its own of this name, rename the model's",
		"tb_x":    "field tb_x: the testbench uses this name, rename the model's port",
		"ref":     "field ref: is a keyword of SystemVerilog, rename the model's port",
		"bins":    "field bins: is a keyword of SystemVerilog, rename the model's port",
		"forever": "field forever: is a keyword of SystemVerilog, rename the model's port",
	} {
		require.EqualError(t, checkPortName(name), want)
	}
	require.Len(t, keywords, 248, "IEEE 1800-2017, table B.1")
}

// 6.4 ns and 1.5515… ns, halved and rounded by hand.
func TestHalfPeriod(t *testing.T) {
	require.EqualValues(t, 3200, halfPeriod(clock.Block10G))
	require.EqualValues(t, 776, halfPeriod(clock.MHz(644.53125))) // 775.76
	require.EqualValues(t, 2, halfPeriod(clock.MustFreq("10000GHz")), "the inputs change half way between the edges")
}
