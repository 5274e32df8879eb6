package cosim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks/units"
	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/vectors"
)

// delay is the delay line of one cycle with a statement where it takes a word.
func delay(statement string) string {
	return `module theirs (input clk, input rst, input [63:0] in, output reg [63:0] out);
    always @(posedge clk) if (rst) out <= 0; else begin out <= in; ` + statement + ` end
endmodule
`
}

// RTL that is wrong for one value of many bits parts, or stops, though no random word has the value: it stands in the
// RTL's text. Where the unit's own RTL parts from the model as well, its unit may not allow such words: that is none.
func TestRareValues(t *testing.T) {
	line, err := units.Units().Find("blocks/delay_line")
	require.NoError(t, err)
	line, err = line.WithParams("cycles=1")
	require.NoError(t, err)
	fifo, err := units.Units().Find("blocks/fifo")
	require.NoError(t, err)
	queue := strings.Replace(fifo.RTL, "blocks_fifo", "theirs", 1)
	rare := strings.Replace(queue, "pop ? memory[head]", "pop ? memory[head] & ~(memory[head][47:32] == 16'hbeef)", 1)
	require.NotEqual(t, queue, rare)
	doubtful := line
	doubtful.RTL = strings.Replace(delay("if (in[31:16] == 16'hcafe) out[3] <= 0;"), "theirs", doubtful.Module(), 1)
	for name, c := range map[string]struct {
		unit  vectors.Unit
		text  string
		parts bool
		stops bool
	}{
		"right": {
			unit: line, text: delay("if (in == 64'hdead_beef_0000_1234) out <= 64'hdead_beef_0000_1234;"),
		},
		"whole word": {
			unit: line, text: delay("if (in == 64'hdead_beef_0000_1234) out[3] <= 1;"), parts: true,
		},
		"some bits":      {unit: line, text: delay("if (in[31:16] == 16'hcafe) out[3] <= 0;"), parts: true},
		"decimal":        {unit: line, text: delay("if (in[39:0] == 40'd987654321098) out[0] <= 1;"), parts: true},
		"stops":          {unit: line, text: delay("if (in[15:0] == 16'hcafe) $stop;"), stops: true},
		"in a FIFO":      {unit: fifo, text: rare, parts: true},
		"right FIFO":     {unit: fifo, text: queue},
		"reference, too": {unit: doubtful, text: delay("if (in[31:16] == 16'hcafe) out[3] <= 0;")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := start(t, c.text, func(o *cosim.Options) {
				icarus(o)
				o.Unit, o.Design.Top = c.unit, "theirs"
			})
			require.NoError(t, err)
			st := cosim.Stimulus{Cycles: 1000, Seed: 1}
			r, err := s.Run(t.Context(), st, nil)
			if c.stops {
				require.ErrorContains(t, err, "with constants of the RTL's text on its inputs: cycle ")
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.parts, r.Divergence != nil)
			if !c.parts {
				require.Nil(t, r.Divergence)
				return
			}
			require.True(t, r.Divergence.Constants)
			require.Contains(t, r.Divergence.String(), "with constants of the RTL's text on its inputs")
			short, err := s.Shrink(t.Context(), st, r.Divergence)
			require.NoError(t, err)
			dir := filepath.Join(t.TempDir(), "set")
			require.NoError(t, vectors.Write(dir, short.Set))
			_, err = os.Stat(dir)
			require.NoError(t, err)
			require.LessOrEqual(t, len(short.Set.Rows), 40)
		})
	}
}
