package cosim_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks/units"
	"github.com/goldwire/goldwire/cosim"
)

// wordsRTL is a FIFO of 16 words whose output is its memory. Beat k goes in at the end of cycle k and leaves in cycle
// k+1 if nobody pauses.
const wordsRTL = `module acc (input clk, input rst, input wr_en, input [63:0] din, output full,
    input rd_en, output [63:0] dout, output empty);
    reg [63:0] mem [0:15]; reg [4:0] wp, rp; reg [7:0] ins, outs;
    wire push = wr_en && !full, pop = rd_en && !empty;
    assign full = wp == {~rp[4], rp[3:0]}, empty = wp == rp, dout = mem[rp[3:0]];
    always @(posedge clk) if (rst) begin wp <= 0; rp <= 0; ins <= 0; outs <= 0; end
        else begin
            ins <= ins + push; outs <= outs + pop;
            if (push) begin mem[wp[3:0]] <= din; wp <= wp + 1'b1; end
            if (pop) rp <= rp + 1'b1;
        end
endmodule
`

func wordsOptions(t *testing.T, stall float64) func(*cosim.Options) {
	u, err := units.Units().Find("blocks/fifo")
	require.NoError(t, err)
	return func(o *cosim.Options) {
		o.Unit = u
		o.Map = cosim.Map{
			Ports:   map[string]string{"in_data": "din", "in_valid": "wr_en", "out_data": "dout", "out_valid": "~empty"},
			Ignore:  []string{"level"},
			Streams: map[string]cosim.Stream{"in": {Ready: "~full", Stall: stall}, "out": {Ready: "rd_en", Stall: stall}},
		}
	}
}

// fifoRows offer the words 0x1000, 0x1001, … one a cycle to a model that gives them at once.
func fifoRows(n int) cosim.Stimulus {
	st := cosim.Stimulus{}
	for k := range n {
		st.Rows = append(st.Rows, []uint64{0x1000 + uint64(k), 1, 0, 0, 0, 1, 0})
	}
	return st
}

// A difference of transfers says what became of the word, in which cycle of the RTL, and which words were inside.
func TestWhereTransfersPart(t *testing.T) {
	for name, c := range map[string]struct {
		from, to string
		want     []string
	}{
		// word 3 is taken and dropped, so that word 4, taken in cycle 4, leaves in cycle 5; word 5 is taken in it
		"lost": {"if (push) begin", "if (push && ins != 3) begin", []string{
			"transfer 3 field out_data model 0000000000001003 RTL 0000000000001004",
			"word 3 never left: what came out is word 4 of the inputs", "it left the RTL in cycle 5 of the RTL",
			"RTL words 3 to 5 (0000000000001003, 0000000000001004, 0000000000001005)"}},
		"twice": {"if (pop) rp", "if (pop && outs != 2) rp", []string{
			"transfer 3 field out_data model 0000000000001003 RTL 0000000000001002", "word 2 left twice",
			"it left the RTL in cycle 4 of the RTL", "RTL words 3 to 4 (0000000000001003, 0000000000001004)"}},
		"bits": {"dout = mem[rp[3:0]]", "dout = mem[rp[3:0]] ^ (outs == 3 ? 64'h3000 : 64'd0)", []string{
			"bits 13:12 of out_data differ", "it left the RTL in cycle 4 of the RTL"}},
		"another word": {"dout = mem[rp[3:0]]", "dout = outs == 3 ? 64'h1005 : mem[rp[3:0]]", []string{
			"word 5 of the inputs came in place of word 3, and word 4 after it"}},
		"one too many": {"dout = mem[rp[3:0]]", "dout = outs == 3 ? 64'hf00 : mem[rp[3:0] - (outs > 3)]", []string{
			"a word too many came before word 3."}},
		"stuck": {"if (pop) rp", "if (pop && outs < 3) rp", []string{"word 3 left twice"}},
		"kept": {"assign full", "wire stop = outs >= 3; assign full", []string{"nothing moved at the RTL after its cycle 39",
			"it never leaves the RTL"}},
	} {
		for sim, edit := range both(wordsOptions(t, 0)) {
			if sim == "verilator" && name != "lost" && !soak { // which takes a second to build it
				continue
			}
			t.Run(strings.ReplaceAll(name, " ", "_")+"_"+sim, func(t *testing.T) {
				t.Parallel()
				text := strings.Replace(wordsRTL, c.from, c.to, 1)
				if name == "kept" {
					text = strings.Replace(text, "empty = wp == rp", "empty = wp == rp || stop", 1)
					text = strings.Replace(text, "full = wp == {~rp[4], rp[3:0]}", "full = 1'b0", 1)
				}
				require.NotEqual(t, wordsRTL, text)
				s, err := start(t, text, edit)
				require.NoError(t, err)
				r, err := s.Run(t.Context(), fifoRows(40), nil)
				require.NoError(t, err)
				require.NotNil(t, r.Divergence)
				var out strings.Builder
				r.Divergence.Write(&out)
				for _, line := range c.want {
					require.Contains(t, out.String(), line)
				}
				if name != "lost" {
					return
				}
				data, err := json.Marshal(r.Divergence)
				require.NoError(t, err)
				require.Contains(t, string(data), `"kind":"word 3 never left: what came out is word 4 of the inputs"`)
				require.Contains(t, string(data), `"rtl_cycle":5`)
				require.Contains(t, string(data), `"inside_the_rtl":{"taken":6,"given":3,"words":["0000000000001003"`)
				path := filepath.Join(t.TempDir(), "lost.vcd")
				require.NoError(t, r.Divergence.WriteVCD(path))
				wave, err := os.ReadFile(path)
				require.NoError(t, err)
				require.Equal(t, "1004", lastOf(t, string(wave), "dout"), "the word that came, in the last cycle")
				require.Equal(t, "1005", lastOf(t, string(wave), "din"))
				require.Equal(t, "1003", lastOf(t, string(wave), "out_data"))
				require.Equal(t, "1", lastOf(t, string(wave), "wr_en"))
				require.Equal(t, "0", lastOf(t, string(wave), "empty"))
				require.Equal(t, "5", lastOf(t, string(wave), "rtl_cycle"))
			})
		}
	}
}

// lastOf is the last value of a variable in a waveform, in hexadecimal digits without leading zeros.
func lastOf(t *testing.T, text, name string) string {
	t.Helper()
	id := regexp.MustCompile(`\$var wire \d+ (\S+) ` + name + ` `).FindStringSubmatch(text)
	require.NotNil(t, id, name)
	found := regexp.MustCompile(`(?m)^b?([01]+) ?`+regexp.QuoteMeta(id[1])+`$`).FindAllStringSubmatch(text, -1)
	require.NotEmpty(t, found, name)
	digits := strings.TrimLeft(found[len(found)-1][1], "0")
	for len(digits)%4 != 0 || digits == "" {
		digits = "0" + digits
	}
	hex := ""
	for ; digits != ""; digits = digits[4:] {
		value := 0
		for _, c := range digits[:4] {
			value = 2*value + int(c-'0')
		}
		hex += string("0123456789abcdef"[value])
	}
	if hex = strings.TrimLeft(hex, "0"); hex == "" {
		return "0"
	}
	return hex
}

// Both simulators pause alike: the same seed shows the same difference in the same cycle, also where two clocks rise in
// any order. So what one finds the other confirms, however short the stimulus is.
func TestPausesAreTheSameUnderBoth(t *testing.T) {
	fifo, err := os.ReadFile("testdata/cores/afifo.v")
	require.NoError(t, err)
	async, err := units.Units().Find("blocks/async_fifo")
	require.NoError(t, err)
	m, err := cosim.ReadMap(t.Context(), "testdata/cores/afifo.yaml")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		text string
		edit func(o *cosim.Options)
	}{
		"one clock": {strings.Replace(wordsRTL, "if (push) begin", "if (push && ins != 20) begin", 1), wordsOptions(t, 0.4)},
		"two clocks": {strings.Replace(string(fifo), "{~rq2[LG:LG-1], rq2[LG-2:0]}", "{~rq2[LG], rq2[LG-1:0]}", 1),
			func(o *cosim.Options) { o.Unit, o.Map, o.Design.Top = async, m, "afifo" }},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			var texts []string
			for _, edit := range both(c.edit) {
				s, err := start(t, c.text, func(o *cosim.Options) { edit(o); o.Dirty = 0 })
				var out strings.Builder
				part(t, s, err).Write(&out)
				require.Contains(t, out.String(), "it left the RTL in cycle ")
				texts = append(texts, out.String())
			}
			require.Len(t, texts, 2)
			require.Equal(t, texts[0], texts[1])
		})
	}
}

// laterRTL gives a word from a register, an edge after it is taken.
var laterRTL = strings.NewReplacer("output [63:0] dout", "output reg [63:0] dout", ", dout = mem[rp[3:0]]", "",
	"if (pop) rp", "if (pop) dout <= mem[rp[3:0]]; if (pop) rp").Replace(wordsRTL)

// A FIFO whose read data come an edge after they are taken is bound by the stream's latency. Without it the difference
// names the key, and with it a lost word is found all the same.
func TestLatencyOfAStream(t *testing.T) {
	for sim, edit := range both(wordsOptions(t, 0.4)) {
		latency := func(n int) func(o *cosim.Options) {
			return func(o *cosim.Options) {
				edit(o)
				x := o.Map.Streams["out"]
				x.Latency = n
				o.Map.Streams["out"] = x
			}
		}
		t.Run(sim, func(t *testing.T) {
			t.Parallel()
			s, err := start(t, laterRTL, func(o *cosim.Options) { latency(1)(o); o.Map.Holds = 16 })
			r := agree(t, s, err)
			require.Greater(t, r.Cycles, 1000)
			require.False(t, r.Held.Wrong)
			wrong := strings.Replace(laterRTL, "if (push) begin", "if (push && ins != 20) begin", 1)
			s, err = start(t, wrong, latency(1))
			d := part(t, s, err)
			require.Equal(t, 20, d.Cycle)
			require.Equal(t, "word 20 never left: what came out is word 21 of the inputs", d.Kind())
			s, err = start(t, laterRTL, latency(0))
			d = part(t, s, err)
			require.Equal(t, 0, d.Cycle)
			require.Contains(t, d.Kind(), "latency: 1")
			s, err = start(t, laterRTL, latency(2))
			part(t, s, err)
		})
	}
	for want, edit := range map[string]func(o *cosim.Options){
		"streams: out: latency: 17 edges, want 0 to 16": func(o *cosim.Options) {
			o.Map.Streams["out"] = cosim.Stream{Ready: "rd_en", Latency: 17}
		},
		"streams: in: latency is of output streams": func(o *cosim.Options) {
			o.Map.Streams["in"] = cosim.Stream{Ready: "~full", Latency: 1}
		},
		"latency of the stream says how many": func(o *cosim.Options) { o.Map.Extra = map[string]int{"out_data": 1} },
	} {
		_, err := start(t, laterRTL, func(o *cosim.Options) { icarus(o); wordsOptions(t, 0)(o); edit(o) })
		require.ErrorContains(t, err, want)
	}
}
