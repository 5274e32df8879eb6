package emit_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/internal/emit"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/vectors"
)

const gatesPage = "../../docs/gates.md"

// Units of whose text Yosys does not make gates in half a minute of a processor: the emitted one, and that written by
// hand.
var (
	emittedNotCounted = []string{
		"drmt/scratch_pad", "edm/rx_demux", "rifl/collector", "rifl/collector_512", "rifl/framer", "rifl/framer_512",
		"rifl/transmitter_512", "xbar/segment", "xbar/segment_multicast", "xbar/segment_periodic",
	}
	byHandNotCounted = []string{
		"drmt/vliw_fetch", "edm/scheduler", "pcs/framer", "rifl/collector", "rifl/collector_512",
	}
)

// gatesRow is a line of the page's table: a unit, cells and flip-flops of its emitted text, cells and flip-flops of the
// RTL written by hand.
var gatesRow = regexp.MustCompile("(?m)^\\| `([a-z0-9_]+/[a-z0-9_]+)` \\|.*\\|$")

// Three modules have as many cells and flip-flops as the page says, and the page has all units. The soak counts all.
func TestGates(t *testing.T) {
	rows := gateRows(t)
	var names []string
	for _, u := range catalogue.Designs().Units() {
		names = append(names, u.Name)
	}
	require.ElementsMatch(t, names, slices.Collect(maps.Keys(rows)))
	wantYosysOfThePage(t)
	for _, name := range []string{"blocks/delay_line", "pcs/scrambler", "rifl/serialiser"} {
		u, err := catalogue.Designs().Units().Find(name)
		require.NoError(t, err)
		require.Equal(t, rows[name], gatesOf(t, u))
	}
}

// gateRows are the lines of the page's table.
func gateRows(t *testing.T) map[string]string {
	page, err := os.ReadFile(gatesPage)
	require.NoError(t, err)
	rows := map[string]string{}
	for _, m := range gatesRow.FindAllStringSubmatch(string(page), -1) {
		rows[m[1]] = m[0]
	}
	return rows
}

// wantYosysOfThePage skips under another Yosys, which makes other gates.
func wantYosysOfThePage(t *testing.T) {
	if v := hdl.YosysVersion(); v != [2]int{0, 23} {
		t.Skipf("the gates were NOT counted: the page is of Yosys 0.23, here is %v", v)
	}
}

// gatesOf is a unit's line of the table.
func gatesOf(t *testing.T, u vectors.Unit) string {
	const none = "— | —"
	emitted, byHand := none, none
	if _, why := emit.Recorded(u.Name); why == "" && !slices.Contains(emittedNotCounted, u.Name) {
		c, err := emit.Unit(t.Context(), "../..", u)
		require.NoError(t, err)
		emitted = synthesise(t, c.Verilog(), u.Module())
	}
	if !slices.Contains(byHandNotCounted, u.Name) {
		byHand = synthesise(t, u.RTL, u.Module())
	}
	return fmt.Sprintf("| `%s` | %s | %s |", u.Name, emitted, byHand)
}

var (
	allCells  = regexp.MustCompile(`Number of cells: +(\d+)`)
	flipFlops = regexp.MustCompile(`(?m)^ +\$_\w*DFF\w* +(\d+)$`)
)

// synthesise makes gates of a text with one top, and counts them: all cells, and the flip-flops among them. A latch, a
// loop and a net without a driver fail.
func synthesise(t *testing.T, text, top string) string {
	path, report := filepath.Join(t.TempDir(), top+".v"), filepath.Join(t.TempDir(), "stat")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	script := "read_verilog " + path + "; synth -noshare -flatten -top " + top +
		"; check -assert; select -assert-none t:$_DLATCH_*; tee -q -o " + report + " stat"
	out, err := exec.CommandContext(t.Context(), "yosys", "-q", "-p", script).CombinedOutput()
	require.NoErrorf(t, err, "%s: %s", top, out)
	stat, err := os.ReadFile(report)
	require.NoError(t, err)
	cells := allCells.FindSubmatch(stat)
	require.NotNil(t, cells, "%s", stat)
	registers := 0
	for _, m := range flipFlops.FindAllSubmatch(stat, -1) {
		n, err := strconv.Atoi(string(m[1]))
		require.NoError(t, err)
		registers += n
	}
	return fmt.Sprintf("%s | %d", cells[1], registers)
}
