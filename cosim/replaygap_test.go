package cosim_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks/units"
	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/vectors"
)

// withGap turns a dump off from one time to another: changes between are left out, as $dumpoff and $dumpon do it.
func withGap(text string, from, to uint64) string {
	head, body, _ := strings.Cut(text, "$enddefinitions $end\n")
	var out strings.Builder
	out.WriteString(head + "$enddefinitions $end\n")
	values := map[string]string{} // lines by identifier
	var order []string
	off, on := false, false
	dump := func(command string, line func(id string) string) {
		out.WriteString(command + "\n")
		for _, id := range order {
			out.WriteString(line(id) + "\n")
		}
		out.WriteString("$end\n")
	}
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		var at uint64
		if n, _ := fmt.Sscanf(line, "#%d", &at); n == 1 {
			if !off && at >= from {
				off = true
				fmt.Fprintf(&out, "#%d\n", from)
				dump("$dumpoff", func(id string) string {
					if strings.HasPrefix(values[id], "b") {
						return "bx " + id
					}
					return "x" + id
				})
			}
			if off && !on && at >= to {
				on = true
				fmt.Fprintf(&out, "#%d\n", to)
				dump("$dumpon", func(id string) string { return values[id] })
			}
		} else if line != "" && line[0] != '$' {
			id := line[1:]
			if line[0] == 'b' {
				_, id, _ = strings.Cut(line, " ")
			}
			if values[id] == "" {
				order = append(order, id)
			}
			values[id] = line
		}
		if !off || on {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

func replayUnit(t *testing.T, u vectors.Unit, text string) (*cosim.Replayed, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dump.vcd")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return cosim.Replay{Unit: u, Path: path, Scope: strings.ReplaceAll(u.Name, "/", "_") + "_tb.dut"}.Run(t.Context())
}

func captured(t *testing.T, u vectors.Unit, cycles int, edit func(*vectors.Set)) string {
	t.Helper()
	s, err := vectors.Capture(u, cycles, 3)
	require.NoError(t, err)
	if edit != nil {
		edit(s)
	}
	var b bytes.Buffer
	require.NoError(t, s.WriteVCD(&b))
	return b.String()
}

// periodOf returns a unit's clock period in the units of its dump.
func periodOf(t *testing.T, text string) uint64 {
	t.Helper()
	var first, second, at uint64
	for line := range strings.Lines(text) {
		_, _ = fmt.Sscanf(line, "#%d", &at)
		if line == "1!\n" && first == 0 {
			first = at
		} else if line == "1!\n" && second == 0 {
			second = at
		}
	}
	require.Greater(t, second, first)
	return second - first
}

// A gap is no difference, whatever state was lost in it.
func TestReplayAroundAGap(t *testing.T) {
	for _, u := range append(units.Units(), pcs.Units()...) {
		if len(u.Clocks) > 0 {
			continue
		}
		t.Run(u.Name, func(t *testing.T) {
			text := captured(t, u, 400, nil)
			period := periodOf(t, text)
			for _, from := range []uint64{100, 57, 233} {
				from, to := from*period+1, (from+41)*period+1
				res, err := replayUnit(t, u, withGap(text, from, to))
				require.NoError(t, err)
				require.Nil(t, res.Divergence)
				require.GreaterOrEqual(t, res.Cycles, 40)
				require.Contains(
					t, res.Notes[0],
					fmt.Sprintf("a gap from $dumpoff at time %d to $dumpon at time %d, not compared", from, to),
				)
			}
		})
	}
}

// Behind a gap a pipeline is compared again as soon as it has forgotten the gap's values.
func TestReplayBehindAGap(t *testing.T) {
	for name, bad := range map[string]int{"blocks/delay_line": 160, "blocks/priority_encoder": 180,
		"pcs/descrambler": 165} {
		u, err := append(units.Units(), pcs.Units()...).Find(name)
		require.NoError(t, err)
		text := captured(t, u, 400, func(s *vectors.Set) { s.Rows[bad][len(s.Fields)-1] ^= 1 })
		period := periodOf(t, text)
		res, err := replayUnit(t, u, withGap(text, 100*period+1, 141*period+1))
		require.NoError(t, err, name)
		require.NotNil(t, res.Divergence, name)
		require.Less(t, res.Time, uint64(bad+10)*period, name)
		require.Greater(t, res.Time, uint64(bad-1)*period, name)
	}
}

// A reset behind a gap makes all known again; before it state that depends on the gap is said not to be compared.
func TestReplayResetsBehindAGap(t *testing.T) {
	u, err := units.Units().Find("blocks/fifo")
	require.NoError(t, err)
	text := captured(t, u, 300, func(s *vectors.Set) { s.Rows[200][s.Column("out_valid")] ^= 1 })
	period := periodOf(t, text)
	head, body, _ := strings.Cut(text, "$enddefinitions $end\n")
	gap := withGap(captured(t, u, 300, nil), 20*period+1, 31*period+1)
	end := 400 * period
	twice := gap
	for line := range strings.Lines(body) {
		var at uint64
		if n, _ := fmt.Sscanf(line, "#%d", &at); n == 1 {
			line = fmt.Sprintf("#%d\n", end+at)
		}
		twice += line
	}
	require.True(t, strings.HasPrefix(gap, head))
	res, err := replayUnit(t, u, gap)
	require.NoError(t, err)
	require.Nil(t, res.Divergence)
	require.Contains(t, strings.Join(res.Notes, "\n"), "cycles after a gap are not compared")
	res, err = replayUnit(t, u, twice)
	require.NoError(t, err)
	require.NotNil(t, res.Divergence, "after the reset")
	require.Equal(t, 2, res.Resets)
	require.Equal(t, 200, res.Divergence.Cycle)
}
