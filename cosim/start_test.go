package cosim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
)

// RTL that stays in a reset of its own for three cycles agrees if the map says so, or is to find out; other numbers are
// a difference. Further resets are waited for alike.
func TestStartAfterTheReset(t *testing.T) {
	text := strings.NewReplacer("    assign",
		"    reg [2:0] held; always @(posedge clk or posedge rst) if (rst) held <= 7; else held <= {held, 1'b0};\n"+
			"    wire mine = held[2];\n    assign",
		"@(posedge clk)\n", "@(posedge clk or posedge mine)\n", "if (rst) begin out", "if (mine) begin out").
		Replace(plain)
	for name, edit := range both(func(*cosim.Options) {}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			with := func(start string) (*cosim.Session, error) {
				return startWith(t, text, edit, start)
			}
			s, err := with("3")
			r := agree(t, s, err)
			require.Positive(t, r.Looks.Resets)
			s, err = with("2")
			part(t, s, err)
			s, err = with("auto")
			startsAfterThree(t, s, err)
		})
	}
	for _, bad := range []string{"-1", "4097", "soon"} {
		_, err := startWith(t, plain, icarus, bad)
		require.ErrorContains(t, err, "want a number of cycles, 0 to 4096, or auto")
	}
}

// A FIFO behind a reset synchroniser says that it has room while its own reset stands, and loses words. It agrees if
// the map waits for it, however long.
func TestStartOfAFIFO(t *testing.T) {
	text := strings.NewReplacer("    wire free", "    reg [2:0] held; wire mine = held[2];\n"+
		"    always @(posedge clk or posedge rst) if (rst) held <= 7; else held <= {held[1:0], 1'b0};\n    wire free",
		"@(posedge clk)\n        if (rst)", "@(posedge clk)\n        if (mine)").Replace(queue)
	require.Equal(t, 3, strings.Count(text, "mine")+strings.Count(text, "held <= 7"))
	for name, edit := range both(queueOptions(t)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := startWith(t, text, edit, "auto")
			startsAfterThree(t, s, err)
			s, err = startWith(t, text, edit, "9")
			agree(t, s, err)
			if name == "icarus" {
				s, err = startWith(t, text, edit, "2")
				part(t, s, err)
			}
		})
	}
}

// startsAfterThree wants a start after three cycles to be found, and agreement from there on.
func startsAfterThree(t *testing.T, s *cosim.Session, err error) {
	t.Helper()
	require.NoError(t, err)
	n, found, err := s.FindStart(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8})
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, 3, n)
	agree(t, s, nil)
}

func startWith(t *testing.T, text string, edit func(*cosim.Options), wait string) (*cosim.Session, error) {
	return start(t, text, func(o *cosim.Options) { edit(o); o.Map.Start = wait })
}

// Two clock ports may be on one clock.
func TestSeveralClockPorts(t *testing.T) {
	text := strings.NewReplacer("input clk,", "input wr_clk, input rd_clk,", "    always @(posedge clk)",
		"    reg v; always @(posedge wr_clk) v <= !rst && in_valid;\n    always @(posedge rd_clk)").
		Replace(plain)
	s, err := start(t, text, func(o *cosim.Options) { icarus(o); o.Map.Clock = "{wr_clk, rd_clk}" })
	agree(t, s, err)
	_, err = start(t, text, func(o *cosim.Options) { icarus(o); o.Map.Clock = "{wr_clk, out_odd}" })
	require.ErrorContains(t, err, "clock: \"{wr_clk, out_odd}\": want bits of inputs of the RTL")
}

// Yumi: the RTL counts accepted beats, and must not be told so while it has nothing.
func TestYumi(t *testing.T) {
	text := `module acc (input clk, input rst, input [7:0] in_data, input in_valid, output ready, output reg [11:0] out_total, output out_odd,
    output out_valid, input yumi);
    reg [1:0] n; wire take = in_valid && ready; assign ready = n == 0; assign out_valid = n != 0; assign out_odd = out_total[0];
    always @(posedge clk) if (rst) begin n <= 0; out_total <= 0; end
        else begin n <= n + take - yumi; if (take) out_total <= out_total + in_data; end
endmodule
`
	streams := func(yumi bool) func(o *cosim.Options) {
		return func(o *cosim.Options) {
			icarus(o)
			o.Map.Streams = map[string]cosim.Stream{
				"in": {Ready: "ready", Stall: 0.3}, "out": {Ready: "yumi", Stall: 0.3, Yumi: yumi},
			}
		}
	}
	s, err := start(t, text, streams(true))
	agree(t, s, err)
	s, err = start(t, text, streams(false))
	part(t, s, err)
}

// A start is looked for beyond the first cycles, and the farthest is told.
func TestLateStarts(t *testing.T) {
	late := strings.NewReplacer("    assign",
		"    reg [9:0] held; always @(posedge clk or posedge rst) if (rst) held <= 0;\n"+
			"    else if (held != 100) held <= held + 1;\n    wire mine = held != 100;\n    assign",
		"@(posedge clk)\n", "@(posedge clk or posedge mine)\n", "if (rst) begin out", "if (mine) begin out").
		Replace(plain)
	never := strings.Replace(late, "held != 100;", "held != 700;", 2)
	for name, edit := range both(func(*cosim.Options) {}) {
		s, err := startWith(t, late, edit, "auto")
		require.NoError(t, err)
		n, found, err := s.FindStart(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8})
		require.NoError(t, err)
		require.True(t, found, name)
		require.Equal(t, 100, n)
		agree(t, s, nil)
	}
	s, err := startWith(t, never, icarus, "auto")
	require.NoError(t, err)
	require.Equal(t, 512, s.Farthest())
	_, found, err := s.FindStart(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8})
	require.NoError(t, err)
	require.False(t, found)
}

// A valid bit that only a taken beat clears is not reset: the taker does not take during one of the resets.
func TestValidBitWithoutReset(t *testing.T) {
	const cleared, taken = "m_valid <= 0; pause <= 0; end", "pause <= 0; if (m_ready) m_valid <= 0; end"
	text := strings.Replace(elastic, cleared, taken, 1)
	require.NotEqual(t, elastic, text)
	for name, edit := range map[string]func(*cosim.Options){"verilator": elasticStreams, "icarus": elasticIcarus} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := start(t, text, edit)
			require.Equal(t, "all 1", part(t, s, err).Contents)
		})
	}
}
