package cosim_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// lowest is a small unit to compare with: the lowest of 64 requests, with a register at the output.
func lowest() vectors.Unit {
	return vectors.Unit{
		Name: "test/lowest", Doc: "lowest of 64 requests", Latency: 1, Clock: clock.Block25G,
		Build: func(b *vectors.Bench) rtl.Module {
			p := &blocks.PriorityEncoder{}
			rng := b.Rand()
			vectors.Drive(b, &p.In, func(uint64) uint64 { return (rng.Uint64() | 1) << rng.IntN(65) })
			return p
		},
	}
}

// dump returns the unit's waveform as text, and its set.
func dump(t *testing.T, cycles int) (string, *vectors.Set) {
	t.Helper()
	s, err := vectors.Capture(lowest(), cycles, 3)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, s.WriteVCD(&b))
	return b.String(), s
}

func replay(t *testing.T, text string, edit func(r *cosim.Replay)) (*cosim.Replayed, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dump.vcd")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	r := cosim.Replay{Unit: lowest(), Path: path, Scope: "test_lowest_tb.dut"}
	if edit != nil {
		edit(&r)
	}
	res, err := r.Run(t.Context())
	if err != nil {
		require.NotContains(t, err.Error(), "\n")
		err = fmt.Errorf("%s", strings.ReplaceAll(err.Error(), path, "dump.vcd"))
	}
	return res, err
}

func TestReplayAgreesWithItsOwnModel(t *testing.T) {
	text, _ := dump(t, 200)
	res, err := replay(t, text, nil)
	require.NoError(t, err)
	require.Nil(t, res.Divergence)
	require.Equal(t, 199, res.Cycles) // no edge samples the last row
	require.Equal(t, 1, res.Resets)
}

// Flipping a bit of any output in any row shows in that row.
func TestReplayFindsAFlippedBit(t *testing.T) {
	_, s := dump(t, 40)
	for k := 1; k < 39; k++ {
		column := s.Column("out_index")
		s.Rows[k][column] ^= 1
		var b bytes.Buffer
		require.NoError(t, s.WriteVCD(&b))
		s.Rows[k][column] ^= 1
		res, err := replay(t, b.String(), nil)
		require.NoError(t, err)
		require.NotNil(t, res.Divergence)
		require.Equal(t, k, res.Divergence.Cycle)
		require.Equal(t, "out_index", res.Divergence.Field)
		require.Equal(t, s.Rows[k][column], res.Divergence.Want)
		require.Equal(t, s.Rows[k][column]^1, res.Divergence.Got)
	}
}

// A second reset starts the model anew.
func TestReplayFollowsResets(t *testing.T) {
	text, _ := dump(t, 60)
	head, body, _ := strings.Cut(text, "$enddefinitions $end\n")
	twice := head + "$enddefinitions $end\n" + body
	end := uint64(10_000_000)
	for line := range strings.Lines(body) {
		var at uint64
		if n, _ := fmt.Sscanf(line, "#%d", &at); n == 1 {
			line = fmt.Sprintf("#%d\n", end+at)
		}
		twice += line
	}
	res, err := replay(t, twice, nil)
	require.NoError(t, err)
	require.Nil(t, res.Divergence)
	require.Equal(t, 2, res.Resets)
}

func TestReplayOfBadFiles(t *testing.T) {
	good, _ := dump(t, 30)
	for name, c := range map[string]struct {
		text string
		edit func(*cosim.Replay)
		want string
	}{
		"no such scope": {good, func(r *cosim.Replay) { r.Scope = "tb.top" },
			`dump.vcd: no variables in scope "tb.top"; the scopes are test_lowest_tb.dut`},
		"no such clock": {good, func(r *cosim.Replay) { r.Clock = "clock_x" }, "has no port clock_x"},
		"clock stands": {good, func(r *cosim.Replay) { r.Clock = "rst"; r.Map.Reset = "none" },
			"dump.vcd: the clock test_lowest_tb.dut.rst never rises"},
		"cut in a word": {good[:len(good)-4], nil, "dump.vcd:"},
		"cut header":    {good[:120], nil, "the file ends"},
		"x on an input": {strings.Replace(good, "#3840\n", "#3840\nbx #\n", 1), nil,
			"input in is sampled as xxxxxxxxxxxxxxxx"},
		"always reset": {strings.ReplaceAll(good, "\n0\"\n", "\n"), nil, "always in reset (rst)"},
		"no output": {strings.ReplaceAll(good, "wire 6 $ out_index [5:0]", "wire 7 $ other [6:0]"), nil,
			"output out_index of 6 bits: no port of the RTL fits"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := replay(t, c.text, c.edit)
			require.ErrorContains(t, err, c.want)
		})
	}
	text := strings.Replace(good, "#11520\n", "#11520\nbx #\n", 1)
	_, err := replay(t, text, func(r *cosim.Replay) { r.Unknown = '0' })
	require.NoError(t, err)
}

func TestReplayFindsItsNamesInOtherStyles(t *testing.T) {
	good, _ := dump(t, 30)
	text := strings.NewReplacer("out_index", "Index_o", "out_valid", "o_vld", " in ", " i_data ", " rst ", " reset ",
		" clk ", " aclk ").
		Replace(good)
	res, err := replay(t, text, nil)
	require.NoError(t, err)
	require.Nil(t, res.Divergence)
}
