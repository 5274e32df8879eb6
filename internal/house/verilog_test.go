package house_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/hdl"
	"github.com/goldwire/goldwire/internal/house"
	"github.com/goldwire/goldwire/vectors"
)

// plantedBugs has a bug for each unit's reference RTL: what to replace, by what, and a field that has to show it.
var plantedBugs = map[string]struct{ old, bug, field, kind string }{
	"blocks/crc32":            {"in_first ? 32'hffffffff", "in_first ? 32'h00000000", "out_crc", "wrong initial value"},
	"blocks/priority_encoder": {"for (i = 63; i >= 0; i = i - 1)", "for (i = 62; i >= 0; i = i - 1)", "out_index", "off by one"},
	"pcs/scrambler":           {"{25'h0, state[57:19]}", "{26'h0, state[57:20]}", "out_payload", "wrong tap"},
	"pcs/descrambler":         {"if (in_valid) begin\n            state ", "if (1'b1) begin\n            state ", "out_payload", "clock enable ignored"},
	"pcs/encoder":             {"4: term_type = 8'hcc;", "4: term_type = 8'hd2;", "out_payload", "wrong terminate lane"},
	"pcs/decoder":             {"8'h66: begin d = {p[63:40], 8'hfb, p[31:8], o_char(p[35:32])}", "8'h66: begin d = {p[63:40], 8'hfb, p[15:8], p[23:16], p[31:24], o_char(p[35:32])}", "out_data", "swapped bytes in a rare block type"},
	"pcs/block_sync":          {"sh_invalid_cnt == 5'd15", "sh_invalid_cnt == 5'd14", "slip", "wrong limit"},
	"pcs/ber_monitor":         {"if (rst || !lock) begin", "if (rst) begin", "hi_ber", "missed reset"},
	"pcs/tx_gearbox":          {"n >= WIDTH + 65", "n >= WIDTH", "out_valid", "too early"},
	"pcs/rx_gearbox":          {"o = owed + {8'd0, slip};", "o = owed;", "out_payload", "slip ignored"},
	"pcs/framer":              {"gap     = gap + 4;", "gap     = gap + 8;", "out_ctrl", "gap too long after a deficit"},
	"pcs/deframer":            {"got < 7'd64 ? 3'd3", "got < 7'd63 ? 3'd3", "out_fault", "off-by-one length"},
	"pcs/test_pattern":        {"^ {58{after[7]}}", "^ {58{1'b0}}", "out_payload", "seed not inverted"},
	"pcs/line_pattern":        {"{a[0] ^ a[3], a[30:1]}", "{a[0] ^ a[2], a[30:1]}", "out_lo", "wrong polynomial"},
	"pcs/line_checker":        {"if (b != 5'd0) b = b - 5'd1;\n            else if", "if", "errors", "counts before it is in step"},
	"pqueue/scheduler":        {"key[d] < key[chosen[s]]", "key[d] > key[chosen[s]]", "grant_[0-3]_.*", "grants the worst request"},
	"pqueue/ordered_list":     {"entry[i][25:10] > key", "entry[i][25:10] >= key", "highest_id", "younger first among equals"},
	"edm/tx_mux":              {"owed != MOST", "owed != 7'd7", "out_.*", "frames get too little"},
	"edm/rx_demux":            {"kept < MOST[PLACE-1:0]", "kept <= MOST[PLACE-1:0]", "(frame|next)_.*", "a frame cut too late"},
	"pcs/pattern_checker":     {"left <= 7'd127", "left <= 7'd126", "errors", "window too short"},
	"rifl/meta_encoder":       {"payload[7:0] = {3'b000, n}", "payload[7:0] = {3'b000, n - 5'd1}", "frame_3", "length off by one"},
	"rifl/meta_decoder":       {"format > 8'd29 ? 5'd29", "format > 8'd30 ? 5'd30", "(data_3|control_bytes)", "wrong limit of a count"},
	"rifl/scrambler":          {"{33'd0, t[63:33]}", "{32'd0, t[63:32]}", "out_data", "wrong tap"},
	"rifl/code_generator":     {"12'h02f", "12'h80f", "out_data", "wrong polynomial"},
	"rifl/aligner":            {"legal_row == 4'd15", "legal_row == 4'd14", "(aligned|out_.*)", "aligned a frame early"},
	"rifl/receiver":           {"threshold == frame_id + {{(S-1){1'b0}}, 1'b1}", "threshold == frame_id", "missing", "the error ends at the wrong frame"},
	"rifl/transmitter":        {"pass == 5 * IDS / 2 ?", "pass == 5 * IDS / 2 - 1 ?", "(state_value|id_value|frame_[0-3]|ready)", "a pass as long as the paper's"},
}

// The exported testbench of every unit passes on our RTL, under both simulators, and fails on the same RTL with a bug,
// naming cycle, field, wanted and got.
func TestExportedTestbenches(t *testing.T) {
	for _, u := range house.Designs().Units() {
		for _, sim := range hdl.Simulators() {
			t.Run(u.Module()+"/"+sim.Name, func(t *testing.T) {
				t.Parallel()
				if err := sim.Available(); err != nil {
					t.Skipf("the exported testbench of %s was NOT run under %s: %v", u.Name, sim.Name, err)
				}
				dir := filepath.Join(t.TempDir(), "set")
				set, err := vectors.Capture(u, rows, 7)
				require.NoError(t, err)
				require.NoError(t, vectors.Write(dir, set))
				right := u.RTL
				require.NoError(t, err)

				res := simulate(t, sim, dir, u.Module(), string(right))
				require.True(t, res.Passed(), res.Output)
				require.Contains(t, res.Output, fmt.Sprintf("PASS %s %d cycles\n", u.Name, rows))

				bug, ok := plantedBugs[u.Name]
				require.True(t, ok, "no bug is planted in %s", u.Name)
				require.Equal(t, 1, strings.Count(string(right), bug.old), "%q stands once in the RTL", bug.old)
				res = simulate(t, sim, dir, u.Module(), strings.Replace(string(right), bug.old, bug.bug, 1))
				require.False(t, res.Passed(), "%s: %s", bug.kind, res.Output)
				require.Regexp(t, `FAIL cycle \d+ field `+bug.field+` wanted [0-9a-f]+ got [0-9a-f]+\n`, res.Output, bug.kind)
				require.NotContains(t, res.Output, "PASS")
			})
		}
	}
}

func simulate(t *testing.T, sim hdl.Simulator, dir, module, rtl string) hdl.Result {
	t.Helper()
	source := filepath.Join(t.TempDir(), module+".v")
	require.NoError(t, os.WriteFile(source, []byte(rtl), 0o644))
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	results, err := sim.Run(ctx, hdl.Job{Top: module + "_tb", Sources: []string{filepath.Join(dir, module+"_tb.sv"), source}, Dir: dir})
	require.NoError(t, err)
	return results[0]
}
