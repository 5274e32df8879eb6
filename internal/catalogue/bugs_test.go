package catalogue_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/vectors"
)

// table is a set whose values go by name.
type table struct{ *vectors.Set }

func (t table) at(k int, field string) uint64 { return t.Rows[k][t.Column(field)] }

// first returns the first row of which the condition holds, -1 if there is none.
func (t table) first(from int, condition func(k int) bool) int {
	for k := from; k < len(t.Rows); k++ {
		if condition(k) {
			return k
		}
	}
	return -1
}

// bugs are planted in the reference RTL, one of each kind that people make. Wrong says from the model's run alone in
// which cycle each must show first, shortest the fewest cycles that show it, counted by hand from the reset.
var bugs = []struct {
	kind, unit string
	edits      []string // old, new, old, new, …
	field      string
	wrong      func(t table) int
	shortest   int
}{
	{
		kind: "latency off by one", unit: "pcs/scrambler", field: "out_valid",
		edits: []string{

			"    reg  [57:0] state;", "    reg early;\n    reg  [57:0] state;",
			"            out_valid   <= 1'b0;", "            out_valid   <= 1'b0;\n            early <= 1'b0;",
			"            out_valid   <= in_valid;", "            early <= in_valid;\n            out_valid   <= early;",
		},
		// the first valid word comes a cycle late
		wrong: func(t table) int {
			return t.first(1, func(k int) bool { return t.at(k, "out_valid") != t.at(k-1, "out_valid") })
		},
		shortest: 2,
	},
	{
		kind: "wrong polynomial tap", unit: "pcs/scrambler", field: "out_payload",
		edits: []string{"{25'h0, state[57:19]}", "{26'h0, state[57:20]}"},
		// the state starts with ones, so the first word shows it
		wrong:    func(t table) int { return 1 + t.first(0, func(k int) bool { return t.at(k, "in_valid") == 1 }) },
		shortest: 2,
	},
	{
		kind: "swapped bytes", unit: "pcs/encoder", field: "out_payload",
		edits: []string{"{codes[55:28], o0, in_data[31:8], 8'h4b}",
			"{codes[55:28], o0, in_data[15:8], in_data[23:16], in_data[31:24], 8'h4b}"},
		// a block of type 4b whose first and third data byte differ
		wrong: func(t table) int {
			return t.first(1, func(k int) bool {
				p := t.at(k, "out_payload")
				return t.at(k-1, "in_valid") == 1 && t.at(k, "out_header") == 1 && p&0xff == 0x4b && p>>8&0xff != p>>24&0xff
			})
		},
		shortest: 2,
	},
	{
		kind: "missed reset", unit: "pcs/scrambler", field: "out_payload",
		edits: []string{"            state       <= {58{1'b1}};\n", ""},
		// whatever the state was, it is not the model's
		wrong:    func(t table) int { return 1 + t.first(0, func(k int) bool { return t.at(k, "in_valid") == 1 }) },
		shortest: 2,
	},
	{
		kind: "stuck bit", unit: "blocks/priority_encoder", field: "out_index",
		edits:    []string{"out_index <= lowest;", "out_index <= {1'b0, lowest[4:0]};"},
		wrong:    func(t table) int { return t.first(0, func(k int) bool { return t.at(k, "out_index") >= 32 }) },
		shortest: 2,
	},
	{
		kind: "wrong terminate lane", unit: "pcs/encoder", field: "out_payload",
		edits: []string{"4: term_type = 8'hcc;", "4: term_type = 8'hd2;"},
		wrong: func(t table) int {
			return t.first(1, func(k int) bool {
				return t.at(k-1, "in_valid") == 1 && t.at(k, "out_header") == 1 && t.at(k, "out_payload")&0xff == 0xcc
			})
		},
		shortest: 3, // a terminate character counts in or after a frame only: one word before it
	},
	{
		kind: "lost backpressure", unit: "pcs/framer", field: "ready",
		edits:    []string{"ready <= beats < 2'd2;", "ready <= 1'b1;"},
		wrong:    func(t table) int { return t.first(0, func(k int) bool { return t.at(k, "ready") == 0 }) },
		shortest: 3, // two beats fill the buffer
	},
	{
		kind: "late ready", unit: "pcs/framer", field: "ready",
		edits: []string{
			"    integer     i, step;\n", "    integer     i, step;\n    reg soon;\n",
			"ready     <= 1'b1;", "ready     <= 1'b1;\n            soon = 1'b1;",
			"ready <= beats < 2'd2;", "ready <= soon;\n            soon = beats < 2'd2;",
		},
		wrong: func(t table) int {
			return t.first(1, func(k int) bool { return t.at(k, "ready") != t.at(k-1, "ready") })
		},
		shortest: 3,
	},
	{
		kind: "wrong initial state", unit: "pcs/block_sync", field: "lock",
		edits: []string{"            slip           <= 1'b0;\n            sh_cnt         <= 7'd0;",
			"            slip           <= 1'b0;\n            sh_cnt         <= 7'd1;"},
		// lock comes a header early: nothing before lock changes that, as a bad header starts the count anew
		wrong:    syncCountsFromOne,
		shortest: 64,
	},
	{
		kind: "one rare block type", unit: "pcs/decoder", field: "out_data",
		edits: []string{"8'h66: begin d = {p[63:40], 8'hfb, p[31:8], o_char(p[35:32])}",
			"8'h66: begin d = {p[63:40], 8'hfb, p[15:8], p[23:16], p[31:24], o_char(p[35:32])}"},
		// a frame that starts after an ordered set, and whose ordered set is no palindrome
		wrong: func(t table) int {
			return t.first(1, func(k int) bool {
				d, c := t.at(k, "out_data"), t.at(k, "out_ctrl")
				return t.at(k, "out_valid") == 1 && t.at(k-1, "in_valid") == 1 && c == 0x11 && d>>32&0xff == 0xfb &&
					d>>8&0xff != d>>24&0xff
			})
		},
		shortest: 3,
	},
	{
		kind: "clock enable ignored", unit: "pcs/descrambler", field: "out_payload",
		edits: []string{"if (in_valid) begin\n            state ", "if (1'b1) begin\n            state "},
		// the first word that is not valid goes through
		wrong:    func(t table) int { return 1 + t.first(0, func(k int) bool { return t.at(k, "in_valid") == 0 }) },
		shortest: 2,
	},
	{
		kind: "wrong initial value of a CRC", unit: "blocks/crc32", field: "out_crc",
		edits: []string{"in_first ? 32'hffffffff", "in_first ? 32'h00000000"},
		// the end of the first message
		wrong:    func(t table) int { return t.first(0, func(k int) bool { return t.at(k, "out_valid") == 1 }) },
		shortest: 2,
	},
}

// syncCountsFromOne counts headers as the standard's figure does, once from 0 and once from 1, and returns where the
// locks part.
func syncCountsFromOne(t table) int {
	type sync struct {
		count, invalid, ignore int
		lock                   bool
	}
	step := func(s sync, header uint64) sync {
		if s.ignore > 0 {
			s.ignore--
			return s
		}
		good := header == 1 || header == 2
		s.count++
		if !good {
			s.invalid++
		}
		switch {
		case !good && (!s.lock || s.invalid == 16):
			return sync{ignore: 1}
		case s.count == 64:
			return sync{lock: s.lock || s.invalid == 0}
		}
		return s
	}
	a, b := sync{}, sync{count: 1}
	return 1 + t.first(0, func(k int) bool {
		if t.at(k, "in_valid") == 1 {
			a, b = step(a, t.at(k, "in_header")), step(b, t.at(k, "in_header"))
		}
		return a.lock != b.lock
	})
}

// Each bug is found in its first wrong cycle, and its stimulus shrinks to no more than twice the shortest there is. The
// short stimulus, exported, catches the bug in a simulator alone, and passes on the right RTL.
func TestPlantedBugsAreFoundAndShrunk(t *testing.T) {
	if err := cosim.Verilator.Available(); err != nil {
		t.Skipf("the search for planted bugs was NOT run: %v", err)
	}
	for _, bug := range bugs {
		t.Run(strings.ReplaceAll(bug.kind, " ", "_"), func(t *testing.T) {
			t.Parallel()
			const cycles, seed = 20_000, 5
			u, err := catalogue.Designs().Units().Find(bug.unit)
			require.NoError(t, err)
			set, err := vectors.Capture(u, cycles, seed)
			require.NoError(t, err)
			want := bug.wrong(table{set})
			require.Positive(t, want, "the stimulus shows the bug")

			s, err := cosim.Start(t.Context(), cosim.Options{Unit: u.Exact(), Dirty: cosim.DefaultDirty, Seed: seed,
				Design: cosim.Design{Sources: []string{withBug(t, u, bug.edits)}, Top: u.Module(), Simulator: cosim.Verilator}})
			require.NoError(t, err)
			defer s.Close()
			st := cosim.Stimulus{Cycles: cycles, Seed: seed}
			res, err := s.Run(t.Context(), st, nil)
			require.NoError(t, err)
			require.NotNil(t, res.Divergence, "the bug is found")
			require.Equal(t, want, res.Divergence.Cycle, "%v", res.Divergence)
			require.Equal(t, bug.field, res.Divergence.Field)

			short, err := s.Shrink(t.Context(), st, res.Divergence)
			require.NoError(t, err)
			t.Logf("%s: cycle %d, shrunk from %d to %d cycles (shortest known %d) by %d runs", bug.kind, want, short.From,
				len(short.Set.Rows), bug.shortest, short.Runs)
			require.LessOrEqual(t, len(short.Set.Rows), 2*bug.shortest)
			require.GreaterOrEqual(t, len(short.Set.Rows), bug.shortest, "the shortest is not known: count again")
			require.Equal(t, bug.field, short.Divergence.Field)

			if err := hdl.Icarus.Available(); err != nil {
				t.Skipf("the shrunk vectors of %s were NOT run under icarus: %v", u.Name, err)
			}
			dir := filepath.Join(t.TempDir(), "short")
			require.NoError(t, vectors.Write(dir, short.Set))
			right, err := os.ReadFile(reference(t, u))
			require.NoError(t, err)
			r := simulate(t, hdl.Icarus, dir, u.Module(), string(right))
			require.True(t, r.Passed(), r.Output)
			wrong, err := os.ReadFile(withBug(t, u, bug.edits))
			require.NoError(t, err)
			r = simulate(t, hdl.Icarus, dir, u.Module(), string(wrong))
			require.False(t, r.Passed(), r.Output)
			require.Contains(t, r.Output, "field "+bug.field)
		})
	}
}

// reference returns a file with the project's own RTL of a unit.
func reference(t *testing.T, u vectors.Unit) string {
	t.Helper()
	require.NotEmpty(t, u.RTL, u.Name)
	return written(t, u, u.RTL)
}

// withBug returns a file with the unit's RTL, edited.
func withBug(t *testing.T, u vectors.Unit, edits []string) string {
	t.Helper()
	text, err := vectors.Bug{Kind: u.Name, Edits: edits}.Plant(u.RTL)
	require.NoError(t, err)
	return written(t, u, text)
}

func written(t *testing.T, u vectors.Unit, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), u.Module()+".v")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func simulate(t *testing.T, sim hdl.Simulator, dir, module, rtl string) hdl.Result {
	t.Helper()
	source := filepath.Join(t.TempDir(), module+".v")
	require.NoError(t, os.WriteFile(source, []byte(rtl), 0o644))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	results, err := sim.Run(ctx, hdl.Job{Top: module + "_tb",
		Sources: []string{filepath.Join(dir, module+"_tb.sv"), source}, Dir: dir})
	require.NoError(t, err)
	return results[0]
}

func TestMain(m *testing.M) {
	code := m.Run()
	hdl.RemoveRuntime()
	os.Exit(code)
}
