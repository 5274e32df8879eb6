package units_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks/units"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/vectors"
)

// oneBit is added to the asynchronous FIFO's RTL. A pointer that crosses must change by one bit at an edge, so that a
// sample taken meanwhile is the old value or the new one, and the run must wrap it. No vectors can tell: in binary the
// same words come out. A step to zero is not judged: a further reset makes one.
const oneBit = `
    integer rounds_write = 0, rounds_read = 0;
    reg [A:0] last_write, last_read;
    always @(write_gray) begin
        if (write_gray != 0 && ^last_write !== 1'bx && ((write_gray ^ last_write) & ((write_gray ^ last_write) - 1'b1)) != 0) begin
            $display("FAIL the writer's pointer from %b to %b", last_write, write_gray); $fatal(1);
        end
        if (write_gray == 0) rounds_write = rounds_write + 1;
        last_write = write_gray;
    end
    always @(read_gray) begin
        if (read_gray != 0 && ^last_read !== 1'bx && ((read_gray ^ last_read) & ((read_gray ^ last_read) - 1'b1)) != 0) begin
            $display("FAIL the reader's pointer from %b to %b", last_read, read_gray); $fatal(1);
        end
        if (read_gray == 0) rounds_read = rounds_read + 1;
        last_read = read_gray;
    end
    final if (rounds_write < 3 || rounds_read < 3) $display("FAIL rounds %0d %0d", rounds_write, rounds_read);
    else $display("ROUND");
endmodule`

// The pointers of the RTL cross in Gray code, at each depth; in binary they are found.
func TestPointersOfTheRTLCrossInGrayCode(t *testing.T) {
	if err := hdl.Icarus.Available(); err != nil {
		t.Skipf("the RTL of blocks/async_fifo was NOT run: %v", err)
	}
	u, err := units.Units().Find("blocks/async_fifo")
	require.NoError(t, err)
	run := func(depth string, edits ...string) hdl.Result {
		v, err := u.WithParams("depth=" + depth)
		require.NoError(t, err)
		dir := filepath.Join(t.TempDir(), "set")
		set, err := vectors.Capture(v, 3000, 1)
		require.NoError(t, err)
		require.NoError(t, vectors.Write(dir, set))
		text := v.RTL
		if len(edits) > 0 {
			text, err = vectors.Bug{Edits: edits}.Plant(text)
			require.NoError(t, err)
		}
		path := filepath.Join(t.TempDir(), "fifo.v")
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(text, "\nendmodule", oneBit, 1)), 0o644))
		results, err := hdl.Icarus.Run(t.Context(), hdl.Job{Top: "blocks_async_fifo_tb", Dir: dir, PlusArgs: [][]string{{}},
			Sources: []string{filepath.Join(dir, "blocks_async_fifo_tb.sv"), path}})
		require.NoError(t, err)
		return results[0]
	}
	for _, depth := range []string{"2", "4", "32"} {
		res := run(depth)
		require.True(t, res.Passed(), res.Output)
		require.Contains(t, res.Output, "ROUND")
	}
	for who, edits := range map[string][]string{
		"writer": {"after ^ {1'b0, after[A:1]}", "after", "binary(writer_1)", "writer_1"},
		"reader": {"gone ^ {1'b0, gone[A:1]}", "gone", "binary(reader_1)", "reader_1"},
	} {
		res := run("8", edits...)
		require.False(t, res.Passed(), who)
		require.Contains(t, res.Output, "FAIL the "+who+"'s pointer from")
	}
}

// Between the bounds, which designtest visits, model and RTL agree too: at depths that are no power of two, widths
// without a common factor, both modes of a memory.
func TestParametersBetweenTheBounds(t *testing.T) {
	if err := hdl.Icarus.Available(); err != nil {
		t.Skipf("the RTL was NOT run: %v", err)
	}
	for _, c := range []struct{ unit, params string }{
		{"fifo", "depth=5"}, {"fifo", "depth=13"}, {"width_converter", "in=37,out=13"}, {"width_converter", "in=13,out=50"},
		{"delay_line", "cycles=13"},
		{"ram", "depth=8,latency=3,write_first=1"}, {"ram", "depth=128,latency=5"}, {"arbiter", "n=5"}, {"arbiter", "n=33"},
		{"async_fifo", "depth=16"},
	} {
		u, err := units.Units().Find("blocks/" + c.unit)
		require.NoError(t, err)
		v, err := u.WithParams(strings.Split(c.params, ",")...)
		require.NoError(t, err)
		dir := filepath.Join(t.TempDir(), "set")
		set, err := vectors.Capture(v, 2000, 1)
		require.NoError(t, err)
		require.NoError(t, vectors.Write(dir, set))
		run := func(rtl string) hdl.Result {
			path := filepath.Join(t.TempDir(), "dut.v")
			require.NoError(t, os.WriteFile(path, []byte(rtl), 0o644))
			results, err := hdl.Icarus.Run(t.Context(), hdl.Job{Top: u.Module() + "_tb", Dir: dir,
				Sources: []string{filepath.Join(dir, u.Module()+"_tb.sv"), path}})
			require.NoError(t, err)
			return results[0]
		}
		res := run(v.RTL)
		require.True(t, res.Passed(), "%s at %s: %s", c.unit, c.params, res.Output)
		require.False(t, run(u.RTL).Passed(), "%s: the RTL at the defaults passes at %s", c.unit, c.params)
	}
}
