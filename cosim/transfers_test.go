package cosim_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// elastic is the accumulator behind ready/valid handshakes: a buffer of two, and a stage that waits for its taker.
const elastic = `module acc (input clk, input rst, input [7:0] s_data, input s_valid, output s_ready,
    output reg [11:0] m_total, output m_odd, output reg m_valid, input m_ready);
    assign m_odd = m_total[0];
    reg [1:0] pause;
    assign s_ready = (!m_valid || m_ready) && pause != 2'd3;
    always @(posedge clk)
        if (rst) begin m_total <= 0; m_valid <= 0; pause <= 0; end
        else begin
            pause <= pause + 1;
            if (m_ready) m_valid <= 0;
            if (s_valid && s_ready) begin m_total <= m_total + s_data; m_valid <= 1; end
        end
endmodule
`

func elasticStreams(o *cosim.Options) {
	o.Map.Streams = map[string]cosim.Stream{"in": {Ready: "s_ready", Stall: 0.2}, "out": {Ready: "m_ready", Stall: 0.4}}
}

func elasticIcarus(o *cosim.Options) { elasticStreams(o); icarus(o) }

// RTL that takes its time and holds back is compared transfer by transfer, and a lost, doubled or blocked beat is shown
// by a short stimulus.
func TestTransfers(t *testing.T) {
	for name, edit := range map[string]func(*cosim.Options){"right": elasticIcarus, "right, Verilator": elasticStreams} {
		if soak || name == "right" {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s, err := start(t, elastic, edit)
				r := agree(t, s, err)
				require.Greater(t, r.Cycles, 3000)
			})
		}
	}
	for name, c := range map[string]struct {
		edit     [2]string
		field    string
		lost     string
		at, rows int // of the short stimulus: the transfer, the cycles of the model; -1 for any, fewer than 24
		quick    bool
	}{
		"a beat is taken twice": {[2]string{"(!m_valid || m_ready)", "1'b1"}, "out_total", "", -1, 0, true},
		"a sum is given twice": {[2]string{"if (m_ready) m_valid <= 0;", "if (m_ready && pause != 2) m_valid <= 0;"},
			"out_total", "", -1, 0, false},
		"x": {[2]string{"m_total <= 0; ", ""}, "out_total", "", 0, 1, false},
		"no more after a sum": {[2]string{"pause != 2'd3", "m_total < 12'd200"}, "out_valid",
			"it never leaves the RTL, which takes no more beats either: ", -1, 0, true},
		"a sum is never given": {[2]string{"m_valid <= 1;", "m_valid <= s_data != 8'h80;"}, "out_total", "", -1, 0, false},
		"the first is late by it": {[2]string{"m_total <= m_total + s_data",
			"m_total <= m_total + s_data + (s_data == 8'h11)"}, "out_total", "", 0, 1, false},
	} {
		if !c.quick && !soak {
			continue
		}
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(elastic, c.edit[0], c.edit[1], 1)
			require.NotEqual(t, elastic, text)
			s, err := start(t, text, elasticIcarus)
			d := part(t, s, err)
			require.True(t, d.Transfers)
			require.Equal(t, c.field, d.Field)
			require.True(t, strings.HasPrefix(d.Lost, c.lost) && (d.Lost != "") == (c.lost != ""), d.Lost)
			short, err := s.Shrink(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8}, d)
			require.NoError(t, err)
			t.Logf(
				"%s: from %d rows to %d in %d runs: %v %s", name, short.From, len(short.Set.Rows), short.Runs,
				short.Divergence, short.Divergence.Lost,
			)
			require.Equal(t, d.Field, short.Divergence.Field)
			require.Less(t, len(short.Set.Rows), 24)
			if c.at >= 0 {
				require.Equal(t, c.at, short.Divergence.Cycle)
				require.Len(t, short.Set.Rows, c.rows)
			}
			// the remaining beats show it by themselves
			s, err = start(t, text, func(o *cosim.Options) { elasticIcarus(o); o.Seed = short.Seed })
			require.NoError(t, err)
			again, err := s.Run(t.Context(), cosim.Stimulus{Rows: short.Set.Rows}, nil)
			require.NoError(t, err)
			require.Equal(t, short.Divergence.String(), again.Divergence.String())
		})
	}
}

// What left RTL that hangs or ends is compared before that is told.
func TestTransfersBeforeAFailure(t *testing.T) {
	wrong := strings.Replace(elastic, "assign m_odd = m_total[0]", "assign m_odd = m_total[0] ^ (m_total == 3)", 1)
	for name, c := range map[string]struct{ does, want string }{
		"hangs":    {"while (m_total > 12'd500 && s_valid) wait_ = wait_ + 1;", "has not answered for 1s and was stopped"},
		"finishes": {"if (m_total > 12'd500) $finish;", "the RTL called \\$finish|vvp ended"},
		"stops":    {"if (m_total > 12'd500) $stop;", "the RTL called \\$stop|vvp ended"},
	} {
		for sim, streams := range map[string]func(*cosim.Options){"verilator": elasticStreams, "icarus": elasticIcarus} {
			if sim == "icarus" && !soak {
				continue
			}
			t.Run(name+"_"+sim, func(t *testing.T) {
				t.Parallel()
				text := strings.NewReplacer("m_valid <= 1;", "m_valid <= 1; "+c.does, "reg [1:0] pause;",
					"reg [1:0] pause; integer wait_ = 0;").
					Replace(wrong)
				for _, goOn := range []bool{false, true} {
					s, err := start(t, text, func(o *cosim.Options) {
						streams(o)
						o.Timeout, o.Dirty, o.Continue = time.Second, 0, goOn
					})
					require.NoError(t, err)
					fails := map[int]uint64{1: 255, 2: 255, 3: 255, 4: 255, 5: 255, 6: 255}
					_, err = s.Run(t.Context(), cosim.Stimulus{Rows: words(9, fails), Seed: 8}, nil)
					require.Error(t, err)
					require.Regexp(t, "^beat [3-6]: .*("+c.want+")", err.Error())
					fails[0] = 3
					r, err := s.Run(t.Context(), cosim.Stimulus{Rows: words(9, fails), Seed: 8}, nil)
					require.NoError(t, err)
					require.NotNil(t, r.Divergence)
					require.Equal(t, "out_odd", r.Divergence.Field)
					require.Equal(t, 0, r.Divergence.Cycle)
					if goOn {
						require.Regexp(t, c.want, r.Failed)
						require.Len(t, r.Differences, 1)
					} else {
						require.Empty(t, r.Failed)
					}
				}
			})
		}
	}
}

// A beat too many, or too few, after the last beat is found: the model is asked for the beats still inside it.
func TestTransfersEnd(t *testing.T) {
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(elastic) }
	for name, c := range map[string]struct{ text, lost string }{
		"a transfer from nowhere": {replace("reg [1:0] pause;", "reg [1:0] pause; reg [8:0] idle;",
			"m_valid <= 0; pause <= 0;", "m_valid <= 0; pause <= 0; idle <= 0;",
			"pause <= pause + 1;", "pause <= pause + 1; idle <= s_valid ? 0 : idle + (idle != 9'h1ff); if (idle == 9'h1fe) "+
				"m_valid <= 1; else"),
			`^\d+ transfers have left the RTL, of the model \d+, for the same \d+ beats$`},
		"without an end": {replace("if (m_ready) m_valid <= 0;", "", " && pause != 2'd3", ""),
			`^\d+ transfers have left the RTL, of the model \d+, for the same \d+ beats$`},
		"the last is kept": {replace("reg [1:0] pause;", "reg [1:0] pause; reg [11:0] sum; reg have;",
			"m_valid <= 0; pause <= 0;", "m_valid <= 0; pause <= 0; sum <= 0; have <= 0;",
			"m_total <= m_total + s_data; m_valid <= 1;", "m_total <= sum; sum <= sum + s_data; have <= 1; m_valid <= have;"),
			`, which has taken all \d+ beats: .* 1 are lost$`},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			require.NotEqual(t, elastic, c.text)
			s, err := start(t, c.text, func(o *cosim.Options) {
				elasticIcarus(o)
				o.Map.Streams["in"] = cosim.Stream{Ready: "s_ready"}
			})
			require.NoError(t, err)
			last := []uint64{7, 1, 0, 0, 0} // a beat in the last cycle: its sum is still in the model
			r, err := s.Run(
				t.Context(), cosim.Stimulus{Rows: [][]uint64{{1, 1, 0, 0, 0}, {0, 0, 0, 0, 0}, {2, 1, 0, 0, 0}, last}}, nil,
			)
			require.NoError(t, err)
			require.NotNil(t, r.Divergence)
			require.Equal(t, "out_valid", r.Divergence.Field)
			require.Regexp(t, c.lost, r.Divergence.Lost)
		})
	}
}

// stage is a register with handshakes on both sides, and an offset beside the beat.
type stage struct {
	In       rtl.In[word]
	Offset   rtl.In[uint8]
	Ready    rtl.Out[bool]
	Out      rtl.Out[word]
	OutReady rtl.In[bool]

	full bool
	data uint8
}

func (s *stage) Reset() { s.full = false; s.Ready.Set(true); s.Out.Set(word{}) }

func (s *stage) Tick() {
	if s.full && s.OutReady.Get() {
		s.full = false
	} else if w := s.In.Get(); !s.full && w.Valid {
		s.full, s.data = true, w.Data+s.Offset.Get()
	}
	s.Ready.Set(!s.full)
	s.Out.Set(word{s.data, s.full})
}

func stageUnit() vectors.Unit {
	return vectors.Unit{
		Name: "test/stage", Doc: "register with handshakes", Latency: 1, From: "in", To: "out", Clock: clock.Block25G,
		Valid: map[string]string{"out": "out_valid"}, Ready: map[string]string{"in": "ready"},
		Build: func(b *vectors.Bench) rtl.Module {
			s, rng := &stage{}, b.Rand()
			w := word{}
			vectors.Drive(b, &s.In, func(uint64) word {
				if !w.Valid || s.Ready.Get() { // a beat stands until it is taken
					w = word{uint8(rng.Uint32()), rng.IntN(4) > 0}
				}
				return w
			})
			vectors.Drive(b, &s.Offset, func(uint64) uint8 { return uint8(rng.Uint32()) })
			vectors.Drive(b, &s.OutReady, func(uint64) bool { return rng.IntN(3) == 0 })
			return s
		},
	}
}

// stageRTL gives zeros from then on if a beat is taken back.
const stageRTL = `module acc (input clk, input rst, input [7:0] in_data, input in_valid, input [7:0] offset, output ready,
    output reg [7:0] out_data, output reg out_valid, input out_ready);
    reg waits, bad; reg [1:0] pause;
    assign ready = (!out_valid || out_ready) && pause == 0;
    always @(posedge clk)
        if (rst) begin out_valid <= 0; waits <= 0; bad <= 0; pause <= 0; end
        else begin
            pause <= pause + 1;
            waits <= in_valid && !ready;
            if (waits && !in_valid) bad <= 1;
            if (out_ready) out_valid <= 0;
            if (in_valid && ready) begin out_valid <= 1; out_data <= bad ? 8'd0 : in_data + offset; end
        end
endmodule
`

// Beats are taken and given by the model's own handshakes. Fields beside a beat go with it, and a beat stands until it
// is taken.
func TestTransfersHandshakes(t *testing.T) {
	options := func(o *cosim.Options) {
		o.Unit = stageUnit()
		icarus(o)
		o.Map.Ignore = []string{"ready"}
		o.Map.Streams = map[string]cosim.Stream{"in": {Ready: "ready", Stall: 0.5}, "out": {Ready: "out_ready", Stall: 0.3}}
	}
	run := func(text string, st cosim.Stimulus) *cosim.Result {
		s, err := start(t, text, options)
		require.NoError(t, err)
		r, err := s.Run(t.Context(), st, nil)
		require.NoError(t, err)
		return r
	}
	r := run(stageRTL, cosim.Stimulus{Cycles: 600, Seed: 8})
	require.Nil(t, r.Divergence)
	require.Greater(t, r.Cycles, 90)
	// the model is not asked for its last beat, and gives it afterwards
	r = run(stageRTL, cosim.Stimulus{Rows: [][]uint64{{3, 1, 4, 1, 0, 0, 0}, {0, 0, 0, 0, 7, 1, 0}}})
	require.Nil(t, r.Divergence)
	require.Equal(t, 1, r.Cycles)
	// x is never right
	for from, to := range map[string]string{"in_data + offset": "8'bx", "out_valid <= 1": "out_valid <= 1'bx"} {
		d := run(strings.Replace(stageRTL, from, to, 1), cosim.Stimulus{Cycles: 200, Seed: 8}).Divergence
		require.NotNil(t, d, to)
		require.NotZero(t, d.Unknown, to)
		require.Zero(t, d.Cycle, to)
	}
}

// pairs adds the words of two streams, pair by pair, and shows the large words of the first on a stream of their own.
// It takes whatever comes.
type pairs struct {
	A, B rtl.In[word]
	Sum  rtl.Out[sum]
	Big  rtl.Out[word]

	a, b []uint8
}

func (p *pairs) Reset() { p.a, p.b = nil, nil; p.Sum.Set(sum{}); p.Big.Set(word{}) }

func (p *pairs) Tick() {
	for _, x := range []struct {
		in    word
		queue *[]uint8
	}{{p.A.Get(), &p.a}, {p.B.Get(), &p.b}} {
		if x.in.Valid {
			*x.queue = append(*x.queue, x.in.Data)
		}
	}
	var s sum
	var big word
	if len(p.a) > 0 && len(p.b) > 0 {
		total := uint16(p.a[0]) + uint16(p.b[0])
		s = sum{total, total&1 == 1, true}
		if p.a[0] > 200 {
			big = word{p.a[0], true}
		}
		p.a, p.b = p.a[1:], p.b[1:]
	}
	p.Sum.Set(s)
	p.Big.Set(big)
}

// pairsUnit has a word of the second stream in most cycles, or in one of some.
func pairsUnit(every uint64) vectors.Unit {
	return vectors.Unit{
		Name: "test/pairs", Doc: "sums of pairs", Latency: 1, Clock: clock.Block25G,
		Valid: map[string]string{"sum": "sum_valid", "big": "big_valid"},
		Build: func(b *vectors.Bench) rtl.Module {
			p, rng := &pairs{}, b.Rand()
			vectors.Drive(b, &p.A, func(uint64) word { return word{uint8(rng.Uint32()), rng.IntN(4) > 0} })
			vectors.Drive(
				b, &p.B, func(cycle uint64) word { return word{uint8(rng.Uint32()), rng.IntN(4) > 0 && cycle%every == 0} },
			)
			return p
		},
	}
}

const pairsRTL = `module acc (input clk, input rst, input [7:0] a_data, input a_valid, output a_ready, input [7:0] b_data, input b_valid, output b_ready,
    output reg [11:0] sum_total, output sum_odd, output reg sum_valid, input sum_ready, output reg [7:0] big_data, output reg big_valid, input big_ready);
    wire go = a_valid && b_valid && (!sum_valid || sum_ready) && (!big_valid || big_ready);
    assign a_ready = go, b_ready = go, sum_odd = sum_total[0];
    always @(posedge clk)
        if (rst) begin sum_valid <= 0; big_valid <= 0; end
        else begin
            if (sum_ready) sum_valid <= 0;
            if (big_ready) big_valid <= 0;
            if (go) begin
                sum_valid <= 1; sum_total <= a_data + b_data;
                if (a_data > 200) begin big_valid <= 1; big_data <= a_data; end
            end
        end
endmodule
`

// Several streams each way: each is compared by itself, in its own order, under both simulators.
func TestStreamsEachWay(t *testing.T) {
	for _, sim := range []cosim.Simulator{cosim.Verilator, cosim.Icarus} {
		options := func(o *cosim.Options) {
			o.Unit = pairsUnit(1)
			if o.Design.Simulator = sim; sim == cosim.Icarus {
				o.Dirty = 0
			}
			o.Map.Streams = map[string]cosim.Stream{"a": {Ready: "a_ready", Stall: 0.5}, "b": {Ready: "b_ready"},
				"sum": {Ready: "sum_ready", Stall: 0.3}, "big": {Ready: "big_ready", Stall: 0.8}}
		}
		t.Run(string(sim), func(t *testing.T) {
			t.Parallel()
			if sim == cosim.Icarus && !soak { // the bug under Verilator, the right RTL under Icarus
				s, err := start(t, pairsRTL, options)
				require.NoError(t, err)
				r, err := s.Run(t.Context(), cosim.Stimulus{Cycles: 500, Seed: 8}, nil)
				require.NoError(t, err)
				require.Nil(t, r.Divergence)
				require.Greater(t, r.Cycles, 370)
				return
			}
			if soak {
				s, err := start(t, pairsRTL, options)
				r := agree(t, s, err)
				require.Greater(t, r.Cycles, 3700+700) // sums, and large words
				require.Len(t, r.Outputs, 5)
				for _, o := range r.Outputs {
					require.Positive(t, o.Count, o.Field)
				}
			}
			s, err := start(t, strings.Replace(pairsRTL, " && (!big_valid || big_ready)", "", 1), options)
			d := part(t, s, err)
			require.Equal(t, "big_data", d.Field)
			short, err := s.Shrink(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8}, d)
			require.NoError(t, err)
			require.Less(t, len(short.Set.Rows), 8)
		})
	}
	// a run that cannot go on, since one stream is too far ahead of the other, is no agreement
	s, err := start(t, pairsRTL, func(o *cosim.Options) {
		o.Unit = pairsUnit(64)
		icarus(o)
		o.Map.Streams = map[string]cosim.Stream{
			"a": {Ready: "a_ready"}, "b": {Ready: "b_ready"}, "sum": {Ready: "sum_ready"}, "big": {Ready: "big_ready"},
		}
	})
	require.NoError(t, err)
	_, err = s.Run(t.Context(), cosim.Stimulus{Cycles: 20000, Seed: 8}, nil)
	require.ErrorContains(t, err, "; the stimulus has no beat of stream b for it, and 2048 or more of another")
	// fields of no stream do not stand beside a beat of one of several
	_, err = start(t, pairsRTL, func(o *cosim.Options) {
		o.Unit = pairsUnit(1)
		icarus(o)
		o.Map.Streams = map[string]cosim.Stream{"a": {Ready: "a_ready"}, "sum": {Ready: "sum_ready"}}
		o.Map.Tie = map[string]uint64{"big_ready": 1}
	})
	require.EqualError(
		t, err,
		"map: streams: output big_data is not of stream sum, and transfers do not compare it: ignore it (ignore: [big_data])",
	)
}

// Options without a meaning beside streams are refused.
func TestTransfersRefused(t *testing.T) {
	for want, edit := range map[string]func(m *cosim.Map){
		"extra and stall of the clock enable mean nothing": func(m *cosim.Map) { m.Extra = map[string]int{"out": 3} },
		"streams: 1 in and 0 out, want at least one " +
			"of each": func(m *cosim.Map) { delete(m.Streams, "out"); m.Tie = map[string]uint64{"m_ready": 1} },
		"the unit has no port none with a valid bit": func(m *cosim.Map) { m.Streams["none"] = cosim.Stream{} },
		"stall: 1, want a share from 0 to 0.9": func(m *cosim.Map) {
			m.Streams["in"] = cosim.Stream{Ready: "s_ready",
				Stall: 1}
		},
	} {
		_, err := start(t, elastic, func(o *cosim.Options) { elasticIcarus(o); edit(&o.Map) })
		require.ErrorContains(t, err, want)
	}
}
