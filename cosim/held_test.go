package cosim_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks/units"
	"github.com/goldwire/goldwire/cosim"
)

// queue is a FIFO of 64 bits with a register at its output, like blocks/fifo: DEPTH words and the offered
// one.
const queue = `module acc #(parameter DEPTH = 16) (input clk, input rst, input [63:0] s_data, input s_valid, output s_ready,
    output reg [63:0] m_data, output reg m_valid, input m_ready);
    reg [63:0] mem [0:31];
    reg [4:0] from, to;
    reg [5:0] n;
    wire free = !m_valid || m_ready, give = free && n != 0, take = s_valid && s_ready;
    assign s_ready = n < DEPTH;
    always @(posedge clk)
        if (rst) begin from <= 0; to <= 0; n <= 0; m_valid <= 0; m_data <= 0; end
        else begin
            if (free) m_valid <= give;
            if (give) begin m_data <= mem[from]; from <= from + 1'b1; end
            if (take) begin mem[to] <= s_data; to <= to + 1'b1; end
            n <= n + take - give;
        end
endmodule
`

// queueOptions bind queue to blocks/fifo.
func queueOptions(t *testing.T) func(*cosim.Options) {
	u, err := units.Units().Find("blocks/fifo")
	require.NoError(t, err)
	return func(o *cosim.Options) {
		o.Unit = u
		o.Map = cosim.Map{
			Ports: map[string]string{"in_data": "s_data", "in_valid": "s_valid", "out_data": "m_data",
				"out_valid": "m_valid"},
			Ignore:  []string{"level"},
			Streams: map[string]cosim.Stream{"in": {Ready: "s_ready", Stall: 0.7}, "out": {Ready: "m_ready"}},
		}
	}
}

// A FIFO that holds another number of words than the model agrees in each transfer, and the result says how many each
// side holds. The harness's pauses alone hardly fill it: its taker is faster than its giver.
func TestFIFOsOfOtherDepths(t *testing.T) {
	for depth, want := range map[int]string{
		16: "the RTL held at most 17 transfers at once, the model 17",
		15: "the RTL held at most 16 transfers at once, the model 17, with the one offered at its output",
		31: "the RTL held at most 32 transfers at once, the model 17",
	} {
		for sim, edit := range both(queueOptions(t)) {
			if depth > 16 && sim == "verilator" { // which takes a second to build it
				continue
			}
			t.Run(fmt.Sprintf("%d_%s", depth, sim), func(t *testing.T) {
				t.Parallel()
				text := strings.Replace(queue, "DEPTH = 16", fmt.Sprintf("DEPTH = %d", depth), 1)
				s, err := start(t, text, edit)
				r := agree(t, s, err)
				require.NotNil(t, r.Held)
				require.Equal(t, want, r.Held.String())
				require.Equal(t, depth != 16, r.Held.Differ)
				data, err := json.Marshal(r)
				require.NoError(t, err)
				require.Contains(t, string(data), fmt.Sprintf(`"held":{"rtl":%d,"model":17,"rtl_full":true,"model_full":true,`+
					`"differ":%t}`, depth+1, depth != 16))
			})
		}
	}
}

// A FIFO that overwrites a word when it is full parts, though the pauses of the map never fill it.
func TestFIFOThatOverflows(t *testing.T) {
	t.Parallel()
	text := strings.NewReplacer("n < DEPTH", "n < 33", "from, to;", "from, to; // 32 words").Replace(queue)
	s, err := start(t, text, func(o *cosim.Options) { icarus(o); queueOptions(t)(o) })
	d := part(t, s, err)
	require.True(t, d.Filled)
	require.Contains(t, d.String(), " after nothing had been taken from the RTL until it took no more")
	data, err := json.Marshal(d)
	require.NoError(t, err)
	require.Contains(t, string(data), `"filled_before":true`)
	require.False(t, d.CanShrink())
	require.False(t, s.Confirmable(d))
}

// A map says how many words the RTL is meant to hold. RTL that holds another number is wrong, whatever the model holds.
func TestMapSaysHowManyWordsAreHeld(t *testing.T) {
	for depth, wrong := range map[int]bool{15: false, 16: true, 14: true} {
		t.Run(fmt.Sprint(depth), func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(queue, "DEPTH = 16", fmt.Sprintf("DEPTH = %d", depth), 1)
			s, err := start(t, text, func(o *cosim.Options) { icarus(o); queueOptions(t)(o); o.Map.Holds = 16 })
			r := agree(t, s, err) // each transfer does
			require.Equal(t, wrong, r.Held.Wrong)
			require.Equal(t, 16, r.Held.Wanted)
			require.True(t, strings.HasSuffix(r.Held.String(), ", the map says 16"), r.Held)
			require.Equal(t, []string{"ready"}, r.Handshake)
			require.Equal(t, []string{"level"}, r.Ignored)
		})
	}
	for want, edit := range map[string]func(o *cosim.Options){
		"the map names no ready of stream in": func(o *cosim.Options) {
			o.Map.Streams["in"], o.Map.Ignore = cosim.Stream{}, []string{"level", "ready"}
		},
		"transfers are counted where the map has streams": func(o *cosim.Options) {
			o.Map.Streams, o.Map.Ports["ready"], o.Map.Ports["out_ready"] = nil, "s_ready", "m_ready"
		},
		"holds: -1 transfers, want 1 to": func(o *cosim.Options) { o.Map.Holds = -1 },
	} {
		_, err := start(t, queue, func(o *cosim.Options) {
			icarus(o)
			queueOptions(t)(o)
			o.Map.Holds = 16
			edit(o)
		})
		require.ErrorContains(t, err, want)
	}
	// a stimulus too short to fill it tells nothing
	s, err := start(t, queue, func(o *cosim.Options) { icarus(o); queueOptions(t)(o); o.Map.Holds = 16 })
	require.NoError(t, err)
	_, err = s.Run(t.Context(), cosim.Stimulus{Cycles: 12, Seed: 8}, nil)
	require.ErrorContains(t, err, "the stimulus has no more, so give it more cycles")
}
